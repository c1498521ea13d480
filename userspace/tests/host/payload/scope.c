// SPDX-License-Identifier: GPL-2.0
/*
 * The scopes: what they judge, what they do not follow, and that neither depends on the cut.
 * Then random requests, some of them bad.
 *
 * promise remote peer: a bad target is found in whichever of several requests it is, in any
 *   pieces
 * shown by: connections of up to 6 requests in random pieces
 */
#include <stdlib.h>
#include <string.h>

#include "../../../../kernel/nf/scope/scope.h"
#include "../../../../kunit/sample.h"
#include "../../tap.h"

#define F UGNF_SCOPE_FOLLOWED
#define R UGNF_SCOPE_REFUSED
#define U UGNF_SCOPE_UNFOLLOWED

static u8 judge(struct ugnf_scope *scope, enum ugnf_scope_kind kind, bool decode, const void *data,
		u32 len, u32 cut, u32 *at)
{
	struct utf8guard_error error = { .class = UTF8GUARD_CLASS_NONE };

	ugnf_scope_init(scope, kind, decode);
	*at = ugnf_scope_feed(scope, data, cut, &error);
	if (*at == cut)
		*at += ugnf_scope_feed(scope, (const u8 *)data + cut, len - cut, &error);
	ugnf_scope_end(scope, &error);
	return error.class;
}

/* Text of @len octets, in one piece, and in two, of which the second begins at @from or after it. */
static void expect_cut(enum ugnf_scope_kind kind, bool decode, const void *data, u32 len, u32 from,
		       u8 status, const char *what)
{
	struct ugnf_scope whole, scope;
	u32 cut, at, want;
	bool same = true;

	judge(&whole, kind, decode, data, len, len, &want);
	for (cut = from; cut < len; cut++) {
		judge(&scope, kind, decode, data, len, cut, &at);
		same &= at == want && !memcmp(&scope, &whole, sizeof(scope));
	}
	if (!tap_ok(whole.status == status && same, "%s", what))
		tap_note("status %u at %u, ought to be %u; in any cut: %s", whole.status, want,
			 status, same ? "yes" : "no");
}

static void expect(enum ugnf_scope_kind kind, bool decode, const void *data, u32 len, u8 status,
		   const char *what)
{
	expect_cut(kind, decode, data, len, 0, status, what);
}

static char wire[21000];
static u32 wire_len;

static void add(const void *data, u32 len)
{
	memcpy(wire + wire_len, data, len);
	wire_len += len;
}

static void add_text(const char *text)
{
	add(text, strlen(text));
}

#define TARGET(status, text, what)                                             \
	expect(UGNF_SCOPE_HTTP_TARGET, true, text, sizeof(text) - 1, status, what)
#define HEADERS(status, text, what)                                            \
	expect(UGNF_SCOPE_HTTP_HEADERS, false, text, sizeof(text) - 1, status, what)
#define LINE(status, text, what)                                               \
	expect(UGNF_SCOPE_SMTP_LINE, false, text, sizeof(text) - 1, status, what)
#define MAIL(status, text, what)                                               \
	expect(UGNF_SCOPE_SMTP_HEADERS, false, text, sizeof(text) - 1, status, what)
#define LABELS(status, text, what)                                             \
	expect(UGNF_SCOPE_DNS_LABELS, false, text, sizeof(text) - 1, status, what)
#define STREAM(status, text, what)                                             \
	expect(UGNF_SCOPE_DNS_STREAM, false, text, sizeof(text) - 1, status, what)

#define END " HTTP/1.1\r\n"
#define GET(target) "GET " target END "Host: a\r\n\r\n"

/* A name may have 255 octets, in whatever pieces they come. */
static void check_long_name(enum ugnf_scope_kind kind)
{
	char text[] = GET("/") "GET /" END "Content-Length0*************************************"
		"*******************************************************************************"
		"*******************************************************************************"
		"**************************************************************: x\r\n\r\n" GET("/");
	char *name = strstr(text, "Content"), *colon = strchr(name, '*');

	colon += strspn(colon, "*");
	expect(kind, true, text, sizeof(text) - 1, UGNF_SCOPE_UNFOLLOWED, "a longer name than HAProxy knew");
	memcpy(name + 255, colon, strlen(colon) + 1);
	expect(kind, true, text, strlen(text), UGNF_SCOPE_FOLLOWED, "one of 255");
}

