#!/bin/sh
# A minimal Debian 12 with git and make only; a clean clone in it; the README's two commands. Needs root and debootstrap.
# FRESH_ROOT=DIR keeps the root for the next time.
set -e
. "$(dirname "$0")/root.sh"
root_alone fresh
here=$(pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/fabcon-fresh.XXXXXX")
root=${FRESH_ROOT:-$scratch/root}
finish() {
	root_unmount "$root"
	rm -rf --one-file-system "$scratch"
}
trap finish EXIT
trap 'exit 130' INT TERM HUP

root_ready bookworm "$root" git,make,ca-certificates || { tail -n 20 "$root.log"; exit 1; }
rm -rf "$root/etc/apt" && cp -a /etc/apt "$root/etc/apt"
cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
root_mount "$root"
mount -t sysfs -o ro,nosuid,nodev,noexec sysfs "$root/sys"	# tests read the real interfaces of the machine they run on
rm -rf --one-file-system "$root/src" && mkdir -p "$root/src"
git clone -q "$here" "$root/src/fabcon"
[ ! -d ../shared ] || cp -a ../shared "$root/src/shared"
run() { chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb sh -c "cd /src/fabcon && $1"; }
run 'make test'
run 'make demo </dev/null'
echo "fresh: both commands work"
