#!/bin/sh
# Every target of `make help` in its shortest honest form, so that none dies unseen: a row each below, and a target without a
# row fails. usage: smoke.sh MAKE BUILD. The program and its tests are built first; then one row more than there are processors runs at a time,
# for most wait for a lab, and how long each runs is told. Ends with "N passed, N failed". SMOKE_SECONDS: after so many no row is begun
# any more, and those left are listed (CI has a limit); last come those that are programs of make test in another form.
make="$1 --no-print-directory" build=$2
export WERROR=1 DEPS=no

# Targets that change the tree are tried in a copy.
in_copy() {
	mkdir -p "$dir/copy.$target" && git ls-files -z | xargs -0 tar -c | tar -x -C "$dir/copy.$target" && (cd "$dir/copy.$target" && "$@")
}

installs() {
	$make install DESTDIR="$dir/root.$target" PREFIX=/usr && "$dir/root.$target/usr/bin/fabcon" version &&
		"$dir/root.$target/usr/bin/fabcon-lab" --dir "$dir/lab.$target" --nodes 1 --for 1	# finds its stand-ins
}

uninstalls() {
	installs >/dev/null && $make uninstall DESTDIR="$dir/root.$target" PREFIX=/usr && [ ! -e "$dir/root.$target/usr/bin/fabcon" ]
}

takes_picture() {
	cp README.md "$dir/README.before" && $make screenshot
	status=$?
	cp "$dir/README.before" README.md
	return $status
}

lists() {
	$make help >"$dir/help" && grep -q '^  make smoke ' "$dir/help"
}

checks() {
	$make layers format-check && built fuzz && $make KIND=fuzz CC=clang sanitized
}

builds_all() {
	$make -j"$(nproc)" all tests-built || return 1
	[ -n "$SMOKE_SECONDS" ] || $make DEPS= rig-built	# else by its row, where there is time
}

# What several rows run is built by the first of them, while the others wait: two makes would write the same objects.
built() {	# bench | fuzz
	(
		flock 8
		case $1 in
		bench) $make -j"$(nproc)" bench-built ;;
		fuzz) $make -j"$(nproc)" KIND=fuzz CC=clang fuzz-built ;;
		esac
	) 8>"$dir/$1.lock"
}

in_short() {
	case $1 in
	all | dev | man | layers | words | remedies | captures | fidelity) $make "$1" ;;
	commands) $make DEPS= commands ;;
	demo) $make demo </dev/null ;;
	test) ONLY="$build/tests/core/test_model $build/tests/tui/test_table" $make test ;;
	deps) $make deps ;;
	deps-check) $make DEPS= deps-check ;;	# all there already, where CI has run it before
	check) checks ;;
	format) in_copy sh -c 'clang-format --version && clang-format -i core/base/span.c && git --version' ;;
	cover) $make -j"$(nproc)" KIND=cover .build/cover/tests/core/test_template && .build/cover/tests/core/test_template &&
		gcovr -r . --object-directory .build/cover -e tests/ -f core/base/ ;;
	install) installs ;;
	uninstall) uninstalls ;;
	screenshot) takes_picture ;;
	clean) in_copy sh -c 'mkdir -p .build/x && make clean && [ ! -e .build ]' ;;
	help) lists ;;
	bench) built bench && $make bench-short ;;
	kill9) KILLS=4 $make kill9 ;;
	replay-live) LENGTH=20 EACH=5 $make replay-live ;;
	fuzz) built fuzz && $make fuzz SECONDS_EACH=10 RUNS=2000 ;;
	fuzz-speed) SECONDS_EACH=0.1 $make fuzz-speed ;;
	monkey) MONKEY_SECONDS=8 $make monkey ;;
	resizes) RESIZES=300 $make resizes ;;
	stories) STORY_OS=mixed STORY=trust-pcp $make stories ;;
	mutants) $make mutants MUTANTS=2 ;;
	states) $make states STATES=400 SEED=1 ;;
	seeds) STORY_SEEDS=2 $make seeds ;;
	hunt) NASTY_SEEDS=11 $make hunt HUNTERS="$build/tests/tui/test_read_only" ;;	# the others have seeds of their own in make test
	defects) DEFECTS_ONLY=apply $make defects && DEFECTS_ONLY=seeds $make defects DEFECTS=keys-list ;;
	points) DEFECTS_ONLY=apply $make points && $make points POINTS="tos-0-no-drop keys-list" ;;
	fixes) FIXES=trust-pcp $make fixes ;;
	chaos) $make chaos CHAOS_APPLIES=2 CHAOS_CUTS=1 CHAOS_STALE=1 CHAOS_RACES=1 CHAOS_LIARS=1 CHAOS_PARTIAL=1 CHAOS_NODES=2 ;;
	kills) $make kills CHAOS_KILLS=3 ;;
	restarts) $make restarts CHAOS_RESTARTS=3 ;;
	forged) $make forged FORGED_PLANS=400 HONEST_PLANS=40 FORGED_APPROVALS=10 ;;
	scenarios) $make scenarios SCENARIOS_SINGLES=3 SCENARIOS_PAIRS=1 SCENARIOS_HEALTHY=1 ;;
	truth) $make truth TRUTH_ONLY=port-shut ;;
	calm) $make calm CALM=2 ;;
	bringup-racks) $make bringup-racks RACKS=1 RACK_LARGE=6x2 ;;
	bringup-kills) CUTS=1 $make bringup-kills ;;
	roots) $make roots TRIALS=2 ;;
	promises) $make promises PROMISES="S3 S7 S9 R13 R15 R21 R22 R24" ;;	# the others are programs of make test, each in its short form
	rig) $make DEPS= rig RIG_SITUATIONS=fresh ;;
	rig-plans) $make rig-plans RUNS=2 ONLY="mtu pfc" ENDS=kept ;;
	rig-traffic) $make rig-traffic TRAFFIC=rate ;;
	rig-kills) for f in kills kills-containers kills-qemu systemd; do sh -n tests/rig/$f.sh || return 1; done; echo "not run here, which makes a Debian system: its scripts alone were parsed" ;;
	extend) EXTEND_SHORT=1 $make extend ;;
	smoke) echo "this" ;;
	fresh | builds) sh -n "tests/tools/$1.sh" && echo "not run here, which makes whole Debian systems: its script alone was parsed" ;;
	*) echo "tests/tools/smoke.sh has no row for it" && return 1 ;;
	esac
}