static void check_target(void)
{
	TARGET(F, GET("/gr%C3%BC%C3%9Fe?q=%E6%97%A5"), "a good target");
	TARGET(R, GET("/..%c0%af"), "a bad one");
	TARGET(R, GET("/\xc0\xaf"), "and raw");
	TARGET(R, GET("/%c3"), "cut off by the end of the target");
	TARGET(R, GET("/") GET("/%c0%af"), "the second request of a connection");
	TARGET(F, GET("/a?next=https%3A%2F%2Fb%2F%2520c&q=%252F&r=50%25ab"),
	       "encoded twice in a query");
	TARGET(F, GET("/a?b?c=%252e"), "in one with another question mark");
	TARGET(R, GET("/%252e?b=c"), "in the path");
	TARGET(R, GET("/%252e"), "without a query");
	TARGET(R, GET("/%3f%252e"), "an encoded question mark begins no query");
	TARGET(R, GET("/?%252e") GET("/%252e"), "in the path of the second request");
	TARGET(R, GET("/%25?2e") GET("/?a=%c0%af"), "what is ill-formed in a query");
	TARGET(R, GET("/?q=100%"), "malformed in a query");
	TARGET(R, GET("/?q=%u00e9"), "%u in a query");
	TARGET(R, GET("/?q=%00"), "NUL in a query");
	TARGET(F, GET("/") "\r\n" GET("/b"), "an empty line between two");
	TARGET(R, "POST /" END "Content-Length: 5\r\n\r\n\xff\xfe\xfd" "ab" GET("/%u002e"),
	       "after a body, which is not judged");
	TARGET(F, "POST /" END "Content-Length: 5\r\n\r\n%c0%a" GET("/"),
	       "a body of percent signs");
	TARGET(R, "POST /" END "Transfer-Encoding: Chunked\r\n\r\n5;x=y\r\n\xff\0\xff\0\xff\r\n"
	       "0\r\n\r\n" GET("/%00"), "after a body in chunks");
	TARGET(R, "POST /" END "transfer-encoding:\tchunked \r\n\r\nA\r\n0123456789\r\n0\r\n"
	       "\r\n" GET("/%zz"), "after chunks");
	TARGET(U, "POST /" END "Transfer-Encoding: chunked\r\n\r\n0\r\nX-Sum: 1\r\n\r\n",
	       "a trailer");
	TARGET(U, "POST /" END "Transfer-Encoding: chunked\r\n\r\n0\r\na: b\r\n"
	       "GET:x /\xff HTTP/1.1\r\nHost: a\r\n\r\n", "a request to who skips one trailer");
	TARGET(U, "POST /" END "Transfer-Encoding: chunked\r\n\r\n0\r\nab" GET("/\xff"),
	       "and to who skips two octets");
	TARGET(F, "GET / HTTP/1.0\r\n\r\n", "HTTP/1.0");
	TARGET(F, "GET /\xc3\xbc", "not whole yet");
	TARGET(U, "GET /\r\n", "HTTP/0.9");
	TARGET(U, "GET /a b HTTP/1.1\r\n", "a space in a target");
	TARGET(U, "GET\t/" END, "a tab in a request line");
	TARGET(U, "GET  /" END, "two spaces");
	TARGET(U, "GET / HTTP/2.0\r\n", "another version");
	TARGET(U, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "HTTP/2");
	TARGET(U, "\x16\x03\x01", "TLS");
	TARGET(U, "CONNECT a:443" END, "CONNECT");
	TARGET(F, "CONNECTED /" END "\r\n", "another method");
	TARGET(U, "connect a:443" END, "which some take in any letters");
	TARGET(U, "GET /" END "Content-Length: 1\r\n\r\n", "content in a GET");
	TARGET(U, "GET /" END "Transfer-Encoding: chunked\r\n\r\n", "in chunks");
	TARGET(U, "head /" END "Content-Length: 1\r\n\r\n", "in a HEAD");
	TARGET(U, "DELETE /" END "Content-Length: 1\r\n\r\n", "in a DELETE");
	TARGET(U, "TRACE /" END "Content-Length: 1\r\n\r\n", "in a TRACE");
	TARGET(F, "GET /" END "Content-Length: 0\r\n\r\n" GET("/"), "there is none");
	TARGET(R, "GETS /" END "Content-Length: 1\r\n\r\n\xff" GET("/%c0%af"), "in another method");
	TARGET(R, "HEA /" END "Content-Length: 1\r\n\r\n\xff" GET("/%c0%af"), "and another");
	TARGET(U, "GET /" END "Upgrade: websocket\r\n\r\n\x81",
	       "after an upgrade, what is no HTTP");
	TARGET(F, "GET /" END "Upgrade: h2c\r\n\r\n" GET("/"), "what is");
	TARGET(R, "GET /" END "Upgrade: h2c\r\n\r\n" GET("/%c0%af"), "and bad");
	TARGET(F, "GET /" END "Upgrade: h2c\r\n\r\n", "not before");
	TARGET(U, "GET / HTTP/1.1\nHost: a\n\n", "bare LF");
	TARGET(U, "GET /" END "Host: a\rb\r\n", "bare CR");
	TARGET(U, "GET /" END " folded\r\n", "a folded line");
	TARGET(U, "GET /" END "Host : a\r\n", "space before a colon");
	TARGET(U, "GET /" END "no colon\r\n", "no colon");
	TARGET(U, "POST /" END "Content-Length: 1\r\nContent-Length: 1\r\n", "two lengths");
	TARGET(U, "POST /" END "Content-Length: 1, 1\r\n", "two in one");
	TARGET(U, "POST /" END "Content-Length: +1\r\n", "a sign");
	TARGET(U, "POST /" END "Content-Length: 1 2\r\n", "a space in a length");
	TARGET(U, "POST /" END "Content-Length:\r\n", "no length");
	TARGET(U, "POST /" END "Content-Length: 99999999999999999999\r\n", "a huge length");
	TARGET(U, "POST /" END "Content-Length: 4294967296\r\n", "a length of 33 bits");
	TARGET(U, "POST /" END "Content-Length: 010\r\n", "a length that begins with 0");
	TARGET(U, "POST /" END "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n",
	       "a length and chunks");
	TARGET(U, "POST /" END "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n",
	       "chunks and a length");
	TARGET(U, "POST /" END "Transfer-Encoding: gzip, chunked\r\n", "another coding");
	TARGET(U, "POST /" END "Transfer-Encoding: chunke\r\n", "half a coding");
	TARGET(U, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n", "chunks in HTTP/1.0");
	TARGET(U, "POST /" END "Transfer-Encoding: chunked\r\n\r\nxyz", "no size of a chunk");
	TARGET(U, "POST /" END "Transfer-Encoding: chunked\r\n\r\n1\r\nab", "a chunk too long");
	TARGET(U, "POST /" END "Transfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 9\r\n",
	       "a length in trailers");
	TARGET(U, "POST /" END "Content-Length: 1\r\nTransfer_Encoding: chunked\r\n",
	       "chunks by a variable of CGI");
	TARGET(U, "POST /" END "content_length: 0\r\n", "a length by one");
	TARGET(U, "POST /" END "Content.Length: 0\r\n", "or by another sign");
	TARGET(U, "GET /" END "Sec-WebSocket-Key1: x\r\n", "an old WebSocket");
	TARGET(F, "GET /" END "Sec-WebSocket-Key: x\r\nX_Content_Length: y\r\nUp-grade: z\r\n\r\n"
	       GET("/"), "fields with signs that are called otherwise");
	TARGET(F, "POST /" END "Transfer-Encoding: chunked\r\n\r\n7fffffff\r\n", "a large chunk");
	TARGET(F, "POST /" END "Content-Length: 4294967295\r\n\r\n", "a large length");
	TARGET(F, "POST /" END "Content-Length: 0\r\n\r\n" GET("/"), "no content");
	TARGET(U, "POST /" END "Transfer-Encoding: chunked\r\n\r\n80000000\r\n",
	       "one of 32 bits");
	check_long_name(UGNF_SCOPE_HTTP_TARGET);
	TARGET(F, "POST /" END "Content-Lengthy: x\r\nX-Upgrade: y\r\nContent-Lengt: z\r\n\r\n"
	       GET("/"), "fields that are called nearly so");
}

static void check_headers(void)
{
	HEADERS(F, "GET /\xff" END "User-Agent: \xc3\xbc\r\n\r\n",
		"a good field, the target is not judged");
	HEADERS(R, "GET /" END "User-Agent: \xfc\r\n\r\n", "a bad field");
	HEADERS(R, "GET /" END "User-Agent: \xc3\r\n\r\n", "cut off by the end of a line");
	HEADERS(R, "GET /" END "A: b\r\n\r\nGET /" END "C: \xed\xa0\x80\r\n", "the second request");
	HEADERS(R, "POST /" END "Transfer-Encoding: chunked\r\n\r\n0\r\nX: \xc0\xae\r\n\r\n",
		"a trailer");
	HEADERS(U, "GET /" END "A\xc3\xbc: b\r\n", "a name that is no token");
}

/* Exim takes a bare LF for white space if the first line of the message ended in CRLF. */
static void check_bare(void)
{
	MAIL(R, "DATA\r\nA: a\r\nB: b\n\r\nC: \xe9\r\n", "an empty line after a bare LF");
	MAIL(R, "DATA\r\nA: a\r\nB: b\n\n\nC: \xe9\r\n", "several");
	MAIL(R, "DATA\r\nA: a\r\nB: b, which is long\n\r\nC: \xe9\r\n", "after a long line");
	MAIL(R, "DATA\r\nA: a\r\nB: b\n.\r\nDATA\r\nC: c\n\r\nD: \xe9\r\n",
	     "a dot after a bare LF, and then what looks like another message");
	MAIL(F, "DATA\r\nA: a\r\nB: b\n\r\n\r\n\xe9", "an empty line after that one");
	MAIL(F, "DATA\r\nA: a\r\n\n\xe9", "an empty line that ends in a bare LF itself");
	MAIL(F, "DATA\r\nA: a\nB: b\n\n\xe9\r\n.\r\n", "bare LF alone");
	MAIL(F, "DATA\r\nA: a\r\n\r\n\xe9\r\n.\r\nDATA\nA: a\n\n\xe9",
	     "and in the second message");
}

static void check_bdat(void)
{
	MAIL(F, "DATA\r\n\r\nbDaTabcdefgh\r\nBDAT\r\nbdat+/==\r\nx", "base64 is no BDAT");
	MAIL(F, "AUTH LOGIN\r\nbDAtYWRtaW4=\r\ncGFzcw==\r\n", "nor outside of a message");
	LINE(F, "AUTH LOGIN\r\nbDAtYWRtaW4=\r\ncGFzcw==\r\n", "nor in any line");
	MAIL(U, "DATA\r\n\r\nbdat\t3\r\nabc", "BDAT with a tab");
	MAIL(U, "DATA\r\n\r\nbdat\r3\r\nabc", "or CR");
	MAIL(U, "NOOP\r\nbdat\r3 and more\r\nabc", "and outside of a message");
	LINE(U, "NOOP\r\nbdat\v3\r\nabc", "and in any line");
	MAIL(U, "DATA\r\n\r\nbdat\0003\r\nabc", "or NUL");
	MAIL(U, "DATA\r\nMAIL FROM:<a@b>\r\nBDAT 3\r\nabc", "BDAT in a header section");
}

/* Some servers take NUL for the end of a line's text. */
static void check_nul(void)
{
	MAIL(R, "DATA\0\r\nA: \xe9\r\n", "DATA and NUL");
	MAIL(R, "DATA\r\n\r\nDATA\0\r\nA: \xe9\r\n", "in a text");
	MAIL(R, "DATA\r\n\r\nDATA \0 and more than that\r\nA: \xe9\r\n", "and more after it");
	MAIL(R, "DATA\r\n\r\na\r\n.\0\r\nA: \xe9\r\n", "a dot and NUL");
	MAIL(R, "DATA\r\n\r\na\r\n.\0 and more than that\r\nA: \xe9\r\n",
	     "and more after it");
	MAIL(F, "DATA\r\n\r\na\r\n.\0\r\nA: a\r\n\r\n\xe9", "the text goes on, it may be");
	MAIL(F, "DATA\r\n\r\na\0DATA\r\n.a\0\r\n\0.\r\nDAT\0A\r\nDATAx\0\r\nA: \xe9",
	     "NUL elsewhere");
}

/* Postfix and Sendmail skip white space before a command. */
static void check_blank(void)
{
	MAIL(U, "NOOP\r\n BDAT 10 LAST\r\n\r\nDATA\r\n\r\n", "BDAT after a space");
	LINE(U, "NOOP\r\n\tBDAT 10 LAST\r\nabc", "and in any line");
	MAIL(U, "DATA\r\n\r\n \v\0\f\r\tbdat\t3\r\nabc", "or other white space, in a text");
	MAIL(U, "DATA\r\nMAIL FROM:<a@b>\r\n BDAT 3\r\nabc", "in a header section");
	MAIL(R, "DATA\r\n\r\n DATA\r\nA: \xe9\r\n", "DATA after a space");
	MAIL(R, "DATA\r\n\r\n \t               DATA \t\0 x\r\nA: \xe9\r\n", "after more of it");
	MAIL(F, "NOOP\r\n DATA\r\nA: a\r\n\r\n\xe9", "and outside of a message");
	MAIL(R, "DATA\r\n\r\n\xe9\r\n MAIL FROM:<\xe9@b>\r\n", "MAIL after a space");
	MAIL(U, "NOOP\r\n STARTTLS\r\nx", "STARTTLS after a space");
	LINE(U, "NOOP\r\n\0STARTTLS\r\nx", "after NUL, in any line");
	MAIL(F, "DATA\r\n\r\n  databases \xe9\r\n  bdat\r\n  x BDAT 3\r\n \r\n\xe9", "words alike");
	MAIL(R, "DATA\r\nA: a\r\n \r\nB: \xe9\r\n", "white space alone continues a field");
	MAIL(R, "DATA\r\nA: a\r\n\0\r\nB: \xe9\r\n", "and NUL does not end a header section");
	MAIL(F, "DATA\r\n\r\na\r\n .\r\n\xe9\r\n \x16\x03\x01", "a dot after a space ends nothing");
}

/* After @first, a line of @len octets and then @end. It is also read octet by octet. */
static void check_line(const char *first, u32 len, const char *end, u32 end_len, u8 status,
		       const char *what)
{
	struct ugnf_scope whole, scope;
	struct utf8guard_error error;
	u32 at, i;

	wire_len = 0;
	add_text(first);
	memset(wire + wire_len, 'x', len);
	wire_len += len;
	add(end, end_len);
	expect_cut(UGNF_SCOPE_SMTP_HEADERS, false, wire, wire_len, wire_len - end_len - 9, status,
		   what);
	judge(&whole, UGNF_SCOPE_SMTP_HEADERS, false, wire, wire_len, wire_len, &at);
	ugnf_scope_init(&scope, UGNF_SCOPE_SMTP_HEADERS, false);
	for (i = 0; i < wire_len; i++)
		ugnf_scope_feed(&scope, (const u8 *)wire + i, 1, &error);
	tap_ok(scope.status == status && !memcmp(&scope.smtp, &whole.smtp, sizeof(scope.smtp)),
	       "%s: octet by octet", what);
}

#define LONG(first, len, end, status, what)                                    \
	check_line(first, len, end, sizeof(end) - 1, status, what)

/* Servers take the rest of a long line for another command: each after a number of octets. */
static void check_long(void)
{
	static const char body[] = "DATA\r\n\r\n";
	static const u32 lens[] = { 2047, 2048, 4095, 8190, 12287, 16385 };
	u32 i;

	for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		tap_note("after %u octets", lens[i]);
		LONG(body, lens[i], "MAIL FROM:<\xc0\xaf>\r\n", R, "a command in a long line");
		LONG(body, lens[i], "DATA\r\nA: \xe9\r\n", R, "a message after one");
		LONG(body, lens[i], "BDAT 3\r\nabc", U, "BDAT in one");
		LONG("DATA\r\n", lens[i], "BDAT 3\r\nabc", U, "in a header section");
		LONG("", lens[i], "BDAT 3\r\nabc", U, "outside of a message");
	}
	LONG(body, 2046, "BDAT 3\r\nA: \xe9\r\n", F, "before the limit");
	LONG(body, 2047, "mMAMAUTH \xe9\r\n", R, "a command after the beginning of one");
	LONG(body, 2047, "RCPT TEXPN EHLO BDAT\t3\r\nabc", U, "one after another");
	LONG(body, 2047, "Bdat\r3\r\nabc", U, "one with CR");
	LONG("", 2047, "\rBDAT 3\r\nabc", U, "after CR");
	LONG("", 2046, "\rBDAT 3\r\nabc", U, "where the limit is at CR");
	LONG(body, 2047, "a\rDATA\r\n\r\n\xe9\r\n", F, "DATA after CR, and an empty section");
	LONG(body, 2047, "data \t\r\nA: \xe9\r\n", R, "white space after DATA");
	LONG(body, 2047, "data\0 and more\r\nA: \xe9\r\n", R, "NUL after DATA");
	LONG(body, 2047, "DATA x\r\n\xe9 bdat\r\nA: \xe9\r\n", F, "DATA that is none");
	LONG("DATA\r\n\r\na\ra", 2044, "BDAT 3\r\nabc", U, "after CR alone");
	LONG(body, 2047, "\r\nA: \xe9\r\n", F, "a line as long as that");
	LONG("DATA\r\n", 2047, "\r\nA: \xe9\r\n", R, "a field as long as that");
	LONG(body, 20000, "\xe9, bdat\r\n\xe9\r\n", F, "a text in Latin-1");
	LONG(body, 2047, "OAuth is \xc3\xbc\r\n\xe9\r\nAuth:\xe9\r\n", F, "a line after it");
}

