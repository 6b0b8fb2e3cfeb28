#!/bin/sh
# S9: what readelf says of the programs: position independent, relocations read-only and bound at start, stack protector, FORTIFY.
# usage: hardened.sh BUILD
build=$1
n=0 held=0
one() {
	n=$((n + 1))
	if [ "$3" -gt 0 ]; then held=$((held + 1)); else echo "$1: $2 is not there"; fi
}
for program in fabcon fabcon-lab fabcon-lab-stand-in; do
	file=$build/$program
	one $program "PIE" "$(readelf -h "$file" | grep -c 'Type: *DYN')"
	one $program "RELRO bound at start" "$(readelf -lWd "$file" | awk '/GNU_RELRO/ { r = 1 } /BIND_NOW|NOW/ { b = 1 } END { print r && b }')"
	one $program "the stack protector" "$(readelf -sW "$file" | grep -c '__stack_chk_fail')"
	one $program "FORTIFY" "$(readelf -sW "$file" | grep -cE '_chk(@|$)')"	# of a static program its own
done
echo "$held of $n hardenings"
[ $held -eq $n ]
