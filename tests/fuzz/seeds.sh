#!/bin/sh
# usage: seeds.sh FUZZER FOLDER: first inputs of a fuzzer, made from the fixtures.
mkdir -p "$2" || exit

octal() {
	printf '\\0%03o' "$@"
}

case $1 in
fuzz_parse)
	for raw in tests/fixtures/*/*/*.raw; do
		case=${raw#tests/fixtures/}
		platform=${case%%/*}
		probe=${case#*/}
		probe=${probe%%/*}
		{ echo "$platform $probe eth2 0"; cat "$raw"; } >"$2/$(echo "$case" | tr / _)"
	done ;;
fuzz_read_cli)
	printf '0Debian\r\nleaf1# show version\r\nDell SmartFabric OS10 Enterprise\r\nOS Version: 10.5.6.1\r\nleaf1# terminal length 0\r\nleaf1# show running-configuration\r\n!\r\nleaf1# show startup-configuration\r\n--More--\r  \r!\r\nleaf1# show lldp neighbors detail\r\nLocal Port ID: ethernet1/1/1\r\n<165>1 2019-11-01T02:25:00 x\r\nleaf1# ' >"$2/session" ;;
fuzz_text)
	printf 'inventory\nall:\n  vars:\n    fabcon_fabric: x\n  children:\n    rack1:\n      hosts:\n        node[1:4]:\n          ansible_host: 10.0.0.1\n          fabcon_cables: [{port: eth2, peer: leaf1, peer_port: ethernet1/1/1}]\n' >"$2/yaml"
	printf 'inventory\n{"_meta":{"hostvars":{"n1":{"ansible_host":"10.0.0.1","ansible_port":22}}},"all":{"children":["r1"]},"r1":{"hosts":["n1"]}}' >"$2/json"
	printf 'log\nn:1:2 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/RoCE [RO]\nn:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0/GDRDMA\nn:1:2 [0] a NCCL WARN NET/IB: Got completion from peer 1.1.1.1<1> with status=12 opcode=0 hca mlx5_0\n' >"$2/log"
	printf 'perf\n RDMA_Write BW Test\n #bytes x BW peak[Gb/sec]\n 65536 1 2.0 3.0 4.0\n# Using devices\n# Rank 0 on n device 0\n 8 2 float sum -1 1 2 3 0 1 2 3 0\n' >"$2/perf"
	printf 'range\nnode[01-16,20],leaf[1-2]:r2' >"$2/range"
	printf 'ssh_config\nHost node* !node2\n  HostName %%h.example\n  Port 2222\n  User root\n  ProxyJump a@b:1,c\n  IdentityFile ~/.ssh/x\nMatch exec "x"\nInclude y\n' >"$2/ssh_config"
	for conf in tests/routes/*.conf; do { echo ssh_config; cat "$conf"; } >"$2/$(basename "$conf")"; done
	printf 'policy\n# c\nname x\n* * dscp.prio[24,26-28] = 3\nswitch eth* ecn.kmin[3] = 150 KB\n@r1 * mtu = 9000\nlimit pause.share.warn = 1 %%\n' >"$2/policy"
	for theme in themes/*.theme; do { echo theme; cat "$theme"; } >"$2/$(basename "$theme")"; done
	printf 'filter\nleaf2 !node07 trust:pcp state:? mtu<9k ~^node1[02]' >"$2/filter"
	cat tests/fixtures/*/*/*.facts | { echo facts; cat; } >"$2/facts"
	printf 'safe\n\033[31m\302\233x\342\200\256' >"$2/safe" ;;
fuzz_plan)
	printf '{"schema": "fabcon.plan/1", "id": "P-1", "made_us": 1, "verify_us": 1, "units": [{"wave": 1, "steps": [{"device": "n1", "platform": "linux", "edits": [{"fact": "n1 eth2 mtu = 9000 (was 1500)"}], "base": "a\\n", "after": "b\\n", "lines": ["ip link"], "undo": [], "save": [], "files": []}]}], "hash": "d41ad8a0043da4cfb8cbefacf7d04408e5976b82f35260cb476e67036a805931"}' >"$2/plan"
	printf 'n1 eth2 mtu = 9000 (was 1500)' >"$2/edit" ;;
fuzz_patch)
	printf '[{"op": "test", "path": "/PORT/Ethernet0/mtu", "value": "9100"}, {"op": "replace", "path": "/PORT/Ethernet0/mtu", "value": "1500"}, {"op": "remove", "path": "/WRED_PROFILE/A~0B~1C/ecn"}, {"op": "add", "path": "/VLAN", "value": {"Vlan7": {}}}]' >"$2/patch" ;;
fuzz_device_undo)
	printf 'noise\nfabcon: begin\nfabcon: port bond0 eth2 eth3\nfabcon: decided undo\nfabcon: undone 0\nfabcon: timer shell 431\nfabcon: lock other alice@console1 P-1, 431 s left\nfabcon: error no room\nfabcon: end\n' >"$2/report" ;;
fuzz_mask)
	n=0
	grep -v '^#' tests/remote/canaries.txt | while IFS= read -r form; do
		n=$((n + 1))
		printf '%b\n' "$form" >"$2/$n"
	done
	for raw in tests/fixtures/*/*/*.raw; do cp "$raw" "$2/$(echo "${raw#tests/fixtures/}" | tr / _)"; done ;;
fuzz_dialect)
	sh tests/fuzz/seeds_dialect.sh "$2" ;;
fuzz_manifest)
	{ sed 's/^[^ ]* \(\(tcp_ecn\|driver\|[^ ]*\) \)/node1 \1/' tests/fixtures/linux/link/*.facts tests/fixtures/linux/mlnx_qos/*.facts; echo --; } >"$2/builtin"
	printf 'node1 eth2 up = yes\nnode1 eth2 role = pf\nnode1 eth2 speed = 100 Gb/s\nnode1 eth2 rdma = "mlx5_0"\nnode1 eth2 bond = "bond0"\n--\nname x\n* * dscp.prio[24,26-28] = 3\n* * pfc.on[3] = yes\nhost * mtu = 9000\nhost eth2 trust = dscp\nswitch * ecn.kmin[3] = 150 KB\n' >"$2/policy"
	for seed in builtin policy; do	# of each length, and so each manifest
		for n in $(seq 16); do { cat "$2/$seed"; printf "%${n}s" '' | tr ' ' '\n'; } >"$2/$seed.$n"; done
	done ;;
fuzz_packet)
	# the published frames of test_packet.c, behind Ethernet and without, and in a capture file
	n=0
	sed -n '/vectors\[\] = {/,/^};/p' tests/core/test_packet.c | tr -d ' \t\n' | sed 's/""//g' | tr ',' '\n' | sed -n 's/.*"\([0-9a-f]*\)"/\1/p' |
		while read -r hex; do
			n=$((n + 1))
			bytes=$(octal $(echo "$hex" | sed 's/../0x& /g'))
			length=$(octal $((${#hex} / 2)) 0 0 0)
			printf '%b' "$bytes" >"$2/$n"
			{ printf '\2\2\2\2\2\2\2\2\2\2\2\1\10\0'; printf '%b' "$bytes"; } >"$2/$n.ethernet"
			{ printf '\324\303\262\241\2\0\4\0\0\0\0\0\0\0\0\0\377\377\0\0\145\0\0\0\0\0\0\0\0\0\0\0'
				printf '%b' "$length$length$bytes"; } >"$2/$n.pcap"
		done ;;
fuzz_write_sh)
	n=0123456789abcdef
	printf 'a\n@%s begin identify - -\nuname: Linux n 6\nuid: 0\n\n@%s end 0\n\n@%s begin said1 - -\nx\n\n@%s end 0\n\n@%s begin said2 - -\n' \
		$n $n $n $n $n >"$2/talk" ;;
fuzz_write_cli)
	n=0123456789abcdef
	printf '0Debian\r\nleaf1# show version\r\nDell SmartFabric OS10 Enterprise\r\nOS Version: 10.5.6.1\r\nleaf1# terminal length 0\r\nleaf1# system bash\r\n@%s 1 begin\r\nx\r\n@%s 1 end 0\r\nleaf1# interface ethernet1/1/1\r\n%% Error: no\r\nleaf1(conf-if)# ' \
		$n $n >"$2/talk" ;;
fuzz_known_hosts)
	k='ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDAxMjM0NTY3ODlhYmNkZWYwMTIzNDU2Nzg5YWJjZGVm'
	printf 'node1,10.0.0.1 %s\n[node1]:2222 %s c\n@revoked * %s\n@cert-authority *.x,!y %s\n|1|AAAAAAAAAAAAAAAAAAAAAAAAAAA=|AAAAAAAAAAAAAAAAAAAAAAAAAAA= %s\n' "$k" "$k" "$k" "$k" "$k" >"$2/all" ;;
fuzz_config)
	printf 'theme: dark\nascii: yes\nevery: 2s\nkeys:\n  explain: [o, F9, ctrl-t]\n  raw: x\n  invert: []\n' >"$2/all" ;;
fuzz_acks)
	printf '2026-09-12T14:32:07Z fail trust-same at node1:eth2 - leaf1:ethernet1/1/1 until 2026-09-12T22:32:07Z: waits for the window\n' >"$2/written"
	printf '2h until the window' >"$2/typed" ;;
fuzz_cable_plan)
	printf 'device,port,peer,peer_port\nnode1,eth2,leaf1,ethernet1/1/1\n' >"$2/csv"
	printf 'graph { "leaf1":"swp1" -- "node1":"eth2" }\n' >"$2/dot"
	printf '{"lldp": {"interface": [{"eth2": {"chassis": {"leaf1": {}}, "port": {"id": {"type": "ifname", "value": "Ethernet0"}}}}]}}' >"$2/lldp" ;;
fuzz_state)
	printf 'fabcon-state 1\nscreen Ports\nlist Ports table sort=-paused filter=leaf2 marks=1,2 frozen=1\ncursor Ports 1f\nsubject node1 eth2\nboot node1 boot = "a"\nzero node1 eth2 pfc.rx[3] = 1\n' >"$2/all" ;;
fuzz_keys)
	printf '2jjk?q' >"$2/move"
	printf '3xq4fsS>' >"$2/sort"
	printf '/leaf\r' >"$2/filter"
	printf ':p\r' >"$2/palette" ;;
fuzz_notes)
	printf 'cable of node1 was moved \303\244\n' >"$2/note" ;;
fuzz_audit|fuzz_recording)
	printf '' >"$2/whole"
	printf '\200' >"$2/half"
	printf '\0\0\0\100\1\0\20\0\2' >"$2/changed" ;;
fuzz_read_sh)
	n=0123456789abcdef
	printf 'a\n@%s begin identify - -\nuname: Linux n 6\nuid: 0\n\n@%s end 0\n\n@%s hello\n\n@%s begin net - 1.00\n/sys/class/net/eth0/carrier:1\n\n@%s end 0\n\n@%s round live\n' \
		$n $n $n $n $n $n >"$2/round" ;;
esac
# What earlier runs found (pack.sh).
[ ! -f "tests/fuzz/corpus/$1.tar.gz" ] || tar -xzf "tests/fuzz/corpus/$1.tar.gz" -C "$2"
