#!/bin/sh
# Which folder calls and includes which, by the symbols of the objects in BUILD and by the includes; held against tests/layers.
build=$1

objects=$(find core remote db tui -name '*.c' | sed "s|\.c$|.o|; s|^|$build/|" | sort)
{
	sed -e ':a' -e '/\\$/N; s/\\\n//; ta' tests/layers | sed 's/#.*//; /^[[:blank:]]*$/d; s/^/allow /; s/://'
	nm -A -g $objects | sed "s|^$build/||" |
		awk '{ file = $1; sub(/\.o:.*/, "", file); print $(NF - 1) == "U" ? "use" : "def", file, $NF }'
	grep -rnE '^#include "(core|remote|db|tui)/' core remote db tui |
		sed -E 's/^([^:]*)\.[ch]:[0-9]+:#include "(.*)\.h".*/inc \1 \2/'
	find tests -path tests/extend -prune -o -name '*.[ch]' -exec cat {} + | tr -cs 'A-Za-z0-9_' '\n' | sort -u | sed 's/^/word /'
} | LC_ALL=C awk -f tests/tools/layers.awk
