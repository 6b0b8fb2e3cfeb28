#!/bin/sh
# R20: the console, on a terminal of its own, records a lab at 1 Hz while its memory, open files and write-ahead log are read.
# After a warm-up (a third of the time, at most ten minutes) a straight line is laid through its memory: MB an hour.
# SOAK_SHORT=1: too short for a line through the memory, which is told and not judged.
# usage: soak.sh BUILD; SOAK_SECONDS=1800, SOAK_NODES=200, SOAK_EACH=5 seconds between readings; KEEP=DIR keeps what was read.
build=$1
seconds=${SOAK_SECONDS:-1800} nodes=${SOAK_NODES:-200} each=${SOAK_EACH:-5}
dir=${KEEP:-$(mktemp -d "${TMPDIR:-/tmp}/fabcon-soak.XXXXXX")} || exit 1
mkdir -p "$dir"
lab= typist= console=
finish() {
	for pid in $console $typist $lab; do
		kill "$pid" 2>/dev/null
	done
	[ -n "$KEEP" ] || rm -rf "$dir"
}
trap finish EXIT
trap 'exit 130' INT TERM HUP

mkfifo "$dir/ready" "$dir/keys"
leaves=$(((nodes + 31) / 32))
"$build/fabcon-lab" --dir "$dir/lab" --tidy --nodes "$nodes" --rails 1 --leaves "$leaves" --spines 1 --for $((seconds + 600)) \
	>"$dir/ready" 2>"$dir/lab.log" &
lab=$!
read -r line <"$dir/ready" || { echo "the lab did not start:"; cat "$dir/lab.log"; exit 1; }
echo "lab: $line"

# script(1) is the terminal; its output is counted and dropped.
XDG_STATE_HOME=$dir XDG_DATA_HOME=$dir XDG_CONFIG_HOME=$dir TERM=xterm-256color \
	script -qfc "exec $build/fabcon -i $dir/lab/inventory.yml --no-input --every 1s --record $dir/soak.fabcon" /dev/null \
	<"$dir/keys" >/dev/null 2>"$dir/script.log" &
typist=$!
exec 9>"$dir/keys"
tries=0
while [ ! -s "$dir/soak.fabcon" ] && [ $tries -lt 240 ]; do
	sleep 0.5
	tries=$((tries + 1))
done
for stat in /proc/[0-9]*/stat; do	# the child of script
	{ read -r pid name state parent rest <"$stat"; } 2>/dev/null || continue
	[ "$parent" = "$typist" ] && console=$pid
done
[ -n "$console" ] || { echo "the console did not start:"; cat "$dir/script.log"; exit 1; }

began=$(date +%s) screen=1
: >"$dir/readings"
while now=$(($(date +%s) - began)) && [ $now -le "$seconds" ] && kill -0 "$console" 2>/dev/null; do
	rss=$(awk '/^VmRSS/ { print $2 }' "/proc/$console/status")
	wal=$(stat -c %s "$dir/soak.fabcon-wal" 2>/dev/null || echo 0)
	echo "$now $rss $(ls "/proc/$console/fd" | wc -l) $wal $(stat -c %s "$dir/soak.fabcon")" >>"$dir/readings"
	printf '%s' "$screen" >&9	# another screen each time, so that all of them are drawn
	screen=$((screen % 9 + 1))
	sleep "$each"
done
kill -0 "$console" 2>/dev/null && lives=1 || lives=0
heard=$("$build/fabcon" replay "$dir/soak.fabcon" -q status 2>/dev/null | head -n 1)
echo "recording: $heard"
awk -v lives=$lives -v brief="${SOAK_SHORT:-0}" -v seconds="$seconds" -v nodes="$nodes" '
	BEGIN { warm = seconds / 3 < 600 ? seconds / 3 : 600 }
	$4 > wal { wal = $4 }
	$1 >= warm {
		n++; x += $1; y += $2; xx += $1 * $1; xy += $1 * $2
		if (n == 1) { fd = $3; first = $2 }
		last = $2
		fds[n] = $3
	}
	END {
		if (n < 3) { print "too few readings: " n + 0; exit 1 }
		slope = (n * xy - x * y) / (n * xx - x * x) * 3600 / 1024
		# Of open files the fewest of the last quarter count: an errand has one open for a moment.
		least = fds[n]
		for (i = int(n * 3 / 4) + 1; i <= n; i++) if (fds[i] < least) least = fds[i]
		printf "soak: %d hosts, %d s, %d readings\n", nodes, seconds, NR
		printf "memory grew by %.2f MB an hour after %d s (%.1f MB, then %.1f MB)\n", slope, warm, first / 1024, last / 1024
		printf "open files grew by %d\n", least - fd
		printf "largest write-ahead log %.1f MB\n", wal / 1048576
		printf "the console lived to the end: %s\n", lives ? "yes" : "no"
		exit !(lives && (slope < 1 || brief) && least <= fd && wal < 64 * 1048576)
	}' "$dir/readings"
