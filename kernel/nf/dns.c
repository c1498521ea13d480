// SPDX-License-Identifier: GPL-2.0
/*
 * DNS messages, RFC 1035: the labels of questions, of owners, and of the names
 * in the data of types that have them at a fixed place. Each label is a text of
 * its own. Data of other types is stepped over. A compressed name is followed if
 * it goes on with a label that was judged; else, where could it not lead to.
 */
#include "../codec/codec.h"
#include "scope.h"

enum step {
	STEP_SIZE,		/* of the message, in a stream */
	STEP_HEADER,
	STEP_NAME,		/* a length of a label, or a pointer */
	STEP_POINTER,
	STEP_LABEL,
	STEP_QUESTION,		/* type and class */
	STEP_RECORD,		/* from type to length */
	STEP_DATA,		/* of a record, to be stepped over */
	STEP_DONE,
};

#define HEADER 12

/* Where the data of a type has names: octets before them, and how many they are. */
static const struct layout {
	u8 type, before, names;
} layouts[] = {
	{ 2, 0, 1 },		/* NS */
	{ 3, 0, 1 },		/* MD */
	{ 4, 0, 1 },		/* MF */
	{ 5, 0, 1 },		/* CNAME */
	{ 6, 0, 2 },		/* SOA */
	{ 7, 0, 1 },		/* MB */
	{ 8, 0, 1 },		/* MG */
	{ 9, 0, 1 },		/* MR */
	{ 12, 0, 1 },		/* PTR */
	{ 14, 0, 2 },		/* MINFO */
	{ 15, 2, 1 },		/* MX */
	{ 17, 0, 2 },		/* RP, RFC 1183 */
	{ 18, 2, 1 },		/* AFSDB */
	{ 21, 2, 1 },		/* RT */
	{ 23, 0, 1 },		/* NSAP-PTR, RFC 1706 */
	{ 24, 18, 1 },		/* SIG, RFC 2535 */
	{ 26, 2, 2 },		/* PX, RFC 2163 */
	{ 30, 0, 1 },		/* NXT, RFC 2535 */
	{ 33, 6, 1 },		/* SRV, RFC 2782 */
	{ 36, 2, 1 },		/* KX, RFC 2230 */
	{ 39, 0, 1 },		/* DNAME, RFC 6672 */
	{ 46, 18, 1 },		/* RRSIG, RFC 4034 */
	{ 47, 0, 1 },		/* NSEC */
	{ 64, 2, 1 },		/* SVCB, RFC 9460 */
	{ 65, 2, 1 },		/* HTTPS */
	{ 107, 2, 1 },		/* LP, RFC 6742 */
	{ 249, 0, 1 },		/* TKEY, RFC 2930 */
	{ 250, 0, 1 },		/* TSIG, RFC 8945 */
};

/*
 * KX, RRSIG and so on: their names are not compressed, nor any to them (RFC 3597
 * section 4), so that their labels need not be remembered.
 */
static bool is_alone(u16 type)
{
	static const u8 types[] = { 36, 46, 47, 64, 65, 107, 249, 250 };

	return type < 256 && memchr(types, type, sizeof(types));
}

static const struct layout *layout_of(u16 type)
{
	u32 i;

	for (i = 0; type && i < ARRAY_SIZE(layouts); i++)
		if (layouts[i].type == type)
			return &layouts[i];
	return NULL;
}

static bool unfollowed(struct nf_scope *scope)
{
	scope->status = NF_SCOPE_UNFOLLOWED;
	return false;
}

static void next_record(struct nf_dns *dns)
{
	dns->left = 0;
	dns->type = 0;
	if (dns->questions || dns->records)
		dns->step = STEP_NAME;
	else
		dns->step = STEP_DONE;
}

/* Behind a name in data, or behind what is before it, at the octet @at. */
static bool next_in_data(struct nf_scope *scope)
{
	struct nf_dns *dns = &scope->dns;
	u32 next = dns->at + 1;

	if (dns->data_names) {
		dns->step = STEP_NAME;
	} else if (dns->data_end < next) {
		return unfollowed(scope);
	} else if (dns->data_end > next) {
		dns->step = STEP_DATA;
		dns->left = dns->data_end - next;
	} else {
		dns->data_end = 0;
		next_record(dns);
	}
	return true;
}

static bool end_name(struct nf_scope *scope)
{
	struct nf_dns *dns = &scope->dns;

	if (dns->data_names) {
		dns->data_names--;
		return next_in_data(scope);
	}
	dns->step = dns->questions ? STEP_QUESTION : STEP_RECORD;
	dns->left = dns->questions ? 4 : 10;
	return true;
}

