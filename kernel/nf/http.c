// SPDX-License-Identifier: GPL-2.0
/*
 * HTTP/1.x from a client, RFC 9112: request lines, fields, bodies by length or
 * in chunks, one request behind the other.
 *
 * Whatever servers are known to read in different ways is not followed: a bare
 * CR or LF, folded lines, space before a colon, any other white space in the
 * request line, two lengths, a length and chunks, codings other than "chunked",
 * HTTP/0.9, content where the method gives it no meaning; and what is behind
 * CONNECT or a field Upgrade.
 */
#include "../codec/codec.h"
#include "scope.h"

enum step {
	STEP_START,		/* of a request, or empty lines before it */
	STEP_START_LF,
	STEP_METHOD,
	STEP_TARGET,
	STEP_VERSION,
	STEP_VERSION_LF,
	STEP_FIELD,		/* the beginning of a line */
	STEP_NAME,
	STEP_VALUE,
	STEP_VALUE_LF,
	STEP_END_LF,		/* of all fields */
	STEP_BODY,
	STEP_CHUNK,		/* its size */
	STEP_CHUNK_EXTENSION,
	STEP_CHUNK_LF,
	STEP_CHUNK_DATA,
	STEP_CHUNK_END,
	STEP_CHUNK_END_LF,
	STEP_TUNNEL,		/* another protocol */
};

#define METHOD_MAX 32

/* Digits of a length: what fits into 63 bits. */
#define LENGTH_MAX 0x0800000000000000ULL

/* The fields that frame what follows, as bits of @words. */
enum name { NAME_LENGTH, NAME_CODING, NAME_UPGRADE, NAMES };

static const char *const names[NAMES] = {
	[NAME_LENGTH] = "content-length",
	[NAME_CODING] = "transfer-encoding",
	[NAME_UPGRADE] = "upgrade",
};

/*
 * Methods whose content means nothing (RFC 9110 sections 9.3.1, 9.3.2, 9.3.5, 9.3.8):
 * servers step over it, or take it for the next request. Some take any case of letters.
 */
enum method { METHOD_CONNECT, METHOD_GET, METHOD_HEAD, METHOD_DELETE, METHOD_TRACE, METHODS };

static const char *const methods[METHODS] = {
	[METHOD_CONNECT] = "connect",
	[METHOD_GET] = "get",
	[METHOD_HEAD] = "head",
	[METHOD_DELETE] = "delete",
	[METHOD_TRACE] = "trace",
};

/* Where a value stands: optional white space, itself, and such space again. */
enum value { VALUE_BEFORE, VALUE_IN, VALUE_BEHIND };

static u8 lower(u8 octet)
{
	return octet >= 'A' && octet <= 'Z' ? octet | 0x20 : octet;
}

/* RFC 9110 section 5.6.2 */
static bool is_tchar(u8 octet)
{
	return (octet >= '0' && octet <= '9') || (lower(octet) >= 'a' && lower(octet) <= 'z') ||
	       (octet && octet < 0x80 && strchr("!#$%&'*+-.^_`|~", octet));
}

static bool unfollowed(struct nf_scope *scope)
{
	scope->status = NF_SCOPE_UNFOLLOWED;
	return false;
}

static bool go_on(struct nf_scope *scope, enum step step)
{
	scope->http.step = step;
	scope->http.at = 0;
	return true;
}

/* To the next step at this octet, and no other may be here. */
static bool expect(struct nf_scope *scope, u8 octet, u8 expected, enum step next)
{
	return octet == expected ? go_on(scope, next) : unfollowed(scope);
}

static bool judge(struct nf_scope *scope, enum nf_scope_kind kind, u8 octet,
		  struct utf8guard_error *error)
{
	return scope->kind != kind || nf_scope_text(scope, &octet, 1, error);
}

static bool judge_end(struct nf_scope *scope, enum nf_scope_kind kind,
		      struct utf8guard_error *error)
{
	if (scope->kind == kind)
		nf_scope_text_end(scope, error);
	return scope->status == NF_SCOPE_FOLLOWED;
}

/* Those of @count words go on being possible that have @octet next; it is 0 at their end. */
static void match(struct nf_http *http, const char *const *words, u32 count, u8 octet)
{
	u32 i;

	for (i = 0; i < count; i++)
		if (http->words >> i & 1 && words[i][http->at] != lower(octet))
			http->words &= ~(1U << i);
}

static bool method(struct nf_scope *scope, u8 octet)
{
	struct nf_http *http = &scope->http;

	if (octet == ' ') {
		match(http, methods, METHODS, 0);
		if (http->words & 1U << METHOD_CONNECT)
			return unfollowed(scope);
		http->is_bodiless = http->words;
		nf_scope_text_begin(scope);
		return go_on(scope, STEP_TARGET);
	}
	if (!is_tchar(octet) || http->at == METHOD_MAX)
		return unfollowed(scope);
	match(http, methods, METHODS, octet);
	http->at++;
	return true;
}