static void check_lines(void)
{
	LINE(F, "EHLO gr\xc3\xbc\xc3\x9f.example\r\nMAIL FROM:<\xc3\xbc@x> SMTPUTF8\r\n",
	     "good lines");
	LINE(R, "MAIL FROM:<\xfc@x>\r\n", "a bad one");
	LINE(R, "NOOP \xc3\r\n", "cut off by the end of a line");
	LINE(R, "NOOP\r\nNOOP \xc3", "cut off by the end of the stream");
	LINE(R, "DATA\r\nSubject: \xfc\r\n", "a line of a message");
	LINE(U, "STARTTLS\r\n\x16\x03", "after STARTTLS");
	LINE(F, "starttls\r\n", "not before");
	LINE(U, "BDAT 3 LAST\r\nabc", "after BDAT");
	LINE(F, "DATA\r\nSTARTTLS\r\nBDAT\r\n..\r\n.\r\nNOOP\r\n", "words in a message");
	LINE(U, "DATA\r\nx\r\n.\r\nSTARTTLS\r\nx", "after a message");
	LINE(F, "NOOP STARTTLS\r\nSTART\r\nx", "words elsewhere");
	MAIL(F, "DATA\r\nSubject: a\r\n\r\ncaf\xe9\r\n\xff\r\n.\r\nNOOP\r\n", "a text in Latin-1");
	MAIL(R, "DATA\r\nSubject: caf\xe9\r\n", "a field");
	MAIL(R, "DATA\r\nTo: a\r\nSubject: caf\xe9\r\n", "the second one");
	MAIL(R, "NOOP caf\xe9\r\n", "a command");
	MAIL(R, "DATA\r\n\r\na\r\n.\r\nNOOP caf\xe9\r\n", "one after a text");
	MAIL(R, "DATA\r\n\r\nMail From:<\xc0\xae>\r\n", "one that the server may take for such");
	MAIL(R, "DATA\r\n\r\n\xe9\r\nauth \xe9\r\n", "and another");
	MAIL(F, "DATA\r\n\r\nmail f\xfcr dich\r\nauthor \xe9\r\nbdat\r\nstarttls\r\n\xe9", "none");
	MAIL(R, "DATA\r\n\r\nDATA\r\nSubject: \xe9\r\n", "another message, it may be");
	MAIL(R, "DATA\r\n\r\nDATA \r\nSubject: \xe9\r\n", "and where a space follows DATA");
	MAIL(R, "DATA\r\n\r\ndata\t  \t\v \f          \r\nSubject: \xe9\r\n", "or other white space");
	MAIL(F, "DATA\r\n\r\nDATA x\r\nDATA  in the text\r\nSubject: \xe9\r\n", "but not a word");
	MAIL(F, "DATA\r\n\r\nDATA\r\n\r\n\xe9", "and its text");
	MAIL(R, "DATA\r\n\r\n\xe9\r.\rMAIL FROM:<\xc0\xae>\r\n", "a command after CR alone");
	MAIL(R, "DATA\r\n\r\n\r.\rDATA\r\nSubject: \xe9\r\n", "a message after CR alone");
	MAIL(R, "DATA\r\n\r\nin a long line\rin a long line, which has \xe9", "any octet there");
	MAIL(F, "DATA\r\n\r\n\xe9 in a long line\rin a long line\r\nA: b\r\n\r\n\xe9",
	     "a text after it");
	MAIL(F, "DATA\r\n\r\n\xe9\r\r\n\r\r\n\xe9 in a long line\r\r\r\n\xe9",
	     "more than one CR before LF");
	MAIL(U, "DATA\r\n\r\nBDAT 3\r\nabc", "after a BDAT there");
	MAIL(U, "DATA\r\n\r\nSTARTTLS\r\n\x16\x03\x01", "TLS there");
	MAIL(U, "\x16\x03\x01", "TLS at once");
	MAIL(U, "HELO a\r\n\r\r\x16\x03\x01 and more", "TLS after a line that CR begins, in any cut");
	MAIL(U, "STARTTLS\r\nx", "after STARTTLS");
	MAIL(R, "DATA\r\n\r\n..\r\n.\r\n\xe9", "a line of dots ends nothing");
	MAIL(F, "NOOP\r\n\r\nDATA\r\n\r\n\xe9", "an empty line elsewhere");
	check_bare();
	check_bdat();
	check_nul();
	check_blank();
	check_long();
}

