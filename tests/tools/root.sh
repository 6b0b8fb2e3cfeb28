# Sourced by fresh.sh and builds.sh: a Debian system in a directory, entered by chroot. Nothing of this machine is bound into it:
# /proc is a new proc, /dev/pts a new instance, and the nodes in /dev are debootstrap's own.

# root_alone TARGET [ARGUMENTS]: goes on as root in a mount namespace, so that every mount ends with the script, even after kill -9.
root_alone() {
	target=$1
	shift
	[ "$(id -u)" -eq 0 ] || { echo "make $target runs debootstrap and chroot, which need root: sudo make $target"; exit 1; }
	command -v debootstrap >/dev/null || { echo "make $target needs debootstrap: make deps-check"; exit 1; }
	[ -n "$ROOT_ALONE" ] || ROOT_ALONE=yes exec unshare --mount --propagation private sh "$0" "$@"
}

# The package source that apt uses on this machine.
root_mirror() {
	apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1
}

# root_ready SUITE DIR PACKAGE,PACKAGE: DIR as it was kept, or a new one. What debootstrap printed is in DIR.log.
root_ready() {
	[ ! -e "$2/.fabcon-root" ] || return 0
	[ ! -e "$2" ] || { echo "$2 is there, and is no finished root: remove it, or name another directory" >"$2.log"; return 1; }
	nice -n 10 debootstrap --variant=minbase --include="$3" "$1" "$2" "$(root_mirror)" >"$2.log" 2>&1 && : >"$2/.fabcon-root"
}

root_mount() {
	mount -t proc -o nosuid,nodev,noexec proc "$1/proc"
	mount -t devpts -o newinstance,nosuid,noexec,ptmxmode=666,gid=5,mode=620 devpts "$1/dev/pts"
}

root_unmount() {
	for mounted in "$1/dev/pts" "$1/sys" "$1/proc"; do
		! mountpoint -q "$mounted" || umount "$mounted" || umount -l "$mounted"
	done
}
