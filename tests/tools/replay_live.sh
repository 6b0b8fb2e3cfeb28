#!/bin/sh
# Records the demo fabric while exporting its ports, then asks the recording for each exported time: the same bytes must
# come, but for "complete", which is about reaching devices. A replay opens no socket: shown by strace, or in a network
# namespace without one, when there is either.
#
# usage: replay_live.sh BUILD; LENGTH=600 seconds, EACH=11 seconds between exports, COUNT=N exports end it earlier,
# LAB=arguments of another lab than the demo, KEEP=DIR keeps what was recorded
build=$1
length=${LENGTH:-600}
each=${EACH:-11}
dir=${KEEP:-$(mktemp -d "${TMPDIR:-/tmp}/fabcon-replay-live.XXXXXX")} || exit 1
lab= console=
finish() {
	for pid in $console $lab; do
		kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
	done
	[ -n "$KEEP" ] || rm -rf "$dir"
}
trap finish EXIT
trap 'exit 130' INT TERM HUP

record() {
	mkfifo "$dir/ready"
	"$build/fabcon-lab" ${LAB:---demo} --dir "$dir/lab" --for $((length + 120)) >"$dir/ready" 2>"$dir/lab.log" &
	lab=$!
	read -r line <"$dir/ready" || { echo "the lab did not start:"; cat "$dir/lab.log"; exit 1; }
	echo "lab: $line; recording for $length s"
	: >"$dir/live.json"
	"$build/fabcon" -i "$dir/lab/inventory.yml" --no-input -q --record "$dir/demo.fabcon" --watch="$each" -o json ports \
		>>"$dir/live.json" &
	console=$!
	seconds=0
	while [ "$seconds" -lt "$length" ] && [ "$(grep -c '^}' "$dir/live.json")" -lt "${COUNT:-1000000}" ]; do
		sleep 1
		seconds=$((seconds + 1))
	done
	kill -INT "$console" && wait "$console"
	console=
	rm -f "$dir/ready"
}

# Each export is an object that begins and ends at the margin; the last may have been cut by the end.
split() {
	mkdir -p "$dir/live"
	awk -v dir="$dir/live" '
		/^{/ { name = sprintf("%s/%04d", dir, ++n) }
		name { print > name }
		/^}/ { close(name); name = "" }' "$dir/live.json"
	for file in "$dir"/live/*; do
		[ "$(tail -n 1 "$file")" = "}" ] || rm "$file"
	done
}

replayed() {
	"$@" "$build/fabcon" replay "$dir/demo.fabcon" -q --at "$at" ports -o json
}

opens_no_socket() {
	if strace -o "$dir/calls" true 2>/dev/null; then
		# A leak check traces the program itself, and two cannot.
		replayed env ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" strace -f -qq -e trace=network -o "$dir/calls" >/dev/null || return 1
		[ ! -s "$dir/calls" ] || { echo "a replay used the network:"; cat "$dir/calls"; return 1; }
		echo "strace: no network call in a replay"
	elif unshare -rn true 2>/dev/null; then
		replayed unshare -rn >"$dir/alone" && grep -v '^ "complete":' "$dir/alone" | cmp - "$dir/was" || return 1
		echo "unshare: a replay without a network shows the same"
	else
		echo "neither strace nor unshare work here: that no socket is opened was not tried"
	fi
}

[ -s "$dir/demo.fabcon" ] || record
split
n=0 differ=0
for file in "$dir"/live/*; do
	at=$(sed -n 's/^ "at": "\(.*\)",$/\1/p' "$file")
	grep -v '^ "complete":' "$file" >"$dir/was"
	replayed | grep -v '^ "complete":' >"$dir/is"
	n=$((n + 1))
	cmp -s "$dir/was" "$dir/is" && continue
	differ=$((differ + 1))
	echo "at $at the replay differs:"
	diff "$dir/was" "$dir/is" | head -n 10
done
opens_no_socket || differ=$((differ + 1))
echo "$n exported times, $differ differ"
[ "$n" -ge "${COUNT:-$(((length - 30) / each * 2 / 3))}" ] && [ "$n" -gt 0 ] && [ "$differ" -eq 0 ]
