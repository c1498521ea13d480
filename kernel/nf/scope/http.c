// SPDX-License-Identifier: GPL-2.0
/*
 * Requests of HTTP/1.x (RFC 9112), one after another: the request line, the field lines, and a
 * body that has a length or is in chunks.
 *
 * The parser stops following where servers are known to differ: at a bare CR or LF, a folded
 * line, space before a colon, other white space in the request line, two lengths, a length
 * together with chunks, a coding other than "chunked", a field that is one of these to some
 * servers, a trailer where targets are judged, HTTP/0.9, and content with a method that gives it
 * no meaning. It stops after CONNECT, too.
 *
 * After a request with the field Upgrade, the parser goes on with HTTP, because most servers
 * ignore the field. A server that accepts the other protocol answers 101. Whoever reads the
 * answers then calls ugnf_http_switch(), and nothing after the fields of that request is
 * followed.
 */
#include "../../codec/codec.h"
#include "run.h"
#include "scope.h"

/* What the next octet is. */
enum step {
	STEP_START,		/* the first of a request, or of an empty line before it */
	STEP_START_LF,
	STEP_METHOD,
	STEP_TARGET,
	STEP_VERSION,
	STEP_VERSION_LF,
	STEP_FIELD,		/* the first of a field line, or the CR after all of them */
	STEP_NAME,
	STEP_VALUE,
	STEP_VALUE_LF,
	STEP_END_LF,		/* the LF after all field lines */
	STEP_BODY,
	STEP_CHUNK,		/* of the size of a chunk */
	STEP_CHUNK_EXTENSION,
	STEP_CHUNK_LF,
	STEP_CHUNK_DATA,
	STEP_CHUNK_END,		/* the CR after the data of a chunk */
	STEP_CHUNK_END_LF,
	STEP_TUNNEL,		/* of another protocol, after 101 */
};

#define METHOD_MAX 32
/* HAProxy before 2.4.4 has 8 bits for the length of a name: the octets after that are lost. */
#define NAME_MAX 255

/* GoAhead, and uhttpd before 2026-04, forget what a length has beyond 32 bits. */
#define LENGTH_MAX 0xffffffffULL
/*
 * The size of a chunk from here on takes no further digit: times 16, it would not fit into 31 bits.
 * Jetty before 9.4.11 forgets what is beyond 32.
 */
#define CHUNK_MAX 0x08000000

/*
 * The fields that frame what follows; each is a bit of ugnf_http.words. After the last one, for
 * an old draft of WebSocket, gunicorn before 20.0.5 takes 8 octets as the body, whatever length
 * there is.
 */
enum name { NAME_LENGTH, NAME_CODING, NAME_UPGRADE, NAME_KEY1, NAMES };

static const char *const names[NAMES] = {
	[NAME_LENGTH] = "content-length",
	[NAME_CODING] = "transfer-encoding",
	[NAME_UPGRADE] = "upgrade",
	[NAME_KEY1] = "sec-websocket-key1",
};

/*
 * Methods that give content no meaning (RFC 9110 sections 9.3.1, 9.3.2, 9.3.5, 9.3.8). Some
 * servers skip such content, others take it for the next request. Some servers ignore the case
 * of methods, so this parser does.
 */
enum method {
	METHOD_CONNECT,
	METHOD_GET,
	METHOD_HEAD,
	METHOD_DELETE,
	METHOD_TRACE,
	METHOD_PRI,		/* no method, but the preface of HTTP/2, RFC 9113 section 3.4 */
	METHODS,
};

static const char *const methods[METHODS] = {
	[METHOD_CONNECT] = "connect",
	[METHOD_GET] = "get",
	[METHOD_HEAD] = "head",
	[METHOD_DELETE] = "delete",
	[METHOD_TRACE] = "trace",
	[METHOD_PRI] = "pri",
};

/* The last octet of a field line was before the value, in it, or in white space after it. */
enum value { VALUE_BEFORE, VALUE_IN, VALUE_AFTER };

