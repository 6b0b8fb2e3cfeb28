#!/bin/sh
# deps.sh "DEBIAN PACKAGES" [PKG-CONFIG MODULES]: installs the packages that are missing, and says so. With DEPS=no, and where
# there is no apt, nothing is installed: what pkg-config does not find is told, with its name on other systems.
modules_missing() {
	for module in "$@"; do
		"${PKG_CONFIG:-pkg-config}" --exists "$module" 2>/dev/null || printf ' %s' "$module"
	done
}
tell_missing() {
	"${PKG_CONFIG:-pkg-config}" --version >/dev/null 2>&1 || { echo "deps: ${PKG_CONFIG:-pkg-config} is not there (Fedora: pkgconf-pkg-config, Arch: pkgconf)"; exit 1; }
	missing=$(modules_missing "$@")
	[ -z "$missing" ] && exit 0
	echo "deps: pkg-config does not find:$missing"
	echo "deps: Debian, Ubuntu: apt install $debian"
	echo "deps: Fedora: dnf install gcc make pkgconf-pkg-config ncurses-devel libssh-devel libuv-devel sqlite-devel jansson-devel libyaml-devel libzstd-devel uthash-devel expat-devel openssl-devel (tests: libcmocka-devel libvterm-devel fakechroot openssh-server)"
	echo "deps: Arch: pacman -S base-devel ncurses libssh libuv sqlite jansson libyaml zstd uthash expat openssl (tests: cmocka libvterm fakechroot openssh)"
	exit 1
}

debian=$1
shift
[ "$DEPS" != no ] && command -v apt-get >/dev/null && command -v dpkg-query >/dev/null || tell_missing "$@"
missing=
for package in $debian; do
	dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
done
[ -z "$missing" ] && { echo "deps: all packages are there"; exit 0; }
sudo=
if [ "$(id -u)" -ne 0 ]; then
	command -v sudo >/dev/null || tell_missing "$@"
	sudo=sudo
fi
echo "deps: installing$missing"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq && $sudo apt-get install -y -qq --no-install-recommends $missing
