#!/bin/sh
# bench.sh BUILD PROGRAM...: runs benchmarks, one after another, and looks in their rows for every goal of tests/bench/goals.txt.
# Exit status 1: a bar is missed, a program could not measure, or a goal has no row.
build=$1
shift
rows=$build/bench.log

for program; do
	echo "${program##*/}"
	FABCON_BUILD=$build "$program" || echo "failed: ${program##*/}"
done | tee "$rows"

awk -F '\t' '
	FNR == NR { failed += /^failed: /; row[++n] = $0; next }
	/^#/ { next }
	{
		goals++
		for (i = 1; i <= n && index(row[i], $2 " ") != 1; i++)
			;
		if (i > n) { lacks++; print "no row tells " $1 ": " $2 }
	}
	END {
		printf "%d goals, %d without a row; %d programs with a bar missed or a thing not measured\n", goals, lacks, failed
		exit lacks || failed || !goals
	}' "$rows" tests/bench/goals.txt