one_row() {
	began=$(date +%s)
	[ "$target" = rig ] && [ ! -d .build/rig ] && takes=200 || takes=0	# it builds its machines first
	if [ -n "$SMOKE_SECONDS" ] && [ $((began - first + takes)) -ge "$SMOKE_SECONDS" ]; then
		echo "$target" >>"$dir/left"
		return
	fi
	if in_short "$target" >"$dir/$target.log" 2>&1 </dev/null; then word=ok; else word=FAILED; fi
	printf '%-12s %-7s %4d s   %s\n' "$target" $word $(($(date +%s) - began)) "$(tail -n 1 "$dir/$target.log" | cut -c1-90)" >"$dir/$target.said"
	[ $word = ok ] || tail -n 60 "$dir/$target.log" >>"$dir/$target.said"
	echo "$word" >>"$dir/words"
	cat "$dir/$target.said"
}

if [ $# = 3 ]; then
	target=$3
	one_row
	exit 0
fi

dir=$(mktemp -d "${TMPDIR:-/tmp}/fabcon-smoke.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM HUP
long='rig check bench extend defects'
in_make_test='bringup-kills bringup-racks chaos kills restarts hunt truth calm scenarios monkey kill9 resizes stories seeds fixes'
$make help | awk -v first="$long" -v last="$in_make_test" '
	BEGIN {
		n = split(first, early, " ")
		for (i = 1; i <= n; i++) at[early[i]] = i
		m = split(last, late, " ")
		for (i = 1; i <= m; i++) at[late[i]] = 2000 + i
	}
	{ print ($2 in at ? at[$2] : 1000 + NR), $2 }' | sort -n | cut -d ' ' -f 2 >"$dir/targets"
first=$(date +%s) failed=0
: >"$dir/words"
: >"$dir/left"
builds_all >"$dir/log" 2>&1 || { tail -n 60 "$dir/log"; failed=1; }
built=$(date +%s)
export dir first
xargs -P $(($(nproc) + 1)) -n 1 sh "$0" "$1" "$2" <"$dir/targets"
echo "built in $((built - first)) s, ran for $(($(date +%s) - built)) s"
[ ! -s "$dir/left" ] || echo "not run, for the time was up: $(tr '\n' ' ' <"$dir/left")"
passed=$(grep -c ok "$dir/words")
# A row that ended without a word failed too.
failed=$((failed + $(wc -l <"$dir/targets") - passed - $(wc -l <"$dir/left")))
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ "$passed" -gt 0 ]
