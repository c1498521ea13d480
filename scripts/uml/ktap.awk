# SPDX-License-Identifier: GPL-2.0
#
# The log of a kernel that ran KUnit suites, as TAP:
#
#   awk -f ktap.awk EXPECTED LOG
#
# EXPECTED has, for each module in the order of loading, its name and how many suites it
# has. KTAP nests, and prove looks at the outermost level only. So the KTAP goes out whole
# and indented, which prove ignores, and each case has an outermost line of its own. So has
# all that KTAP does not tell: suites that never ran or never ended, a crash, a warning.
# What led to a failure goes to standard error.

function ok(passed, name, why)
{
	printf "%sok %d - %s\n", passed ? "" : "not ", ++tests, name
	if (passed)
		return
	failed++
	if (why != "")
		print "# " name ": " why > "/dev/stderr"
}

function has(taint) { return int(tainted / taint) % 2 }

function end_of_suite(passed, name)
{
	if (subtest == "")
		ok(0, name, "failed before its first case")
	else if (name != subtest)
		ok(0, subtest, "never ended")
	else if (planned < 1 || cases != planned)
		ok(0, name, cases + 0 " cases ran, not " planned + 0)
	else if (ran < 1)
		ok(0, name, "skipped whole")
	else
		ok(passed, name ": " cases " cases")
	subtest = ""
	suites[module]++
}

# Words of a result: "ok", the number, the name, "# SKIP", why.
function case_result(passed, line,	name, why, skip)
{
	sub(/^ *(not )?ok [0-9]+ (- )?/, "", line)
	name = line
	if (skip = index(line, " # SKIP")) {
		name = substr(line, 1, skip - 1)
		why = substr(line, skip + 7)
		gsub(/^ +| +$/, "", why)
	}
	cases++
	# For a case all of whose parameters were skipped, KUnit does not say why either.
	if (skip && why == "" && !inner)
		ok(0, subtest "." name, "skipped without a reason: no parameters?")
	else if (skip)
		ok(1, subtest "." name " # SKIP " why)
	else {
		ran++
		ok(passed && !inner_failed, subtest "." name)
	}
	if (!passed || inner_failed)
		printf "%s", said > "/dev/stderr"
	said = ""
	inner = inner_failed = 0
}

BEGIN { print "TAP version 13" }

{ sub(/\r$/, "") }

FNR == NR {
	expected[++modules] = $1
	suites_of[$1] = $2
	next
}

/WARNING:|BUG:|kernel BUG|Oops|[Kk]ernel panic|Call Trace|INFO: rcu|INFO: task|Kernel mode fault|Segfault with no mm|UBSAN:|KASAN:|possible (recursive|circular)|Unknown symbol|Invalid module format/ {
	if (!complaint)
		complaint = $0
}

$1 == "utf8guard-uml:" {
	if ($2 == "load")
		module = $3
	else if ($2 == "loaded") {
		if (subtest != "")
			ok(0, subtest, "never ended")
		subtest = ""
		ok($4 == 0 && suites[$3] + 0 == suites_of[$3] &&
		   (suites_of[$3] || $3 !~ /_test$/), $3 " loads, and its suites run",
		   "exit " $4 ", " suites[$3] + 0 " of " suites_of[$3] + 0 " suites ran")
		loaded[$3] = 1
		module = ""
	} else if ($2 == "unloaded")
		unloaded = $3 == 0
	else if ($2 == "tainted")
		tainted = $3
	else if ($2 == "end")
		ended = 1
	print "# " $0
	next
}

module == "" { print "# " $0; next }

/^(not )?ok [0-9]+ / {
	name = $0
	sub(/^(not )?ok [0-9]+ (- )?/, "", name)
	sub(/ *# SKIP.*/, "", name)
	print "    # " $0
	end_of_suite(/^ok/, name)
	next
}

{ print (/^ / ? "" : /^#/ ? "    " : "    # ") $0 }

{ said = said "# " $0 "\n" }

/^    # Subtest: / {
	if (subtest != "")
		ok(0, subtest, "never ended")
	subtest = $3
	said = ""
	cases = ran = planned = inner = inner_failed = 0
}

/^    1\.\.[0-9]+$/ { planned = substr($1, 4) }

/^    (not )?ok [0-9]+ / { case_result(/^    ok/, $0) }

/^     +(not )?ok [0-9]+ / { inner++ }

/^     +not ok [0-9]+ / { inner_failed++ }

# Passed parameters would bury the one that failed.
/^     +ok [0-9]+ / { said = inner_failed ? said : "" }

END {
	if (subtest != "") {
		printf "%s", said > "/dev/stderr"
		ok(0, subtest, "never ended")
	}
	for (i = 1; i <= modules; i++)
		if (!(expected[i] in loaded))
			ok(0, expected[i] " loads, and its suites run", "the kernel did not get there")
	ok(unloaded, "the modules unload again")
	# include/linux/panic.h: bad page, died, warned, locked up.
	if (!complaint && (has(32) || has(128) || has(512) || has(16384)))
		complaint = "tainted " tainted
	ok(!complaint, "the kernel has nothing to complain about", complaint)
	ok(ended, "the kernel runs to its end", "it does not")
	print "1.." tests
	exit failed != 0
}
