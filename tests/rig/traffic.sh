#!/bin/sh
# traffic.sh BUILD [CHECK...]: link tests ("fabcon bringup --traffic") between two Linux kernels that nobody here wrote, by the real
# perftest over Soft-RoCE. Each check below (or those that are named) sets the machines up, runs fabcon from outside over SSH, and holds
# what it says against means that are not ours: what perftest itself printed, counters by ethtool -S, ss and ps of the machines.
#
# The machines are emulated: a rate is some 60 Mb/s, and no wire is tested. What is held is that each sentence of fabcon is true.
# RIG: the folder of the machines, default .build/rig, as rig.sh builds them. Ends with "N passed, N failed".
build=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
made=${RIG:-$PWD/.build/rig}
makers=$here/../../../shared/rig
a=3 b=4	# the machines' numbers: rig.sh has 1 and 2, plans.sh 5 and 6, kills.sh 7 and 8

[ -d "$makers" ] || { echo "skip: ../shared/rig is not here"; exit 0; }
RIG=$made sh "$here/rig.sh" "$build" --build || exit 1
export RIG=$made-traffic
vm=$RIG/run-vm.sh
work=$RIG/work

# The machines of rig.sh, but for three things. The rails are streams: no frame is lost between the emulators, where we want none
# lost. The clock is the cycle counter, without which perftest cannot calibrate its own. The processor has neither carry-less
# multiplication nor quick string moves, which are slow where they are emulated and cost each packet milliseconds.
build_machines() {
	rm -rf "$work" "$RIG/run" && mkdir -p "$work/home/.ssh" "$RIG/run"
	for made_once in vmlinux initrd.cpio keys; do ln -sfn "$made/$made_once" "$RIG/$made_once"; done
	listens='$([ $((id % 2)) = 1 ] \&\& echo on || echo off)'
	sed -e 's/-netdev dgram,id=n$r,.*/-netdev "stream,id=n$r,server='"$listens"',addr.type=unix,addr.path=$RIG\/run\/rail$r"/' \
		-e 's/tsc=unstable/tsc=reliable clocksource=tsc/' "$makers/run-vm.sh" >"$vm" && chmod 755 "$vm"
	grep -q 'netdev "stream' "$vm" && grep -q tsc=reliable "$vm"
}

on() {	# NODE COMMANDS
	timeout 60 "$vm" ssh "$1" "PATH=/usr/local/bin:/usr/bin:/usr/sbin:/bin:/sbin; $2" 8>&-	# ssh stays, for the next command
}

start_machines() {
	export FAKE=1 CPU=qemu64
	(IDS=$a "$vm" start 8>&-) &
	until [ -S "$RIG/run/rail3" ]; do kill -0 $! 2>/dev/null || break; sleep 0.1; done	# it listens, the other connects
	IDS=$b "$vm" start 8>&-
	status=$?
	wait
	return $status
}

# LLDP names ports by their interfaces; DSCP 26 is priority 3, which has PFC.
prepare() {
	for n in $a $b; do
		echo "[127.0.0.1]:$((22000 + n)) $(cut -d ' ' -f 1,2 "$RIG/keys/host.pub")"
	done >"$work/home/.ssh/known_hosts"
	{
		echo "all: { hosts: {"
		for n in $a $b; do
			echo "  gpu-node-0$n: { ansible_host: 127.0.0.1, ansible_port: $((22000 + n)), ansible_user: root," \
				"ansible_ssh_private_key_file: $RIG/keys/id },"
		done
		echo "} }"
	} >"$work/inventory.yml"
	printf 'name rig\nhost * pfc.on[3] = yes\nhost * dscp.prio[26] = 3\nhost * mtu = 4200\n' >"$work/wanted.policy"
	for n in $a $b; do
		on $n 'lldpcli configure lldp portidsubtype ifname; lldpcli update; modprobe sch_netem
			for nic in rf0 rf1; do dcb app add dev $nic dscp-prio 26:3; dcb pfc set dev $nic prio-pfc 3:on; done' >/dev/null
	done
}

of_fabcon() {
	HOME=$work/home exec "$build/fabcon" -i "$work/inventory.yml" -p "$work/wanted.policy" --timeout 4m --no-input "$@"
}

