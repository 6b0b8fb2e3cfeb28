#!/bin/sh
# words.sh BUILD: what a person reads must be in the field's words, with ids that are explained and commands that exist. The data is
# in tests/words. FILE:LINE: rule: text for each violation; ends with "words: N texts, M violations".
tools=${0%/*}
data=${WORDS_DATA:-tests/words}
fabcon=$1/fabcon work=$1/words
[ -z "$WORDS_DATA" ] || work=$1/words-test
mkdir -p "$work" || exit 1

for list in checks causes questions fields limits; do
	"$fabcon" explain $list || exit 1
done | awk '$1 != "ID" { print $1 }' >"$work/ids"

# Of the simulated devices no person reads a text.
{
	find core tui remote db -name '*.[ch]' ! -path 'remote/lab/*' | LC_ALL=C sort | xargs awk -f "$tools/literals.awk"
	awk -v OFS='\t' 'match($0, /fc_say "error [^"]*/) { print FILENAME ":" FNR, "", substr($0, RSTART + 8, RLENGTH - 8) }' \
		remote/fixer/*.sh
	for file in README.md themes/*.theme; do
		# in a table, `…` is a name of a file's or an option's
		awk -v OFS='\t' '/^\|/ { gsub(/`[^`]*`/, "X") } { gsub(/\t/, " "); print FILENAME ":" FNR, "", $0 }' "$file"
	done
} >"$work/texts"

awk -f "$tools/words.awk" kind=house "$data/house.txt" kind=terms "$data/terms.txt" kind=tools "$data/tools.txt" \
	kind=slots "$data/slots.txt" kind=ids "$work/ids" kind=except "$data/exceptions.txt" kind=texts "$work/texts"
