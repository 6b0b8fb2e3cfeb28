# The functions of the script that runs link tests on a node (remote/runner/node_script.h). POSIX sh, as in dash, busybox and bash.
#
# Nothing outlives our session: each test has a session of its own and a time limit in its command, and a watchdog reads our standard
# input, which ends with us. What is killed is what was started here, by its process id, never by its name.

rn_say() {
	printf 'fabcon: %s\n' "$*"
}

# The listeners of a TCP port, by the kernel's own tables: ss need not be installed.
rn_listeners() {
	rn_hex=$(printf %04X "$1")
	grep -hE "^ *[0-9]+: [0-9A-F]+:$rn_hex [0-9A-F]+:0000 0A " /proc/net/tcp /proc/net/tcp6 2>/dev/null
}

rn_is_taken() {
	rn_listeners "$1" | grep -q .
}

# A process and its descendants, a line each.
rn_tree() {
	echo "$1"
	for rn_child in $(cat /proc/"$1"/task/*/children 2>/dev/null); do
		rn_tree "$rn_child"
	done
}

# rn_listens ID PORT: True when this test listens on the port. Somebody else may have taken it after we looked, and our server is about to
# find that out: its listener is told by the inode of its socket. Where a kernel does not tell a process's children, or sudo hides its
# files, any listener counts.
#
# What listens by RDMA CM, as rping does, is not in the tables of TCP; iproute2 has it: "link rxe0/- cm-idn 0 state LISTEN ps TCP pid 2214
# comm rping src-addr 0.0.0.0:7174".
rn_listens() {
	rn_sockets=$(rn_listeners "$2" | while read -r _ _ _ _ _ _ _ _ _ rn_inode _; do echo "socket:[$rn_inode]"; done)
	rn_cm_ids=$(rdma resource show cm_id 2>/dev/null | grep -E " state LISTEN ps TCP .*src-addr [^ ]*:$2( |\$)")
	[ -n "$rn_sockets$rn_cm_ids" ] || return 1
	[ -r "/proc/$$/task/$$/children" ] || return 0
	for rn_process in $(rn_tree "$(cat "$rn_dir/$1.pid")"); do
		case "$rn_cm_ids " in *" pid $rn_process "*) return 0 ;; esac
		[ -r "/proc/$rn_process/fd" ] || [ ! -d "/proc/$rn_process" ] || return 0
		[ -z "$rn_sockets" ] || ! ls -l "/proc/$rn_process/fd" 2>/dev/null | grep -qF "$rn_sockets" || return 0
	done
	return 1
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
	rn_self=$(exec sh -c 'echo "$PPID"')	# $$ is another process where this runs in a subshell
	(
		trap 'exit 0' TERM
		while read -r rn_line <&3; do :; done
		kill -TERM "$rn_self" 2>/dev/null
		sleep 2		# to end all itself; where it was killed, this process does
		rn_end_files
	) &
	rn_watchdog=$!
	rn_say begin
}

# Ends a test with all that it has started.
rn_end() {
	rn_pid=$(cat "$rn_dir/$1.pid" 2>/dev/null) || return 0
	kill -KILL "-$rn_pid" 2>/dev/null || kill -KILL "$rn_pid" 2>/dev/null
}

# Each test that was started has a file with its process id. One that is starting finds no directory for it, and is not run.
rn_end_files() {
	trap '' HUP INT TERM PIPE
	mv "$rn_dir" "$rn_dir.ends" 2>/dev/null	# or the other of us two was at it, and may have been killed
	rn_dir=$rn_dir.ends
	for rn_file in "$rn_dir"/*.pid; do
		rn_id=${rn_file##*/}
		rn_end "${rn_id%.pid}"
	done
	rm -rf "$rn_dir"
}

# The watchdog goes last: where a second signal ends us in here, it ends the tests.
rn_end_all() {
	rn_end_files
	kill "$rn_watchdog" 2>/dev/null
}

