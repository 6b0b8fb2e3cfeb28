#!/bin/sh
# systemd.sh: the machines of rig.sh with another system: Debian 12 as debootstrap makes it, booted from an initramfs, or in a container
# (kills-containers.sh). systemd is PID 1, /bin/sh is dash, OpenSSH's sshd answers; NICs, kernel and keys are those of rig.sh. Needs root
# and debootstrap.
#
# usage: RIG=FOLDER MADE=FOLDER-OF-RIG.SH systemd.sh
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tools/root.sh"
root=$RIG/root
packages=systemd,systemd-sysv,dbus,udev,openssh-server,iproute2,ethtool,kmod,procps,rdma-core,ibverbs-utils,ibverbs-providers,lldpd,netbase

# Made again where it is not what this tree makes.
if [ ! -s "$RIG/initrd.cpio" ] || ! cat "$here/systemd.sh" "$here/systemd-setup" | cmp -s - "$RIG/made-by"; then
	mkdir -p "$RIG"
	root_ready bookworm "$root" "$packages" || { tail -n 5 "$root.log"; exit 1; }
	set -e
	rm -rf "$root"/usr/share/doc "$root"/usr/share/man "$root"/usr/share/locale "$root"/usr/share/info "$root"/var/lib/apt/lists/* \
		"$root"/var/cache/apt/* "$root"/lib/modules
	cp -a "$MADE/root/lib/modules" "$root/lib/"
	install -d -m 700 "$root/root/.ssh"
	install -m 600 "$MADE/keys/id.pub" "$root/root/.ssh/authorized_keys"
	install -m 600 "$MADE/keys/host" "$root/etc/ssh/ssh_host_ed25519_key"
	install -m 644 "$MADE/keys/host.pub" "$root/etc/ssh/ssh_host_ed25519_key.pub"
	rm -f "$root"/etc/ssh/ssh_host_rsa* "$root"/etc/ssh/ssh_host_ecdsa*
	printf 'UsePAM no\nUseDNS no\n' >"$root/etc/ssh/sshd_config.d/rig.conf"
	install -m 755 "$here/systemd-setup" "$root/usr/local/sbin/rig-setup"
	cat >"$root/etc/systemd/system/rig.service" <<-'END'
		[Unit]
		Description=Names, addresses and RDMA of the rig's NICs
		After=ssh.service
		ConditionVirtualization=vm
		[Service]
		Type=oneshot
		ExecStart=/usr/local/sbin/rig-setup
		[Install]
		WantedBy=multi-user.target
	END
	cat >"$root/etc/systemd/system/own-sys.service" <<-'END'
		[Unit]
		Description=The NICs of the container's own network in /sys
		Before=ssh.service
		ConditionVirtualization=container
		[Service]
		Type=oneshot
		ExecStart=mkdir -p /run/sys
		ExecStart=mount -t sysfs sysfs /run/sys
		ExecStart=mount --bind /run/sys/class/net /sys/class/net
		ExecStart=mount --bind /run/sys/devices/virtual/net /sys/devices/virtual/net
		[Install]
		WantedBy=multi-user.target
	END
	ln -sf /etc/systemd/system/own-sys.service "$root/etc/systemd/system/multi-user.target.wants/own-sys.service"
	ln -sf /etc/systemd/system/rig.service "$root/etc/systemd/system/multi-user.target.wants/rig.service"
	for unit in apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer fstrim.timer getty@tty1.service \
		serial-getty@ttyS0.service systemd-timesyncd.service lldpd.service \
		e2scrub_reap.service rdma-ndd.service rdma-load-modules@.service systemd-udev-settle.service; do
		ln -sf /dev/null "$root/etc/systemd/system/$unit"
	done
	: >"$root/etc/fstab"
	: >"$root/etc/machine-id"
	rm -f "$root/etc/initrd-release" "$root/usr/lib/initrd-release"
	ln -sf lib/systemd/systemd "$root/init"
	ln -sfn "$MADE/vmlinux" "$RIG/vmlinux"
	ln -sfn "$MADE/keys" "$RIG/keys"
	(cd "$root" && find . -path ./proc -prune -o -path ./sys -prune -o -print0 | cpio --null -o -H newc -R 0:0 --quiet &&
		printf 'proc\0sys\0' | cpio --null -o -H newc -R 0:0 --quiet) >"$RIG/initrd.tmp"
	mv "$RIG/initrd.tmp" "$RIG/initrd.cpio"
	cat "$here/systemd.sh" "$here/systemd-setup" >"$RIG/made-by"
fi