/* Has a request asked for another protocol? If so, has the client sent octets after it? */
enum asked { ASKED_NOT, ASKED_NOW, ASKED_BEFORE };

static u8 lower(u8 octet)
{
	return octet >= 'A' && octet <= 'Z' ? octet | 0x20 : octet;
}

/* RFC 9110 section 5.6.2 */
static bool is_tchar(u8 octet)
{
	static const bool tchars[256] = {
		['!'] = true, ['#' ... '\''] = true, ['*' ... '+'] = true, ['-' ... '.'] = true,
		['0' ... '9'] = true, ['A' ... 'Z'] = true, ['^' ... 'z'] = true,
		['|'] = true, ['~'] = true,
	};

	return tchars[octet];
}

static bool unfollowed(struct ugnf_scope *scope, u8 cause)
{
	return ugnf_scope_lose(scope, cause);
}

/* @octet must not be here. The cause is @cause, but a bare LF has a cause of its own. */
static bool not_in_line(struct ugnf_scope *scope, u8 octet, u8 cause)
{
	return unfollowed(scope, octet == '\n' ? UTF8GUARD_CAUSE_LINE_END : cause);
}

/* Sets what the next octet is. */
static bool go_on(struct ugnf_scope *scope, enum step step)
{
	scope->http.step = step;
	scope->http.at = 0;
	return true;
}

/* @octet must be the LF that ends a line. */
static bool line_feed(struct ugnf_scope *scope, u8 octet, enum step next)
{
	return octet == '\n' ? go_on(scope, next) : unfollowed(scope, UTF8GUARD_CAUSE_LINE_END);
}

/* @octet must be the CR that ends a line. */
static bool carriage_return(struct ugnf_scope *scope, u8 octet, enum step next, u8 cause)
{
	return octet == '\r' ? go_on(scope, next) : not_in_line(scope, octet, cause);
}

/* Judges @octet, if @kind is what the rule judges. */
static bool judge(struct ugnf_scope *scope, enum ugnf_scope_kind kind, u8 octet,
		  struct utf8guard_error *error)
{
	return scope->kind != kind || ugnf_scope_text(scope, &octet, 1, error);
}

static bool judge_end(struct ugnf_scope *scope, enum ugnf_scope_kind kind,
		      struct utf8guard_error *error)
{
	if (scope->kind == kind)
		ugnf_scope_text_end(scope, error);
	return scope->status == UGNF_SCOPE_FOLLOWED;
}

/*
 * Strikes out of http->words those of @count words that do not have @octet next. At the end of
 * a word, @octet is 0.
 */
static void match(struct ugnf_http *http, const char *const *words, u32 count, u8 octet)
{
	u32 i;

	for (i = 0; i < count; i++)
		if (http->words >> i & 1 && words[i][http->at] != lower(octet))
			http->words &= ~(1U << i);
}

static bool method(struct ugnf_scope *scope, u8 octet)
{
	struct ugnf_http *http = &scope->http;

	if (octet == ' ') {
		match(http, methods, METHODS, 0);
		if (http->words & 1U << METHOD_CONNECT)
			return unfollowed(scope, UTF8GUARD_CAUSE_CONNECT);
		http->is_bodiless = http->words & ~(1U << METHOD_PRI);
		ugnf_scope_text_begin(scope);
		return go_on(scope, STEP_TARGET);
	}
	if (!is_tchar(octet) || http->at == METHOD_MAX)
		return not_in_line(scope, octet, UTF8GUARD_CAUSE_REQUEST_LINE);
	match(http, methods, METHODS, octet);
	http->at++;
	return true;
}

/* Forgets the last request, but not what is known of the connection. */
static void forget_request(struct ugnf_http *http)
{
	*http = (struct ugnf_http) { .asked = http->asked, .is_switched = http->is_switched };
}

