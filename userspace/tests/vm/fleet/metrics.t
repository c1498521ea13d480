#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Metrics for the operator of many hosts: what is there before anything happens, what a reload
# leaves, what 10,000 rules cost, the file for the node exporter, alerts, and Debian's own
# Prometheus, which scrapes all of that.
# vm: -m 1536 -p prometheus,prometheus-node-exporter
#
# promise operator: metrics have what was refused, by class, and an alert comes where the policy
#   is not in force
# shown by: what was refused, by class
# shown by: they come when they should
# shown by: an alert is on its way

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
top=$(readlink -f "$here/../../../..")
dir=/var/lib/prometheus/node-exporter
mkdir -p $dir /tmp/a

metrics() { utf8guard stats --prometheus "$@" >"$tap/metrics" 2>"$tap/complaints"; }
sample() { awk -v name="$1" 'index($0, name " ") == 1 { print $NF }' "${2-$tap/metrics}"; }

# Where nothing is loaded.
run metrics
is "nothing is loaded: no failure" "$status$(cat "$tap/complaints")" 0
is "and told" "$(sample utf8guard_up) $(sample 'utf8guard_loaded{module="utf8guard_fs"}')" "0 0"
is "totals are there" "$(sample 'utf8guard_fs_refused_total{class="overlong"}') $(sample 'utf8guard_net_refused_total{class="percent-nul"}')" "0 0"
unlike "gauges are not" "$(cat "$tap/metrics")" 'utf8guard_fs_(rules|enforcing)'
ok "promtool takes it" sh -c "promtool check metrics <'$tap/metrics'"
is "--rules without --prometheus" "$(utf8guard stats --rules 2>&1)" "utf8guard: stats: --rules needs --prometheus"

load_all
metrics
is "loaded" "$(sample utf8guard_up) $(sample utf8guard_fs_rules) $(sample utf8guard_fs_enforcing)" "1 1 1"
cat >"$tap/policy" <<'END'
fs flush
net flush
fs set default audit
fs add subtree /tmp/a enforce comment 'what clients write'
fs add fstype vfat off
net add input udp dport 9000 drop
END
utf8guard load "$tap/policy"
: 2>/dev/null >/tmp/a/$'\xc0\xae'
printf '\xc0\xae' >/dev/udp/127.0.0.1/9000
metrics
is "what was refused, by class" "$(sample 'utf8guard_fs_refused_total{class="overlong"}') $(sample 'utf8guard_net_refused_total{class="overlong"}')" "1 1"
unlike "no rule by itself" "$(cat "$tap/metrics")" '_rule_'
sum=$(sed -n 's/^utf8guard_fs_policy_info{checksum="\([0-9a-f]*\)"} 1$/\1/p' "$tap/metrics")
is "the checksum is that of show" "$sum" "$(utf8guard show -j | member fs.checksum)"

# The same policy after another load, in another file, and with the modules loaded anew.
unload utf8guard_nf utf8guard_fs utf8guard
load_all
utf8guard fs add default uid 7 off
utf8guard load "$tap/policy"
is "the same policy, loaded again" "$(utf8guard show -j | member fs.checksum)" "$sum"
printf '%s\n' 'fs flush' 'fs add fstype vfat off' \
	'fs add subtree /tmp/a/../a/. enforce comment "what clients write"' >"$tap/same"
ok "the same policy, written otherwise" utf8guard load "$tap/same"
is "has the same checksum" "$(utf8guard show -j | member fs.checksum)" "$sum"
utf8guard fs add fstype msdos off
isnt "and another has not" "$(utf8guard show -j | member fs.checksum)" "$sum"

# With --rules, each rule has metrics, by its words. Deleting a rule takes nothing from the totals.
printf '\xc0\xae' >/dev/udp/127.0.0.1/9000
metrics --rules
ok "--rules: promtool takes it" sh -c "promtool check metrics <'$tap/metrics'"
is "what a rule looked at" "$(sample 'utf8guard_net_rule_packets_total{rule="net add input udp dport 9000 drop"}')" 1
is "in bytes" "$(sample 'utf8guard_net_rule_bytes_total{rule="net add input udp dport 9000 drop"}')" 2
before=$(sample 'utf8guard_net_refused_total{class="overlong"}')
printf 'net flush\nnet add input udp dport 9001 drop\n' | utf8guard load -
metrics
is "a rule goes, what it refused stays" "$(sample 'utf8guard_net_refused_total{class="overlong"}')" "$before"
utf8guard reset
metrics
is "reset" "$(sample 'utf8guard_net_refused_total{class="overlong"}')" 0

# 10,000 rules.
{ echo "net flush"; for n in {1..10000}; do echo "net add input tcp dport $n drop"; done; } >"$tap/many"
utf8guard load "$tap/many"
begun=$(date +%s%N)
metrics
note "10,000 rules: $(wc -c <"$tap/metrics") octets, $((($(date +%s%N) - begun) / 1000000)) ms"
is "10,000 rules are no more lines than two" "$(wc -l <"$tap/metrics")" "$(printf 'net flush\nnet add input udp dport 9001 drop\n' | utf8guard load - >&2; utf8guard stats --prometheus | wc -l)"

