#!/bin/sh
# usage: seeds.sh FUZZER FOLDER: first inputs of a fuzzer, made from the fixtures.
mkdir -p "$2" || exit
case $1 in
fuzz_parse)
	for raw in tests/fixtures/*/*/*.raw; do
		case=${raw#tests/fixtures/}
		platform=${case%%/*}
		probe=${case#*/}
		probe=${probe%%/*}
		{ echo "$platform $probe eth2 0"; cat "$raw"; } >"$2/$(echo "$case" | tr / _)"
	done ;;
fuzz_talk_cli)
	printf '0Debian\r\nleaf1# show version\r\nDell SmartFabric OS10 Enterprise\r\nOS Version: 10.5.6.1\r\nleaf1# terminal length 0\r\nleaf1# show running-configuration\r\n!\r\nleaf1# show startup-configuration\r\n--More--\r  \r!\r\nleaf1# show lldp neighbors detail\r\nLocal Port ID: ethernet1/1/1\r\n<165>1 2019-11-01T02:25:00 x\r\nleaf1# ' >"$2/session" ;;
fuzz_talk_sh)
	n=0123456789abcdef
	printf 'a\n@%s begin identify - -\nuname: Linux n 6\nuid: 0\n\n@%s end 0\n\n@%s hello\n\n@%s begin net - 1.00\n/sys/class/net/eth0/carrier:1\n\n@%s end 0\n\n@%s round live\n' \
		$n $n $n $n $n $n >"$2/round" ;;
esac
