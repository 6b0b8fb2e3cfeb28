/* The functions of the commands; the table of commands is tui/cli/commands.c. */
#ifndef TUI_COMMANDS_COMMANDS_H
#define TUI_COMMANDS_COMMANDS_H

#include "tui/args/cli.h"
#include "tui/session/read_fabric.h"

int cmd_tui(struct cli *cli);
int cmd_status(struct cli *cli);
int cmd_ports(struct cli *cli);
int cmd_map(struct cli *cli);
int cmd_pauses(struct cli *cli);
int cmd_show(struct cli *cli);
int cmd_local(struct cli *cli);
int cmd_compare(struct cli *cli);
int cmd_prove(struct cli *cli);
int cmd_bringup(struct cli *cli);
int cmd_findings(struct cli *cli);
int cmd_check(struct cli *cli);
int cmd_diagnose(struct cli *cli);
int cmd_events(struct cli *cli);
int cmd_changes(struct cli *cli);
int cmd_note(struct cli *cli);
int cmd_report(struct cli *cli);
int cmd_plan(struct cli *cli);
int cmd_explain(struct cli *cli);
int cmd_record(struct cli *cli);
int cmd_import(struct cli *cli);
int cmd_replay(struct cli *cli);
int cmd_parse(struct cli *cli);
int cmd_inventory(struct cli *cli);
int cmd_config(struct cli *cli);
int cmd_doctor(struct cli *cli);
int cmd_tos(struct cli *cli);
int cmd_calc(struct cli *cli);
int cmd_frame(struct cli *cli);
int cmd_nccl(struct cli *cli);
int cmd_perf(struct cli *cli);
int cmd_apply(struct cli *cli);
int cmd_verify(struct cli *cli);
int cmd_keep(struct cli *cli);
int cmd_undo(struct cli *cli);
int cmd_emit(struct cli *cli);
int cmd_audit(struct cli *cli);
int cmd_completion(struct cli *cli);
int cmd_man(struct cli *cli);
int cmd_version(struct cli *cli);
int cmd_help(struct cli *cli);

/* "12 devices, 11 up; 40 links; 1 fail 2 warn": one line. */
void summary(const struct session *s, struct buf *out);
/* Why no link is known: "no link is known. node[01-02]: lldpcli is not installed". */
void no_link_words(const struct session *s, struct buf *out);

#endif
