#!/bin/sh
# The demo: a lab in a folder of its own, the console on it; both gone afterwards.
build=$1
dir=$(mktemp -d "${TMPDIR:-/tmp}/fabcon-demo.XXXXXX") || exit 1
lab=
finish() {
	[ -n "$lab" ] && kill "$lab" 2>/dev/null && wait "$lab" 2>/dev/null
	rm -rf "$dir"
}
trap finish EXIT
trap 'exit 130' INT TERM HUP

mkfifo "$dir/ready"
"$build/fabcon-lab" --demo --dir "$dir/lab" >"$dir/ready" 2>"$dir/lab.log" &
lab=$!
read -r line <"$dir/ready" || { echo "the lab did not start:"; cat "$dir/lab.log"; exit 1; }
echo "lab: $line"
if [ -t 0 ] && [ -t 1 ]; then
	XDG_STATE_HOME=$dir XDG_DATA_HOME=$dir "$build/fabcon" -i "$dir/lab/inventory.yml"
	exit
fi
"$build/fabcon" -i "$dir/lab/inventory.yml" --timeout 40s status || exit
echo
"$build/fabcon" -i "$dir/lab/inventory.yml" --timeout 40s findings
