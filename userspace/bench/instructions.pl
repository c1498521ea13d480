#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
#
# Count the instructions that each engine takes for a text, where an emulator runs programs of
# another processor:
#
#   instructions.pl [-e] PROGRAM LENGTH... -- EMULATOR [ARG...]      for example
#   instructions.pl build/arm64/bench/instructions 8 64 4096 -- qemu-aarch64 -L "$(scripts/vm/guest.sh arm64)"
#
# PROGRAM is instructions.c. The emulator logs each instruction; those between two calls of mark()
# are counted, and what a call of nothing takes is subtracted. The figures are means of several
# texts where these are short; with -e they are for each octet. Instructions are no cycles: a
# processor does several at once, and some take longer than others.

use strict;
use warnings;
use File::Temp qw(tempdir);
use POSIX qw(mkfifo);

my $each = @ARGV && $ARGV[0] eq '-e' ? shift : '';
my ($program, @lengths) = @ARGV;
my @emulator;
for (my $i = 0; $i < @lengths; $i++) {
	next if $lengths[$i] ne '--';
	@emulator = splice @lengths, $i;
	shift @emulator;
}
@lengths && @emulator or die "usage: instructions.pl [-e] PROGRAM LENGTH... -- EMULATOR [ARG...]\n";
my $dir = tempdir(CLEANUP => 1);
mkfifo("$dir/log", 0600) or die "$dir/log: $!\n";

# run INPUT OUTPUT COMMAND...: return its process
sub run {
	my ($input, $output, @command) = @_;
	my $pid = fork // die "fork: $!\n";

	return $pid if $pid;
	open STDIN, '<', $input or die "$input: $!\n";
	open STDOUT, '>', $output or die "$output: $!\n";
	exec @command or die "$command[0]: $!\n";
}

waitpid run('/dev/null', "$dir/texts", @emulator, $program, @lengths), 0;
exit 1 if $?;
my $pid = run("$dir/texts", "$dir/judged", $emulator[0], '-singlestep', '-d', 'exec,nochain', '-D', "$dir/log",
	@emulator[1 .. $#emulator], $program);

open my $log, '<', "$dir/log" or die "$dir/log: $!\n";
my ($count, $inside, $in_mark, @counts) = (0, 0, 0);
while (<$log>) {
	next unless /^Trace /;
	if (/ mark$/) {
		next if $in_mark++;
		push @counts, $count if $inside;
		$inside = !$inside;
		$count = 0;
	} else {
		$in_mark = 0;
		$count++;
	}
}
waitpid $pid, 0;
exit 1 if $?;

my (%took, @rows, @engines, %seen);
open my $judged, '<', "$dir/judged" or die "$dir/judged: $!\n";
while (<$judged>) {
	chomp;
	my ($script, $len, $texts, $engine) = split /\t/;
	my $counted = shift @counts // die "no instructions of $_: has the program symbols?\n";

	push @rows, [$script, $len] unless $seen{"$script $len"}++;
	push @engines, $engine unless $seen{$engine}++;
	$took{$script}{$len}{$engine} = $counted / $texts;
}
@engines = grep { $_ ne 'nothing' } @engines;
print join("\t", 'text', 'octets', @engines), "\n";
for (@rows) {
	my ($script, $len) = @$_;
	my $of = $took{$script}{$len};

	print join("\t", $script, $len, map {
		my $net = $of->{$_} - $of->{nothing};
		$each ? sprintf('%.2f', $net / $len) : sprintf('%.0f', $net)
	} @engines), "\n";
}