static bool start(struct ugnf_scope *scope, u8 octet)
{
	if (octet == '\r')
		return go_on(scope, STEP_START_LF);
	/* The type of a TLS record with a handshake. */
	if (octet == 0x16)
		return unfollowed(scope, UTF8GUARD_CAUSE_TLS);
	if (!is_tchar(octet))
		return not_in_line(scope, octet, UTF8GUARD_CAUSE_REQUEST_LINE);
	forget_request(&scope->http);
	go_on(scope, STEP_METHOD);
	scope->http.words = (1U << METHODS) - 1;
	return method(scope, octet);
}

static bool target(struct ugnf_scope *scope, u8 octet, struct utf8guard_error *error)
{
	if (octet == ' ') {
		if (!scope->http.at)
			return unfollowed(scope, UTF8GUARD_CAUSE_REQUEST_LINE);
		return judge_end(scope, UGNF_SCOPE_HTTP_TARGET, error) &&
		       go_on(scope, STEP_VERSION);
	}
	if (octet < ' ' || octet == 0x7f)
		return not_in_line(scope, octet, UTF8GUARD_CAUSE_REQUEST_LINE);
	scope->http.at = 1;
	if (!judge(scope, UGNF_SCOPE_HTTP_TARGET, octet, error))
		return false;
	if (octet == '?' && scope->kind == UGNF_SCOPE_HTTP_TARGET)
		ugnf_text_begin_query(&scope->text);
	return true;
}

static bool version(struct ugnf_scope *scope, u8 octet)
{
	static const char prefix[] = "HTTP/1.";
	u8 at = scope->http.at++, cause = UTF8GUARD_CAUSE_REQUEST_LINE;

	if (scope->http.words & 1U << METHOD_PRI && octet == '2')
		cause = UTF8GUARD_CAUSE_HTTP2;
	if (at < sizeof(prefix) - 1)
		return octet == prefix[at] || not_in_line(scope, octet, cause);
	if (at > sizeof(prefix) - 1)
		return carriage_return(scope, octet, STEP_VERSION_LF, cause);
	scope->http.minor = octet - '0';
	return octet == '0' || octet == '1' || not_in_line(scope, octet, cause);
}

/* Names of fields are ASCII of no refused class, so only percent decoding needs them. */
static bool is_name_judged(const struct ugnf_scope *scope)
{
	return scope->text.decode != UGNF_DECODE_RAW;
}

/*
 * Servers that make variables of fields, as CGI does (RFC 3875 section 4.1.18), have one character
 * for "-" and "_", or for all signs, and some of them take what frames a body from its variable.
 */
static u8 as_in_variable(u8 octet)
{
	u8 low = lower(octet);

	return (low >= 'a' && low <= 'z') || (octet >= '0' && octet <= '9') ? octet : '-';
}

/* The name of a field is whole. */
static bool named(struct ugnf_scope *scope)
{
	struct ugnf_http *http = &scope->http;

	match(http, names, NAMES, 0);
	if (http->words && (http->is_variable || http->words & 1U << NAME_KEY1))
		return unfollowed(scope, UTF8GUARD_CAUSE_FIELD);
	http->value = VALUE_BEFORE;
	return go_on(scope, STEP_VALUE);
}

static bool in_name(struct ugnf_scope *scope, u8 octet)
{
	struct ugnf_http *http = &scope->http;
	u8 read = as_in_variable(octet);

	if (!is_tchar(octet) || http->at == NAME_MAX)
		return not_in_line(scope, octet, UTF8GUARD_CAUSE_FIELD);
	match(http, names, NAMES, read);
	http->is_variable |= http->words && read != octet;
	http->at++;
	return true;
}

static bool name(struct ugnf_scope *scope, u8 octet, struct utf8guard_error *error)
{
	bool goes_on = octet == ':' ? named(scope) : in_name(scope, octet);

	if (!goes_on)
		return false;
	return !is_name_judged(scope) || judge(scope, UGNF_SCOPE_HTTP_HEADERS, octet, error);
}