# rn_address_of DEVICE GID: the IP address that this GID of an RDMA device is made from. Nothing, where it cannot be read.
rn_address_of() {
	rn_gid=$(cat "/sys/class/infiniband/$1/ports/1/gids/$2" 2>/dev/null) || return 0
	case $rn_gid in
	0000:0000:0000:0000:0000:0000:0000:0000) ;;
	0000:0000:0000:0000:0000:ffff:*:*)
		rn_hex=${rn_gid#0000:0000:0000:0000:0000:ffff:}
		rn_high=${rn_hex%:*} rn_low=${rn_hex#*:}
		echo "$((0x$rn_high >> 8)).$((0x$rn_high & 255)).$((0x$rn_low >> 8)).$((0x$rn_low & 255))" ;;
	*) echo "$rn_gid" ;;
	esac
}

# rn_address ID DEVICE GID: tells it.
rn_address() {
	rn_ip=$(rn_address_of "$2" "$3")
	[ -z "$rn_ip" ] || rn_say address "$1" "$rn_ip"
}

# rn_start ID LIMIT COMMAND...: the test runs in a session of its own, for so many seconds at most. It tells its process id itself, before
# it runs: we may be ended before we could. Either file appears with its id in it: an empty one would be a test that nobody ends.
rn_start() {
	rn_id=$1 rn_limit=$2
	shift 2
	case " $rn_ids " in *" $rn_id "*) ;; *) rn_ids="$rn_ids $rn_id" ;; esac
	setsid sh -c 'echo $$ >"$0.new" && mv "$0.new" "$0.pid" && exec timeout "$@"' "$rn_dir/$rn_id" "$rn_limit" "$@" >"$rn_dir/$rn_id.out" 2>&1 3<&- &
	echo $! >"$rn_dir/$rn_id.own" && mv "$rn_dir/$rn_id.own" "$rn_dir/$rn_id.pid"
	echo $(($(date +%s) + rn_limit)) >"$rn_dir/$rn_id.until"
}

rn_lives() {
	kill -0 "$(cat "$rn_dir/$1.pid")" 2>/dev/null
}

# rn_serve ID PORT LIMIT COMMAND...: starts a server, on that TCP port or the next that is free, and tells when it listens. One that
# lost its port to somebody else between the look and its own bind gets the next one. One that ends before it listens is told at once:
# its client waits for that.
rn_serve() {
	rn_id=$1 rn_port=$2 rn_limit=$3 rn_tries=0
	shift 3
	while [ "$rn_tries" -lt 20 ]; do
		rn_tries=$((rn_tries + 1))
		if ! rn_is_taken "$rn_port"; then
			rn_start "$rn_id" "$rn_limit" "$@" -p "$rn_port"
			while rn_lives "$rn_id"; do
				! rn_listens "$rn_id" "$rn_port" || { rn_say listening "$rn_id" "$rn_port"; return 0; }
				rn_moment
			done
			grep -qiE "listen|in use|bind" "$rn_dir/$rn_id.out" || break
		fi
		rn_port=$((rn_port + 1))
	done
	[ -f "$rn_dir/$rn_id.pid" ] || { rn_say out "$rn_id" "no TCP port is free from $((rn_port - 20)) on"; rn_say ended "$rn_id" 1; return 0; }
	rn_wait "$rn_id"
	rm -f "$rn_dir/$rn_id.pid"
}

# What a test printed, and its status: 124 when its limit ended it. Of that, busybox's timeout tells no more than the signal, 143.
rn_wait() {
	[ -f "$rn_dir/$1.pid" ] || return 0
	wait "$(cat "$rn_dir/$1.pid")"
	rn_status=$?
	[ "$rn_status" -ne 143 ] || [ "$(date +%s)" -lt "$(cat "$rn_dir/$1.until")" ] || rn_status=124
	tail -c 20000 "$rn_dir/$1.out" | sed "s/^/fabcon: out $1 /"
	rn_say ended "$1" "$rn_status"
}

rn_wait_all() {
	for rn_one in $rn_ids; do
		rn_wait "$rn_one"
	done
	rn_say end
}
