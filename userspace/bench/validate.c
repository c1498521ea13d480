// SPDX-License-Identifier: GPL-2.0
/*
 * Validation, ours against what Debian packages, in one process:
 *
 *   validate TEXTS [CONTESTANT...]    texts as texts.py makes them; all, or only these
 *
 * TSV on standard output, a line for each text, size and contestant: quartiles of the
 * cycles of a call. "names" are the names one by one; the other sizes are pieces of the
 * names in a row, whole characters, filled up with ASCII. Calls are on pieces by lot, out of as
 * many as fit into PIECES_OCTETS.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../kernel/codec/engine.h"
#include "bench.h"
#include "peers.h"

#define TURN_OCTETS 262144 /* of each contestant in each round, at least */
#define PIECES_OCTETS 262144
#define MAX_PIECES BENCH_NAMES

static const size_t sizes[] = { 0, 8, 16, 32, 64, 128, 255, 512, 1460, 65536 };

struct contestant {
	const char *name;
	valid_fn *valid;
	const struct utf8guard_engine *engine; /* for @valid; or NULL */
	double ns[BENCH_ROUNDS];
};

static struct contestant contestants[16];
static unsigned int contestant_count;
static char **wanted;

static bool is_wanted(const char *name)
{
	char **word;

	for (word = wanted; *word; word++)
		if (!strcmp(*word, name))
			return true;
	return !*wanted;
}

static void enter(const char *name, valid_fn *valid, const struct utf8guard_engine *engine)
{
	if (is_wanted(name))
		contestants[contestant_count++] = (struct contestant){ name, valid, engine, { 0 } };
}

/* As programs call it. */
static bool by_call(const u8 *text, size_t len)
{
	return !utf8guard_validate(text, len, NULL);
}

/* An engine alone, by a pointer, as the libraries of the peers are called. */
static const struct utf8guard_engine *engine;

static bool by_engine(const u8 *text, size_t len)
{
	return engine->prefix(text, len) == len;
}

/* What a call costs anybody: a text that is not looked at. */
static size_t look_at_nothing(const u8 *text, size_t len)
{
	(void)text;
	return len;
}

static const struct utf8guard_engine nothing = { .name = "no validation", .prefix = look_at_nothing };

static void enter_all(void)
{
	const struct utf8guard_engine *ours;
	unsigned int i, count;

	enter("utf8guard", by_call, NULL);
	for (i = 0; (ours = utf8guard_engine_at(i)); i++)
		if (utf8guard_engine_usable(ours))
			enter(ours->name, by_engine, ours);
	enter(nothing.name, by_engine, &nothing);
	count = peers_find();
	for (i = 0; i < count; i++)
		enter(peers[i].name, peers[i].valid, NULL);
}

/**
 * struct pieces - what is validated
 * @at: where each begins
 * @len: octets of each
 * @count: how many
 * @octets: of all
 */
struct pieces {
	const u8 *at[MAX_PIECES];
	size_t len[MAX_PIECES];
	unsigned int count;
	size_t octets;
};

static void add_piece(struct pieces *pieces, const u8 *at, size_t len)
{
	pieces->at[pieces->count] = at;
	pieces->len[pieces->count++] = len;
	pieces->octets += len;
}

static void take_names(struct pieces *pieces, const struct bench_text *text)
{
	unsigned int i;

	for (i = 0; i < text->names; i++)
		add_piece(pieces, text->octets + text->at[i], bench_name_len(text, i));
}

/* @len octets of the text from @from on, which begins again where it ends. */
static void fill_piece(u8 *piece, const struct bench_text *text, size_t from, size_t len)
{
	size_t done = 0;

	while (done < len) {
		size_t begin = utf8guard_boundary(text->octets, text->len, from);
		size_t n = text->len - begin < len - done ? text->len - begin : len - done;

		memcpy(piece + done, text->octets + begin, n);
		done += n;
		from = 0;
	}
	/* The last character may be cut. */
	while (utf8guard_validate(piece, len, NULL))
		piece[--done] = 'a';
}

static u8 *cut_pieces(struct pieces *pieces, const struct bench_text *text, size_t len)
{
	size_t count = PIECES_OCTETS / len, i;
	u8 *room;

	count = count < MAX_PIECES ? count : MAX_PIECES;
	room = malloc(count * len);
	for (i = 0; i < count; i++) {
		fill_piece(room + i * len, text, text->len / count * i, len);
		add_piece(pieces, room + i * len, len);
	}
	return room;
}

struct turn {
	const struct contestant *contestant;
	const struct pieces *pieces;
	unsigned int times;
};

static void take_turn(const void *what)
{
	const struct turn *turn = what;
	const struct contestant *c = turn->contestant;
	const struct pieces *pieces = turn->pieces;
	unsigned long bad = 0;
	unsigned int n;

	engine = c->engine;
	for (n = 0; n < turn->times * pieces->count; n++) {
		unsigned int i = bench_next_lot();

		bad += !c->valid(pieces->at[i], pieces->len[i]);
	}
	if (bad) {
		fprintf(stderr, "%s: refused well-formed text\n", c->name);
		exit(1);
	}
}

/* Nanoseconds of a call. */
static double run(const struct contestant *c, const struct pieces *pieces)
{
	struct turn turn = { c, pieces, 1 };

	bench_warm_up(take_turn, &turn);
	turn.times += TURN_OCTETS / pieces->octets;
	return bench_time(take_turn, &turn) / (turn.times * pieces->count);
}

static void measure(const struct bench_text *text, size_t size)
{
	static struct bench_rounds rounds;
	static struct pieces pieces;
	unsigned int i, round;
	u8 *room = NULL;

	pieces.count = 0;
	pieces.octets = 0;
	if (size)
		room = cut_pieces(&pieces, text, size);
	else
		take_names(&pieces, text);
	bench_draw_lots(pieces.count);
	for (round = 0; round < BENCH_ROUNDS; round++) {
		bench_round_begin(&rounds, round);
		for (i = 0; i < contestant_count; i++)
			contestants[i].ns[round] = run(&contestants[i], &pieces);
	}
	bench_rounds_end(&rounds);
	for (i = 0; i < contestant_count; i++) {
		double q[3];

		bench_quartiles(&rounds, contestants[i].ns, q);
		printf("%s\t", text->name);
		printf(size ? "%zu" : "names", size);
		printf("\t%.1f\t%s\t%.2f\t%.2f\t%.2f\t%u\n", (double)pieces.octets / pieces.count,
		       contestants[i].name, q[0], q[1], q[2], rounds.quiet);
	}
	fflush(stdout);
	free(room);
}

int main(int argc, char **argv)
{
	static struct bench_text texts[BENCH_TEXTS];
	unsigned int count, i, k;

	if (argc < 2) {
		fprintf(stderr, "usage: validate TEXTS [CONTESTANT...]\n");
		return 2;
	}
	wanted = argv + 2;
	enter_all();
	count = bench_read_texts(texts, argv[1]);
	printf("# engine %s\n", utf8guard_engine_name());
	printf("# clock %.2f GHz\n", 1 / bench_cycle());
	printf("text\tsize\toctets\tby\tquartile1\tmedian\tquartile3\tquiet\n");
	for (i = 0; i < count; i++)
		for (k = 0; k < sizeof(sizes) / sizeof(*sizes); k++)
			measure(&texts[i], sizes[k]);
	printf("# alone %.1f\n", bench_alone);
	return 0;
}
