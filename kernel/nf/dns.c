// SPDX-License-Identifier: GPL-2.0
/*
 * DNS messages, RFC 1035: the labels of questions, of owners, and of the names
 * in the data of NS, CNAME, SOA, PTR, MX, SRV and DNAME. Each label is a text of
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

/* Octets before the names in the data of a record, and how many names. */
static bool names_in(u16 type, u16 *before, u8 *names)
{
	*before = 0;
	*names = 1;
	switch (type) {
	case 2:		/* NS */
	case 5:		/* CNAME */
	case 12:	/* PTR */
	case 39:	/* DNAME, RFC 6672 */
		return true;
	case 6:		/* SOA */
		*names = 2;
		return true;
	case 15:	/* MX */
		*before = 2;
		return true;
	case 33:	/* SRV, RFC 2782 */
		*before = 6;
		return true;
	default:
		return false;
	}
}

static bool unfollowed(struct nf_scope *scope)
{
	scope->status = NF_SCOPE_UNFOLLOWED;
	return false;
}

static void next_record(struct nf_dns *dns)
{
	dns->left = 0;
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
	if (dns->count < NF_DNS_LABELS)
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
	u16 before;

	if (dns->left > 8)
		dns->type = dns->type << 8 | octet;
	if (dns->left <= 2)
		dns->length = dns->length << 8 | octet;
	if (--dns->left)
		return true;
	dns->records--;
	dns->data_end = dns->at + 1 + dns->length;
	if (!dns->length || !names_in(dns->type, &before, &dns->data_names)) {
		before = 0;
		dns->data_names = 0;
	}
	dns->type = 0;
	dns->length = 0;
	if (!before)
		return next_in_data(scope);
	dns->step = STEP_DATA;
	dns->left = before;
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
