#!/bin/sh
# Puts a picture of the real console on the demo fabric into the README, as text. Needs tmux.
build=$1
set -e
dir=$(mktemp -d "${TMPDIR:-/tmp}/fabcon-shot.XXXXXX")
tmux="tmux -L fabcon-shot-$$ -f /dev/null"
finish() {
	$tmux kill-server 2>/dev/null || true
	"$build/fabcon-lab" ctl --dir "$dir/lab" stop >/dev/null 2>&1 || true
	rm -rf "$dir"
}
trap finish EXIT

mkfifo "$dir/ready"
"$build/fabcon-lab" --demo --for 300 --dir "$dir/lab" >"$dir/ready" 2>/dev/null &
read -r line <"$dir/ready"
LC_ALL=C.UTF-8 $tmux new-session -d -x 120 -y 30 "TERM=tmux-256color XDG_STATE_HOME=$dir XDG_CONFIG_HOME=$dir $build/fabcon -i $dir/lab/inventory.yml --record $dir/demo.db tui overview"

# The picture is taken once the three faults are on it and every device has answered.
shows() { $tmux capture-pane -p | grep -q "$1"; }
tries=0
until shows 'LIVE.*dev 14/14' && shows 'leaf1.* 8/8 ok' && shows tos-ecn && shows ecn-on && shows trust-as-wanted; do
	tries=$((tries + 1))
	[ $tries -lt 600 ] || { echo "the faults did not come on the screen:"; $tmux capture-pane -p; exit 1; }
	sleep 0.1
done
$tmux send-keys 2
until shows 'PAUSED'; do sleep 0.1; done
{ echo '```'; $tmux capture-pane -p | sed 's/[[:space:]]*$//' | head -n 18; echo '```'; } >"$dir/ports"
$tmux send-keys 1
until shows 'Findings, worst first'; do sleep 0.1; done
{ echo '```'; $tmux capture-pane -p | sed 's/[[:space:]]*$//'; echo '```'; } >"$dir/overview"
$tmux send-keys q

awk -v overview="$dir/overview" -v ports="$dir/ports" '
	function put(file,  line) { while ((getline line <file) > 0) print line }
	/<!-- screenshot -->/ { print; put(overview); print ""; put(ports); skip = 1; next }
	/<!-- end of screenshot -->/ { skip = 0 }
	!skip { print }
' README.md >"$dir/README.md"
cp "$dir/README.md" README.md
