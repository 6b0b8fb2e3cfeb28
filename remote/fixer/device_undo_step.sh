# The functions that every script needs, including the timer's undo script. POSIX sh, as in dash, busybox and bash.
# fc_plan, fc_step, fc_place, fc_name and fc_for must be set first.
#
# Every one-time event is the creation of a symbolic link: creation is atomic, the link has its text from the
# start, and only one process can create it. The lock is the link with the highest number in lock/; its text is "free" or
# the holder. A stale lock is taken over by creating the next number, so no process removes a lock that it has not read.

# A run of a step is one arming of it, with a number of its own: that of the lock it was armed under, in the file "run". fc_place is
# where the step's directory stands; fc_dir is the directory that this script works in.
fc_run=/run/fabcon
fc_dir=$fc_place

# Binds this script to the run that stands there now: its paths lead to that run's files, even when a later run has moved them away.
# False when there is none, or when it is not run fc_for ("": whichever it is).
fc_enter() {
	cd "$fc_place" 2>/dev/null || return 1
	fc_dir=.
	fc_my_run=$(cat ./run 2>/dev/null)
	[ -n "$fc_my_run" ] && [ "${fc_for:-$fc_my_run}" = "$fc_my_run" ]
}

# False when a later run of the same step has taken its place.
fc_is_in_place() {
	[ "$(cat "$fc_place/run" 2>/dev/null)" = "$fc_my_run" ]
}

fc_clock() {
	read -r fc_up fc_rest 2>/dev/null </proc/uptime || return 1
	fc_up=${fc_up%%.*}
	case $fc_up in '' | *[!0-9]*) return 1 ;; esac
	read -r fc_boot 2>/dev/null </proc/sys/kernel/random/boot_id || return 1
}

# True for a running process of fabcon. Where /proc hides its command line, a live process id is enough, also one of another user.
fc_alive() {
	case $1 in '' | *[!0-9]*) return 1 ;; esac
	if [ -r "/proc/$1/cmdline" ]; then
		tr '\0' ' ' 2>/dev/null <"/proc/$1/cmdline" | grep -q fabcon
	else
		fc_said=$(LC_ALL=C kill -0 "$1" 2>&1) && return
		case $fc_said in *ermitted*) return 0 ;; esac
		return 1
	fi
}

fc_link() {
	readlink "$1" 2>/dev/null
}

# The state of a unit as systemd reports it; retried while the reply is not a known state. Sets fc_active.
fc_ask_systemd() {
	fc_asked=0 fc_active=
	while [ "$fc_asked" -lt 4 ]; do
		fc_active=$(systemctl is-active "$1" 2>/dev/null) && return
		case $fc_active in inactive | failed | unknown | activating | deactivating | reloading | maintenance) return ;; esac
		command -v systemctl >/dev/null 2>&1 || return
		fc_asked=$((fc_asked + 1))
	done
}

# The timer of a step, given its directory and its name. Sets fc_unit to what systemd knows it by, which no other run of the step
# shares, and fc_timer to systemd, shell or nothing.
fc_timer_of() {
	fc_timer=nothing fc_unit=$2-r$(cat "$1/run" 2>/dev/null)
	fc_ask_systemd "$fc_unit.timer"
	if [ "$fc_active" = active ]; then
		fc_timer=systemd
	elif [ "$(fc_link "$1/decided")" != undo ] && fc_alive "$(cat "$1/sleeper" 2>/dev/null)"; then
		fc_timer=shell
	fi
}

