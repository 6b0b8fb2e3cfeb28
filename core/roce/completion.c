#include "core/roce/completion.h"

/* The numbers and names are those of enum ibv_wc_status of rdma-core's verbs.h. */
const struct completion completion_table[] = {
{ 1, "local-length", "IBV_WC_LOC_LEN_ERR", "a message was longer than the buffer posted for it",
  "Ranks that disagree: compare library versions and message sizes of both ends; not the fabric." },
{ 2, NULL, "IBV_WC_LOC_QP_OP_ERR", "the local queue pair could not perform the operation",
  "A fault of this host's driver, firmware or library: read dmesg." },
{ 3, NULL, "IBV_WC_LOC_EEC_OP_ERR", "the local end-to-end context could not perform the operation",
  "A fault of this host's driver or firmware: read dmesg." },
{ 4, "local-protection", "IBV_WC_LOC_PROT_ERR", "local memory was not registered for the requested access",
  "Registration of (GPU) memory on this host: nvidia_peermem or DMA-BUF, IOMMU, memlock; not the fabric." },
{ 5, NULL, "IBV_WC_WR_FLUSH_ERR", "the queue pair had failed before", "Look for the first error that is not this one.", true },
{ 6, NULL, "IBV_WC_MW_BIND_ERR", "a memory window could not be bound", "Registration of memory on this host; not the fabric." },
{ 7, NULL, "IBV_WC_BAD_RESP_ERR", "an invalid response was received", "Firmware of both ends, and corruption: icrc.err." },
{ 8, "local-protection", "IBV_WC_LOC_ACCESS_ERR", "a response could not be written to local memory",
  "Registration of memory on this host; not the fabric." },
{ 9, "remote-access", "IBV_WC_REM_INV_REQ_ERR", "the far end found the request invalid",
  "The far end's library and buffers: compare versions and sizes; not the fabric." },
{ 10, "remote-access", "IBV_WC_REM_ACCESS_ERR", "the far end refused access to its memory",
  "The far end's registration: its memory was deregistered or its key is wrong; read its log and dmesg. Not the fabric." },
{ 11, NULL, "IBV_WC_REM_OP_ERR", "the far end could not finish the operation", "Read the far end's log and dmesg." },
{ COMPLETION_RETRY, "retry-exceeded", "IBV_WC_RETRY_EXC_ERR", "retry count exceeded: no acknowledgement",
  "The path or the peer: link, drops on the lossless class, PFC and DSCP maps, GID index and routes, a process that ended." },
{ COMPLETION_RNR, "peer-not-ready", "IBV_WC_RNR_RETRY_EXC_ERR", "the far end had no receive posted for too long",
  "The far end's process is stuck or slow: check its rx.nobuf counter, CPU and log; the RNR NAKs it sent count in rnr on this host." },
{ 14, NULL, "IBV_WC_LOC_RDD_VIOL_ERR", "reliable datagram domains do not match", "The library of this host." },
{ 15, "remote-access", "IBV_WC_REM_INV_RD_REQ_ERR", "the far end found the read request invalid", "The far end's library." },
{ 16, NULL, "IBV_WC_REM_ABORT_ERR", "the far end aborted the operation", "Read the far end's log." },
{ 17, NULL, "IBV_WC_INV_EECN_ERR", "the end-to-end context number is invalid", "The library of this host." },
{ 18, NULL, "IBV_WC_INV_EEC_STATE_ERR", "the end-to-end context is in the wrong state", "The library of this host." },
{ 19, NULL, "IBV_WC_FATAL_ERR", "the device failed", "Read dmesg of this host: firmware health, PCIe errors." },
{ COMPLETION_RESPONSE, NULL, "IBV_WC_RESP_TIMEOUT_ERR", "response timeout",
  "The path or the peer, as with an exceeded retry count." },
{ 21, NULL, "IBV_WC_GENERAL_ERR", "an unspecified error", "Read dmesg of this host." },
};
const size_t completion_count = sizeof(completion_table) / sizeof(*completion_table);

const struct completion *completion_find(uint64_t status)
{
	for (size_t i = 0; i < completion_count; i++)
		if (completion_table[i].status == status)
			return &completion_table[i];
	return NULL;
}