static bool start(struct nf_scope *scope, u8 octet)
{
	if (octet == '\r')
		return go_on(scope, STEP_START_LF);
	if (!is_tchar(octet))
		return unfollowed(scope);
	memset(&scope->http, 0, sizeof(scope->http));
	go_on(scope, STEP_METHOD);
	scope->http.words = (1U << METHODS) - 1;
	return method(scope, octet);
}

static bool target(struct nf_scope *scope, u8 octet, struct utf8guard_error *error)
{
	if (octet == ' ') {
		if (!scope->http.at)
			return unfollowed(scope);
		return judge_end(scope, NF_SCOPE_HTTP_TARGET, error) &&
		       go_on(scope, STEP_VERSION);
	}
	if (octet < ' ' || octet == 0x7f)
		return unfollowed(scope);
	scope->http.at = 1;
	return judge(scope, NF_SCOPE_HTTP_TARGET, octet, error);
}

static bool version(struct nf_scope *scope, u8 octet)
{
	static const char prefix[] = "HTTP/1.";
	u8 at = scope->http.at++;

	if (at < sizeof(prefix) - 1)
		return octet == prefix[at] || unfollowed(scope);
	if (at > sizeof(prefix) - 1)
		return expect(scope, octet, '\r', STEP_VERSION_LF);
	scope->http.minor = octet - '0';
	return octet == '0' || octet == '1' || unfollowed(scope);
}

static bool name(struct nf_scope *scope, u8 octet, struct utf8guard_error *error)
{
	struct nf_http *http = &scope->http;

	match(http, names, NAMES, octet == ':' ? 0 : octet);
	if (octet == ':') {
		go_on(scope, STEP_VALUE);
		http->value = VALUE_BEFORE;
	} else if (!is_tchar(octet)) {
		return unfollowed(scope);
	} else if (http->words) {
		http->at++;
	}
	return judge(scope, NF_SCOPE_HTTP_HEADERS, octet, error);
}

static bool field(struct nf_scope *scope, u8 octet, struct utf8guard_error *error)
{
	if (octet == '\r')
		return go_on(scope, STEP_END_LF);
	if (!is_tchar(octet))
		return unfollowed(scope);
	nf_scope_text_begin(scope);
	go_on(scope, STEP_NAME);
	scope->http.words = (1U << NAMES) - 1;
	return name(scope, octet, error);
}

static bool length(struct nf_scope *scope, u8 octet)
{
	struct nf_http *http = &scope->http;

	if (octet < '0' || octet > '9' || http->left >= LENGTH_MAX)
		return unfollowed(scope);
	http->left = http->left * 10 + octet - '0';
	return true;
}

static bool coding(struct nf_scope *scope, u8 octet)
{
	static const char chunked[] = "chunked";
	u8 at = scope->http.at;

	if (at >= sizeof(chunked) - 1 || lower(octet) != chunked[at])
		return unfollowed(scope);
	scope->http.at++;
	return true;
}

/* The value of a field that frames what follows: one word, with space around. */
static bool framing(struct nf_scope *scope, u8 octet)
{
	struct nf_http *http = &scope->http;

	if (http->words & 1U << NAME_UPGRADE)
		return true;
	if (octet == ' ' || octet == '\t') {
		if (http->value == VALUE_IN)
			http->value = VALUE_BEHIND;
		return true;
	}
	if (http->value == VALUE_BEHIND)
		return unfollowed(scope);
	if (http->value == VALUE_BEFORE && (http->has_length || http->is_chunked))
		return unfollowed(scope);
	http->value = VALUE_IN;
	return http->words & 1U << NAME_LENGTH ? length(scope, octet) : coding(scope, octet);
}

/* The value is whole. */
static bool framed(struct nf_scope *scope)
{
	struct nf_http *http = &scope->http;

	/* What frames a body has no business behind it. */
	if (!http->words)
		return true;
	if (http->is_trailer)
		return false;
	if (http->words & 1U << NAME_UPGRADE) {
		http->has_upgrade = true;
		return true;
	}
	http->has_length |= http->words & 1U << NAME_LENGTH;
	http->is_chunked |= !!(http->words & 1U << NAME_CODING);
	if (http->words & 1U << NAME_CODING)
		return http->at == sizeof("chunked") - 1 && http->minor == 1;
	return http->value != VALUE_BEFORE;
}