fc_lock_top() {
	fc_top=0 fc_odd=
	for fc_at in "$fc_run"/lock/*; do
		fc_n=${fc_at##*/}
		case $fc_n in '' | 0* | *[!0-9]*) continue ;; esac
		[ -h "$fc_at" ] || [ ! -e "$fc_at" ] || fc_odd=$fc_at
		[ "$fc_n" -le "$fc_top" ] || fc_top=$fc_n
	done
	fc_held=free
	[ "$fc_top" = 0 ] || fc_held=$(fc_link "$fc_run/lock/$fc_top") || fc_held='somebody|?|?|?|?|?'
	fc_h=$fc_held
	fc_h_owner=${fc_h%%|*} fc_h=${fc_h#*|}
	fc_h_plan=${fc_h%%|*} fc_h=${fc_h#*|}
	fc_h_step=${fc_h%%|*} fc_h=${fc_h#*|}
	fc_h_until=${fc_h%%|*} fc_h=${fc_h#*|}
	fc_h_boot=${fc_h%%|*} fc_h_pid=${fc_h#*|}
}

# True when a process runs the undo of a step.
fc_is_undoing() {
	for fc_at in "$1"/runner.*; do
		! fc_alive "$(fc_link "$fc_at")" || return 0
	done
	return 1
}

# True when the undo of a step was begun, has not ended, and no process runs it any more: whoever ran it was killed. Looked at for two
# seconds: a process that waited for another takes its place within one. Where there was no room to write who runs it, nobody knows.
fc_is_stopped() {
	[ "$(fc_link "$1/decided")" = undo ] && [ -h "$1/runner.1" ] && [ ! -h "$1/undone" ] || return 1
	for fc_look in 1 2 3; do
		! fc_is_undoing "$1" && [ ! -h "$1/undone" ] || return 1
		[ "$fc_look" = 3 ] || sleep 1
	done
}

# True while a kept step of another plan is being saved, for five minutes at most: its lock is not free yet. The plan itself,
# and its inverse, go on: whoever saved it may be dead.
fc_is_saving() {
	[ "${fc_plan%-u}" != "${fc_h_plan%-u}" ] || return 1
	fc_since=$(cat "$1/saving" 2>/dev/null) || return 1
	case $fc_since in '' | *[!0-9]*) return 1 ;; esac
	[ "$fc_up" -lt $((fc_since + 300)) ]
}

# True while another script keeps or cancels the step: its timer and its lock are still to go. A minute at most for each.
fc_is_keeping() {
	for fc_at in "$1"/keeper.*; do
		fc_since=$(fc_link "$fc_at") || continue
		case $fc_since in '' | *[!0-9]*) continue ;; esac
		[ "${fc_at##*.}" = $$ ] || [ "$fc_up" -ge $((fc_since + 60)) ] || [ ! -d "/proc/${fc_at##*.}" ] || return 0
	done
	return 1
}

# True when the process that took the highest lock is gone before it had armed its step: its console died while it armed. Whether
# it is gone is asked first: after that it starts no timer. A timer that it had started holds the lock, and for 20 s after it was
# due, until its undo has decided. Sets fc_gone to the directory of a step that was left so.
fc_is_abandoned() {
	case $fc_h_pid in '' | *[!0-9]*) return 1 ;; esac
	! kill -0 "$fc_h_pid" 2>/dev/null && [ ! -d "/proc/$fc_h_pid" ] || return 1
	[ "$(cat "$fc_h_dir/lock" 2>/dev/null)" = "$fc_top" ] || return 0
	[ ! -e "$fc_h_dir/armed" ] && [ ! -h "$fc_h_dir/decided" ] || return 1
	fc_due=$(cat "$fc_h_dir/fires" 2>/dev/null)
	case $fc_due in
	'' | *[!0-9]*) ;;
	*)
		[ "$fc_up" -lt "$fc_due" ] || [ "$fc_up" -ge $((fc_due + 20)) ] || return 1
		fc_timer_of "$fc_h_dir" "fabcon-$fc_h_plan-$fc_h_step"
		[ "$fc_timer" = nothing ] || return 1
		;;
	esac
	fc_gone=$fc_h_dir
}

# True when the highest lock is held. It is not when it is from another boot, when its step is decided and done, when it was
# abandoned, or when it has expired with nothing armed and no undo running.
fc_lock_is_held() {
	fc_gone=
	[ "$fc_held" != free ] || return 1
	case $fc_h_plan$fc_h_step$fc_h_until in '' | *[!A-Za-z0-9-]*) return 0 ;; esac
	[ "$fc_h_boot" = "$fc_boot" ] || return 1
	fc_h_dir=$fc_run/$fc_h_plan.$fc_h_step
	if [ "$(cat "$fc_h_dir/lock" 2>/dev/null)" = "$fc_top" ]; then
		case $(fc_link "$fc_h_dir/decided") in
		keep)
			fc_is_saving "$fc_h_dir" || fc_is_keeping "$fc_h_dir"
			return
			;;
		undo)
			[ ! -h "$fc_h_dir/undone" ] || return 1
			! fc_is_undoing "$fc_h_dir" || return 0
			;;
		esac
	fi
	! fc_is_abandoned || return 1
	[ "$fc_up" -ge "$fc_h_until" ] || return 0
	fc_timer_of "$fc_h_dir" "fabcon-$fc_h_plan-$fc_h_step"
	[ "$fc_timer" != nothing ]
}

