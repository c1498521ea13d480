// SPDX-License-Identifier: GPL-2.0
/*
 * The text gate: which signatures it knows, and that the segment boundaries do not matter.
 *
 * promise remote peer: what the text gate takes for binary does not depend on how it is cut into
 *   segments
 * shown by: a TLS handshake
 * shown by: a NUL anywhere
 */
#include <string.h>

#include "../../../../kernel/nf/scope/gate.h"
#include "../../tap.h"

#define NEVER 1000

/* How many octets pass for text, given in two pieces; NEVER if nothing is found to be binary. */
static u32 opened_at(const void *data, u32 len, u32 cut)
{
	struct ugnf_gate gate = { 0 };
	u32 at = ugnf_gate_feed(&gate, data, cut);

	if (at == cut)
		at += ugnf_gate_feed(&gate, (const u8 *)data + cut, len - cut);
	if (gate.is_binary && ugnf_gate_feed(&gate, data, len))
		return NEVER + 1;
	return gate.is_binary ? at : NEVER;
}

static void expect(const void *data, u32 len, u32 want, const char *what)
{
	bool good = true;
	u32 cut;

	for (cut = 0; cut <= len; cut++)
		good &= opened_at(data, len, cut) == want;
	tap_ok(good, "%s", what);
}

#define EXPECT(text, want, what) expect(text, sizeof(text) - 1, want, what)

/* The gate looks at several octets at once: it must find the first NUL at each place in them. */
static void expect_nul_anywhere(void)
{
	char text[UGNF_GATE_OCTETS];
	bool good = true;
	u32 at, cut;

	for (at = 0; at < sizeof(text); at++) {
		memset(text, 0x01, sizeof(text));
		text[at] = 0;
		for (cut = 0; cut <= sizeof(text); cut++)
			good &= opened_at(text, sizeof(text), cut) == at;
	}
	tap_ok(good, "a NUL anywhere");
}

int main(void)
{
	char late[40] = "";

	EXPECT("\x16\x03\x01\x02\x00\x01", 2 + 1, "a TLS handshake");
	EXPECT("\x16\x03\x03\x00\xa5\x01", 3, "a short one");
	EXPECT("\x16\x03\x05 text", NEVER, "no version of TLS");
	EXPECT("\x16\x03\x01\x42", NEVER, "no length of TLS");
	EXPECT("\x1f\x8b\x08", 1, "gzip");
	EXPECT("\x1f text", NEVER, "a control character");
	EXPECT("\x78\x9c\xed", 1, "zlib, default");
	EXPECT("\x78\x01\xed", 1, "zlib, fast");
	EXPECT("\x78\xda\xed", 1, "zlib, best");
	EXPECT("x^2 + y^2", NEVER, "a formula");
	EXPECT("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 5, "the preface of HTTP/2");
	EXPECT("PRINT * x", NEVER, "another word");
	EXPECT("GET / HTTP/1.1\r\n", NEVER, "a request");
	EXPECT("gr\xc3\xbc\xc3\x9f" "e", NEVER, "text");
	EXPECT("ill-formed \xc0\xae", NEVER, "ill-formed text is for the validator");
	EXPECT("", NEVER, "nothing");
	EXPECT("\0", 0, "NUL");
	EXPECT("some text\0", 9, "NUL after text");
	memset(late, 'a', sizeof(late));
	/* As the manual has it: "a NUL in its first 32 octets". */
	late[31] = 0;
	expect(late, sizeof(late), 31, "the last NUL that counts");
	late[31] = 'a';
	late[32] = 0;
	expect(late, sizeof(late), NEVER, "a NUL too late");
	expect_nul_anywhere();
	memcpy(late, "\x01\x80\x81\xff\x01\x01\x01\x80\x80", 9);
	expect(late, sizeof(late), NEVER, "octets that are near NUL");
	return tap_done();
}
