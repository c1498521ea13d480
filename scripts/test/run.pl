#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
#
# Run groups of test programs, which speak TAP, side by side, and sum up at the end:
#
#   run.pl GROUP...
#
#   host        userspace/tests/host, as scripts and as built in build/tests; host:quick
#               are all but those that scripts/test/kernels.txt calls slow
#   arm64       those of them that are built in build/arm64/tests, with an emulated processor
#   kunit       the KUnit suites in User-Mode Linux
#   packages    userspace/tests/packages: Debians that boot, with our packages; packages:all has
#               one besides, in which dkms builds the modules itself, emulated
#   upstream    userspace/tests/vm/upstream: test suites of other projects, on the kernels that
#               scripts/test/kernels.txt names for each
#   vm:KERNEL[,KERNEL...]
#               userspace/tests/vm, each suite on each of these kernels, or what is
#               chosen for one that cannot run all
#   debug       each of these suites on a kernel with KASAN and lockdep: on debug, and those of the
#               payload that are chosen for uml on that one, at the speed of this machine
#   matrix:COLUMN
#               as vm:, on the kernels and with the suites that kernels.txt has in that
#               column: quick, test or all
#   --kernels COLUMN
#               runs nothing; prints the kernels of that column
#
# SUITES in the environment, with spaces, names the only ones to run; each has to be in one of the
# groups. RESUME=1 goes on with a run that was broken off: a suite that was green in it is not run
# again, what it printed is counted. All that a suite prints is kept in build/test/GROUP/SUITE.log. A suite that ends early is a
# failure, and the others go on. The last line is "N passed, N failed, N skipped", in
# checks; a suite that failed without a failed check counts as one, and a check that is marked as TODO
# has failed. The same summary is in build/summary, what each suite took in build/test/costs. Exits 0
# only if nothing failed and something passed.

use strict;
use warnings;
use Cwd qw(realpath);
use File::Basename qw(basename dirname);
use File::Path qw(make_path remove_tree);
use TAP::Harness;
use TAP::Parser::Aggregator;
use Time::HiRes qw(time);

# Those that take longest come first, or one of them would run alone at the end.
my @longest = qw(dkms upgrade_bookworm upgrade_trixie kunit quads vm_harness transactions flows policy reloads required
	skbs follow scan_filesystems scopes attach commands subvolumes names_generic cookies names_overlays pods
	metrics paths names_servers servers_smtp_dns tool_options frontends netlink_storm names_containers
	tcp_connection names_filesystems scoped_streams unreadable servers_http depth coexistence);

my $top = realpath(dirname(__FILE__) . '/../..');
chdir $top or die "$top: $!\n";
my $processors = `nproc` || 1;
my %only = map { $_ => 1 } split ' ', $ENV{SUITES} // '';
$| = 1;

# Exhaustive ones, which need not run again while what they test is the same.
my %exhaustive = map { $_ => 1 } qw(quads);