# Each flow of a run in a line, and before them the summary: "FROM NIC STATE LAYER RATE WHAT TOOL LATENCY", by tabs. TOOL: "loopback",
# where it is that.
flows_of() {	# JSON
	python3 - "$1" <<-'PYTHON'
		import json, sys
		doc = json.load(open(sys.argv[1]))
		print(doc["summary"])
		for row in doc["rows"]:
		    for test in row["tests"]:
		        if test["direction"] == "sends":
		            print(row["host"][-1], row["nic"], test["state"], test["layer"], int(test["rate_bps"] or 0), test["what"],
		                  "loopback" if test["kind"] == "loopback" else test["tool"], test["latency_us"] or 0, sep="\t")
	PYTHON
}

# On a busy machine a read may not come whole, which fabcon says, and tests less; and rxe of Linux 6.1 ends a queue pair now and then
# with status 9, invalid request, on a rail that nobody has touched, or completes nothing in the second or two that perftest measures.
is_whole() {	# FLOWS: of four NICs the loopback, of four flows the bandwidth and rping, of two pairs the latency
	grep -q ' 14 tests:' "$1" && ! grep -v "^$touched	" "$1" | grep -q 'Failed status 9:\|nothing was completed'
}

# The stages before RDMA are not asked for: Soft-RoCE fails them, and rightly, and would not be tested. TOUCHED: flows that may fail so.
send_traffic() {	# NAME [TOUCHED]
	touched=${2:-none}
	for try in 1 2 3 4; do
		(of_fabcon bringup --stages rdma --traffic --reason rig -o json) >"$work/$1.json" 2>"$work/$1.err"
		status=$?
		flows_of "$work/$1.json" >"$work/$1.flows" 2>>"$work/$1.err"
		is_whole "$work/$1.flows" && break
		echo "run $try is no use:"
		cat "$work/$1.err" "$work/$1.flows"
	done
	cat "$work/$1.flows"
}

wrong() {
	why="${why:+$why; }$*"
}

# FROM NIC STATE LAYER PATTERN [TOOL]: that flow's line is so; "*": any.
flow_is() {
	line=$(awk -F '\t' -v from="$1" -v nic="$2" -v tool="${6:-ib_write_bw}" '$1 == from && $2 == nic && $7 == tool' "$work/$name.flows")
	[ -n "$line" ] || { wrong "no flow from $1 $2"; return; }
	said_state=$(echo "$line" | cut -f 3) said_layer=$(echo "$line" | cut -f 4) said_what=$(echo "$line" | cut -f 6)
	[ "$3" = '*' ] || [ "$3" = "$said_state" ] || wrong "from $1 $2 it is \"$said_state\", not \"$3\""
	[ "$4" = '*' ] || [ "$4" = "$said_layer" ] || wrong "from $1 $2 the layer is $said_layer, not $4"
	echo "$said_what" | grep -q -- "$5" || wrong "from $1 $2 it says \"$said_what\", not \"$5\""
}

status_is() {
	[ "$status" -eq "$1" ] || wrong "the exit status is $status, not $1"
}

counter() {	# NODE NIC NAME
	on "$1" "ethtool -S $2" | awk -v name="$3:" '$1 == name { print $2 }'
}

# -- the checks --

