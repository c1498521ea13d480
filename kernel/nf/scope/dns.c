// SPDX-License-Identifier: GPL-2.0
/*
 * DNS messages (RFC 1035). Each label of a name is a text of its own: in questions, in owner
 * names, and in the data of those types of records that have names at a known offset. Other
 * data is skipped.
 *
 * The pointer of a compressed name must point to a label that was judged before. A pointer to
 * anything else could make a name of octets that were never judged, so the message is not
 * followed any further.
 */
#include "../../codec/codec.h"
#include "scope.h"

/* What the next octet is. */
enum step {
	STEP_SIZE,		/* of the length of the message, in a stream */
	STEP_HEADER,
	STEP_NAME,		/* the length of a label, or the first octet of a pointer */
	STEP_POINTER,		/* the second octet of a pointer */
	STEP_LABEL,
	STEP_QUESTION,		/* of the type and class of a question */
	STEP_RECORD,		/* of the type, class, time to live and length of a record */
	STEP_DATA,		/* of the data of a record, to be skipped */
	STEP_STRING,		/* the length of a string in the data of a record */
	STEP_DONE,		/* after the message */
};

#define HEADER 12

/* How the data of a record begins: octets, then strings, then names. */
struct layout {
	u8 before;	/* the number of octets */
	u8 strings;	/* the number of strings, each after an octet with its length */
	u8 names;	/* the number of names */
};

/* Types without a reference are of RFC 1035. */
static struct layout layout_of(u16 type)
{
	switch (type) {
	case 2 ... 5:	/* NS, MD, MF, CNAME */
	case 7 ... 9:	/* MB, MG, MR */
	case 12:	/* PTR */
	case 23:	/* NSAP-PTR, RFC 1348 */
	case 30:	/* NXT, RFC 2535 */
	case 39:	/* DNAME, RFC 6672 */
	case 47:	/* NSEC, RFC 4034 */
	case 249:	/* TKEY, RFC 2930 */
	case 250:	/* TSIG, RFC 8945 */
		return (struct layout) { .names = 1 };
	case 6:		/* SOA */
	case 14:	/* MINFO */
	case 17:	/* RP, RFC 1183 */
	case 58:	/* TALINK, registered by IANA */
		return (struct layout) { .names = 2 };
	case 15:	/* MX */
	case 18:	/* AFSDB, RFC 1183 */
	case 21:	/* RT, RFC 1183 */
	case 36:	/* KX, RFC 2230 */
	case 64 ... 65:	/* SVCB, HTTPS, RFC 9460 */
	case 107:	/* LP, RFC 6742 */
		return (struct layout) { .before = 2, .names = 1 };
	case 26:	/* PX, RFC 2163 */
		return (struct layout) { .before = 2, .names = 2 };
	case 35:	/* NAPTR, RFC 3403 */
		return (struct layout) { .before = 4, .strings = 3, .names = 1 };
	case 33:	/* SRV, RFC 2782 */
		return (struct layout) { .before = 6, .names = 1 };
	case 24:	/* SIG, RFC 2535 */
	case 46:	/* RRSIG, RFC 4034 */
		return (struct layout) { .before = 18, .names = 1 };
	default:
		return (struct layout) {};
	}
}

/*
 * Types that are younger than RFC 3597, and some before it: by its section 4, no name points
 * into their data. So their labels need not be remembered.
 */
static bool is_alone(u16 type)
{
	switch (type) {
	case 36:	/* KX */
	case 46 ... 47:	/* RRSIG, NSEC */
	case 58:	/* TALINK */
	case 64 ... 65:	/* SVCB, HTTPS */
	case 107:	/* LP */
	case 249 ... 250: /* TKEY, TSIG */
		return true;
	default:
		return false;
	}
}

static bool unfollowed(struct ugnf_scope *scope)
{
	return ugnf_scope_lose(scope, UTF8GUARD_CAUSE_SIZE);
}

/* A question or a record has ended: another one follows, or the message ends. */
static void next_record(struct ugnf_dns *dns)
{
	dns->left = 0;
	dns->type = 0;
	if (dns->questions || dns->records)
		dns->step = STEP_NAME;
	else
		dns->step = STEP_DONE;
}

