#!/bin/sh
# builds.sh "DEBIAN PACKAGES": builds where people build. Each root is a new Debian with these packages and clang, and no test
# tools; a clean clone of HEAD is built in it without a network, installed, run and uninstalled. Needs root and debootstrap.
#
# BUILDS_SUITES="bookworm trixie"; BUILDS_ROOTS=DIR keeps the roots for the next time, BUILDS_LOGS=DIR the logs
. "$(dirname "$0")/root.sh"
root_alone builds "$@"
packages=$(echo "$1" clang | tr -s ' ' ,)
here=$(pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/fabcon-builds.XXXXXX") || exit 1
logs=${BUILDS_LOGS:-$scratch}
commit=$(git rev-parse HEAD) epoch=$(git log -1 --format=%ct)
passed=0 failed=0 skipped=0 root=
finish() {
	[ -z "$root" ] || root_unmount "$root"
	rm -rf --one-file-system "$scratch"
}
trap finish EXIT
trap 'exit 130' INT TERM HUP

# compiler|name of the flags|environment|words to make. A warning fails our own flags alone.
cat >"$scratch/rows" <<'END'
gcc|defaults, WERROR=1||WERROR=1
clang|defaults, WERROR=1||WERROR=1
gcc|Ubuntu, words to make||CFLAGS="-O2 -g -Werror=format-security -D_FORTIFY_SOURCE=3 -flto=auto -fstack-clash-protection -fcf-protection" CPPFLAGS=
gcc|Fedora and Arch, environment|CFLAGS="-O3 -Werror=format-security -D_FORTIFY_SOURCE=3 -Wp,-D_GLIBCXX_ASSERTIONS" LDFLAGS=-Wl,-z,now,--as-needed|
END

say_row() {
	printf '%-9s %-16s %-29s %-28s %7s\n' "$@"
}

# In the root, as a package builder has it: no network, no home, an environment of its own.
inside() {
	nice -n 10 unshare --net chroot "$root" /usr/bin/env -i HOME=/nonexistent PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
		SOURCE_DATE_EPOCH="$epoch" sh -c "$1"
}

new_clone() {
	rm -rf --one-file-system "$root/src/$1" "$root/src/$1.out"
	git clone -q "$here" "$root/src/$1" && git -C "$root/src/$1" checkout -q "$commit"
}

make_in() {	# CLONE ENVIRONMENT WORDS
	inside "cd '/src/$1' && $2 make DEPS=no -j2 CC=$compiler $3"
}

programs_run() {
	inside "cd / && PATH='/src/$1.out/usr/bin':\$PATH && fabcon version && fabcon-lab --help >/dev/null &&
		fabcon inventory list -i 'node[1-2]' | grep -w node2"
}

nothing_left() {
	left=$(find "$root/src/$1.out" ! -type d)
	[ -z "$left" ] || { echo "uninstall left: $left"; return 1; }
}

# $result is "ok", or the first step that failed. What was installed stays in CLONE.kept.
build() {	# CLONE ENVIRONMENT WORDS
	to="DESTDIR='/src/$1.out' PREFIX=/usr"
	result=clone; new_clone "$1" || return
	result=build; make_in "$1" "$2" "$3 all" || return
	result=install; make_in "$1" "$2" "$3 $to install" || return
	rm -rf --one-file-system "$root/src/$1.kept"
	cp -a "$root/src/$1.out" "$root/src/$1.kept"
	result=run; programs_run "$1" || return
	result=uninstall; make_in "$1" "$2" "$3 $to uninstall" && nothing_left "$1" || return
	result=ok
}

# The same commit at another path, in another time zone and language: what is installed is equal to the byte.
build_again() {
	build "another path/again" "TZ=Asia/Tokyo LC_ALL=C.UTF-8 LOGNAME=other" WERROR=1
	[ "$result" = ok ] || return
	result=differs
	diff -r "$root/src/1.kept" "$root/src/another path/again.kept" && result=ok
}

# Neither apt nor dpkg is there, and DEPS is not given: pkg-config alone is asked.
build_without_apt() {
	result=clone; new_clone noapt || return
	for tool in apt-get dpkg-query; do mv "$root/usr/bin/$tool" "$root/usr/bin/$tool.away"; done
	result=build
	inside 'cd /src/noapt && make PKG_CONFIG=/usr/bin/pkg-config WERROR=1 .build/release/core/base/span.o' && result=ok
	for tool in apt-get dpkg-query; do mv "$root/usr/bin/$tool.away" "$root/usr/bin/$tool"; done
}

# row NAME FUNCTION ARGUMENTS: a line of the table; the end of the log too when it failed.
row() {
	name=$1 log=$logs/$suite-$n.log began=$(date +%s)
	shift
	"$@" >"$log" 2>&1
	warnings=$(grep -c 'warning:' "$log")
	[ "$result" = ok ] && passed=$((passed + 1)) || failed=$((failed + 1))
	[ "$result" = ok ] && [ "$warnings" -gt 0 ] && result="ok, $warnings warnings"
	case $result in ok*) ;; *) result="FAILED: $result" ;; esac
	say_row "$suite" "$version" "$name" "$result" $(($(date +%s) - began))
	case $result in FAILED*) tail -n 30 "$log" ;; esac
	n=$((n + 1))
}

uses() {
	compiler=$1
	version="$1 $(inside "$1 -dumpversion")"
}

build_rows() {
	n=1
	rm -rf --one-file-system "$root/src"
	mkdir -p "$root/src/another path"
	while IFS='|' read -r compiler name environment words <&3; do
		uses "$compiler"
		row "$name" build $n "$environment" "$words"
	done 3<"$scratch/rows"
	uses gcc
	row "another path: the same bytes" build_again
	row "no apt-get, no dpkg-query" build_without_apt
}

[ -z "$(git status --porcelain)" ] || echo "builds: what is not committed is not built"
say_row root compiler flags result seconds
for suite in ${BUILDS_SUITES:-bookworm trixie}; do
	root=${BUILDS_ROOTS:-$scratch}/$suite
	if root_ready "$suite" "$root" "$packages"; then
		root_mount "$root" && build_rows
		root_unmount "$root"
	else
		skipped=$((skipped + 1))
		say_row "$suite" - "the root cannot be made" skipped -
		tail -n 3 "$root.log"
	fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
