#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# No way to let a packet go on in silence: what a hook returns cannot be made without a
# reason that is counted, and each reason has its counter, which the spec and the manual
# know of.
#
# promise remote peer: no packet goes on without a reason that is counted: a way without one does
#   not compile
# shown by: a path without one
# shown by: no reason

here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$here/../../tap.sh"
header=$top/kernel/nf/rule/outcome.h
spec=$top/include/netlink/utf8guard_nf.yaml
man=$top/userspace/man/utf8guard.8
compiler=${CC:-gcc}
command -v "$compiler" >/dev/null || bail_out "no $compiler"

# A function that lets a packet go on, as a hook does.
export LC_ALL=C
compile() { # BODY
	cat >"$tap/hook.c" <<-END
		#include "outcome.h"
		struct ugnf_outcome hook(struct ugnf_counters *counters, u32 octets, int odd);
		struct ugnf_outcome hook(struct ugnf_counters *counters, u32 octets, int odd)
		{
			(void)counters; (void)octets; (void)odd;
			$1
		}
	END
	run "$compiler" -std=gnu11 -O2 -Wall -I"$top/include" -I"$top/kernel/nf/rule" -c -o "$tap/hook.o" "$tap/hook.c"
}
compiles() { # WHAT BODY
	compile "$2"
	is "$1" "$status $err" "0 "
}
fails() { # WHAT BODY REGEX
	compile "$2"
	like "$1 is an error" "$status $err" "^1 .*error: [^
]*$3"
}

compiles "to pass for a reason" 'return ugnf_pass(counters, octets, UGNF_BECAUSE(JUDGED));'
compiles "to pass for two reasons" 'return ugnf_pass(counters, octets, ugnf_also(UGNF_BECAUSE(EARLY), UGNF_BECAUSE(BINARY)));'
compiles "to drop" 'return ugnf_drop(counters, octets, UGNF_BECAUSE(DIFFERS));'
compiles "to pass what no rule is for" 'return ugnf_pass_unruled(counters, UGNF_UNRULED(EMPTY));'
compiles "to hold a fragment" 'return ugnf_hold_unruled(counters, odd, UGNF_UNRULED(FRAGMENT));'
compiles "to return an outcome later" 'struct ugnf_outcome outcome = ugnf_drop(counters, octets, UGNF_BECAUSE(SPLIT)); return outcome;'

fails "a number" 'return 1;' 'incompatible types'
fails "NF_ACCEPT" 'return NF_ACCEPT;' 'incompatible types'
fails "a verdict, taken out of an outcome" 'return ugnf_outcome_verdict(ugnf_drop(counters, octets, UGNF_BECAUSE(SPLIT)));' 'incompatible types'
fails "nothing" 'return;' "'return' with no value"
fails "no return" '' 'control reaches end'
fails "a path without one" 'if (odd) return ugnf_pass(counters, octets, UGNF_BECAUSE(SPLIT));' 'control reaches end'
fails "an outcome that was never made" 'struct ugnf_outcome outcome; return outcome;' "'outcome.*' is used uninitialized"
fails "an outcome of one's own" 'return (struct ugnf_outcome) { NF_ACCEPT };' 'positional initialization'
fails "the same, by the name of its member" 'return (struct ugnf_outcome) { .ugnf_hidden_verdict = NF_ACCEPT };' 'poisoned'
fails "an outcome that is changed" \
	'struct ugnf_outcome outcome = ugnf_drop(counters, octets, UGNF_BECAUSE(SPLIT)); outcome.ugnf_hidden_verdict = NF_ACCEPT; return outcome;' \
	'poisoned'
fails "no reason" 'return ugnf_pass(counters, octets);' 'too few arguments'
fails "no reason where there is no rule" 'return ugnf_pass_unruled(counters);' 'too few arguments'
fails "a reason that nobody knows" 'return ugnf_pass(counters, octets, UGNF_BECAUSE(WHATEVER));' "'UGNF_REASON_WHATEVER' undeclared"
fails "a number as a reason" 'return ugnf_pass(counters, octets, 4);' 'incompatible type for argument'
fails "the reason by its number" 'return ugnf_pass(counters, octets, UGNF_REASON_SPLIT);' 'incompatible type for argument'
fails "a reason of one's own" 'return ugnf_pass(counters, octets, (struct ugnf_because) { 4 });' 'positional initialization'
fails "a reason that was never made" 'struct ugnf_because why; return ugnf_pass(counters, octets, why);' "'why.*' is used uninitialized"
fails "a rule's reason without a rule" 'return ugnf_pass_unruled(counters, UGNF_BECAUSE(JUDGED));' 'incompatible type for argument'
fails "a reason of no rule's with a rule" 'return ugnf_pass(counters, octets, UGNF_UNRULED(EMPTY));' 'incompatible type for argument'
fails "no counters" 'return ugnf_pass(octets, UGNF_BECAUSE(JUDGED));' 'too few arguments'