sub suite_of { basename($_[0]) =~ s/\.t$//r }

my %rank = map { $longest[$_] => $_ } 0 .. $#longest;

sub rank { $rank{suite_of($_[0])} // @longest }

sub wanted {
	return sort grep { !%only || $only{suite_of($_)} } @_;
}

sub host_programs {
	return wanted(glob('userspace/tests/host/*/*.t'), grep { -f && -x } glob('build/tests/*'));
}

# Programs for another processor, and what runs them, with the libraries of its guests. That is
# some ten times as slow: so quads takes one in 61 of its texts, tcp_connection one in 15 of its connections.
sub emulated_programs {
	my ($arch, $emulator) = @_;
	my @programs = wanted(grep { -f && -x } glob("build/$arch/tests/*"));

	chomp(my $root = `scripts/vm/guest.sh $arch`);
	die "no root of $arch\n" if $? || !$root;
	return map { [['env', $exhaustive{suite_of($_)} ? 'STEP=61' : (), 'CONNECTIONS=20000', $emulator, '-L', $root, $_],
			"$arch-host/" . suite_of($_)] } @programs;
}

my $upstream = 'userspace/tests/vm/upstream';

sub vm_suites { wanted(grep { dirname($_) ne $upstream } glob('userspace/tests/vm/*/*.t')) }

# The table: kernels in its order, with what each runs in which column ("every", "chosen"
# or "-"), the suites that are chosen for each, those of the host that are slow, and the kernel of
# each suite of another project.
my (@kernels, %in_column, %chosen, %slow, %upstream_on);

sub read_table {
	my $path = 'scripts/test/kernels.txt';
	my %suite = map { suite_of($_) => 1 } glob('userspace/tests/vm/*/*.t');
	my $what = qr/every|chosen|-/;

	open my $table, '<', $path or die "$path: $!\n";
	while (<$table>) {
		next if /^(#|$)/;
		if (/^kernel\s+(\S+)\s+($what)\s+($what)\s+($what)\s+(\d+|-)\s+\S/) {
			push @kernels, $1;
			$in_column{$1} = { quick => $2, test => $3, all => $4 };
		} elsif (/^slow\s+(\w+)\s+\d+\s+\S/) {
			$slow{$1} = 1;
		} elsif (/^upstream\s+(\S+)\s+(\w+)\s+(?:\d+|-)\s+\S/ && -e "$upstream/$2.t") {
			$upstream_on{$2} = $1;
		} elsif (/^(\S+)\s+(\(?)(\w+)\)?\s+\S/ && $in_column{$1} && $suite{$3}) {
			$chosen{$1}{$3} = $2 ? 'in all' : 'everywhere';
		} else {
			die "$path:$.: no kernel of this table, no such suite, or no reason: $_";
		}
	}
}

# What runs on this machine is ended after half an hour, several times what the longest takes: a
# program that hangs is to be a red suite with a name. Guests have a limit of their own.
sub host_command {
	my ($file) = @_;
	my @limited = qw(setpriv --pdeathsig TERM timeout -k 10 1800);

	push @limited, 'scripts/test/remember.sh' if $exhaustive{suite_of($file)};
	# A script that may not be executed is run by bash.
	return [@limited, -x $file ? $file : ('bash', $file)];
}

# A group: its test programs as [COMMAND, NAME], and how many run at a time. An
# emulated machine takes one processor, and waits for its timers half of the time:
# twice as many as there are processors run at once.
sub group {
	my ($name) = @_;

	return host($1) if $name =~ /^host(:quick)?$/;
	return ($processors, emulated_programs($name, 'qemu-aarch64')) if $name eq 'arm64';
	return (1, map { [[$_], "uml/" . suite_of($_)] } wanted(glob('userspace/tests/uml/*.t')))
		if $name eq 'kunit';
	return (1, packages($1)) if $name =~ /^packages(:all)?$/;
	return (1, upstream()) if $name eq 'upstream';
	return debug() if $name eq 'debug';
	return vm('all', map { [$_, all_of($_)] } split /,/, $1) if $name =~ /^vm:(.+)/;
	return vm($1, in_column($1)) if $name =~ /^matrix:(quick|test|all)$/;
	usage();
}

sub packages {
	my ($all) = @_;
	my $dir = 'userspace/tests/packages';

	return grep { !%only || $only{basename($_->[1])} } (
		(map { [["$dir/upgrade.t", $_], "packages/upgrade_$_"] } qw(trixie bookworm)),
		[["$dir/secure_boot.t", 'trixie'], 'packages/secure_boot'],
		(map { [["$dir/autopkgtest.t", $_], "packages/autopkgtest_$_"] } qw(trixie bookworm)),
		[["$dir/rpm.t"], 'packages/rpm'],
		($all ? [["$dir/dkms.t", 'trixie'], 'packages/dkms'] : ()),
		[['scripts/vm/suite.sh', "6.12:$dir/bpf_lsm.t"], 'packages/bpf_lsm'],
		[['scripts/vm/suite.sh', '-a', 'module.sig_enforce=1 lockdown=integrity', "6.12:$dir/bpf_lsm.t"],
			'packages/bpf_lsm_signed']);
}

sub upstream {
	return map { [['scripts/vm/suite.sh', "$upstream_on{$_}:$upstream/$_.t"], "$upstream_on{$_}/$_"] }
		grep { !%only || $only{$_} } sort keys %upstream_on;
}

sub host {
	my ($quick) = @_;
	my @programs = grep { !$quick || !$slow{suite_of($_)} || %only } host_programs();

	return ($processors, map { [host_command($_), "host/" . suite_of($_)] } @programs);
}

# Kernels of a column, each as [KERNEL, WHAT].
sub in_column {
	my ($column) = @_;
	return grep { $_->[1] ne '-' } map { [$_, $in_column{$_}{$column} // usage()] } @kernels;
}

# What a kernel can run at all: some can only run what is chosen.
sub all_of {
	my ($kernel) = @_;
	return 'every' unless $in_column{$kernel};
	return $in_column{$kernel}{all} eq 'every' ? 'every' : 'chosen';
}

# If suites are named (SUITES), they run on each of the kernels, whatever the table says.
sub wanted_on {
	my ($column, $kernel, $what, $suite) = @_;
	my $chosen = $chosen{$kernel}{$suite} // '';

	return %only || $what eq 'every' || $chosen eq 'everywhere' || $chosen && $column eq 'all';
}

sub vm {
	my ($column, @on) = @_;

	return ($processors * 2, map {
		my $file = $_;
		my $suite = suite_of($file);
		map { [['scripts/vm/suite.sh', "$_->[0]:$file"], "$_->[0]/$suite"] }
			grep { wanted_on($column, @$_, $suite) } @on;
	} vm_suites());
}

sub debug {
	return ($processors * 2, map {
		my $suite = suite_of($_);
		my $kernel = m{/payload/} && $chosen{uml}{$suite} ? 'uml' : 'debug';
		[['scripts/vm/suite.sh', "$kernel:$_"], "$kernel/$suite"]
	} vm_suites());
}

sub usage {
	die "usage: run.pl host[:quick]|arm64|kunit|packages[:all]|upstream|vm:KERNEL[,KERNEL...]|debug|matrix:quick|test|all...\n" .
		"       run.pl --kernels quick|test|all\n";
}

# All groups at once: no processor waits for the last program of one of them. Returns how many
# run at a time, and the test programs as group() has them.
sub tests_of {
	my ($jobs, @tests) = (1);

	for (@_) {
		my ($at_once, @more) = group($_);
		$jobs = $at_once if $at_once > $jobs;
		push @tests, @more;
	}
	my %is_there = map { basename($_->[1]) => 1 } @tests;
	my @unknown = grep { !$is_there{$_} } sort keys %only;
	die "SUITES: no such suite in @_: @unknown\n" if @unknown;
	return ($jobs, sort { rank($a->[1]) <=> rank($b->[1]) } @tests);
}

sub run_all {
	my ($total, $jobs, @tests) = @_;
	my %command = map { $_->[1] => $_->[0] } @tests;
	my $harness = TAP::Harness->new({
		jobs => $jobs, timer => 1, failures => 1, comments => 1,
		exec => sub {
			my (undef, $name) = @_;
			return ['cat', "build/test/$name.log"] if $ENV{RESUME} && -e "build/test/$name.log.green";
			return ['scripts/test/keep.sh', "build/test/$name.log", @{$command{$name}}];
		},
	});
	$harness->aggregate_tests($total, map { [$_->[1], $_->[1]] } @tests);
}

sub duration {
	my $seconds = int($_[0] + 0.5);
	return $seconds < 60 ? "$seconds s" : sprintf '%d min %02d s', $seconds / 60, $seconds % 60;
}

# For TAP, a check that is marked as TODO has passed.
sub failed_in {
	my ($suite) = @_;
	return sort { $a <=> $b } $suite->failed, $suite->todo;
}

# What is wrong with a suite, in words; nothing if all is well.
sub complaint {
	my ($suite) = @_;
	my @failed = failed_in($suite);
	my @words;

	push @words, 'failed ' . (@failed > 8 ? "@failed[0 .. 7]..." : "@failed") if @failed;
	push @words, 'no plan, or not what was planned' if $suite->parse_errors;
	push @words, 'exit status ' . $suite->exit if $suite->exit && !@failed;
	return join '; ', @words;
}

sub processor_time {
	my ($name) = @_;

	open my $file, '<', "build/test/$name.log.cpu" or return 0;
	return (<$file> // 0) + 0;
}

# Of each suite: its seconds of processor time, its seconds of elapsed time, its name.
sub list_costs {
	open my $file, '>', 'build/test/costs' or return;
	printf $file "%6d %6d %s\n", $_->[2], $_->[1], $_->[0] for @_;
	close $file;
}

sub summary {
	my ($total, $seconds) = @_;
	my ($passed, $failed, $skipped, @bad, @not_run, @in_part, @cost) = (0, 0, 0);
	my @names = $total->descriptions;

	for my $name (@names) {
		my ($suite) = $total->parsers($name);
		my $complaint = complaint($suite);
		my @failed_here = failed_in($suite);
		# For TAP, a check that was skipped has passed.
		my $skipped_here = $suite->skipped;
		$passed += $suite->passed - $skipped_here - $suite->todo;
		$skipped += $skipped_here;
		$failed += @failed_here || ($complaint ? 1 : 0);
		push @bad, "  $name: $complaint: build/test/$name.log" if $complaint;
		push @not_run, "  $name: " . $suite->skip_all if $suite->skip_all;
		push @in_part, "  $name: $skipped_here of " . $suite->tests_run if $skipped_here;
		push @cost, [$name, $suite->end_time - $suite->start_time, processor_time($name)];
	}
	my %of;
	$of{dirname($_->[0])} += $_->[2] for @cost;
	@cost = sort { $b->[2] <=> $a->[2] } @cost;
	list_costs(@cost);
	my $few = @cost < 10 ? $#cost : 9;
	my $all = 0;
	$all += $_->[2] for @cost;
	return join("\n",
		sprintf('%d suites, %d checks, in %s; %d suites failed, %d were not run',
			scalar @names, $passed + $failed + $skipped, duration($seconds), scalar @bad, scalar @not_run),
		sprintf('%s of processor time, most of it in: %s', duration($all),
			join(', ', map { "$_->[0] " . duration($_->[2]) } @cost[0 .. $few])),
		'of that: ' . join(', ', map { "$_ " . duration($of{$_}) } sort keys %of),
		@not_run ? ('not run:', @not_run) : (),
		@in_part ? ('skipped checks:', @in_part) : (),
		@bad ? ('failed, and where all of its output is:', @bad) : (),
		"$passed passed, $failed failed, $skipped skipped") . "\n", $failed || !$passed;
}

usage() unless @ARGV;
read_table();
if ($ARGV[0] eq '--kernels') {
	print map { "$_->[0]\n" } in_column($ARGV[1] // '');
	exit;
}
my ($jobs, @tests) = tests_of(@ARGV);
remove_tree('build/test') unless $ENV{RESUME};
make_path('build/test');
my $total = TAP::Parser::Aggregator->new;
my $start = time;
$total->start;
run_all($total, $jobs, @tests);
$total->stop;
my ($text, $failed) = summary($total, time - $start);
if (open my $file, '>', 'build/summary') {
	print $file $text;
	close $file;
}
print "\n$text";
exit($failed ? 1 : 0);
