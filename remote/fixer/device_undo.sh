# The functions of the scripts that fabcon sends around a change (remote/fixer/device_undo.h). device_undo_step.sh precedes them.
# fc_owner, fc_undo_s, fc_seen and fc_nosave must be set, too.

fc_say() {
	printf 'fabcon: %s\n' "$*"
}

fc_fail() {
	fc_say "error $*"
	fc_say end
	exit 0
}

fc_begin() {
	fc_say begin
	fc_clock || fc_fail "its uptime and boot id cannot be read from /proc"
}

# ---- reporting ----

# How long a held lock lasts: until its step's timer rolls back, where one was started; else until it expires.
fc_lock_left() {
	fc_at=$fc_run/$fc_h_plan.$fc_h_step
	fc_since=$(cat "$fc_at/saving" 2>/dev/null)
	case $fc_since in
	'' | *[!0-9]*) ;;
	*) [ ! -h "$fc_at/decided" ] || fc_h_until=$((fc_since + 300)) ;;
	esac
	fc_fires=$(cat "$fc_at/fires" 2>/dev/null)
	[ "$(cat "$fc_at/lock" 2>/dev/null)" = "$fc_top" ] && [ ! -h "$fc_at/decided" ] && [ ! -e "$fc_at/unarmed" ] || fc_fires=
	case $fc_fires in
	'' | *[!0-9]*) ;;
	*) echo "rolls back in $((fc_fires > fc_up ? fc_fires - fc_up : 0)) s"; return ;;
	esac
	case $fc_h_until in *[!0-9]*) return ;; esac
	echo "lock expires in $((fc_h_until > fc_up ? fc_h_until - fc_up : 0)) s"
}

fc_report_lock() {
	fc_lock_top
	fc_say "now $fc_top $fc_boot"
	fc_lock_is_held || return 0
	[ -z "$fc_odd" ] || { fc_say "lock other $fc_odd is not a lock of fabcon: remove it (rm $fc_odd)"; return 0; }
	fc_ours=other
	[ "$fc_h_plan" != "$fc_plan-u" ] || fc_ours=back
	[ "$fc_h_owner.$fc_h_plan.$fc_h_step" != "$fc_owner.$fc_plan.$fc_step" ] || fc_ours=ours
	fc_left=$(fc_lock_left)
	fc_say "lock $fc_ours $fc_h_owner $fc_h_plan${fc_left:+, $fc_left}"
}

# Applied, and neither kept nor rolled back. A timer that has fired decides within moments, for 20 s at most; one that is gone without
# that is lost: only fabcon can end the step.
fc_report_undecided() {
	[ -e "$fc_dir/unarmed" ] || [ "$fc_timer" = nothing ] || return 0
	if [ -e "$fc_dir/unarmed" ] || [ "$fc_up" -lt "$fc_fires" ] || [ "$fc_up" -ge $((fc_fires + 20)) ]; then
		fc_say unarmed
	elif [ -e "$fc_dir/sleeper" ]; then
		fc_timer=shell
	else
		fc_timer=systemd
	fi
}

fc_report_step() {
	[ -d "$fc_dir" ] || return 0
	[ "$fc_dir" = "$fc_place" ] || fc_is_in_place || return 0
	fc_decided=$(fc_link "$fc_dir/decided") || fc_decided=
	[ "$fc_decided" != keep ] || [ ! -h "$fc_dir/cancelled" ] || return 0
	fc_say "run $(cat "$fc_dir/run" 2>/dev/null)"
	[ -n "$fc_decided" ] || [ ! -e "$fc_dir/undoing" ] || fc_decided=undo
	if [ "$fc_decided" = undo ] && fc_is_stopped "$fc_dir"; then
		fc_say unarmed
	elif [ -n "$fc_decided" ]; then
		fc_say "decided $fc_decided"
	fi
	fc_failed=$(fc_link "$fc_dir/undone") || fc_failed=
	[ -z "$fc_failed" ] || fc_say "undone $fc_failed"
	[ "$fc_decided" != keep ] || [ ! -e "$fc_dir/saving" ] || fc_say unsaved
	[ ! -e "$fc_dir/nosave" ] || fc_say nosave
	fc_timer_of "$fc_dir" "$fc_name"
	fc_fires=$(cat "$fc_dir/fires" 2>/dev/null)
	case $fc_fires in '' | *[!0-9]*) fc_fires=$fc_up ;; esac
	[ -n "$fc_decided" ] || [ ! -e "$fc_dir/armed" ] || fc_report_undecided
	fc_say "timer $fc_timer $((fc_fires > fc_up ? fc_fires - fc_up : 0))"
}