static bool field(struct ugnf_scope *scope, u8 octet, struct utf8guard_error *error)
{
	if (octet == '\r')
		return go_on(scope, STEP_END_LF);
	/*
	 * Some servers skip one trailer, or two octets, and take the rest for the next request: its
	 * target is in what is a name or a value here.
	 */
	if (scope->http.is_trailer && scope->kind == UGNF_SCOPE_HTTP_TARGET)
		return not_in_line(scope, octet, UTF8GUARD_CAUSE_TRAILER);
	if (octet == ' ' || octet == '\t')
		return unfollowed(scope, UTF8GUARD_CAUSE_FOLDING);
	if (!is_tchar(octet))
		return not_in_line(scope, octet, UTF8GUARD_CAUSE_FIELD);
	ugnf_scope_text_begin(scope);
	go_on(scope, STEP_NAME);
	scope->http.words = (1U << NAMES) - 1;
	scope->http.is_variable = false;
	return name(scope, octet, error);
}

/* A digit of a length. uhttpd before 2026-04 takes one that begins with 0 for octal. */
static bool length(struct ugnf_scope *scope, u8 octet)
{
	struct ugnf_http *http = &scope->http;
	bool is_octal = http->at && !http->left;

	if (octet < '0' || octet > '9' || is_octal)
		return unfollowed(scope, UTF8GUARD_CAUSE_LENGTH);
	http->at = 1;	/* there was a digit */
	http->left = http->left * 10 + octet - '0';
	return http->left <= LENGTH_MAX || unfollowed(scope, UTF8GUARD_CAUSE_LENGTH);
}

static bool coding(struct ugnf_scope *scope, u8 octet)
{
	static const char chunked[] = "chunked";
	u8 at = scope->http.at;

	if (at >= sizeof(chunked) - 1 || lower(octet) != chunked[at])
		return unfollowed(scope, UTF8GUARD_CAUSE_CODING);
	scope->http.at++;
	return true;
}

/* An octet of the value of a field that frames what follows: one word, with space around it. */
static bool framing(struct ugnf_scope *scope, u8 octet)
{
	struct ugnf_http *http = &scope->http;
	bool is_length = http->words & 1U << NAME_LENGTH;

	if (http->words & 1U << NAME_UPGRADE)
		return true;
	if (octet == ' ' || octet == '\t') {
		if (http->value == VALUE_IN)
			http->value = VALUE_AFTER;
		return true;
	}
	if (http->value == VALUE_AFTER)
		return unfollowed(scope, is_length ? UTF8GUARD_CAUSE_LENGTH :
						     UTF8GUARD_CAUSE_CODING);
	if (http->value == VALUE_BEFORE && (http->has_length || http->is_chunked))
		return unfollowed(scope, UTF8GUARD_CAUSE_LENGTHS);
	http->value = VALUE_IN;
	return is_length ? length(scope, octet) : coding(scope, octet);
}

/* The value of a field is whole: what does it say about the body? */
static bool framed(struct ugnf_scope *scope)
{
	struct ugnf_http *http = &scope->http;
	bool is_coded = http->at == sizeof("chunked") - 1 && http->minor == 1;

	if (!http->words)
		return true;
	/* A field that frames the body must not come after it. */
	if (http->is_trailer)
		return unfollowed(scope, UTF8GUARD_CAUSE_TRAILER);
	if (http->words & 1U << NAME_UPGRADE) {
		http->has_upgrade = true;
		return true;
	}
	http->has_length |= http->words & 1U << NAME_LENGTH;
	http->is_chunked |= !!(http->words & 1U << NAME_CODING);
	if (http->words & 1U << NAME_CODING)
		return is_coded || unfollowed(scope, UTF8GUARD_CAUSE_CODING);
	return http->value != VALUE_BEFORE || unfollowed(scope, UTF8GUARD_CAUSE_LENGTH);
}