static bool value(struct nf_scope *scope, u8 octet, struct utf8guard_error *error)
{
	if (octet == '\r') {
		if (!framed(scope))
			return unfollowed(scope);
		return judge_end(scope, NF_SCOPE_HTTP_HEADERS, error) &&
		       go_on(scope, STEP_VALUE_LF);
	}
	if (octet == '\n' || !octet)
		return unfollowed(scope);
	if (scope->http.words && !framing(scope, octet))
		return false;
	return judge(scope, NF_SCOPE_HTTP_HEADERS, octet, error);
}

/* All fields are there: what comes now? */
static bool end_of_fields(struct nf_scope *scope, u8 octet)
{
	struct nf_http *http = &scope->http;

	if (octet != '\n')
		return unfollowed(scope);
	if (http->is_trailer)
		return go_on(scope, STEP_START);
	if (http->has_upgrade)
		return go_on(scope, STEP_TUNNEL);
	if (http->is_bodiless && (http->is_chunked || http->left))
		return unfollowed(scope);
	if (http->is_chunked) {
		http->left = 0;
		return go_on(scope, STEP_CHUNK);
	}
	return go_on(scope, http->left ? STEP_BODY : STEP_START);
}

static bool chunk(struct nf_scope *scope, u8 octet)
{
	struct nf_http *http = &scope->http;
	u8 low = lower(octet);

	if (http->at && octet == ';')
		return go_on(scope, STEP_CHUNK_EXTENSION);
	if (http->at && octet == '\r')
		return go_on(scope, STEP_CHUNK_LF);
	if (http->left >= LENGTH_MAX || !((octet >= '0' && octet <= '9') ||
					  (low >= 'a' && low <= 'f')))
		return unfollowed(scope);
	http->left = http->left << 4 | (octet <= '9' ? octet - '0' : low - 'a' + 10);
	http->at = 1;
	return true;
}

static bool chunk_extension(struct nf_scope *scope, u8 octet)
{
	if (octet == '\r')
		return go_on(scope, STEP_CHUNK_LF);
	return (octet != '\n' && octet) || unfollowed(scope);
}

static bool chunk_line_feed(struct nf_scope *scope, u8 octet)
{
	scope->http.is_trailer = !scope->http.left;
	return expect(scope, octet, '\n', scope->http.left ? STEP_CHUNK_DATA : STEP_FIELD);
}

/* One octet further; false where it is not followed, or refused. */
static bool put(struct nf_scope *scope, u8 octet, struct utf8guard_error *error)
{
	switch ((enum step)scope->http.step) {
	case STEP_START:
		return start(scope, octet);
	case STEP_START_LF:
		return expect(scope, octet, '\n', STEP_START);
	case STEP_METHOD:
		return method(scope, octet);
	case STEP_TARGET:
		return target(scope, octet, error);
	case STEP_VERSION:
		return version(scope, octet);
	case STEP_VERSION_LF:
	case STEP_VALUE_LF:
		return expect(scope, octet, '\n', STEP_FIELD);
	case STEP_FIELD:
		return field(scope, octet, error);
	case STEP_NAME:
		return name(scope, octet, error);
	case STEP_VALUE:
		return value(scope, octet, error);
	case STEP_END_LF:
		return end_of_fields(scope, octet);
	case STEP_CHUNK:
		return chunk(scope, octet);
	case STEP_CHUNK_EXTENSION:
		return chunk_extension(scope, octet);
	case STEP_CHUNK_LF:
		return chunk_line_feed(scope, octet);
	case STEP_CHUNK_END:
		return expect(scope, octet, '\r', STEP_CHUNK_END_LF);
	case STEP_CHUNK_END_LF:
		return expect(scope, octet, '\n', STEP_CHUNK);
	default:
		return unfollowed(scope);
	}
}

/* What is not judged is stepped over. */
static u32 skip(struct nf_scope *scope, u32 len)
{
	struct nf_http *http = &scope->http;
	u32 n = http->left < len ? http->left : len;

	http->left -= n;
	if (!http->left)
		go_on(scope, http->step == STEP_BODY ? STEP_START : STEP_CHUNK_END);
	return n;
}

bool nf_http_skip(struct nf_scope *scope, u32 len)
{
	if (scope->http.step != STEP_BODY && scope->http.step != STEP_CHUNK_DATA)
		return !len;
	if (scope->http.left < len)
		return false;
	if (len)
		skip(scope, len);
	return true;
}

u32 nf_http_feed(struct nf_scope *scope, const u8 *data, u32 len,
		 struct utf8guard_error *error)
{
	if (scope->http.step == STEP_BODY || scope->http.step == STEP_CHUNK_DATA)
		return skip(scope, len);
	return put(scope, data[0], error);
}
