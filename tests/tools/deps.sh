#!/bin/sh
# deps.sh "DEBIAN PACKAGES" [PKG-CONFIG MODULES AND HEADERS]: installs the packages that are missing, and says so. With DEPS=no,
# and where there is no apt, nothing is installed: each missing module is named, with the package that holds it elsewhere.

# module or header, Debian and Ubuntu, Fedora, Arch
names() {
	cat <<'END'
ncursesw   libncurses-dev   ncurses-devel    ncurses
libssh     libssh-dev       libssh-devel     libssh
libuv      libuv1-dev       libuv-devel      libuv
sqlite3    libsqlite3-dev   sqlite-devel     sqlite
jansson    libjansson-dev   jansson-devel    jansson
yaml-0.1   libyaml-dev      libyaml-devel    libyaml
libzstd    libzstd-dev      libzstd-devel    zstd
expat      libexpat1-dev    expat-devel      expat
libcrypto  libssl-dev       openssl-devel    openssl
libnl-3.0  libnl-3-dev      libnl3-devel     libnl
uthash.h   uthash-dev       uthash-devel     uthash
cmocka     libcmocka-dev    libcmocka-devel  cmocka
vterm      libvterm-dev     libvterm-devel   libvterm
cc         gcc              gcc              gcc
pkg-config pkg-config       pkgconf-pkg-config pkgconf
END
}

: "${PKG_CONFIG:=pkg-config}" "${CC:=cc}"
is_there() {
	case $1 in
	cc) $CC --version ;;
	pkg-config) "$PKG_CONFIG" --version ;;
	*.h) echo "#include <$1>" | $CC $CPPFLAGS -E - ;;
	*) "$PKG_CONFIG" --exists "$1" ;;
	esac >/dev/null 2>&1
}

missing_of() {
	for module in "$@"; do
		is_there "$module" || echo "$module"
	done
}

packages_of() {	# COLUMN: of what is missing
	names | awk -v missing="$missing" -v column="$1" 'BEGIN { split(missing, list); for (i in list) is[list[i]] = 1 }
		$1 in is { printf " %s", $column }'
}

tell_missing() {
	[ $# -gt 0 ] || { echo "deps: nothing was installed (DEPS=no, no apt, or neither root nor sudo); wanted: $debian"; exit 1; }
	missing=$(missing_of cc pkg-config)
	[ -n "$missing" ] || missing=$(missing_of "$@")
	[ -n "$missing" ] || { echo "deps: all libraries are there; nothing was installed"; exit 0; }
	missing=$(echo $missing)
	echo "deps: missing: $missing (asked: $PKG_CONFIG, $CC); nothing was installed"
	echo "deps: Debian, Ubuntu: apt install$(packages_of 2)"
	echo "deps: Fedora: dnf install$(packages_of 3)"
	echo "deps: Arch: pacman -S$(packages_of 4)"
	case $missing in
	*cmocka*|*vterm*) echo "deps: the tests also run fakechroot, sshd, ssh, sqlite3, ip, ping, ethtool, sos, tmux and ps" ;;
	esac
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
