#!/bin/sh
# What clang-format cannot be trusted with is left to people (hand-aligned tables); these are the plain rules.
top='Makefile tui core remote db themes tests README.md LICENSE'
bad=$(
	git ls-files | sed 's|/.*||' | sort -u | grep -v '^[.]' | while read -r name; do
		case " $top " in *" $name "*) ;; *) echo "$name: not of the top level's names: $top" ;; esac
	done
	git ls-files '*.c' '*.h' | xargs grep -nE '[[:blank:]]+$'
	git ls-files '*.c' '*.h' | xargs grep -nE '^ {4,}[^ *]'
	git ls-files '*.c' '*.h' | xargs awk 'length($0) > 140 { print FILENAME ":" FNR ": longer than 140" }'
)
[ -z "$bad" ] && exit 0
echo "format:"
echo "$bad" | head -20
exit 1
