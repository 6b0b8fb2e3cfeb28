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
fuzz_talk_sh)
	n=0123456789abcdef
	printf 'a\n@%s begin identify - -\nuname: Linux n 6\nuid: 0\n\n@%s end 0\n\n@%s hello\n\n@%s begin net - 1.00\n/sys/class/net/eth0/carrier:1\n\n@%s end 0\n\n@%s round live\n' \
		$n $n $n $n $n $n >"$2/round" ;;
esac
