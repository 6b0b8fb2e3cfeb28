#!/bin/sh
# A minimal Debian 12 with git and make only; a clean clone in it; the README's two commands. Needs root and debootstrap.
set -e
here=$(pwd)
root=${FRESH_ROOT:-$(mktemp -d "${TMPDIR:-/tmp}/fabcon-fresh.XXXXXX")}
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
finish() {
	umount -l "$root/proc" "$root/sys" "$root/dev/pts" "$root/dev" 2>/dev/null || true
	[ -n "$FRESH_ROOT" ] || rm -rf --one-file-system "$root"
}
trap finish EXIT

[ -x "$root/usr/bin/git" ] || debootstrap --variant=minbase --include=git,make,ca-certificates bookworm "$root" "$mirror" >"$root.log" 2>&1 ||
	{ tail -n 20 "$root.log"; exit 1; }
rm -rf "$root/etc/apt" && cp -a /etc/apt "$root/etc/apt"
cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount --bind /dev "$root/dev"
mount --bind /dev/pts "$root/dev/pts" 2>/dev/null || true
rm -rf "$root/src/fabcon" && mkdir -p "$root/src"
git clone -q "$here" "$root/src/fabcon"
[ -d ../shared ] && rm -rf "$root/src/shared" && cp -a ../shared "$root/src/shared"
run() { chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb sh -c "cd /src/fabcon && $1"; }
run 'make test'
run 'make demo </dev/null'
echo "fresh: both commands work"