# The file, as the unit writes it.
sed "s,@SBIN@/utf8guard,$UTF8GUARD," "$top/userspace/fleet/textfile.in" >"$tap/textfile"
rm -f /etc/utf8guard.conf
ok "a file for the node exporter" sh "$tap/textfile" $dir
is "nothing else is left there" "$(ls $dir)" utf8guard.prom
unlike "no policy, no word of it" "$(cat $dir/utf8guard.prom)" check_status
utf8guard save >/etc/utf8guard.conf
sh "$tap/textfile" $dir
is "what check says" "$(sample utf8guard_check_status $dir/utf8guard.prom)" 0
utf8guard net flush
sh "$tap/textfile" $dir
is "and then" "$(sample utf8guard_check_status $dir/utf8guard.prom)" 2
ok "promtool takes that, too" sh -c "promtool check metrics <$dir/utf8guard.prom"
mv /etc/utf8guard.conf "$tap/kept"
sh "$tap/textfile" $dir
is "without a file, nothing" "$(sample utf8guard_up $dir/utf8guard.prom) $(sample utf8guard_check_status $dir/utf8guard.prom)" "1 "
before=$(utf8guard save)
utf8guard fs flush
echo "fs set default audit" >/etc/utf8guard.conf
sh "$tap/textfile" $dir
is "a host that says that it has no policy" "$(sample utf8guard_check_status $dir/utf8guard.prom)" 0
utf8guard load - <<<"$before"
mv "$tap/kept" /etc/utf8guard.conf
sh "$tap/textfile" $dir
before=$(cat $dir/utf8guard.prom)
mkdir "$tap/full"
mount -t tmpfs -o size=8k tmpfs "$tap/full"
echo before >"$tap/full/utf8guard.prom"
head -c 8192 /dev/zero >"$tap/full/rest" 2>/dev/null
not_ok "a full disk" sh "$tap/textfile" "$tap/full"
is "leaves the file of before" "$(cat "$tap/full/utf8guard.prom")" before
is "and nothing else" "$(ls "$tap/full")" "rest
utf8guard.prom"
umount "$tap/full"

# A module that does not answer is news, too: as where the unit has lost a capability.
# shellcheck disable=SC2016 # for the script
printf '#!/bin/sh\nexec setpriv --bounding-set -net_admin,-mac_admin --inh-caps -all "%s" "$@"\n' "$UTF8GUARD" >"$tap/weak"
chmod +x "$tap/weak"
sed "s,@SBIN@/utf8guard,$tap/weak," "$top/userspace/fleet/textfile.in" >"$tap/weakfile"
ok "a tool that may not ask" sh "$tap/weakfile" $dir
is "... says so" "$(sample utf8guard_up $dir/utf8guard.prom) $(sample utf8guard_check_status $dir/utf8guard.prom)" "0 3"
unlike "... and makes no counter zero" "$(cat $dir/utf8guard.prom)" 'utf8guard_(fs|net)_[a-z_]*_total'
sh "$tap/textfile" $dir

# Debian's user prometheus owns the directory above, so he can put another one there, with links.
echo secret >"$tap/secret"
mkdir "$tap/his"
python3 -c "import os
for process in range(1, 32769):
    os.symlink('$tap/secret', f'$tap/his/utf8guard.prom.{process}')"
not_ok "what is there already" sh "$tap/textfile" "$tap/his"
is "is no way to a file of root" "$(cat "$tap/secret")" secret

# Alerts.
rules=$top/userspace/fleet/utf8guard.rules.yml
ok "promtool takes the alerts" promtool check rules "$rules"
sed "s,RULES,$rules," "$here/alerts.yml" >"$tap/alerts.yml"
ok "they come when they should" promtool test rules "$tap/alerts.yml"

# Debian's Prometheus and node exporter.
prometheus-node-exporter --web.listen-address=127.0.0.1:9100 --collector.disable-defaults \
	--collector.textfile --collector.textfile.directory=$dir >"$tap/exporter" 2>&1 &
pids=$!
cat >"$tap/prometheus.yml" <<END
global: {scrape_interval: 2s, evaluation_interval: 2s}
rule_files: ["$rules"]
scrape_configs:
  - job_name: node
    static_configs: [{targets: ["127.0.0.1:9100"]}]
END
prometheus --config.file="$tap/prometheus.yml" --storage.tsdb.path="$tap/tsdb" \
	--web.listen-address=127.0.0.1:9090 >"$tap/prometheus" 2>&1 &
pids+=" $!"
at_exit "kill $pids"
value() { # QUERY: of the one series that there is
	curl -sS --max-time 10 -G --data-urlencode "query=$1" http://127.0.0.1:9090/api/v1/query |
		member data.result.0.value.1 2>/dev/null
}
has() { [ "$(value "$1")" = "$2" ]; }
ok "it scrapes them" until_true 120 has 'utf8guard_check_status{job="node"}' 2
ok "an alert is on its way" until_true 60 has 'ALERTS{alertname="Utf8guardNotInForce",alertstate="pending"}' 1
utf8guard load /etc/utf8guard.conf
sh "$tap/textfile" $dir
ok "and goes" until_true 60 has 'utf8guard_check_status{job="node"}' 0
table dashboard.py "$top/userspace/fleet/utf8guard.dashboard.json" http://127.0.0.1:9090
done_testing