static bool value(struct ugnf_scope *scope, u8 octet, struct utf8guard_error *error)
{
	if (octet == '\r') {
		if (!framed(scope))
			return false;
		return judge_end(scope, UGNF_SCOPE_HTTP_HEADERS, error) &&
		       go_on(scope, STEP_VALUE_LF);
	}
	if (octet == '\n' || !octet)
		return not_in_line(scope, octet, UTF8GUARD_CAUSE_FIELD);
	if (scope->http.words && !framing(scope, octet))
		return false;
	return judge(scope, UGNF_SCOPE_HTTP_HEADERS, octet, error);
}

/* The next octets are of the protocol on which client and server have agreed. */
static void tunnel(struct ugnf_scope *scope)
{
	scope->http = (struct ugnf_http) {
		.step = STEP_TUNNEL, .asked = ASKED_NOW, .is_switched = true,
	};
	ugnf_scope_text_begin(scope);
}

/* All field lines have come: what is next? */
static bool end_of_fields(struct ugnf_scope *scope, u8 octet)
{
	struct ugnf_http *http = &scope->http;

	if (octet != '\n')
		return unfollowed(scope, UTF8GUARD_CAUSE_LINE_END);
	if (http->is_trailer)
		return go_on(scope, STEP_START);
	if (http->is_bodiless && (http->is_chunked || http->left))
		return unfollowed(scope, UTF8GUARD_CAUSE_CONTENT);
	if (http->has_upgrade && http->is_switched) {
		tunnel(scope);
		return true;
	}
	if (http->has_upgrade && http->asked == ASKED_NOT)
		http->asked = ASKED_NOW;
	if (http->is_chunked) {
		http->left = 0;
		return go_on(scope, STEP_CHUNK);
	}
	return go_on(scope, http->left ? STEP_BODY : STEP_START);
}

static bool chunk(struct ugnf_scope *scope, u8 octet)
{
	struct ugnf_http *http = &scope->http;
	u8 low = lower(octet);

	if (http->at && octet == ';')
		return go_on(scope, STEP_CHUNK_EXTENSION);
	if (http->at && octet == '\r')
		return go_on(scope, STEP_CHUNK_LF);
	if (http->left >= CHUNK_MAX ||
	    !((octet >= '0' && octet <= '9') || (low >= 'a' && low <= 'f')))
		return not_in_line(scope, octet, UTF8GUARD_CAUSE_LENGTH);
	http->left = http->left << 4 | (octet <= '9' ? octet - '0' : low - 'a' + 10);
	http->at = 1;
	return true;
}

static bool chunk_extension(struct ugnf_scope *scope, u8 octet)
{
	if (octet == '\r')
		return go_on(scope, STEP_CHUNK_LF);
	return (octet != '\n' && octet) || not_in_line(scope, octet, UTF8GUARD_CAUSE_LENGTH);
}

static bool chunk_line_feed(struct ugnf_scope *scope, u8 octet)
{
	scope->http.is_trailer = !scope->http.left;
	return line_feed(scope, octet, scope->http.left ? STEP_CHUNK_DATA : STEP_FIELD);
}

/* Takes one octet. Returns false where it is not followed, or refused. */
static bool put(struct ugnf_scope *scope, u8 octet, struct utf8guard_error *error)
{
	switch ((enum step)scope->http.step) {
	case STEP_START:
		return start(scope, octet);
	case STEP_START_LF:
		return line_feed(scope, octet, STEP_START);
	case STEP_METHOD:
		return method(scope, octet);
	case STEP_TARGET:
		return target(scope, octet, error);
	case STEP_VERSION:
		return version(scope, octet);
	case STEP_VERSION_LF:
	case STEP_VALUE_LF:
		return line_feed(scope, octet, STEP_FIELD);
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
		return carriage_return(scope, octet, STEP_CHUNK_END_LF, UTF8GUARD_CAUSE_LENGTH);
	case STEP_CHUNK_END_LF:
		return line_feed(scope, octet, STEP_CHUNK);
	default:
		return unfollowed(scope, UTF8GUARD_CAUSE_UPGRADE);
	}
}