#define HEAD(questions, answers) "\0\1\1\0\0" questions "\0" answers "\0\0\0\0"
#define RECORD(type, len) "\0" type "\0\1\0\0\0\7\0" len

static void check_labels(void)
{
	LABELS(F, HEAD("\1", "\0") "\4gr\xc3\xbc\3com\0\0\1\0\1", "a good question");
	LABELS(R, HEAD("\1", "\0") "\4gr\xfcx\3com\0\0\1\0\1", "a bad one");
	LABELS(R, HEAD("\1", "\0") "\3gr\xc3\1\xbc\0\0\1\0\1", "a character in two labels");
	LABELS(F, HEAD("\1", "\1") "\1a\0\0\1\0\1\xc0\x0c" RECORD("\1", "\4") "\xff\xff\xff\xff",
	       "an answer, its address is not judged");
	LABELS(R, HEAD("\1", "\1") "\1a\0\0\1\0\1\xc0\x0c" RECORD("\5", "\4") "\2\xc0\xae\0",
	       "a bad alias");
	LABELS(F, HEAD("\1", "\2") "\1a\1b\0\0\1\0\1\xc0\x0c" RECORD("\5", "\4") "\1c\xc0\x0e"
	       "\xc0\x21" RECORD("\1", "\4") "\1\2\3\4", "an alias, compressed");
	LABELS(F, HEAD("\1", "\1") "\1a\0\0\6\0\1\xc0\x0c" RECORD("\6", "\x1a") "\1n\0\1m\0"
	       "12345678901234567890", "the start of a zone");
	LABELS(F, HEAD("\1", "\1") "\1a\0\0\6\0\1\xc0\x0c" RECORD("\x21", "\x9") "123456\1s\0",
	       "a service");
	LABELS(F, HEAD("\1", "\1") "\0\0\1\0\1\0" "\0\x29\4\xd0\0\0\0\0\0\0", "an extension");
	LABELS(F,
	       HEAD("\1", "\3") "\1a\0\0\1\0\1\xc0\x0c" RECORD(
		       "\x2e", "\x43") "123456789012345678"
				       "\1c\1c\1c\1c\1c\1c\1c\1c\1c\1c\1c\1c"
				       "\1c\1c\1c\1c\1c\1c\1c\1c\1c\1c\1c\1c\0"
				       "\1b\0" RECORD("\1", "\4") "1234"
								  "\xc0\x62" RECORD("\1",
										    "\4") "1234",
	       "a signature takes no room for labels");
	LABELS(U, HEAD("\1", "\1") "\1a\0\0\1\0\1\xc0\x0d" RECORD("\1", "\0"), "into a label");
	LABELS(U, HEAD("\1", "\1") "\1a\0\0\1\0\1\xc0\x30" RECORD("\1", "\0"), "a pointer ahead");
	LABELS(U, HEAD("\1", "\1") "\1a\0\0\1\0\1\xc0\x0c" RECORD("\5", "\2") "\2xy\0",
	       "a name beyond its data");
	LABELS(U, HEAD("\1", "\0") "\x41" "a\0\0\1\0\1", "another type of label");
	LABELS(U, HEAD("\1", "\0") "\1a\0\0\1\0\1x", "octets after the message");
	LABELS(U, HEAD("\1", "\0") "\x81" "a\0\0\1\0\1", "and yet another");
	LABELS(U, HEAD("\1", "\0") "\xc0\x0c\0\1\0\1", "a pointer to itself");
	LABELS(U, HEAD("\1", "\0") "\xc0\0\0\1\0\1", "into the header");
	LABELS(U, HEAD("\2", "\0") "\xc0\x12\0\1\0\1\xc0\x0c\0\1\0\1",
	       "two pointers to each other");
	LABELS(U, HEAD("\1", "\0") "\1a\xc0", "half a pointer");
	LABELS(U, HEAD("\1", "\0") "\3ab", "a label beyond the end");
	LABELS(U, HEAD("\1", "\0") "\1a", "no end of a name");
	LABELS(U, HEAD("\2", "\0") "\1a\0\0\1\0\1", "fewer questions than it says");
	LABELS(U, HEAD("\1", "\1") "\1a\0\0\1\0\1", "fewer answers");
	LABELS(U, HEAD("\1", "\1") "\1a\0\0\1\0\1\xc0\x0c\0\1\0\1\0\0", "half an answer");
	LABELS(U, HEAD("\1", "\1") "\1a\0\0\1\0\1\xc0\x0c" RECORD("\1", "\5") "1234",
	       "data beyond the end");
	LABELS(U, HEAD("\1", "\1") "\1a\0\0\6\0\1\xc0\x0c" RECORD("\x0f", "\1") "1",
	       "data too short for its name");
	LABELS(U, HEAD("\1", "\0") "\1a\0\0\1", "a message cut short");
	LABELS(U, HEAD("\0", "\0") "\0", "octets after a header");
	LABELS(F, HEAD("\0", "\0"), "a header alone");
	LABELS(U, "", "nothing at all");
	LABELS(U, "\0\1\1", "no header");
	STREAM(F,
	       "\0\x13" HEAD("\1", "\0") "\1a\0\0\1\0\1"
					 "\0\x13" HEAD("\1", "\0") "\1b\0\0\1\0\1",
	       "two messages");
	STREAM(R,
	       "\0\x13" HEAD("\1", "\0") "\1a\0\0\1\0\1"
					 "\0\x13" HEAD("\1", "\0") "\1\xff\0\0\1\0\1",
	       "the second is bad");
	STREAM(U, "\0\x14" HEAD("\1", "\0") "\1a\0\0\1\0\1x", "a length that is too large");
	STREAM(U, "\0\x12" HEAD("\1", "\0") "\1a\0\0\1\0\1", "and one too small");
	STREAM(U, "\0\5abcde", "too small for a header");
	STREAM(U, "\0\0", "none");
	STREAM(U, "\0", "half of one");
	STREAM(U, "\0\x13", "a length alone");
	STREAM(U, "\0\x13" HEAD("\1", "\0") "\1a\0\0\1", "a message that the stream ends in");
	STREAM(U,
	       "\0\x13" HEAD("\1", "\0") "\1a\0\0\1\0\1"
					 "\0\x13" HEAD("\1", "\0"),
	       "and after another");
	STREAM(U, "\0\x13" HEAD("\1", "\0") "\xc0\x0c\0\1\0\1\0", "a pointer to itself, over TCP");
	STREAM(F, "", "no message");
}

