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

/*
 * The second one of a kind ends the program at once. Output that nobody reads any more, or that is
 * as long as a file may be, fails instead of ending it.
 */
void interrupt_catch(void)
{
	struct sigaction action = { .sa_handler = note, .sa_flags = SA_RESETHAND | SA_RESTART };

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

bool interrupted(void)
{
	return caught;
}
