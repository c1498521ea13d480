// SPDX-License-Identifier: GPL-2.0
/*
 * Prototypes read from types (BTF) that are made up here like the kernel's and a module's;
 * and from the same types damaged: each bit flipped in turn, cut off anywhere, and at random.
 * (Of the random ones, STEP=N takes one in N.)
 * Nothing outside of them is read, and no reader goes on without end.
 *
 * promise others in the kernel: types that are damaged lead to no octet outside of them
 * shown by: damaged: nothing outside is read
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../../../kernel/fs/prototype.h"
#include "../../tap.h"

enum { INT = 1, PTR, ARRAY, STRUCT, UNION, ENUM, FWD, TYPEDEF, VOLATILE, CONST, RESTRICT,
	FUNC, FUNC_PROTO, VAR, DATASEC, FLOAT, DECL_TAG, TYPE_TAG, ENUM64, UNKNOWN };

/* BTF as it is made: types first, then names. */
struct making {
	u32 types[256], words;
	char strings[512];
	u32 len, first_string, next;
};

static u32 name(struct making *m, const char *text)
{
	u32 at = m->len;

	memcpy(m->strings + at, text, strlen(text) + 1);
	m->len += strlen(text) + 1;
	return m->first_string + at;
}

static u32 put(struct making *m, const char *text, u32 kind, u32 members, u32 type)
{
	m->types[m->words++] = *text ? name(m, text) : 0;
	m->types[m->words++] = kind << 24 | members;
	m->types[m->words++] = type;
	return m->next++;
}

static void more(struct making *m, u32 words)
{
	while (words--)
		m->types[m->words++] = 1;
}

static void parameter(struct making *m, const char *text, u32 type)
{
	m->types[m->words++] = name(m, text);
	m->types[m->words++] = type;
}

/* For free(); exactly as long as it is, so that a sanitizer sees what is read past its end. */
static u8 *finish(const struct making *m, size_t *len)
{
	u32 header[6] = { 1 << 16 | 0xeb9f, 24, 0, m->words * 4, m->words * 4, m->len };
	u8 *data;

	*len = sizeof(header) + m->words * 4 + m->len;
	data = malloc(*len);
	memcpy(data, header, sizeof(header));
	memcpy(data + sizeof(header), m->types, m->words * 4);
	memcpy(data + sizeof(header) + m->words * 4, m->strings, m->len);
	return data;
}

/* The numbers of the kernel's types that the module's are made of. */
static u32 of_int, of_path, of_name, of_dentry, of_qstr;

/* All kinds, one of each at least. */
static u8 *make_base(struct making *m, size_t *len)
{
	u32 character, structure;

	*m = (struct making) { .next = 1, .len = 1 };
	of_int = put(m, "int", INT, 0, 4);
	more(m, 1);
	character = put(m, "char", INT, 0, 1);
	more(m, 1);
	put(m, "numbers", ARRAY, 0, 0);
	more(m, 3);
	structure = put(m, "path", STRUCT, 2, 16);
	more(m, 6);
	structure = put(m, "", CONST, 0, structure);
	of_path = put(m, "", PTR, 0, structure);
	structure = put(m, "", CONST, 0, character);
	of_name = put(m, "", PTR, 0, put(m, "tag", TYPE_TAG, 0, structure));
	of_dentry = put(m, "", PTR, 0, put(m, "dentry", FWD, 0, 0));
	of_qstr = put(m, "", PTR, 0, put(m, "", VOLATILE, 0, put(m, "qstr", STRUCT, 0, 0)));
	put(m, "u", UNION, 1, 4);
	more(m, 3);
	put(m, "e", ENUM, 1, 4);
	more(m, 2);
	put(m, "e64", ENUM64, 1, 8);
	more(m, 3);
	put(m, "t", TYPEDEF, 0, of_int);
	put(m, "", RESTRICT, 0, of_path);
	put(m, "v", VAR, 0, of_int);
	more(m, 1);
	put(m, ".data", DATASEC, 1, 8);
	more(m, 3);
	put(m, "f", FLOAT, 0, 8);
	put(m, "tag", DECL_TAG, 0, of_int);
	more(m, 1);
	return finish(m, len);
}

