# The functions of the script that runs link tests on a node (remote/runner/node_script.h). POSIX sh, as in dash, busybox and bash.
#
# Nothing outlives our session: each test has a session of its own and a time limit in its command, and a watchdog reads our standard
# input, which ends with us. What is killed is what was started here, by its process id, never by its name.

rn_say() {
	printf 'fabcon: %s\n' "$*"
}

# True when the TCP port has a listener, by the kernel's own table: ss need not be installed.
rn_listens() {
	rn_hex=$(printf %04X "$1")
	grep -qE "^ *[0-9]+: [0-9A-F]+:$rn_hex [0-9A-F]+:0000 0A " /proc/net/tcp /proc/net/tcp6 2>/dev/null
}

# A moment: where sleep takes no fractions, a second.
rn_moment() {
	sleep 0.1 2>/dev/null || sleep 1
}

rn_begin() {
	rn_ids= rn_dir=$(mktemp -d "${TMPDIR:-/tmp}/fabcon-test.XXXXXX") || { rn_say error "no directory can be made in ${TMPDIR:-/tmp}"; exit 1; }
	trap 'rn_end_all' EXIT
	trap 'exit 1' HUP INT TERM PIPE
	command -v setsid >/dev/null 2>&1 && command -v timeout >/dev/null 2>&1 ||
		{ rn_say error "setsid (util-linux) and timeout (coreutils) are needed"; exit 1; }
	exec 3<&0 </dev/null
	rn_self=$$
	(
		trap 'exit 0' TERM
		while read -r rn_line <&3; do :; done
		kill -TERM "$rn_self" 2>/dev/null
	) &
	rn_watchdog=$!
	rn_say begin
}

# Ends a test with all that it has started.
rn_end() {
	rn_pid=$(cat "$rn_dir/$1.pid" 2>/dev/null) || return 0
	kill -KILL "-$rn_pid" 2>/dev/null || kill -KILL "$rn_pid" 2>/dev/null
}

rn_end_all() {
	trap '' HUP INT TERM PIPE
	for rn_id in $rn_ids; do
		rn_end "$rn_id"
	done
	kill "$rn_watchdog" 2>/dev/null
	rm -rf "$rn_dir"
}

# rn_start ID LIMIT COMMAND...: the test runs in a session of its own, for so many seconds at most.
rn_start() {
	rn_id=$1 rn_limit=$2
	shift 2
	case " $rn_ids " in *" $rn_id "*) ;; *) rn_ids="$rn_ids $rn_id" ;; esac
	setsid timeout "$rn_limit" "$@" >"$rn_dir/$rn_id.out" 2>&1 3<&- &
	echo $! >"$rn_dir/$rn_id.pid"
}

rn_lives() {
	kill -0 "$(cat "$rn_dir/$1.pid")" 2>/dev/null
}

# rn_serve ID PORT LIMIT COMMAND...: starts a server, on that TCP port or the next that is free, and tells when it listens. One that
# lost its port to somebody else between the look and its own bind gets the next one.
rn_serve() {
	rn_id=$1 rn_port=$2 rn_limit=$3 rn_tries=0
	shift 3
	while [ "$rn_tries" -lt 20 ]; do
		rn_tries=$((rn_tries + 1))
		if ! rn_listens "$rn_port"; then
			rn_start "$rn_id" "$rn_limit" "$@" -p "$rn_port"
			while rn_lives "$rn_id"; do
				! rn_listens "$rn_port" || { rn_say listening "$rn_id" "$rn_port"; return 0; }
				rn_moment
			done
			grep -qiE "listen|in use|bind" "$rn_dir/$rn_id.out" || return 0	# another fault: rn_wait tells it
		fi
		rn_port=$((rn_port + 1))
	done
	rn_say error "$rn_id" "no free port"
}

# What a test printed, and its status: 124 when its limit ended it.
rn_wait() {
	[ -f "$rn_dir/$1.pid" ] || return 0
	wait "$(cat "$rn_dir/$1.pid")"
	rn_status=$?
	tail -c 20000 "$rn_dir/$1.out" | sed "s/^/fabcon: out $1 /"
	rn_say ended "$1" "$rn_status"
}

rn_wait_all() {
	for rn_one in $rn_ids; do
		rn_wait "$rn_one"
	done
	rn_say end
}