/* Skips octets of a body, which are not judged. Returns how many. */
static u32 skip(struct ugnf_scope *scope, u32 len)
{
	struct ugnf_http *http = &scope->http;
	u32 n = min_t(u64, http->left, len);

	if (http->asked == ASKED_NOW)
		http->asked = ASKED_BEFORE;
	http->left -= n;
	if (!http->left)
		go_on(scope, http->step == STEP_BODY ? STEP_START : STEP_CHUNK_END);
	return n;
}

/* See ugnf_scope_any(). */
u32 ugnf_http_any(const struct ugnf_scope *scope, u32 len)
{
	if (scope->http.step != STEP_BODY && scope->http.step != STEP_CHUNK_DATA)
		return 0;
	return min_t(u64, scope->http.left, len);
}

/* See ugnf_scope_skip(); the octets have no influence on the parser. */
void ugnf_http_skip(struct ugnf_scope *scope, u32 len)
{
	if (len)
		skip(scope, len);
}

/*
 * The fast way: the number of octets that the functions above would all treat alike, in a
 * target, a name or a value. They can be judged together. The octet that ends the target, the
 * name or the value is not among them.
 */
static u32 run_of(const struct ugnf_scope *scope, const u8 *data, u32 len)
{
	const struct ugnf_http *http = &scope->http;
	u32 n = 0;

	if (len < UGNF_RUN_MIN)
		return 0;
	switch ((enum step)http->step) {
	case STEP_TARGET:
		/* In a query, a question mark is an octet like any other. */
		return ugnf_run_target(data, len, scope->text.is_query ? ' ' : '?');
	case STEP_NAME:
		while (!http->words && n < len && n + http->at < NAME_MAX && is_tchar(data[n]))
			n++;
		return n;
	case STEP_VALUE:
		return http->words & ~(1U << NAME_UPGRADE) ? 0 : ugnf_run_value(data, len);
	default:
		return 0;
	}
}

static u32 judge_run(struct ugnf_scope *scope, const u8 *data, u32 len,
		     struct utf8guard_error *error)
{
	bool is_target = scope->http.step == STEP_TARGET;

	if (is_target)
		scope->http.at = 1;
	if (scope->http.step == STEP_NAME) {
		scope->http.at += len;
		if (!is_name_judged(scope))
			return len;
	}
	if (scope->kind == (is_target ? UGNF_SCOPE_HTTP_TARGET : UGNF_SCOPE_HTTP_HEADERS))
		return ugnf_scope_text(scope, data, len, error);
	return len;
}

/* See ugnf_scope_feed(). */
u32 ugnf_http_feed(struct ugnf_scope *scope, const u8 *data, u32 len,
		   struct utf8guard_error *error)
{
	u32 n;

	if (scope->http.step == STEP_BODY || scope->http.step == STEP_CHUNK_DATA)
		return skip(scope, len);
	if (scope->http.asked == ASKED_NOW)
		scope->http.asked = ASKED_BEFORE;
	n = run_of(scope, data, len);
	return n ? judge_run(scope, data, n, error) : put(scope, data[0], error);
}

/* See ugnf_scope_asks(). */
bool ugnf_http_asks(const struct ugnf_scope *scope)
{
	return scope->http.asked != ASKED_NOT;
}

/* See ugnf_scope_switch(). */
bool ugnf_http_switch(struct ugnf_scope *scope)
{
	bool is_before = scope->http.asked == ASKED_BEFORE;

	if (scope->http.asked == ASKED_NOT) {
		scope->http.is_switched = true;
		return false;
	}
	tunnel(scope);
	if (is_before) {
		scope->http.asked = ASKED_BEFORE;
		unfollowed(scope, UTF8GUARD_CAUSE_UPGRADE);
	}
	return is_before;
}

/* See ugnf_scope_is_as_new(): between two requests, where no other protocol was asked for. */
bool ugnf_http_is_as_new(const struct ugnf_scope *scope)
{
	const struct ugnf_http *http = &scope->http;

	return http->step == STEP_START && http->asked == ASKED_NOT && !http->is_switched;
}
