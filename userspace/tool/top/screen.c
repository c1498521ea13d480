// SPDX-License-Identifier: GPL-2.0
/*
 * What top shows on a terminal: a line of sums, a board, the last refusals. It fits into 80
 * columns; longer lines are cut. Only what has changed is sent.
 */
#include <locale.h>
#include <string.h>

#include "output/output.h"
#include "output/style.h"
#include "screen.h"
#include "status/event.h"

#ifdef WITH_NCURSES
#include <ncurses.h>
#include <wchar.h>

enum { PAIR_REFUSED = 1, PAIR_AUDITED };

bool screen_can(void)
{
	return true;
}

bool screen_begin(void)
{
	setlocale(LC_CTYPE, "");
	if (!newterm(NULL, stdout, stdin))
		return false;
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	if (has_colors() && style_colors()) {
		start_color();
		use_default_colors();
		init_pair(PAIR_REFUSED, COLOR_RED, -1);
		init_pair(PAIR_AUDITED, COLOR_YELLOW, -1);
	}
	return true;
}

void screen_end(void)
{
	endwin();
}

/* Leaves the screen, to print and to ask as any other command does. */
void screen_leave(void)
{
	def_prog_mode();
	endwin();
}

void screen_return(void)
{
	reset_prog_mode();
	clearok(stdscr, TRUE);
}

/* As much of a text as fits up to the right edge, by the columns that it takes. */
static void put(int y, int x, const char *text)
{
	int left = COLS - x;

	move(y, x);
	while (*text && left > 0) {
		wchar_t wide[2] = { 0 };
		int length = mbtowc(wide, text, MB_CUR_MAX), columns;

		if (length <= 0) {
			/* The encoding of the locale does not have this character. */
			wide[0] = L'?';
			length = 1;
			while (((unsigned char)text[length] & 0xC0) == 0x80)
				length++;
		}
		columns = wcwidth(wide[0]);
		if (columns > left)
			break;
		if (columns >= 0)
			addnwstr(wide, 1);
		left -= columns > 0 ? columns : 0;
		text += length;
	}
}

static void put_count(int y, int x, u64 count, int pair)
{
	char text[32];

	snprintf(text, sizeof(text), "%9s", count_text(count));
	if (count)
		attron(COLOR_PAIR(pair));
	put(y, x, text);
	attroff(COLOR_PAIR(pair));
}

static void draw_head(const struct activity *a, const struct view *view)
{
	char text[160];

	snprintf(text, sizeof(text), "%s   refused %s/s   audited %s/s   events not sent %s%s",
		 "utf8guard top", count_text(a->refused_rate), count_text(a->audited_rate),
		 count_text(a->suppressed), view->paused ? "   PAUSED" : "");
	attron(A_BOLD);
	put(0, 0, text);
	attroff(A_BOLD);
	put(1, 0, "q quit  SPACE pause  s sort  r rules  c classes  p processes  l locations");
	put(2, 0, "j/k or arrows choose a refusal below  e explain it  x the rule to let it pass");
}

static void draw_row(int y, const struct activity *a, const struct view *view,
		     const struct row *row)
{
	char text[5100];

	put_count(y, 0, row->rate, PAIR_REFUSED);
	put_count(y, 10, row->refused, PAIR_REFUSED);
	put_count(y, 20, row->audited, PAIR_AUDITED);
	if (view->kind == BOARD_RULE)
		snprintf(text, sizeof(text), "%-8s %s", row->name,
			 member_text(a->lines, row->name));
	put(y, 31, view->kind == BOARD_RULE ? text : row->name);
}

static void draw_board(int y, int lines, const struct activity *a, const struct view *view)
{
	const struct board *board = &a->boards[view->kind];
	char text[80];
	int i;

	snprintf(text, sizeof(text), "%9s %9s %9s  %s", view->by_rate ? "A SECOND^" : "A SECOND",
		 "REFUSED", "AUDITED", board_titles[view->kind]);
	attron(A_REVERSE);
	mvhline(y, 0, ' ', COLS);
	put(y, 0, text);
	attroff(A_REVERSE);
	for (i = 0; i + 1 < lines && i < (int)board->count; i++)
		draw_row(y + 1 + i, a, view, &board->rows[i]);
}

static void draw_event(int y, const json_t *e, bool chosen)
{
	const bool packet = event_is_packet(e);
	/* A path has 4096 octets, each of which may be shown as four. */
	char text[4 * 4096 + 2000];

	/* The bytes first: a long path must not push them off the screen. */
	snprintf(text, sizeof(text), "%c %-7s %s %s %s %s%s%s", chosen ? '>' : ' ',
		 member_word(e, "outcome"),
		 member_word(e, member_present(e, "reason") ? "reason" : "class"),
		 member_text(e, "bytes"), packet ? member_text(e, "saddr") : member_text(e, "comm"),
		 packet ? "" : member_text(e, "path"),
		 packet || !strcmp(member_text(e, "path"), "/") ? "" : "/",
		 packet ? member_text(e, "daddr") : member_text(e, "name"));
	if (chosen)
		attron(A_BOLD);
	put(y, 0, text);
	attroff(A_BOLD);
}

void screen_draw(const struct activity *a, const struct view *view)
{
	const int events = LINES > 12 ? LINES / 3 : 2, y = LINES - events;
	const size_t shown = (size_t)events - 1;
	size_t first = view->chosen >= shown ? view->chosen - shown + 1 : 0, i;

	erase();
	draw_head(a, view);
	draw_board(3, y - 3, a, view);
	attron(A_REVERSE);
	mvhline(y, 0, ' ', COLS);
	put(y, 0, "THE LAST REFUSALS");
	attroff(A_REVERSE);
	for (i = first; i < a->event_count && i - first < shown; i++)
		draw_event(y + 1 + (int)(i - first), a->events[i], i == view->chosen);
	refresh();
}

/* Carries out the next key that was typed, if there is one. */
enum screen_ask screen_key(struct view *view, const struct activity *a)
{
	switch (getch()) {
	case 'q':
	case 3:
		return SCREEN_ASK_QUIT;
	case ' ':
		view->paused = !view->paused;
		break;
	case 's':
		view->by_rate = !view->by_rate;
		break;
	case 'r':
		view->kind = BOARD_RULE;
		break;
	case 'c':
		view->kind = BOARD_CLASS;
		break;
	case 'p':
		view->kind = BOARD_PROCESS;
		break;
	case 'l':
		view->kind = BOARD_LOCATION;
		break;
	case 'j':
	case KEY_DOWN:
		if (view->chosen + 1 < a->event_count)
			view->chosen++;
		break;
	case 'k':
	case KEY_UP:
		if (view->chosen)
			view->chosen--;
		break;
	case 'e':
		return SCREEN_ASK_EXPLAIN;
	case 'x':
		return SCREEN_ASK_EXCEPTION;
	}
	return SCREEN_ASK_NONE;
}
#else
bool screen_can(void)
{
	return false;
}

bool screen_begin(void)
{
	return false;
}

void screen_end(void)
{
}

void screen_draw(const struct activity *a, const struct view *view)
{
	(void)a;
	(void)view;
}

enum screen_ask screen_key(struct view *view, const struct activity *a)
{
	(void)view;
	(void)a;
	return SCREEN_ASK_QUIT;
}

void screen_leave(void)
{
}

void screen_return(void)
{
}
#endif