# The interface that has the address of our session, then the interfaces below it.
fc_report_port() {
	set -f
	set -- ${SSH_CONNECTION:-}
	set +f
	[ $# = 4 ] || return 0
	fc_asked=0
	until fc_addresses=$(ip -o addr 2>/dev/null) || { [ "$fc_asked" -ge 3 ] && fc_addresses=; }; do
		fc_asked=$((fc_asked + 1))
	done
	fc_ports=$(printf '%s\n' "$fc_addresses" | while read -r fc_n fc_port fc_family fc_address fc_rest; do
		[ "${fc_address%%/*}" != "${3#::ffff:}" ] || echo "${fc_port%%@*}"
	done)
	fc_ports=${fc_ports%%
*}
	fc_all= fc_depth=0
	while [ -n "$fc_ports" ] && [ "$fc_depth" -lt 4 ]; do
		fc_all="$fc_all $fc_ports" fc_next=
		for fc_port in $fc_ports; do
			for fc_at in "/sys/class/net/$fc_port"/lower_*; do
				[ ! -e "$fc_at" ] || fc_next="$fc_next ${fc_at##*/lower_}"
			done
		done
		fc_ports=$fc_next fc_depth=$((fc_depth + 1))
	done
	[ -z "$fc_all" ] || fc_say "port$fc_all"
}

# Reports the step before the lock: a step that ends in between is reported with its lock already released.
fc_end() {
	fc_report_step
	fc_report_lock
	fc_say end
}

fc_look() {
	fc_begin
	fc_report_port
	fc_end
}

# ---- arming ----

# Renamed first: what runs in it meanwhile never finds half of its files.
fc_step_away() {
	rm -rf "$1.old"
	mv "$1" "$1.old" && rm -rf "$1.old"
}

# Removes old lock numbers. A running script reads only the highest few.
fc_lock_tidy() {
	for fc_at in "$fc_run"/lock/*; do
		fc_n=${fc_at##*/}
		case $fc_n in '' | 0* | *[!0-9]*) continue ;; esac
		[ "$fc_n" -ge $((fc_top - 64)) ] || rm -f "$fc_at"
	done
}

# fc_seen: how the locks were when the device was asked. Where another run has come or gone since, this arming is out of date.
# Without a timer, only the expiry of the lock shows that its owner is gone. A step that was left while it was armed goes with its
# lock: a timer that starts late finds no undo script.
fc_lock_take() {
	fc_tries=0 fc_hold_s=$((fc_undo_s > 0 ? fc_undo_s + 300 : 1800))
	while [ "$fc_tries" -lt 5 ]; do
		fc_lock_top
		! fc_lock_is_held || return 1
		[ -z "$fc_seen" ] || [ "$fc_seen" = "$fc_top $fc_boot" ] || return 1
		fc_mine=$((fc_top + 1))
		if ln -s "$fc_owner|$fc_plan|$fc_step|$((fc_up + fc_hold_s))|$fc_boot|$$" "$fc_run/lock/$fc_mine" 2>/dev/null; then
			fc_lock_top
			[ "$fc_top" != "$fc_mine" ] || {
				[ -z "$fc_gone" ] || fc_step_away "$fc_gone"
				fc_lock_tidy
				return 0
			}
			rm -f "$fc_run/lock/$fc_mine"
		fi
		fc_tries=$((fc_tries + 1))
	done
	return 1
}

# Stops the sleeping timer of a finished step: it must not fire in the next run of the same step.
fc_end_sleeper() {
	fc_pid=$(cat "$fc_dir/sleeper" 2>/dev/null) || return 0
	fc_alive "$fc_pid" || return 0
	kill -TERM "-$fc_pid" 2>/dev/null || kill -TERM "$fc_pid" 2>/dev/null
}