/* Types with names in their data: how many octets and strings are before these, how many names. */
static const struct { u16 type; u8 before, strings, names; } layouts[] = {
	{ 2, 0, 0, 1 }, { 3, 0, 0, 1 }, { 4, 0, 0, 1 }, { 5, 0, 0, 1 }, { 6, 0, 0, 2 },
	{ 7, 0, 0, 1 }, { 8, 0, 0, 1 }, { 9, 0, 0, 1 }, { 12, 0, 0, 1 }, { 14, 0, 0, 2 },
	{ 15, 2, 0, 1 }, { 17, 0, 0, 2 }, { 18, 2, 0, 1 }, { 21, 2, 0, 1 }, { 23, 0, 0, 1 },
	{ 24, 18, 0, 1 }, { 26, 2, 0, 2 }, { 30, 0, 0, 1 }, { 33, 6, 0, 1 }, { 35, 4, 3, 1 },
	{ 36, 2, 0, 1 }, { 39, 0, 0, 1 }, { 46, 18, 0, 1 }, { 47, 0, 0, 1 }, { 58, 0, 0, 2 },
	{ 64, 2, 0, 1 }, { 65, 2, 0, 1 }, { 107, 2, 0, 1 }, { 249, 0, 0, 1 }, { 250, 0, 0, 1 },
};

