// SPDX-License-Identifier: GPL-2.0
/* Signals that ask for an end. They are obeyed between two steps. */
#include <signal.h>
#include <stddef.h>

#include "interrupt.h"

static volatile sig_atomic_t caught;

static void note(int signal)
{
	caught = signal;
}

/* As nohup(1) does for SIGHUP, and a shell for SIGINT of what is in the background. */
static bool is_ignored(int signal)
{
	struct sigaction action;

	return !sigaction(signal, NULL, &action) && action.sa_handler == SIG_IGN;
}

/*
 * The second one of a kind ends the program at once. Those that were ignored go on to be. Output
 * that nobody reads any more, or that is as long as a file may be, fails instead of ending it.
 */
void interrupt_catch(void)
{
	struct sigaction action = { .sa_handler = note, .sa_flags = SA_RESETHAND | SA_RESTART };
	static const int asking[] = { SIGINT, SIGTERM, SIGHUP };
	unsigned int i;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	for (i = 0; i < sizeof(asking) / sizeof(*asking); i++)
		if (!is_ignored(asking[i]))
			sigaction(asking[i], &action, NULL);
}

bool interrupted(void)
{
	return caught;
}
