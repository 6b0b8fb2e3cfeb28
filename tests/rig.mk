# Two Linux kernels in qemu that nobody here wrote, and the console held to them (tests/rig). The machines are kept in .build/rig.
DEBIAN_RIG := qemu-system-x86 busybox-static cpio kmod xz-utils bc rdma-core ibverbs-utils ibverbs-providers perftest rdmacm-utils \
	iproute2 ethtool openssh-server openssh-client lldpd strace tcpdump nftables linux-headers-amd64 linux-source-6.1

rig: all ## two real kernels in qemu: every fact held against ip, dcb, ethtool and sysfs in each of tests/rig/situations.txt
	@[ "$(DEPS)" = no ] || sh tests/tools/deps.sh "$(DEBIAN_RIG)"
	@sh tests/rig/rig.sh $(B) $(RIG_SITUATIONS)

# The machines alone.
rig-built: all
	@[ "$(DEPS)" = no ] || sh tests/tools/deps.sh "$(DEBIAN_RIG)"
	@sh tests/rig/rig.sh $(B) --build

rig-plans: rig-built ## plans on a real kernel without systemd: kept, undone, killed, rebooted in the middle (RUNS=100 in full)
	@RUNS="$(RUNS)" MACHINES="$(MACHINES)" sh tests/rig/plans.sh $(B)

rig-kills: rig-built ## plans of both ends of a link, killed, on machines that systemd booted, with dash (RUNS=50; MACHINE=qemu: each with a kernel of its own)
	@[ "$(DEPS)" = no ] || sh tests/tools/deps.sh "debootstrap systemd-container"
	@RUNS="$(RUNS)" MACHINE="$(MACHINE)" sh tests/rig/kills.sh $(B)

rig-traffic: rig-built ## link tests by the real perftest over Soft-RoCE between two real kernels (TRAFFIC="rate killed": these alone)
	@sh tests/rig/traffic.sh $(B) $(TRAFFIC)

.PHONY: rig rig-built rig-plans rig-kills rig-traffic
