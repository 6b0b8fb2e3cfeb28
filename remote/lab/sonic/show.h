/* The parts of SONiC's "show" (show.c has the tree of its commands). */
#ifndef REMOTE_LAB_SONIC_SHOW_H
#define REMOTE_LAB_SONIC_SHOW_H

#include "remote/lab/sonic/asked.h"

/* show_version.c */
int show_version(struct tool_call *t);

/* show_interfaces.c */
int show_interfaces_status(struct tool_call *t);
int show_interfaces_counters(struct tool_call *t);
int show_interfaces_rates(struct tool_call *t);

/* show_ports.c */
int show_interfaces_detailed(struct tool_call *t);
int show_interfaces_fec(struct tool_call *t);
int show_interfaces_fec_stats(struct tool_call *t);

/* show_lldp.c */
int show_lldp_table(struct tool_call *t);
int show_lldp_neighbors(struct tool_call *t);

/* show_buffers.c */
int show_buffer(struct tool_call *t);
int show_buffer_pool_watermark(struct tool_call *t);

/* show_queues.c */
int show_queue_counters(struct tool_call *t);
int show_queue_wredcounters(struct tool_call *t);
int show_queue_watermark(struct tool_call *t);
int show_pg_shared(struct tool_call *t);
int show_pg_headroom(struct tool_call *t);
int show_pg_drops(struct tool_call *t);

/* show_pfc.c */
int show_pfc_counters(struct tool_call *t);
int show_pfc_priority(struct tool_call *t);
int show_pfc_asymmetric(struct tool_call *t);
int show_pfcwd_config(struct tool_call *t);
int show_pfcwd_stats(struct tool_call *t);

#endif
