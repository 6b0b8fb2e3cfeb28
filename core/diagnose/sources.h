/* Where questions and causes come from, as people read it: published texts and sources of programs. */
#ifndef CORE_DIAGNOSE_SOURCES_H
#define CORE_DIAGNOSE_SOURCES_H

/* Articles that the project began with. */
#define FROM_FABCON	"fabcon's own rule"
#define FROM_STACK		"\"RoCEv2 End-to-End Lossless Stack\" (article)"
#define FROM_DSCP		"\"Mellanox RoCE DSCP QoS DaemonSet\" (article)"
#define FROM_QOS		"\"RDMA Network QoS Traffic Classes DCQCN\" (article)"
#define FROM_LOSSLESS		"\"RoCE and Lossless Data Centers\" (course text)"
#define FROM_ROCE		"\"RDMA over Converged Ethernet and Network Offload Logic\" (article)"

#define FROM_PFC		"IEEE 802.1Qbb"
#define FROM_DCQCN		"Zhu et al., \"Congestion Control for Large-Scale RDMA Deployments\", SIGCOMM 2015"
#define FROM_DEADLOCKS		"Hu et al., \"Deadlocks in Datacenter Networks\", HotNets 2016"

#define FROM_MLX5_COUNTERS	"Linux, Documentation: mlx5/counters.rst"
#define FROM_MLX5_DCB		"Linux, mlx5: en_dcbnl.c"
#define FROM_MLX5_BUFFER	"Linux, mlx5: en/port_buffer.c"
#define FROM_MTU		"Linux, RDMA: iboe_get_mtu()"
#define FROM_HW_COUNTERS	"NVIDIA, \"Understanding mlx5 Linux Counters\""
#define FROM_PARAMETERS		"NVIDIA DOCA, \"DCQCN CC Parameters\""
#define FROM_CUMULUS		"NVIDIA Cumulus Linux, \"RoCE\""
#define FROM_MLNX_QOS		"mlnx-tools: mlnx_qos"
#define FROM_NCCL		"NCCL documentation: NCCL_IB_TC"
#define FROM_NCCL_HCA		"NCCL documentation: NCCL_IB_HCA"
#define FROM_NCCL_LOG		"NCCL: net_ib.cc"

#define FROM_SONIC_QOS		"SONiC: qos_config.j2"
#define FROM_PFCWD		"SONiC: pfc_detect_mellanox.lua, pfcwd"
#define FROM_HEADROOM		"SONiC: buffer_headroom_mellanox.lua"
#define FROM_ECN_DROPS		"SONiC wiki, \"Enable ECN on lossless queues\""

#endif