/* An answer of this type, whose data is @data and then @end, any octets. */
static void make_answer(u16 type, const char *data, u32 len, const char *end)
{
	u8 fixed[] = { type >> 8, type, 0, 1, 0, 0, 0, 7, 0, len + strlen(end) };

	wire_len = 0;
	add(HEAD("\0", "\1") "\1a", sizeof(HEAD("\0", "\1") "\1a"));
	add(fixed, sizeof(fixed));
	add(data, len);
	add_text(end);
}

/*
 * Data with names after octets and strings that are not judged. The last name is good, bad,
 * compressed, half a pointer, or beyond the end of the data.
 */
static void check_layout(u16 type, u32 before, u32 strings, u32 names)
{
	static const char any[18] = "\xff\xc0\xaf";
	char data[64], *at = data;
	u32 i;

	memcpy(at, any, before);
	at += before;
	for (i = 0; i < strings; i++) {
		*at = i;
		memcpy(at + 1, any, i);
		at += 1 + i;
	}
	for (i = 1; i < names; i++, at += 3)
		memcpy(at, "\1b", 3);
	memcpy(at, "\3c\xc3\xbc", 5);
	make_answer(type, data, at + 5 - data, "\xff\xff");
	expect(UGNF_SCOPE_DNS_LABELS, false, wire, wire_len, F, "a good one");
	memcpy(at + 2, "\xc0\xaf", 2);
	make_answer(type, data, at + 5 - data, "");
	expect(UGNF_SCOPE_DNS_LABELS, false, wire, wire_len, R, "a bad one");
	memcpy(at, "\xc0\x0c", 2);
	make_answer(type, data, at + 2 - data, "\xff");
	expect(UGNF_SCOPE_DNS_LABELS, false, wire, wire_len, F, "a compressed one");
	make_answer(type, data, at + 1 - data, "");
	expect(UGNF_SCOPE_DNS_LABELS, false, wire, wire_len, U, "half a pointer");
	memcpy(at, "\1c", 3);
	make_answer(type, data, at + 2 - data, "");
	add("", 1);
	expect(UGNF_SCOPE_DNS_LABELS, false, wire, wire_len, U, "one beyond its data");
}

