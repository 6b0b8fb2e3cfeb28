#!/bin/sh
# layers.sh BUILD: which folder calls and includes which, by the symbols of the objects in BUILD and by the #include lines,
# checked against tests/layers. Run at the root of the tree. layers.awk judges; here each input line gets its first word.
build=$1
judge=${0%/*}/layers.awk
roots='core remote db tui'

sources=$(find $roots -name '*.c' | sort)
tests=$(find tests -path tests/extend -prune -o -name '*.c' -print)

objects_of() { for source; do echo "$build/${source%.c}.o"; done; }

# Tests that are not built, or were changed since: their symbols are not known.
built='' unbuilt=''
for source in $tests; do
	object=$build/${source%.c}.o
	if [ -f "$object" ] && ! [ "$source" -nt "$object" ]; then built="$built $object"; else unbuilt="$unbuilt $source"; fi
done

symbols() { nm -A -g "$@" | sed "s|^$build/||" | awk '{ sub(/\.o:.*/, "", $1); print $(NF - 1) ~ /^[Uwv]$/ ? "use" : "def", $1, $NF }'; }

words() { cat "$@" | tr -cs 'A-Za-z0-9_' '\n' | sort -u | sed 's/^/word /'; }

{
	sed -e ':a' -e '/\\$/N; s/\\\n//; ta' tests/layers | sed 's/#.*//; /^[[:blank:]]*$/d; s/^/row /; s/:/ : /'
	ls | sed 's/^/top /'
	find $roots ! -type d | sed 's/^/file /'
	(cd "$build" && find $roots -name '*.inc') | sed 's/^/made /'
	find $roots ! -type d ! -name '*.sh' ! -name '*.sql' -exec grep -nE \
		'^([[:blank:]]|/\*.*\*/)*(#|%:)([[:blank:]]|/\*.*\*/)*(include|import)' /dev/null {} + | sed 's/^/include /'
	symbols $(objects_of $sources)
	cat $(objects_of $sources | sed 's/o$/d/') | sed "s|$build/||g; s/^/read /"
	[ -z "$built" ] || nm -A -u $built | awk '{ print "tested", $NF }' | sort -u
	echo "tests $(echo $tests | wc -w) $(echo $unbuilt | wc -w)"
	[ -z "$unbuilt" ] || words $unbuilt $(find tests -name '*.h')
} | LC_ALL=C awk -f "$judge"