# Removes the files of an earlier run of the same step, unless it is armed or its undo runs. Of one that was killed nothing is left to
# wait for, and the device was just read as it is before the step.
fc_clear_old() {
	[ -d "$fc_dir" ] || return 0
	fc_decided=$(fc_link "$fc_dir/decided") || fc_decided=
	if [ "$fc_decided" = undo ] && [ ! -h "$fc_dir/undone" ] && ! fc_is_stopped "$fc_dir"; then
		fc_lock_give
		fc_fail "an undo of this step has not run to its end"
	fi
	fc_timer_of "$fc_dir" "$fc_name"
	[ -n "$fc_decided" ] || [ "$fc_timer" = nothing ] || { fc_lock_give; fc_fail "this step is armed already"; }
	fc_end_sleeper
	fc_step_away "$fc_dir"
}

# The number of the last run that was committed outlasts its step.
fc_note_commit() {
	[ "$(fc_link "$1/decided")" = keep ] && [ ! -h "$1/cancelled" ] || return 0
	fc_n=$(cat "$1/lock" 2>/dev/null)
	case $fc_n in '' | *[!0-9]*) return 0 ;; esac
	fc_last=$(cat "$fc_run/committed" 2>/dev/null)
	case $fc_last in '' | *[!0-9]*) fc_last=0 ;; esac
	[ "$fc_n" -le "$fc_last" ] || { echo "$fc_n" >"$fc_run/committed"; } 2>/dev/null
}