/* All 2^16 types: the names in the data of those that have names are judged, and nothing else. */
static void check_data(void)
{
	static const char all_bad[] = "\2\xff\xff";
	u32 type, i = 0, wrong = 0;

	for (type = 0; type <= 0xffff; type++) {
		struct ugnf_scope scope;
		u32 at;

		if (i < sizeof(layouts) / sizeof(layouts[0]) && layouts[i].type == type) {
			tap_note("names of type %u", type);
			check_layout(type, layouts[i].before, layouts[i].strings, layouts[i].names);
			i++;
			continue;
		}
		make_answer(type, all_bad, sizeof(all_bad), "\xff\xff\xff\xff\xff\xff");
		judge(&scope, UGNF_SCOPE_DNS_LABELS, false, wire, wire_len, wire_len, &at);
		wrong += scope.status != F;
	}
	tap_ok(!wrong, "data of all other types is stepped over: %u are not", wrong);
	LABELS(U, HEAD("\0", "\1") "\1a\0" RECORD("\x23", "\x6") "1234\1x",
	       "strings that are missing");
	LABELS(U, HEAD("\0", "\1") "\1a\0" RECORD("\x23", "\x6") "1234\2x\0\0\0\0",
	       "one beyond its data");
}

/*
 * A referral to @servers servers of com, each with its address, as the root has it: the name of the
 * last address leads to the last label that has to be remembered. After the first server comes a
 * text of @gap octets, if there is one.
 */
static void make_referral(u32 servers, u32 gap)
{
	static const u8 ns[] = { 0xc0, 12, 0, 2, 0, 1, 0, 0, 0, 7, 0 };
	static const u8 txt[] = { 0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 7 };
	static const u8 a[] = { 0, 1, 0, 1, 0, 0, 0, 7, 0, 4, 0xff, 0xff, 0xff, 0xff };
	u8 head[12] = { 0, 1, 0x80, 0, 0, 1, 0, !!gap, 0, servers, 0, servers };
	u32 i, at[32], suffix = 0;

	wire_len = 0;
	add(head, sizeof(head));
	add("\3com\0\0\1\0\1", 9);
	for (i = 0; i < servers; i++) {
		u8 label[] = { 0, 1, 'a' + i, 0xc0, suffix };

		label[0] = i ? 4 : 20;
		add(ns, sizeof(ns));
		at[i] = wire_len + 1;
		suffix = at[0] + 2;
		add(label, i ? 5 : 3);
		if (i)
			continue;
		add("\14gtld-servers\3net", 18);
		if (gap) {
			u8 length[] = { gap >> 8, gap };

			add(txt, sizeof(txt));
			add(length, sizeof(length));
			while (length[0] || length[1]) {
				add("\xff", 1);
				if (!length[1]--)
					length[0]--;
			}
		}
	}
	for (i = 0; i < servers; i++) {
		u8 name[] = { 0xc0 | at[i] >> 8, at[i] };

		add(name, sizeof(name));
		add(a, sizeof(a));
	}
}

/* How many labels of a message compressed names can lead to. */
static void check_referrals(void)
{
	static const struct { u32 servers, gap, status; const char *what; } referrals[] = {
		{ 13, 0, F, "13 servers" },
		{ 13, 600, F, "and a long text" },
		{ 21, 0, F, "21 servers" },
		{ 22, 0, U, "22 servers: too many labels" },
		{ 19, 250, F, "19 servers and a long text" },
		{ 20, 250, U, "20 servers and a long text" },
		{ 21, 200, F, "21 servers and a text" },
		{ 22, 200, U, "22 servers and a text" },
	};
	u32 i;

	for (i = 0; i < sizeof(referrals) / sizeof(referrals[0]); i++) {
		make_referral(referrals[i].servers, referrals[i].gap);
		expect(UGNF_SCOPE_DNS_LABELS, false, wire, wire_len, referrals[i].status,
		       referrals[i].what);
	}
	make_referral(13, 600);
	wire[wire_len - 15] = wire[wire_len - 15] + 1;
	expect(UGNF_SCOPE_DNS_LABELS, false, wire, wire_len, U, "beside the last label");
}

