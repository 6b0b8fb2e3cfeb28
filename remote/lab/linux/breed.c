#include "remote/lab/linux/breed.h"

/* "Link up" as captured; the others from the drivers' sources, beginnings alone where they go on with speed and duplex: unproven. */
#define LINK_WORDS .link_up = "Link up", .link_down = "Link down"

static const struct breed breeds[] = {
	{ .skin = SKIN_BREED_INBOX, .driver = "mlx5_core", .rdma_driver = "mlx5_ib", .version = "5.15.0-91-generic",
	  .firmware = "28.39.1002", .old_firmware = "28.36.1010", .board = "MT_0000000838",
	  .vendor = "0x15b3", .device = "0x1021", .hca_type = "MT4129",
	  .model = "Mellanox Technologies MT2910 Family [ConnectX-7]", .rdma = "mlx5_%u", .is_mlx5 = true,
	  LINK_WORDS },
	{ .skin = SKIN_BREED_BNXT, .driver = "bnxt_en", .rdma_driver = "bnxt_re", .version = "5.15.0-91-generic",
	  .firmware = "229.0.145.0/pkg 229.1.123.0", .old_firmware = "227.0.130.0/pkg 227.1.111.0", .board = "",
	  .vendor = "0x14e4", .device = "0x1760", .hca_type = "BCM57608",
	  .model = "Broadcom Inc. and subsidiaries BCM57608 25Gb/50Gb/100Gb/200Gb/400Gb Ethernet", .rdma = "bnxt_re%u",
	  .link_up = "NIC Link is Up", .link_down = "NIC Link is Down" },
	{ .skin = SKIN_BREED_ICE, .driver = "ice", .rdma_driver = "irdma", .version = "5.15.0-91-generic",
	  .firmware = "4.40 0x8001c7d4 1.3534.0", .old_firmware = "4.20 0x80017785 1.3346.0", .board = "",
	  .vendor = "0x8086", .device = "0x1592", .hca_type = "",
	  .model = "Intel Corporation Ethernet Controller E810-C for QSFP", .rdma = "irdma%u",
	  .link_up = "NIC Link is up", .link_down = "NIC Link is Down" },
	/* ethtool -i and lspci as published; ids of the board unproven. */
	{ .skin = SKIN_BREED_MLX4, .driver = "mlx4_core", .rdma_driver = "mlx4_ib", .netdev_driver = "mlx4_en", .version = "4.0-0",
	  .firmware = "2.42.5000", .old_firmware = "2.40.7000", .board = "MT_1090111023",
	  .vendor = "0x15b3", .device = "0x1007", .hca_type = "MT4103",
	  .model = "Mellanox Technologies MT27520 Family [ConnectX-3 Pro]", .rdma = "mlx4_%u", .is_without_dscp = true,
	  .link_up = "Link Up", .link_down = "Link Down" },
	{ .skin = SKIN_COUNT, .driver = "mlx5_core", .rdma_driver = "mlx5_ib", .version = "24.01-0.3.3", .firmware = "28.39.1002",
	  .old_firmware = "28.36.1010", .board = "MT_0000000838", .vendor = "0x15b3", .device = "0x1021", .hca_type = "MT4129",
	  .model = "Mellanox Technologies MT2910 Family [ConnectX-7]", .rdma = "mlx5_%u", .is_ofed = true, .is_mlx5 = true,
	  LINK_WORDS },
};

const struct breed *breed_of(const struct lab_device *d)
{
	const struct breed *b = breeds;

	while (b->skin < SKIN_COUNT && !wears(d, b->skin))
		b++;
	return b;
}

const char *firmware_of(const struct lab_device *d, const struct lab_port *p)
{
	const struct breed *b = breed_of(d);

	return p->harm.has_old_firmware ? b->old_firmware : b->firmware;
}