# perftest's own output is kept by a script in its place, which changes nothing of it.
kept=ib_write_bw
keep_outputs() {
	for n in $a $b; do
		on $n "mkdir -p /run/printed; rm -f /run/printed/*; mv /usr/bin/$kept /run/$kept; cat >/usr/bin/$kept
			chmod 755 /usr/bin/$kept" <<-'SCRIPT'
			#!/bin/bash
			/run/${0##*/} "$@" >/run/printed/$$ 2>&1
			status=$?
			echo "$@" >/run/printed/$$.words
			cat /run/printed/$$
			exit $status
		SCRIPT
	done
}

keep_no_more() {
	for n in $a $b; do on $n "mv /run/$kept /usr/bin/$kept"; done
}

# Of the last run. The client's words end in the server's address; what it printed is in Gb/s.
printed() {	# NODE RXE
	on "$1" "for f in \$(ls -rt /run/printed/*.words); do
			grep -q -- '-d $2 .* 192\.0\.2\.' \$f && awk '\$1 == 65536 { print \$4 }' \${f%.words}
		done" | tail -n 1
}

check_rate() {
	keep_outputs
	was=$(counter $a rf0 tx_prio3_bytes) all_was=$(counter $a rf0 tx_bytes_phy)
	send_traffic rate
	now=$(counter $a rf0 tx_prio3_bytes) all_now=$(counter $a rf0 tx_bytes_phy)
	keep_no_more
	status_is 3
	for from in $a $b; do
		for rail in 0 1; do
			flow_is $from rf$rail "not known" None "Gb/s; what the link can carry is not known"
			ours=$(echo "$line" | cut -f 5) theirs=$(printed $from rxe$rail)
			echo "$from rf$rail: fabcon $ours b/s, perftest printed $theirs Gb/s"
			awk -v ours="$ours" -v theirs="$theirs" 'BEGIN { off = ours / 1e9 - theirs; exit !(theirs > 0 && off * off < 1e-12) }' ||
				wrong "from $from rf$rail it says $ours b/s, and perftest printed $theirs Gb/s"
		done
	done
	for from in $a $b; do	# over Soft-RoCE it does not leave the NIC: no counter of it says in which class
		for rail in 0 1; do flow_is $from rf$rail "not known" None "Gb/s; what the link can carry is not known" loopback; done
	done
	echo "priority 3 of $a rf0 has sent $((now - was)) of $((all_now - all_was)) bytes"
	[ $((now - was)) -gt 1000000 ] && [ $(((now - was) * 10)) -gt $(((all_now - all_was) * 9)) ] ||
		wrong "the kernel counted no such traffic in priority 3"
}

# rping's own output is kept too. One of each two ends measures the latency of their pair.
check_reach() {
	kept=rping
	keep_outputs
	send_traffic reach
	answers=$(for n in $a $b; do on $n 'grep -h "^ping data: rdma-ping-" /run/printed/*'; done | wc -l)
	keep_no_more
	kept=ib_write_bw
	for from in $a $b; do
		for rail in 0 1; do flow_is $from rf$rail pass None "10 pings answered over rdma_cm" rping; done
	done
	[ "$answers" -ge 40 ] || wrong "rping printed $answers answers, not 40"	# of each try
	measured=$(awk -F '\t' '$7 == "ib_write_lat" && $3 == "not judged" && $8 > 0 && $6 ~ /an end is a software device/' "$work/reach.flows" | wc -l)
	[ "$measured" -eq 2 ] || wrong "$measured latencies were measured, not 2"
}

# The same command by hand, without fabcon: a rate of the same size.
check_by_hand() {
	words=$(awk -F '"' '/"command"/ { print $4; exit }' "$work/rate.json" 2>/dev/null)
	[ -n "$words" ] || { send_traffic by_hand; words=$(awk -F '"' '/"command"/ { print $4; exit }' "$work/by_hand.json"); }
	words=${words%% -d *}\ -d\ rxe0${words#* -d rxe[01]}
	on $a "setsid $words -p 18700 >/run/by_hand 2>&1 </dev/null &"
	sleep 1
	theirs=$(on $b "$words 192.0.2.$a -p 18700" | awk '$1 == 65536 { print $4 }')
	echo "by hand: $words: $theirs Gb/s"
	awk -v theirs="$theirs" 'BEGIN { exit !(theirs > 0.005) }' || wrong "by hand there is no rate"
}

# A wrong map at one end: what it sends leaves in priority 4.
check_class() {
	on $a 'dcb app del dev rf0 dscp-prio 26:3; dcb app add dev rf0 dscp-prio 26:4'
	was=$(counter $a rf0 tx_prio4_bytes)
	send_traffic class
	now=$(counter $a rf0 tx_prio4_bytes)
	on $a 'dcb app del dev rf0 dscp-prio 26:4; dcb app add dev rf0 dscp-prio 26:3'
	status_is 1
	[ $((now - was)) -gt 1000000 ] || wrong "the kernel sent nothing in priority 4"
	flow_is $a rf0 fail class "of the bytes were sent in the required class"
	flow_is $a rf1 "not known" None "Gb/s"
}

# Every twentieth frame that one end sends on rail 0 is dropped.
check_loss() {
	on $a 'tc qdisc add dev rdma0 root netem loss 5%'
	send_traffic loss "[$a$b]	rf0"
	dropped=$(on $a 'tc -s qdisc show dev rdma0' | sed -n 's/.*dropped \([0-9]*\).*/\1/p')
	on $a 'tc qdisc del dev rdma0 root'
	status_is 1
	[ "${dropped:-0}" -gt 0 ] || wrong "netem dropped nothing"
	flow_is $a rf0 fail '*' "out of sequence\|retries\|Failed status"
	flow_is $a rf1 "not known" None "Gb/s"
	flow_is $b rf1 "not known" None "Gb/s"
}

check_mtu() {
	on $b 'ip link set rf0 mtu 1500'
	sleep 2
	send_traffic mtu
	on $b 'ip link set rf0 mtu 4200'
	status_is 1
	flow_is $a rf0 fail mtu "RDMA ran at MTU 1024, not 4096"
	flow_is $b rf0 fail mtu "RDMA ran at MTU 1024, not 4096"
	flow_is $a rf1 "not known" None "Gb/s"
}

take_ports() {	# LAST
	on $b "for port in \$(seq 18515 $1); do setsid nc -ll -p \$port >/dev/null 2>&1 </dev/null & echo \$! >/run/nc.\$port; done; sleep 2"
	listening=$(on $b 'ss -Hltn | grep -c ":185[1-4][0-9] "')
	[ "$listening" -eq $(($1 - 18514)) ] || wrong "$listening of $(($1 - 18514)) ports were taken"
}

give_ports() {
	on $b 'for file in /run/nc.*; do kill "$(cat $file)"; rm $file; done'
}

# Others listen at all ports that are tried.
check_no_port() {
	take_ports 18540
	send_traffic no_port
	give_ports
	status_is 3
	for rail in 0 1; do
		flow_is $a rf$rail "not known" None "not run: gpu-node-0$b: the port of the test is in use: no TCP port is free from 1851[5-8] on"
		flow_is $b rf$rail "not known" None "Gb/s; what the link can carry is not known"
	done
}

# Others listen at perftest's port and at those that follow.
check_ports() {
	take_ports 18518
	send_traffic ports
	give_ports
	status_is 3
	for from in $a $b; do
		for rail in 0 1; do flow_is $from rf$rail "not known" None "Gb/s; what the link can carry is not known"; done
	done
}

# A test by hand on rail 0: nothing is sent beside it, and it is named; rail 1 is tested.
check_others() {
	on $a 'setsid timeout 200 ib_write_bw -d rxe0 -x 1 -F -q 1 -t 4 -D 180 -p 18800 >/run/others 2>&1 </dev/null & sleep 2'
	on $b "setsid timeout 200 ib_write_bw -d rxe0 -x 1 -F -q 1 -t 4 -D 180 -p 18800 192.0.2.$a >/run/others 2>&1 </dev/null & sleep 3"
	pid=$(on $a 'rdma resource show qp link rxe0' | sed -n 's/.* pid \([0-9]*\) comm ib_write_bw.*/\1/p' | head -n 1)
	send_traffic others
	alive=$(on $a "ps | grep -c '[i]b_write_bw -d rxe0 .*-p 18800'")
	for n in $a $b; do
		on $n 'for d in /proc/[0-9]*; do tr "\0" " " <$d/cmdline 2>/dev/null | grep -q "^ib_write_bw .*-p 18800" && kill ${d#/proc/}; done; :'
	done
	[ -n "$pid" ] || wrong "the kernel lists no queue pair of the test by hand"
	[ "$alive" -gt 0 ] || wrong "the test by hand did not survive"
	status_is 3
	flow_is $a rf0 "not known" None "rxe0 carries 1 queue pair of ib_write_bw (pid "
	flow_is $b rf0 "not known" None "rxe0 carries 1 queue pair of ib_write_bw (pid "
	grep -q "pid $pid" "$work/others.flows" || wrong "pid $pid is not named"
	flow_is $a rf1 "not known" None "Gb/s; what the link can carry is not known"
}

check_missing() {
	on $b 'mv /usr/bin/ib_write_bw /run/ib_write_bw'
	send_traffic missing
	on $b 'mv /run/ib_write_bw /usr/bin/ib_write_bw'
	status_is 3
	for from in $a $b; do
		for rail in 0 1; do flow_is $from rf$rail "not known" None "gpu-node-0$b: the tool is not installed (package perftest)"; done
	done
}

# What runs there, but for the kernel's own threads, and the folders of tests.
processes_of() {	# NODE
	on "$1" 'for d in /proc/[0-9]*; do readlink $d/exe >/dev/null && read comm <$d/comm && echo $comm; done 2>/dev/null
		ls -d /tmp/fabcon-test.* 2>/dev/null' | sort | uniq -c | sed "s/^/$1 /"
}

# The console is killed while tests run: what it has started on the nodes ends by itself.
check_killed() {
	before=$(processes_of $a; processes_of $b)
	(of_fabcon bringup --stages rdma --traffic --reason rig -o json) >"$work/killed.json" 2>"$work/killed.err" &
	console=$! waited=0
	until [ "$(on $b 'cat /proc/[0-9]*/comm 2>/dev/null' | grep -cx ib_write_bw)" -ge 4 ]; do	# two servers and two clients
		waited=$((waited + 1))
		kill -0 $console 2>/dev/null && [ $waited -lt 300 ] || { wrong "no test was seen to run"; break; }
		sleep 0.1
	done
	running=$(processes_of $a; processes_of $b)
	kill -9 $console
	wait $console 2>/dev/null
	sleep 10
	after=$(processes_of $a; processes_of $b)
	echo "when it was killed:" $(echo "$running" | grep -E 'ib_write_bw|fabcon-test')
	echo "ten seconds later:" $(echo "$after" | grep -E 'ib_write_bw|fabcon-test')
	echo "$running" | grep -q fabcon-test || wrong "nothing ran"
	more=$({ echo "$before"; echo -; echo "$after"; } | awk '
		$1 == "-" { is_after = 1; next }
		!is_after { n[$1, $3] = $2; next }
		$2 > n[$1, $3] { print $1, $3 }')
	[ -z "$more" ] || wrong "there is more than before: $more"
}

# Soft-RoCE of Linux 6.1 reads through a null pointer now and then, in rxe_skb_tx_dtor, and its kernel panics. True: one has; both were
# started again.
starts_again() {
	died=$(grep -l 'Kernel panic' "$RIG/run/vm$a.log" "$RIG/run/vm$b.log") || return 1
	echo "$name: a kernel died, and it is run again: $(grep -ho 'RIP: .*' $died | head -n 1)"
	"$vm" stop >/dev/null 2>&1
	rm -f "$RIG"/run/rail*
	start_machines >/dev/null && prepare
}

mkdir -p "$RIG" && exec 8>"$RIG/lock" && flock 8 || exit 1	# one run at a time
trap '"$vm" stop >/dev/null 2>&1' EXIT
trap 'exit 1' INT TERM
build_machines || { echo "traffic: run-vm.sh is not as expected"; exit 1; }
start_machines || exit 1
prepare
passed=0 run=0
for name in ${*:-rate reach by_hand class loss mtu ports no_port others missing killed}; do
	why= run=$((run + 1)) deaths=0
	command -v "check_$name" >/dev/null || why="there is no such check"
	[ -n "$why" ] || "check_$name" >"$work/$name.said" 2>&1
	while [ -n "$why" ] && [ -e "$work/$name.said" ] && [ $deaths -lt 3 ] && starts_again; do
		why= deaths=$((deaths + 1))
		"check_$name" >"$work/$name.said" 2>&1
	done
	printf '%-8s %s\n' "$name" "${why:-ok}"
	[ -z "$why" ] && passed=$((passed + 1))
	[ ! -e "$work/$name.said" ] || sed 's/^/    /' "$work/$name.said"
done
echo "$passed passed, $((run - passed)) failed"
[ "$passed" -eq "$run" ]