/* A body of anything: by its length, in chunks, or none. */
static void add_body(u64 *seed)
{
	u8 body[64];
	char line[64];
	u32 len = sample_random(seed) % sizeof(body), i, n, kind = sample_random(seed) % 3;

	for (i = 0; i < len; i++)
		body[i] = sample_random(seed);
	if (kind == 0) {
		add_text("X: y\r\n\r\n");
	} else if (kind == 1) {
		snprintf(line, sizeof(line), "Content-Length: %u\r\n\r\n", len);
		add_text(line);
		add(body, len);
	} else {
		add_text("Transfer-Encoding: chunked\r\n\r\n");
		for (i = 0; i < len; i += n) {
			n = 1 + sample_random(seed) % (len - i);
			snprintf(line, sizeof(line), "%X\r\n", n);
			add_text(line);
			add(body + i, n);
			add_text("\r\n");
		}
		add_text("0\r\n\r\n");
	}
}

/* Returns whether one of the targets is bad, and where. */
static bool make_requests(u64 *seed, u32 *first, u32 *last)
{
	u32 count = 1 + sample_random(seed) % 6, bad = sample_random(seed) % (2 * count), i;

	wire_len = 0;
	for (i = 0; i < count; i++) {
		bool has_body = sample_random(seed) & 1;

		add_text(has_body ? "POST /\xc3\xbc" : "GET /%E6%97%A5");
		if (i == bad) {
			*first = wire_len;
			add_text(sample_random(seed) & 1 ? "%c0%af" : "\xed\xa0\x80");
			*last = wire_len;
		}
		add_text("?x=%20 HTTP/1.1\r\nHost: \xff\r\n");
		if (has_body)
			add_body(seed);
		else
			add_text("\r\n");
	}
	return bad < count;
}

/* Feeds the requests in random pieces; returns how many octets were taken. */
static u32 feed_pieces(struct ugnf_scope *scope, u64 *seed)
{
	struct utf8guard_error error;
	u32 at = 0, n, taken;

	ugnf_scope_init(scope, UGNF_SCOPE_HTTP_TARGET, true);
	while (at < wire_len) {
		n = 1 + sample_random(seed) % 40;
		if (n > wire_len - at)
			n = wire_len - at;
		taken = ugnf_scope_feed(scope, (u8 *)wire + at, n, &error);
		at += taken;
		if (taken != n)
			break;
	}
	return at;
}

static void check_random(void)
{
	u32 round, wrong = 0;
	u64 seed = 11;

	for (round = 0; round < 50000; round++) {
		u32 first = 0, last = 0;
		bool bad = make_requests(&seed, &first, &last);
		struct ugnf_scope scope;
		u32 at = feed_pieces(&scope, &seed);

		if (bad)
			wrong += scope.status != R || at < first || at >= last;
		else
			wrong += scope.status != F || at != wire_len;
	}
	tap_ok(!wrong, "%u connections of up to 6 requests in random pieces: %u wrong", round,
	       wrong);
}

/*
 * A parser that begins inside of a character: up to @tail continuation octets may come first, and
 * then text.
 */
static enum ugnf_scope_status after_tail(u8 tail, const char *text, u32 cut)
{
	const struct ugnf_plain plain = { .tail = tail };
	u32 len = strlen(text), n, at = 0;
	struct utf8guard_error error;
	struct ugnf_scope scope;

	ugnf_plain_init(&scope, &plain, false);
	while (at < len && scope.status == UGNF_SCOPE_FOLLOWED) {
		n = len - at < cut ? len - at : cut;
		at += ugnf_scope_feed(&scope, (const u8 *)text + at, n, &error);
	}
	return scope.status;
}

/* The verdict on a text that may end inside of a character. */
static enum ugnf_scope_status end_of(const char *text, bool is_gated)
{
	const struct ugnf_plain plain = { .is_gated = is_gated };
	struct utf8guard_error error;
	struct ugnf_scope scope;

	ugnf_plain_init(&scope, &plain, false);
	ugnf_scope_feed(&scope, (const u8 *)text, strlen(text), &error);
	ugnf_scope_end(&scope, &error);
	return scope.status;
}

static void check_plain(void)
{
	u32 cut;

	for (cut = 1; cut < 4; cut++)
		tap_ok(after_tail(3, "\x80\x80\x80" "a", cut) == F && after_tail(2, "\x80" "ab", cut) == F &&
		       after_tail(2, "\xff" "ab", cut) == R && after_tail(2, "\x80\xff" "b", cut) == R &&
		       after_tail(1, "\x80\x80" "b", cut) == R && after_tail(1, "a\x80", cut) == R,
		       "inside a character, pieces of %u", cut);
	tap_ok(end_of("a\xc3", false) == R && end_of("a\xc3\xa9", false) == F, "an end inside a character");
	tap_ok(end_of("\x1f\x8b\xc3", true) == F && end_of("abc\xc3", true) == R, "the same, of binary, and of text");
}

/* Why a stream is not followed: the method and the version together say that it is HTTP/2. */
static void check_version(void)
{
	static const struct {
		const char *text;
		u8 cause;
	} cases[] = {
		{ "PRI * HTTP/2.0\r\n", UTF8GUARD_CAUSE_HTTP2 },
		{ "GET / HTTP/2.0\r\n", UTF8GUARD_CAUSE_REQUEST_LINE },
		{ "PRI * HTTP/3.0\r\n", UTF8GUARD_CAUSE_REQUEST_LINE },
	};
	struct ugnf_scope scope;
	u32 i, at;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		judge(&scope, UGNF_SCOPE_HTTP_TARGET, true, cases[i].text, strlen(cases[i].text),
		      0, &at);
		tap_ok(scope.status == U && scope.cause == cases[i].cause,
		       "cause %u: %.14s", cases[i].cause, cases[i].text);
	}
}

int main(void)
{
	tap_note("a scope takes %zu octets", sizeof(struct ugnf_scope));
	check_target();
	check_version();
	check_headers();
	check_lines();
	check_labels();
	check_data();
	check_referrals();
	check_plain();
	check_random();
	return tap_done();
}