static u8 *make_module(const struct making *base, size_t *len)
{
	struct making m = { .next = base->next, .first_string = base->len };
	u32 proto, circle;

	proto = put(&m, "", FUNC_PROTO, 4, of_int);
	parameter(&m, "parent", of_path);
	parameter(&m, "name", of_name);
	parameter(&m, "namelen", of_int);
	parameter(&m, "further", of_qstr);
	put(&m, "old", FUNC, 0, proto);
	proto = put(&m, "", FUNC_PROTO, 2, of_int);
	parameter(&m, "parent", of_dentry);
	parameter(&m, "qname", of_qstr);
	put(&m, "new", FUNC, 0, proto);
	put(&m, "twice", FUNC, 0, proto);
	put(&m, "twice", FUNC, 0, proto);
	put(&m, "none", FUNC, 0, of_int);
	put(&m, "far", FUNC, 0, 1 << 30);
	proto = put(&m, "", FUNC_PROTO, 9, 0);
	for (circle = 0; circle < 9; circle++)
		parameter(&m, "parent", m.next);
	put(&m, "", CONST, 0, m.next);
	put(&m, "long", FUNC, 0, proto);
	return finish(&m, len);
}

static struct ugfs_btf base, module;
static struct ugfs_prototype prototype;

static bool is(const char *parameter_name, int number, const char *text)
{
	return ugfs_prototype_find(&prototype, parameter_name) == number &&
	       ugfs_btf_is(&module, prototype.parameter[number].type, text);
}

static void check_whole(void)
{
	tap_ok(!ugfs_btf_prototype(&module, "old", &prototype) && prototype.count == 4,
	       "a function is found");
	tap_ok(is("parent", 0, "struct path *"), "a pointer to a const struct");
	tap_ok(is("name", 1, "char *"), "a pointer to const characters, with a tag");
	tap_ok(is("namelen", 2, "int"), "an integer");
	tap_ok(ugfs_btf_is(&module, prototype.result, "int"), "the result");
	tap_ok(!is("parent", 0, "struct dentry *") && !is("parent", 0, "struct pat *") &&
	       !is("parent", 0, "struct pith *") && !is("parent", 0, "path *") &&
	       !is("parent", 0, "struct path") &&
	       !is("namelen", 2, "int *") && !is("namelen", 2, "char") &&
	       !is("namelen", 2, "struct int"), "is no other type");
	tap_ok(ugfs_prototype_find(&prototype, "nam") == -1, "no parameter has part of a name");
	tap_ok(!ugfs_btf_prototype(&module, "new", &prototype) &&
		       is("parent", 0, "struct dentry *"),
	       "a pointer to a struct that is declared alone");
	tap_ok(is("qname", 1, "struct qstr *"), "a pointer to a volatile one");
	tap_ok(ugfs_btf_prototype(&module, "fol", &prototype) == -ENOENT, "no function");
	tap_ok(ugfs_btf_prototype(&base, "old", &prototype) == -ENOENT, "none of the kernel's");
	tap_ok(ugfs_btf_prototype(&module, "twice", &prototype) == -EEXIST, "two of a name");
	tap_ok(ugfs_btf_prototype(&module, "none", &prototype) == -EINVAL, "no prototype");
	tap_ok(ugfs_btf_prototype(&module, "far", &prototype) == -EINVAL, "no such type");
	tap_ok(!ugfs_btf_prototype(&module, "long", &prototype) && prototype.count == 9 &&
	       !ugfs_btf_is(&module, prototype.parameter[UGFS_MAX_PARAMETERS - 1].type, "int"),
	       "more parameters than are looked at, of a type in a circle");
}