# Releases the lock of this run: fc_lock, or that on record. A later run of the same step has a lock of its own.
fc_lock_give() {
	fc_lock_top
	[ "$fc_top" = "${fc_lock:-$(cat "$fc_dir/lock" 2>/dev/null)}" ] || return 0
	[ "$fc_h_plan.$fc_h_step" != "$fc_plan.$fc_step" ] || ln -s free "$fc_run/lock/$((fc_top + 1))" 2>/dev/null
}

# Creates a link of the step. Where the file system has no room for one more, a spare file of the step gives its place.
fc_mark() {
	ln -s "$1" "$fc_dir/$2" 2>/dev/null && return
	[ ! -h "$fc_dir/$2" ] || return 1
	for fc_at in "$fc_dir"/spare.*; do
		rm -f "$fc_at"
		break
	done
	ln -s "$1" "$fc_dir/$2" 2>/dev/null
}

fc_decide() {
	fc_mark "$1" decided
	fc_decided=$(fc_link "$fc_dir/decided") || fc_decided=
}

# Only one process runs the undo. Another one waits, and continues if the first was killed.
fc_runner_take() {
	fc_runner=1 fc_waited=0
	while fc_pid=$(fc_link "$fc_dir/runner.$fc_runner"); do
		if [ "$fc_pid" != $$ ] && fc_alive "$fc_pid" && [ "$fc_waited" -lt 600 ]; then
			sleep 1
			fc_waited=$((fc_waited + 1))
		else
			fc_runner=$((fc_runner + 1))
		fi
		[ ! -h "$fc_dir/undone" ] || return 1
	done
	fc_mark $$ "runner.$fc_runner" || [ ! -h "$fc_dir/runner.$fc_runner" ] || fc_runner_take
}

# Kills a process with its children: the commands of a line must not continue after the line was killed.
fc_kill() {
	kill -STOP "$1" 2>/dev/null
	for fc_child in $(grep -l "^PPid:[[:space:]]*$1\$" /proc/[0-9]*/status 2>/dev/null); do
		fc_child=${fc_child#/proc/}
		fc_kill "${fc_child%/status}"
	done
	kill -9 "$1" 2>/dev/null
}

# Waits for a line that started before the decision, and kills it if it hangs.
fc_wait_line() {
	fc_waited=0
	while fc_pid=$(fc_link "$fc_dir/line") && fc_alive "$fc_pid"; do
		if [ "$fc_waited" -ge 20 ]; then
			fc_kill "$fc_pid"
			echo "a line hung, and was ended"
			return 0
		fi
		sleep 1
		fc_waited=$((fc_waited + 1))
	done
}

# Runs one undo line, a script on standard input.
fc_back() {
	(cd / && exec /bin/sh -s)
	fc_status=$?
	echo "undo $1: status $fc_status"
	[ "$fc_status" = 0 ] || fc_failed=$((fc_failed + 1))
}

# The undo. fc_lines holds the undo lines, fc_tidy removes what preparing left; the step's own file defines both. Before the first line
# was begun there is nothing to take back: what is otherwise now, somebody else has set.
fc_take_back() {
	trap '' HUP INT PIPE
	fc_enter || return 0
	PATH=$(cat "$fc_dir/path"):$PATH
	export PATH
	fc_decide undo
	[ "$fc_decided" != keep ] || return 0
	if [ "$fc_decided" != undo ]; then	# no room for the decision: a keep that comes now finds it so
		mv "$fc_dir/armed" "$fc_dir/undoing" 2>/dev/null
		[ "$(fc_link "$fc_dir/decided")" != keep ] || return 0
	fi
	[ ! -h "$fc_dir/undone" ] && fc_runner_take && fc_is_in_place || return 0
	fc_failed=0
	{
		fc_wait_line
		if [ -h "$fc_dir/begun" ]; then fc_lines; else fc_tidy; fi
	} >>"$fc_dir/log" 2>&1
	fc_mark "$fc_failed" undone
	fc_lock_give
}
