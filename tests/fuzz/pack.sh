#!/bin/sh
# Keeps what the fuzzers found: of each corpus in .build the inputs that reach something of their own, at most 2500 of less than
# 8 KiB, as tests/fuzz/corpus/FUZZER.tar.gz. seeds.sh gives them to the next run, and tests/promises/cover.sh counts what they reach.
# usage: pack.sh [FUZZER ...], after make fuzz
[ $# -gt 0 ] || set -- $(ls .build/corpus | grep '^fuzz_' | grep -v 'seeds$')
mkdir -p tests/fuzz/corpus
for name; do
	kept=.build/corpus/kept-$name
	rm -rf "$kept"
	mkdir -p "$kept"
	".build/fuzz/tests/fuzz/$name" -merge=1 -max_len=8192 "$kept" ".build/corpus/$name" ".build/corpus/$name-seeds" >".build/$name.log" 2>&1 || exit 1
	(cd "$kept" && ls -Sr | head -n 2500 | tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -c -T - | gzip -9n) \
		>"tests/fuzz/corpus/$name.tar.gz"
done
