#!/bin/sh
# rig.sh BUILD [SITUATION...]: holds the console to a Linux kernel that nobody here wrote. Boots two Debian kernels in qemu, each
# with a NIC that has the kernel's own DCB and counters by mlx5's names and Soft-RoCE upon it; in each situation of
# situations.txt (or those that are named, and "fresh") every fact of the first node is compared with what the kernel itself
# says through ip, dcb, ethtool and sysfs; a situation that has a file NAME.sh here is held by that. The machines are built by
# ../shared/rig and end with this; --build: they are built, and no more.
#
# RIG: the folder of the machines, default .build/rig.
build=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
RIG=${RIG:-$PWD/.build/rig}
export RIG KDEB="$RIG/kdeb/x"
makers=$here/../../../shared/rig
vm=$makers/run-vm.sh
work=$RIG/work
failed=0

need() {
	missing=
	for program in qemu-system-x86_64 busybox cpio xz bc rdma dcb ethtool sshd lldpd; do
		command -v "$program" >/dev/null || PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || missing="$missing $program"
	done
	[ -z "$missing" ] || { echo "rig: not installed:$missing (make rig installs them, unless DEPS=no)"; exit 1; }
}

# One at a time: rig, rig-plans, rig-kills and rig-traffic share them.
build_machines() {
	mkdir -p "$work" "$RIG/kdeb"
	exec 9>"$RIG/lock" && flock 9 || return 1
	[ -d "$KDEB/boot" ] || (cd "$RIG/kdeb" && apt-get -q download "$(apt-cache depends linux-image-amd64 |
		awk '/Depends: linux-image/ { print $2; exit }')" && dpkg -x linux-image-*.deb x) >"$RIG/kernel.log" 2>&1 || return 1
	[ -s "$RIG/kmod/rocefake.ko" ] || "$makers/make-kmod.sh" >"$RIG/kmod.log" 2>&1 || { tail -n 5 "$RIG/kmod.log"; return 1; }
	[ -s "$RIG/initrd.cpio" ] || "$makers/make-vm.sh" >"$RIG/vm.log" 2>&1 || { tail -n 5 "$RIG/vm.log"; return 1; }
}

write_home() {
	mkdir -p "$work/home/.ssh"
	for n in 1 2; do
		echo "[127.0.0.1]:2200$n $(cut -d ' ' -f 1,2 "$RIG/keys/host.pub")"
	done >"$work/home/.ssh/known_hosts"
	for user in root ops; do
		echo "all: { hosts: {"
		for n in 1 2; do
			echo "  gpu-node-0$n: { ansible_host: 127.0.0.1, ansible_port: 2200$n, ansible_user: $user, ansible_ssh_private_key_file: $RIG/keys/id },"
		done
		echo "} }"
	done >"$work/all"
	head -n 4 "$work/all" >"$work/root.yml"
	tail -n 4 "$work/all" >"$work/ops.yml"
}

kernel_says() {	# FILE [NODE]
	"$vm" ssh ${2:-1} 'PATH=$PATH:/run/hidden bash -s' <"$here/kernel_says.sh" >"$1" 2>"$1.err"
	[ ! -s "$1.err" ] || { echo "    what the kernel says was not all read: $(head -n 1 "$1.err")"; failed=$((failed + 1)); }
}

# The program with its libraries, on a node, for what it reads there by itself.
carry() {	# NODE
	[ ! -e "$work/carried-$1" ] || return 0
	rm -rf "$work/native" && mkdir "$work/native" || return 1
	cp "$build/fabcon" $(ldd "$build/fabcon" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p; s/^[[:space:]]*\(\/[^ ]*ld-linux[^ ]*\) .*/\1/p') "$work/native" || return 1
	tar -C "$work/native" -cf - . | "$vm" ssh $1 'mkdir -p /run/native && tar -C /run/native -xf -' && : >"$work/carried-$1"
}

# What it reads natively, beside the same kernel; what it does not read natively is not asked for.
hold_native() {	# NAME NODE
	carry $2 && kernel_says "$work/$1.native-before" $2 &&
		"$vm" ssh $2 'cd /run/native && ./ld-linux-x86-64.so.2 --library-path . ./fabcon local -q -o csv' >"$work/$1.native" 2>"$work/$1.native-err" || {
		echo "$1: fabcon local: $(tail -n 1 "$work/$1.native-err")"
		failed=$((failed + 1))
		return
	}
	kernel_says "$work/$1.native-after" $2
	awk -v left_out="mgmt0 rdma0 rdma1" -f "$here/compare.awk" "$work/$1.native-before" "$work/$1.native-after" "$work/$1.native" |
		grep -vE '^missing' >"$work/$1.native-said"
	! grep -q '^WRONG' "$work/$1.native-said" || failed=$((failed + 1))
	printf '%-14s %-6s %s\n' "$1" native "$(tail -n 1 "$work/$1.native-said")"
	grep '^WRONG' "$work/$1.native-said" | sed 's/^/    /'
}

hold() {	# NAME USER[@NODE] COMMANDS
	node=1
	case $2 in *@*) node=${2#*@} ;; esac
	if ! "$vm" ssh $node "$3" >"$work/$1.did" 2>&1; then
		echo "$1: the node refused: $(tail -n 1 "$work/$1.did")"
		failed=$((failed + 1))
		return
	fi
	if [ -f "$here/$1.sh" ]; then
		. "$here/$1.sh"
		return
	fi
	kernel_says "$work/$1.before" $node
	HOME=$work/home "$build/fabcon" -i "$work/${2%@*}.yml" --timeout 120s show gpu-node-0$node -o csv >"$work/$1.csv" 2>"$work/$1.err" || {
		echo "$1: fabcon: $(tail -n 1 "$work/$1.err")"
		failed=$((failed + 1))
		return
	}
	kernel_says "$work/$1.after" $node
	awk -v left_out="mgmt0 rdma0 rdma1" -f "$here/compare.awk" "$work/$1.before" "$work/$1.after" "$work/$1.csv" >"$work/$1.said"
	status=$?
	[ $status -eq 0 ] || failed=$((failed + 1))
	printf '%-14s %-6s %s\n' "$1" "$2" "$(tail -n 1 "$work/$1.said")"
	grep -E '^(WRONG|missing|unknown)' "$work/$1.said" | sed 's/^/    /'
	hold_native "$1" $node
}

[ -d "$makers" ] || { echo "skip: ../shared/rig is not here"; exit 0; }
need
build_machines || { echo "rig: the machines were not built"; exit 1; }
exec 9>&-
[ "$1" != --build ] || exit 0
trap '"$vm" stop >/dev/null 2>&1' EXIT
trap 'exit 1' INT TERM
FAKE=1 "$vm" start 2 || exit 1
write_home
rm -f "$work"/carried-*
while IFS='	' read -r name user commands <&3; do
	case $name in '' | '#'*) continue ;; esac
	case " ${*:-$name} fresh " in *" $name "*) hold "$name" "$user" "$commands" ;; esac
done 3<"$here/situations.txt"
[ "$failed" -eq 0 ] && echo "rig: nothing wrong, nothing missing" || { echo "rig: $failed situations do not hold"; exit 1; }
