#!/bin/sh
# Keeps what the fuzzers found: of each corpus in .build the smaller inputs, at most 500, as tests/fuzz/corpus/FUZZER.tar.gz.
# seeds.sh gives them to the next run, and tests/promises/cover.sh counts what they reach.
mkdir -p tests/fuzz/corpus
for folder in .build/corpus/fuzz_*; do
	name=${folder##*/}
	case $name in *-seeds) continue ;; esac
	(cd "$folder" && find . -type f -size -16 -printf '%s %p\n' | sort -n | awk '{ path[NR] = $2 }
		END { for (i = 1; i <= NR; i++) if (NR <= 500 || int(i * 500 / NR) != int((i - 1) * 500 / NR)) print path[i] }' |
		tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -c --no-recursion -T - | gzip -9n) >"tests/fuzz/corpus/$name.tar.gz"
done