/* @at is still that of the octet. */
static bool name(struct nf_scope *scope, u8 octet)
{
	struct nf_dns *dns = &scope->dns;

	if (octet >= 0xc0) {
		dns->step = STEP_POINTER;
		dns->high = octet & 0x3f;
		return true;
	}
	if (octet >= 0x40)
		return unfollowed(scope);
	if (!octet)
		return end_name(scope);
	if (dns->count < NF_DNS_LABELS && !is_alone(dns->type))
		dns->labels[dns->count++] = dns->at;
	dns->step = STEP_LABEL;
	dns->left = octet;
	nf_scope_text_begin(scope);
	return true;
}

static bool pointer(struct nf_scope *scope, u8 octet)
{
	struct nf_dns *dns = &scope->dns;
	u16 to = dns->high << 8 | octet;
	u32 i;

	dns->high = 0;
	for (i = 0; i < dns->count; i++)
		if (dns->labels[i] == to)
			return end_name(scope);
	return unfollowed(scope);
}

static bool label(struct nf_scope *scope, u8 octet, struct utf8guard_error *error)
{
	struct nf_dns *dns = &scope->dns;

	if (!nf_scope_text(scope, &octet, 1, error))
		return false;
	if (--dns->left)
		return true;
	dns->step = STEP_NAME;
	nf_scope_text_end(scope, error);
	return scope->status == NF_SCOPE_FOLLOWED;
}

static bool header(struct nf_scope *scope, u8 octet)
{
	struct nf_dns *dns = &scope->dns;

	if (dns->at == 4 || dns->at == 5)
		dns->questions = dns->questions << 8 | octet;
	else if (dns->at > 5)
		dns->records += (u32)octet << (dns->at % 2 ? 0 : 8);
	if (dns->at == HEADER - 1)
		next_record(dns);
	return true;
}

/* Type, class, time to live and length of a record. */
static bool record(struct nf_scope *scope, u8 octet)
{
	struct nf_dns *dns = &scope->dns;
	const struct layout *layout;

	if (dns->left > 8)
		dns->type = dns->type << 8 | octet;
	if (dns->left <= 2)
		dns->length = dns->length << 8 | octet;
	if (--dns->left)
		return true;
	dns->records--;
	dns->data_end = dns->at + 1 + dns->length;
	layout = dns->length ? layout_of(dns->type) : NULL;
	dns->data_names = layout ? layout->names : 0;
	dns->length = 0;
	if (!layout || !layout->before)
		return next_in_data(scope);
	dns->step = STEP_DATA;
	dns->left = layout->before;
	return true;
}

static bool data_octet(struct nf_scope *scope)
{
	return --scope->dns.left || next_in_data(scope);
}

static bool question(struct nf_scope *scope)
{
	struct nf_dns *dns = &scope->dns;

	if (!--dns->left) {
		dns->questions--;
		next_record(dns);
	}
	return true;
}

static bool put(struct nf_scope *scope, u8 octet, struct utf8guard_error *error)
{
	switch ((enum step)scope->dns.step) {
	case STEP_HEADER:
		return header(scope, octet);
	case STEP_NAME:
		return name(scope, octet);
	case STEP_POINTER:
		return pointer(scope, octet);
	case STEP_LABEL:
		return label(scope, octet, error);
	case STEP_QUESTION:
		return question(scope);
	case STEP_RECORD:
		return record(scope, octet);
	case STEP_DATA:
		return data_octet(scope);
	default:
		return unfollowed(scope);
	}
}

static bool size(struct nf_scope *scope, u8 octet)
{
	struct nf_dns *dns = &scope->dns;

	if (!dns->at)
		memset(dns, 0, sizeof(*dns));
	dns->size = dns->size << 8 | octet;
	if (++dns->at == 1)
		return true;
	dns->at = 0;
	dns->step = STEP_HEADER;
	return dns->size >= HEADER || unfollowed(scope);
}

/* The message must end where its length says. */
static bool check_size(struct nf_scope *scope)
{
	struct nf_dns *dns = &scope->dns;

	if (scope->kind != NF_SCOPE_DNS_STREAM || dns->at < dns->size)
		return true;
	if (dns->step != STEP_DONE)
		return unfollowed(scope);
	memset(dns, 0, sizeof(*dns));
	return true;
}

u32 nf_dns_feed(struct nf_scope *scope, const u8 *data, u32 len,
		struct utf8guard_error *error)
{
	struct nf_dns *dns = &scope->dns;

	if (!len)
		return 0;
	if (scope->kind == NF_SCOPE_DNS_STREAM && dns->step == STEP_SIZE)
		return size(scope, data[0]);
	if (dns->step == STEP_SIZE)
		dns->step = STEP_HEADER;
	if (!put(scope, data[0], error))
		return 0;
	if (dns->at == 0xffff)
		return unfollowed(scope);
	dns->at++;
	return check_size(scope);
}

/* Is all there that the header announced? */
bool nf_dns_is_whole(const struct nf_scope *scope)
{
	return scope->dns.step == (scope->kind == NF_SCOPE_DNS_STREAM ? STEP_SIZE : STEP_DONE) &&
	       !(scope->kind == NF_SCOPE_DNS_STREAM && scope->dns.at);
}