# Decided steps stay for a day, so that a late console can read the decision; for an hour when there are more than 100.
fc_steps_tidy() {
	set -- "$fc_run"/*.*
	fc_stays_s=$(($# > 100 ? 3600 : 86400))
	for fc_at; do
		[ "$fc_at" != "$fc_place" ] || continue
		case $fc_at in *.new | *.old) rm -rf "$fc_at" ;; esac
		case $(fc_link "$fc_at/decided") in
		keep) ;;
		undo) [ -h "$fc_at/undone" ] || continue ;;
		*) continue ;;
		esac
		fc_fires=$(cat "$fc_at/fires" 2>/dev/null)
		case $fc_fires in '' | *[!0-9]*) continue ;; esac
		[ "$fc_up" -lt $((fc_fires + fc_stays_s)) ] || { fc_note_commit "$fc_at"; fc_step_away "$fc_at"; }
	done
}

# The step that is being armed is still this run's: an undo has not ended it meanwhile.
fc_is_still_ours() {
	fc_is_in_place && [ ! -h "$fc_dir/decided" ]
}

# fc_tidy is defined by the step and removes what fc_prepare created.
fc_give_up() {
	if [ "$fc_dir" = "$fc_place" ] || fc_is_still_ours; then
		fc_tidy
		rm -rf "$fc_place" "$fc_place.new"
	fi
	fc_lock_give
	fc_fail "$*"
}

fc_start_systemd() {
	systemctl reset-failed "$fc_name-r$fc_my_run.service" "$fc_name-r$fc_my_run.timer" >/dev/null 2>&1
	systemd-run --on-active="$fc_undo_s" --timer-property=AccuracySec=100ms --unit="$fc_name-r$fc_my_run" \
		/bin/sh "$fc_place/undo" "$fc_my_run" >"$fc_dir/started" 2>&1
	fc_timer_of "$fc_dir" "$fc_name"
	[ "$fc_timer" != systemd ] || return 0
	systemctl stop "$fc_unit.timer" >/dev/null 2>&1
	return 1
}

# The sleeper prints its process id, then closes every descriptor of this session.
fc_start_shell() {
	command -v setsid >/dev/null 2>&1 && command -v sleep >/dev/null 2>&1 || return 1
	fc_pid=$(setsid /bin/sh -c 'trap "" HUP; echo $$
		exec >/dev/null 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
		cd /; sleep "$2"; exec /bin/sh "$1/undo" "$3"' fabcon "$fc_place" "$fc_undo_s" "$fc_my_run" </dev/null 2>/dev/null &)
	echo "$fc_pid" >"$fc_dir/sleeper"
	fc_timer_of "$fc_dir" "$fc_name"
	[ "$fc_timer" = shell ]
}

# Makes the directory of the locks; where a file has its name, the reason names the file.
fc_make_run() {
	mkdir -p "$fc_run/lock" 2>/dev/null && return
	for fc_at in "$fc_run" "$fc_run/lock"; do
		[ ! -e "$fc_at" ] || [ -d "$fc_at" ] || fc_fail "$fc_at is not a directory: remove it (rm $fc_at)"
	done
	fc_fail "$fc_run cannot be made"
}

# Why the lock could not be taken.
fc_refuse_arming() {
	fc_report_lock
	if fc_lock_is_held; then
		[ "$fc_h_owner.$fc_h_plan.$fc_h_step" != "$fc_owner.$fc_plan.$fc_step" ] || fc_fail "this step is armed already"
		fc_fail "the device is being changed by somebody else"
	fi
	[ -z "$fc_seen" ] || [ "$fc_seen" = "$fc_top $fc_boot" ] ||
		fc_fail "another run was at work here since the device was asked: run this again"
	fc_fail "the lock cannot be written to $fc_run/lock: is there room?"
}

# fc_files and fc_prepare are defined by the step.
fc_set() {
	fc_begin
	umask 022
	fc_make_run
	fc_lock_take || fc_refuse_arming
	fc_lock=$fc_top
	fc_steps_tidy
	fc_clear_old
	fc_new=$fc_place.new
	rm -rf "$fc_new"
	mkdir "$fc_new" 2>/dev/null && fc_files "$fc_new" 2>/dev/null && echo "$fc_lock" >"$fc_new/lock" && echo "$fc_lock" >"$fc_new/run" &&
		printf %s "$PATH" >"$fc_new/path" && : >"$fc_new/log" &&
		{ [ "$fc_nosave" = 0 ] || : >"$fc_new/nosave"; } && : >"$fc_new/spare.1" && : >"$fc_new/spare.2" &&
		: >"$fc_new/spare.3" && : >"$fc_new/spare.4" && [ ! -e "$fc_place" ] && mv "$fc_new" "$fc_place" && fc_for=$fc_lock && fc_enter ||
		fc_give_up "the step's files cannot be written to $fc_place: is there room?"
	fc_why=$(cd / && fc_prepare 2>&1) || fc_give_up "it could not be prepared: $(printf '%s\n' "$fc_why" | tail -n 1)"
	fc_is_still_ours || fc_give_up "it was rolled back while it was being armed"
	fc_clock
	echo 2>/dev/null "$((fc_up + fc_undo_s))" >"$fc_dir/fires" ||
		fc_give_up "the step's files cannot be written to $fc_place: is there room?"
	if [ "$fc_undo_s" = 0 ]; then
		echo >"$fc_dir/unarmed"
	else
		fc_start_systemd || fc_start_shell ||
			fc_give_up "no timer could be started: neither systemd-run nor setsid and sleep gave one"
	fi
	if ! echo 2>/dev/null >"$fc_dir/armed"; then
		fc_stop_timer
		fc_give_up "the step's files cannot be written to $fc_place: is there room?"
	fi
	fc_end
}

# ---- lines ----

# Status 75 (ARM_NOT_BEGUN): the line was not started.
fc_not_begun() {
	rm -f "$fc_dir/line"
	echo "fabcon: not begun: $*" >&2
	exit 75
}

# fc_line is defined by the step. The link "line" makes an undo wait for a line that started before the decision.
fc_do() {
	fc_enter || { echo "fabcon: not begun: nothing is armed here; has the device restarted?" >&2; exit 75; }
	fc_pid=$(fc_link "$fc_dir/line") && ! fc_alive "$fc_pid" && rm -f "$fc_dir/line"
	ln -s $$ "$fc_dir/line" 2>/dev/null || { echo "fabcon: not begun: another line is running" >&2; exit 75; }
	[ ! -h "$fc_dir/decided" ] || fc_not_begun "it is decided already: $(fc_link "$fc_dir/decided")"
	fc_is_in_place || fc_not_begun "another run of this plan has taken its place"
	fc_timer_of "$fc_dir" "$fc_name"
	[ "$fc_timer" != nothing ] || [ -e "$fc_dir/unarmed" ] || fc_not_begun "undo is not armed any more"
	fc_mark yes begun
	[ -h "$fc_dir/begun" ] || fc_not_begun "that it begins could not be written to $fc_place: is there room?"
	(cd / && fc_line)
	fc_status=$?
	rm -f "$fc_dir/line"
	exit "$fc_status"
}

# ---- the end ----

fc_stop_timer() {
	fc_tries=0
	fc_timer_of "$fc_dir" "$fc_name"
	while [ "$fc_timer" != nothing ] && [ "$fc_tries" -lt 5 ]; do
		[ "$fc_tries" = 0 ] || sleep 1
		if [ "$fc_timer" = systemd ]; then
			systemctl stop "$fc_unit.timer" >/dev/null 2>&1
		else
			fc_end_sleeper
		fi
		fc_timer_of "$fc_dir" "$fc_name"
		fc_tries=$((fc_tries + 1))
	done
	[ "$fc_timer" = nothing ] || fc_say "error the timer is still listed after it was stopped"
}

fc_need_step() {
	fc_begin
	[ -d "$fc_place" ] || fc_fail "nothing is armed here: it never was, or the device has restarted since"
	fc_enter || fc_fail "another run of this plan has taken its place"
}

# Takes the lock where it is free, for a step whose lock had expired. False when another plan has it.
fc_lock_again() {
	fc_lock_top
	[ "$fc_h_plan.$fc_h_step" != "$fc_plan.$fc_step" ] || return 0
	fc_lock_take && echo "$fc_top" >"$fc_dir/lock"
}

# The lock while a kept step is saved: a later run of the plan may find it released.
fc_hold() {
	fc_lock_again
	echo "$fc_up" >"$fc_dir/saving"
}

# An undo that had no room to write its decision runs, or has run.
fc_is_taken_back() {
	[ ! -e "$fc_dir/armed" ] || [ -h "$fc_dir/undone" ] || fc_is_undoing "$fc_dir"
}

fc_keep_step() {
	ln -s "$fc_up" "$fc_dir/keeper.$$" 2>/dev/null
	[ -h "$fc_dir/decided" ] || ! fc_is_taken_back || fc_fail "too late: it was rolled back"
	[ -h "$fc_dir/decided" ] || rm -f "$fc_dir/saving"	# of a keep that ended before it decided
	[ "${fc_saves:-0}" = 0 ] || echo "$fc_up" >"$fc_dir/saving"
	fc_decide keep
	if [ "$fc_decided" = keep ]; then
		fc_stop_timer
		[ -e "$fc_dir/tidied" ] || { fc_tidy; echo >"$fc_dir/tidied"; }
		[ "${fc_saves:-0}" = 0 ] || fc_hold
		[ -e "$fc_dir/saving" ] || [ "${fc_cancels:-0}" = 1 ] || fc_lock_give
	elif [ "$fc_decided" = undo ] && fc_is_stopped "$fc_dir"; then
		rm -f "$fc_dir/saving"
		fc_say "error too late: its rollback was begun, and killed before its end: undo it"
	elif [ "$fc_decided" = undo ]; then
		rm -f "$fc_dir/saving"
		fc_say "error too late: it was rolled back"
	else
		rm -f "$fc_dir/saving"
		fc_is_in_place || fc_fail "another run of this plan has taken its place"
		fc_say "error the decision could not be written to $fc_place: is there room?"
	fi
}

# Whoever asked may be gone before it has answered: what is decided is ended, too.
fc_keep() {
	trap '' HUP PIPE
	fc_need_step
	fc_keep_step
	fc_end
}

# The end of a step that has sent nothing: nobody is to read of it later that its change was kept, wherever this ends.
fc_cancel() {
	trap '' HUP PIPE
	fc_need_step
	fc_mark yes cancelled
	fc_lock=$(cat "$fc_dir/lock" 2>/dev/null) fc_cancels=1
	fc_keep_step
	if [ "$fc_decided" = keep ]; then
		[ "$fc_timer" != nothing ] || ! fc_is_in_place || fc_step_away "$fc_place"
		fc_lock_give	# after that another run may stand in its place
		fc_say "decided keep"
		fc_say "timer $fc_timer 0"
	fi
	fc_end
}

# True when another plan was committed here after this run was armed.
fc_is_overtaken() {
	fc_n=$(cat "$fc_run/committed" 2>/dev/null)
	case $fc_n in
	'' | *[!0-9]*) ;;
	*) [ "$fc_n" -le "$fc_my_run" ] || return 0 ;;
	esac
	for fc_at in "$fc_run"/*.*; do
		fc_n=$(cat "$fc_at/lock" 2>/dev/null)
		case $fc_n in '' | *[!0-9]*) continue ;; esac
		[ "$fc_n" -gt "$fc_my_run" ] && [ "$fc_at" != "$fc_place" ] || continue
		[ "$(fc_link "$fc_at/decided")" != keep ] || [ -h "$fc_at/cancelled" ] || return 0
	done
	return 1
}

# A step without a timer, or whose timer was lost, takes its lock again where that has expired. Where another plan was committed since, it would be undone, too.
fc_need_nobody_since() {
	fc_lock_again || { fc_report_lock; fc_fail "the device is being changed by somebody else"; }
	fc_is_overtaken || return 0
	fc_lock_give
	fc_fail "another plan was committed on this device since: make a new plan of the way back (fabcon plan)"
}

# Runs the undo in its own session where possible: it continues if ours ends. The timer stays until then, to finish it.
fc_undo() {
	fc_need_step
	fc_timer_of "$fc_dir" "$fc_name"
	[ -h "$fc_dir/decided" ] || { [ "$fc_timer" != nothing ] && [ ! -e "$fc_dir/unarmed" ]; } || fc_need_nobody_since
	if command -v setsid >/dev/null 2>&1; then
		setsid /bin/sh "$fc_place/undo" "$fc_my_run" </dev/null >/dev/null 2>&1 &
		wait $!
	fi
	[ -h "$fc_dir/undone" ] || /bin/sh "$fc_place/undo" "$fc_my_run" >/dev/null 2>&1
	if [ "$(fc_link "$fc_dir/decided")" = keep ]; then
		fc_say "error too late: it was kept"
	elif [ -h "$fc_dir/undone" ]; then
		if fc_is_in_place; then
			fc_stop_timer
			fc_end_sleeper
			fc_lock_give
		fi
		fc_failed=$(fc_link "$fc_dir/undone")
		[ "$fc_failed" = 0 ] || fc_say "error lines of undo that failed: $fc_failed, see $fc_place/log"
	elif fc_is_in_place; then
		fc_say "error undo has not run to its end: see $fc_place/log"
	else
		fc_say "error another run of this plan has taken its place"
	fi
	fc_end
}

# Runs a line that saves what this run has kept: while nobody else may be changing the device.
fc_save() {
	fc_enter || { echo "fabcon: not saved: nothing is kept here; has the device restarted?" >&2; exit 75; }
	fc_clock || { echo "fabcon: not saved: its uptime cannot be read" >&2; exit 75; }
	fc_lock_top
	[ "$(fc_link "$fc_dir/decided")" = keep ] && [ "$fc_top" = "$(cat "$fc_dir/lock" 2>/dev/null)" ] ||
		{ echo "fabcon: not saved: another run was at work here since: $fc_h_owner $fc_h_plan" >&2; exit 75; }
	(cd / && fc_line)
	exit $?
}

fc_release() {
	fc_begin
	if [ -d "$fc_place" ]; then
		fc_enter || fc_fail "another run of this plan has taken its place"
		fc_lock=$(cat "$fc_dir/lock" 2>/dev/null)
		fc_timer_of "$fc_dir" "$fc_name"
		[ "$fc_timer" = nothing ] || [ -h "$fc_dir/decided" ] || fc_fail "undo is armed: keep or undo it"
		[ "$(fc_link "$fc_dir/decided")" != undo ] || [ -h "$fc_dir/undone" ] || fc_fail "its undo has not run to its end"
		[ -h "$fc_dir/decided" ] || { fc_tidy; rm -rf "$fc_place"; }
		[ "${fc_is_unsaved:-0}" = 1 ] || rm -f "$fc_dir/saving"
		fc_lock_give
	fi
	fc_end
}