# The compiler cannot tell that a set of reasons is empty. With such a set, no packet goes on.
cat >"$tap/empty.c" <<'END'
#include "outcome.h"
static u32 counted;
void utf8guard_nf_count(struct ugnf_counters *counters, u32 octets, u32 reasons)
{
	(void)counters; (void)octets;
	counted = reasons;
}
int main(void)
{
	u32 verdict = ugnf_outcome_verdict(ugnf_pass(NULL, 1, UGNF_BECAUSE(EARLY)));

	if (verdict != NF_ACCEPT || counted != 1U << UGNF_REASON_EARLY)
		return 1;
	verdict = ugnf_outcome_verdict(ugnf_pass(NULL, 1, (struct ugnf_because) {}));
	if (verdict != NF_DROP || counted)
		return 2;
	return ugnf_outcome_verdict(ugnf_pass_unruled(NULL, (struct ugnf_unruled) {})) != NF_DROP;
}
END
ok "an empty set of reasons compiles" "$compiler" -std=gnu11 -O2 -I"$top/include" -I"$top/kernel/nf/rule" -o "$tap/empty" "$tap/empty.c"
ok "and lets nothing go on" "$tap/empty"

# Hooks and what they ask return nothing else.
is "every way out of the hooks is one of these" \
	"$(grep -nE '\<NF_(ACCEPT|DROP|STOLEN|QUEUE|REPEAT|STOP)\>' "$top"/kernel/nf/{,*/}*.[ch] |
		grep -v ^"$top/kernel/nf/rule/outcome.h:")" ""
is "only a hook before the rules has no outcome" \
	"$(awk '/^[a-z].*\(/ { name = $0 } /ugnf_outcome_to_come\(/ { print name }' "$top"/kernel/nf/*.c "$top"/kernel/nf/*/*.c | sort -u)" \
	"static unsigned int close_headers_hook(void *priv, struct sk_buff *skb,"
is "verdicts are taken out of outcomes in one place each" \
	"$(grep -lE 'ugnf_outcome_verdict\(' "$top"/kernel/nf/*.c "$top"/kernel/nf/*/*.c | xargs -n1 basename | tr '\n' ' ')" \
	"hook.c nf_conntrack_utf8.c "

# The names of attributes: FULL_NAME as full-name.
spelled() { tr 'A-Z_\n' 'a-z- '; }
reasons() { # LIST: the attributes of its reasons
	sed -n "/^#define $1(X)/,/[^\\\\]\$/p" "$header" | grep -o 'X([A-Z_]*, [A-Z_]*)' |
		sed 's/.*, \(.*\))/\1/' | sort
}
in_spec() { # SET: its attributes of u64 and nests
	python3 - "$spec" "$1" <<'END'
import sys
import yaml
with open(sys.argv[1], encoding="ascii") as f:
    spec = yaml.safe_load(f)
for attrs in spec["attribute-sets"]:
    if attrs["name"] == sys.argv[2]:
        for one in attrs["attributes"]:
            # A nest of a rule's words or of changed rules counts nothing.
            words = one.get("nested-attributes") in ("port-range", "network", "change")
            if one["type"] in ("u64", "nest") and "copies" not in one["name"] and not words:
                print(one["name"])
END
}
rows() { # FROM TO: what a part of the manual has a row or a word for
	sed -n '/^\.Ss Counters/,/^\.Ss Packets/p' "$man" | sed -n "/$1/,/$2/p" |
		sed -n 's/^\.It Li \([a-z-]*\)$/\1/p'
}
if /usr/bin/python3 -c 'import yaml' 2>/dev/null; then
	python3() { /usr/bin/python3 "$@"; }
	isnt "there are reasons of rules" "$(reasons UGNF_PACKET_REASONS)$(reasons UGNF_STREAM_REASONS)" ""
	# The counter of octets is that of no reason.
	is "each counter of a rule in the spec is that of a reason" \
		"$(in_spec rule | grep -v '^octets$' | sort | tr '\n' ' ')" \
		"$( (reasons UGNF_PACKET_REASONS; reasons UGNF_STREAM_REASONS) | spelled | tr ' ' '\n' | sort | tr '\n' ' ')"
	# The counter by class is the sum of all rules, and that of no reason.
	is "and each of the status" "$(in_spec status | grep -v '^count$' | sort | tr '\n' ' ')" \
		"$(reasons UGNF_UNRULED_REASONS | spelled)"
else
	skip 3 "no python3-yaml"
fi
is "each reason of a packet has its row in the manual" \
	"$(rows 'shows for each rule' 'and for rules for streams' | sort -u | tr '\n' ' ')" \
	"$(reasons UGNF_PACKET_REASONS | spelled)"
is "and each of a stream" \
	"$(rows 'and for rules for streams' 'A packet may be' | sort -u | tr '\n' ' ')" \
	"$(reasons UGNF_STREAM_REASONS | spelled)"
is "and each without a rule" \
	"$(rows 'For packets that no rule judged' 'Ss Packets' | sort -u | tr '\n' ' ')" \
	"$(reasons UGNF_UNRULED_REASONS | spelled)"
# A report gives the name of a counter as its reason.
is "what reports give as a reason is one of them" \
	"$(sed -n 's/^\t\[UTF8GUARD_REASON_.*\] = "\(.*\)",/\1/p' "$top/kernel/service/words.h" |
		grep -vxF -e none -f <( (reasons UGNF_PACKET_REASONS; reasons UGNF_STREAM_REASONS) | tr 'A-Z_' 'a-z-'))" ""
done_testing