/* The octet at dns->at ended a part of the data of a record: what is the next part? */
static bool next_in_data(struct ugnf_scope *scope)
{
	struct ugnf_dns *dns = &scope->dns;
	u32 next = dns->at + 1;

	if (dns->data_strings) {
		dns->step = STEP_STRING;
	} else if (dns->data_names) {
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

/* Skips @len octets of the data of a record, after the octet at dns->at. */
static bool step_over(struct ugnf_scope *scope, u8 len)
{
	if (!len)
		return next_in_data(scope);
	scope->dns.step = STEP_DATA;
	scope->dns.left = len;
	return true;
}

/* A name has ended, in the data of a record or before it. */
static bool end_name(struct ugnf_scope *scope)
{
	struct ugnf_dns *dns = &scope->dns;

	if (dns->data_names) {
		dns->data_names--;
		return next_in_data(scope);
	}
	dns->step = dns->questions ? STEP_QUESTION : STEP_RECORD;
	dns->left = dns->questions ? 4 : 10;
	return true;
}

/*
 * Where the label is that dns->labels[*@i] begins to tell of; adds to *@i what it takes. It tells
 * how far that is from @before, the label before it: an octet, or 0 and two octets.
 */
static u32 next_label(const struct ugnf_dns *dns, u32 *i, u32 before)
{
	const u8 *distance = &dns->labels[*i];

	if (*distance) {
		*i += 1;
		return before + *distance;
	}
	*i += 3;
	return before + (distance[1] << 8 | distance[2]);
}

/* Remembers the label at dns->at, if there is room. */
static void remember_label(struct ugnf_dns *dns)
{
	u32 last = 0, distance, i = 0;

	while (i < dns->count)
		last = next_label(dns, &i, last);
	distance = dns->at - last;
	if (distance < 0x100 && i < UGNF_DNS_LABELS) {
		dns->labels[i++] = distance;
	} else if (distance >= 0x100 && i + 3 <= UGNF_DNS_LABELS) {
		dns->labels[i++] = 0;
		dns->labels[i++] = distance >> 8;
		dns->labels[i++] = distance;
	}
	dns->count = i;
}

/* @octet, at dns->at, begins a label or a pointer, or ends a name. */
static bool name(struct ugnf_scope *scope, u8 octet)
{
	struct ugnf_dns *dns = &scope->dns;

	if (octet >= 0xc0) {
		dns->step = STEP_POINTER;
		dns->left = (octet & 0x3f) << 8;
		return true;
	}
	if (octet >= 0x40)
		return ugnf_scope_lose(scope, UTF8GUARD_CAUSE_LABEL);
	if (!octet)
		return end_name(scope);
	if (!is_alone(dns->type))
		remember_label(dns);
	dns->step = STEP_LABEL;
	dns->left = octet;
	ugnf_scope_text_begin(scope);
	return true;
}

static bool pointer(struct ugnf_scope *scope, u8 octet)
{
	struct ugnf_dns *dns = &scope->dns;
	u32 to = dns->left | octet, at = 0, i = 0;

	dns->left = 0;
	while (i < dns->count) {
		at = next_label(dns, &i, at);
		if (at == to)
			return end_name(scope);
	}
	return ugnf_scope_lose(scope, UTF8GUARD_CAUSE_POINTER);
}

static bool label(struct ugnf_scope *scope, u8 octet, struct utf8guard_error *error)
{
	struct ugnf_dns *dns = &scope->dns;

	if (!ugnf_scope_text(scope, &octet, 1, error))
		return false;
	if (--dns->left)
		return true;
	dns->step = STEP_NAME;
	ugnf_scope_text_end(scope, error);
	return scope->status == UGNF_SCOPE_FOLLOWED;
}

static bool header(struct ugnf_scope *scope, u8 octet)
{
	struct ugnf_dns *dns = &scope->dns;

	if (dns->at == 4 || dns->at == 5)
		dns->questions = dns->questions << 8 | octet;
	else if (dns->at > 5)
		dns->records += (u32)octet << (dns->at % 2 ? 0 : 8);
	if (dns->at == HEADER - 1)
		next_record(dns);
	return true;
}

/* Reads type and length of a record; in between are its class and its time to live. */
static bool record(struct ugnf_scope *scope, u8 octet)
{
	struct ugnf_dns *dns = &scope->dns;
	struct layout layout = {};

	if (dns->left > 8)
		dns->type = dns->type << 8 | octet;
	if (dns->left <= 2)
		dns->length = dns->length << 8 | octet;
	if (--dns->left)
		return true;
	dns->records--;
	dns->data_end = dns->at + 1 + dns->length;
	if (dns->length)
		layout = layout_of(dns->type);
	dns->data_strings = layout.strings;
	dns->data_names = layout.names;
	dns->length = 0;
	return step_over(scope, layout.before);
}

static bool string(struct ugnf_scope *scope, u8 octet)
{
	scope->dns.data_strings--;
	return step_over(scope, octet);
}

static bool data_octet(struct ugnf_scope *scope)
{
	return --scope->dns.left || next_in_data(scope);
}

static bool question(struct ugnf_scope *scope)
{
	struct ugnf_dns *dns = &scope->dns;

	if (!--dns->left) {
		dns->questions--;
		next_record(dns);
	}
	return true;
}

static bool put(struct ugnf_scope *scope, u8 octet, struct utf8guard_error *error)
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
	case STEP_STRING:
		return string(scope, octet);
	default:
		return unfollowed(scope);
	}
}

static bool size(struct ugnf_scope *scope, u8 octet)
{
	struct ugnf_dns *dns = &scope->dns;

	if (!dns->at)
		memset(dns, 0, sizeof(*dns));
	dns->size = dns->size << 8 | octet;
	if (++dns->at == 1)
		return true;
	dns->at = 0;
	dns->step = STEP_HEADER;
	return dns->size >= HEADER || unfollowed(scope);
}

/* In a stream, a message must end where its length says. */
static bool check_size(struct ugnf_scope *scope)
{
	struct ugnf_dns *dns = &scope->dns;

	if (scope->kind != UGNF_SCOPE_DNS_STREAM || dns->at < dns->size)
		return true;
	if (dns->step != STEP_DONE)
		return unfollowed(scope);
	memset(dns, 0, sizeof(*dns));
	return true;
}

/* See ugnf_scope_feed(). Takes one octet at a time, for labels are short. */
u32 ugnf_dns_feed(struct ugnf_scope *scope, const u8 *data, u32 len,
		  struct utf8guard_error *error)
{
	struct ugnf_dns *dns = &scope->dns;

	if (!len)
		return 0;
	if (scope->kind == UGNF_SCOPE_DNS_STREAM && dns->step == STEP_SIZE)
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

/* Has the message everything that its header announced? */
bool ugnf_dns_is_whole(const struct ugnf_scope *scope)
{
	return scope->dns.step == (scope->kind == UGNF_SCOPE_DNS_STREAM ? STEP_SIZE : STEP_DONE) &&
	       !(scope->kind == UGNF_SCOPE_DNS_STREAM && scope->dns.at);
}