static const char *const functions[] = { "old", "new", "twice", "none", "far", "long", "" };
static const char *const types[] = { "struct path *", "struct dentry *", "char *", "int" };
static unsigned long read_whole, read_at_all;

/* All that is asked of types, whatever they are. */
static void use(const u8 *base_data, size_t base_len, const u8 *data, size_t len)
{
	size_t f, t;
	u32 i;

	if (ugfs_btf_init(&base, base_data, base_len, NULL) ||
	    ugfs_btf_init(&module, data, len, &base))
		return;
	read_at_all++;
	for (f = 0; f < sizeof(functions) / sizeof(functions[0]); f++) {
		if (ugfs_btf_prototype(&module, functions[f], &prototype))
			continue;
		read_whole++;
		ugfs_prototype_find(&prototype, "namelen");
		for (i = 0; i < prototype.count && i < UGFS_MAX_PARAMETERS; i++)
			for (t = 0; t < sizeof(types) / sizeof(types[0]); t++)
				ugfs_btf_is(&module, prototype.parameter[i].type, types[t]);
	}
}

struct data {
	u8 *octets;
	size_t len;
};

static void check_bits(struct data *one, const struct data all[2])
{
	size_t bit;

	for (bit = 0; bit < one->len * 8; bit++) {
		one->octets[bit / 8] ^= 1 << bit % 8;
		use(all[0].octets, all[0].len, all[1].octets, all[1].len);
		one->octets[bit / 8] ^= 1 << bit % 8;
	}
}

/* Cut off at each length, in memory of that length. */
static void check_cuts(const struct data all[2], int which)
{
	struct data cut[2] = { all[0], all[1] };
	size_t len;

	for (len = 0; len < all[which].len; len++) {
		cut[which].octets = malloc(len + !len);
		cut[which].len = len;
		memcpy(cut[which].octets, all[which].octets, len);
		use(cut[0].octets, cut[0].len, cut[1].octets, cut[1].len);
		free(cut[which].octets);
	}
}

static void check_random(struct data all[2])
{
	u8 *saved[2];
	unsigned int round, step = tap_step();
	int i, which;

	for (which = 0; which < 2; which++) {
		saved[which] = malloc(all[which].len);
		memcpy(saved[which], all[which].octets, all[which].len);
	}
	srandom(1);
	for (round = 0; round < 200000; round += step) {
		for (i = random() % 6; i >= 0; i--) {
			which = random() & 1;
			all[which].octets[random() % all[which].len] =
				random() & 1 ? random() : random() % 32;
		}
		use(all[0].octets, all[0].len, all[1].octets, all[1].len);
		for (which = 0; which < 2; which++)
			memcpy(all[which].octets, saved[which], all[which].len);
	}
	free(saved[0]);
	free(saved[1]);
}

static void check_unknown(const struct making *made)
{
	struct making m = *made;
	size_t len;
	u8 *data;

	put(&m, "x", UNKNOWN, 0, 0);
	data = finish(&m, &len);
	tap_ok(ugfs_btf_init(&base, data, len, NULL) == -EINVAL, "a kind that is not known");
	free(data);
}

int main(void)
{
	struct data all[2];
	struct making made;

	all[0].octets = make_base(&made, &all[0].len);
	all[1].octets = make_module(&made, &all[1].len);
	tap_ok(!ugfs_btf_init(&base, all[0].octets, all[0].len, NULL), "the types of a kernel");
	tap_ok(!ugfs_btf_init(&module, all[1].octets, all[1].len, &base), "those of a module");
	check_whole();
	check_bits(&all[0], all);
	check_bits(&all[1], all);
	check_cuts(all, 0);
	check_cuts(all, 1);
	check_random(all);
	check_unknown(&made);
	tap_note("damaged: %lu were taken for types, and %lu functions found", read_at_all,
		 read_whole);
	tap_ok(read_at_all > 1000 && read_whole > 1000, "damaged: nothing outside is read");
	free(all[0].octets);
	free(all[1].octets);
	return tap_done();
}
