/* The table of commands. */
#include "tui/cli/command_line.h"
#include "tui/commands/commands.h"

#include "tui/widgets/screen_list.h"

/* Groups of options that commands share, and what a table is written as. */
#define APPROVAL	" rw reason approve signature approvers approval"
#define REACH	"inventory policy plan nccl record timeout every host-key identity no-agent transport allow fabric-port " \
		"ping-neighbors no-input quiet verbose"
#define PRINT	" output filter watch"
#define SHEET	"json jsonl csv"

const struct cli_command cli_table[] = {
	{ "tui", "[SCREEN]", "the console: the whole fabric on a few screens, live", cmd_tui,
	  "The default when no command is given on a terminal. SCREEN:" SCREEN_NAMES
	  ". ? shows the keys.",
	  "fabcon -i gpu.yml tui ports", .any_config = true,
	  .options = REACH " theme color braille mouse utc fresh ascii plain at rw undo-after verify-for", .formats = "",
	  .words = SCREEN_NAMES },
	{ "status", "", "devices, their connection state, and the worst findings", cmd_status,
	  "The default when no command is given without a terminal.",
	  "fabcon -i gpu.yml status",
	  .options = REACH PRINT, .formats = SHEET },
	{ "ports", "[TARGET…]", "one row per link: both ends, where they differ, paused share, rates", cmd_ports,
	  "TARGET is a device, device:port, or a range of them; without one, every link.",
	  "fabcon -i gpu.yml ports --filter '!ok' -o json",
	  .options = REACH PRINT, .formats = SHEET, .words = "@hosts" },
	{ "map", "", "the topology: a tree by rack and device, or -o dot", cmd_map,
	  "Shows how each link is known, what the cable plan expects, which cables are likely swapped, and which planned ones are "
	  "not seen. --filter and --watch give rows.",
	  "fabcon -i gpu.yml --plan cables.csv map",
	  .options = REACH PRINT, .formats = SHEET " dot" },
	{ "pauses", "[TARGET…]", "pause trees: from each root to the hosts that it pauses", cmd_pauses,
	  "A root is a congested egress, a slow or stuck host, a degraded link or a ring of switches; victims and senders are "
	  "distinguished where counters allow. --filter, --watch and formats other than the table give rows. TARGET: only trees "
	  "that include it.",
	  "fabcon -i gpu.yml pauses node7",
	  .options = REACH PRINT, .formats = SHEET, .words = "@hosts" },
	{ "show", "TARGET", "everything known of a device, a port or a link, with source and age", cmd_show,
	  "TARGET: node1, node1:eth2; for a port on a link, both ends are shown.",
	  "fabcon -i gpu.yml show node1:eth2", .needs_args = true,
	  .options = REACH PRINT, .formats = SHEET, .words = "@hosts" },
	{ "local", "", "this machine's own ports and settings, read without SSH and without starting a process", cmd_local,
	  "Files, ioctls and netlink (libnl-3) instead of tools; what is read only by tools is listed and stays unknown. Any user may: "
	  "nothing needs a privilege.",
	  "fabcon local -o json", .any_config = true,
	  .options = "fabric-port quiet output filter", .formats = SHEET },
	{ "compare", "TARGET [TARGET]", "two links or devices, fact by fact: different, unknown, equal", cmd_compare,
	  "TARGET: node1, node1:eth2; for a port on a link, the whole link. A single port is compared with the policy.",
	  "fabcon -i gpu.yml compare node1:eth2 node2:eth2", .needs_args = true,
	  .options = REACH PRINT, .formats = SHEET, .words = "@hosts" },
	{ "prove", "TARGET…", "path check of a link: application ToS to queue and back, with the first mismatch", cmd_prove,
	  "TARGET: node1:eth2, or a device or a range for each of its links. Both directions and the return path of CNPs; steps "
	  "after the first mismatch show what would follow if it were fixed. -o md and -o json have the facts, with source and age.",
	  "fabcon -i gpu.yml prove node1:eth2", .needs_args = true,
	  .options = REACH PRINT, .formats = SHEET " md", .words = "@hosts" },
	{ "bringup", "[RACK|TARGET…] | judge FILE | diff OLD [NEW|live]",
	  "each NIC of a rack, and the first stage of bring-up that it does not pass", cmd_bringup,
	  "Stages, bottom-up: reach, identity, paths, cabling, wire, mtu, qos, persistence, rdma. Where one fails, what is above it is not "
	  "asked of that NIC; the others go on. Read-only; RACK: a rack of the inventory. --traffic with --reason sends test traffic "
	  "between the NICs that fail nothing, in the lossless class of the policy: each by itself, then pairs of one leaf, both "
	  "directions, by rping, ib_write_bw and ib_write_lat; never on a NIC that carries queue pairs of others. --across adds pairs "
	  "across leaves, and what each link between switches carried of them; --lossy an incast with a stream of UDP by iperf3, which is "
	  "to lose nothing by it, and the stream's class. --record FILE keeps all of it, and --resume goes on with it. "
	  "judge FILE writes the certificate of that recording (-o md, json, html, junit, csv), the same bytes each time: ssh-keygen -Y sign "
	  "-n fabcon.certificate FILE signs it, and what is judged again has the same signature; diff names what has changed since, today "
	  "(live) or in another recording or certificate. Exit 1 where a NIC fails, 3 where none fails and some are not known.",
	  "fabcon -i gpu.yml --plan cables.csv bringup R14",
	  .options = REACH PRINT " stages traffic across lossy resume reason", .formats = SHEET " junit md html",
	  .words = "judge diff @hosts @files" },
	{ "findings", "", "findings, worst first, with their root", cmd_findings,
	  NULL, "fabcon -i gpu.yml findings -o csv",
	  .options = REACH PRINT, .formats = SHEET },
	{ "check", "", "read twice, judge by the policy, exit 1 when --fail-on is met", cmd_check,
	  "For CI: -o junit writes a JUnit report. A finding that is the consequence of another does not count twice.",
	  "fabcon -i gpu.yml check --fail-on warn -o junit",
	  .options = REACH PRINT " fail-on", .formats = SHEET " junit" },
	{ "diagnose", "[SYMPTOM] [TARGET]", "the diagnosis: the decision tree answered by evidence, and the causes ranked", cmd_diagnose,
	  "SYMPTOM: slow, tcp (fell back to TCP), hang, errors, drops, none. TARGET: node1, node1:eth2. -o md for a ticket. "
	  "The verdict is one of three: a cause is named; the network is not the cause, with what was read; not known, with what is "
	  "missing.",
	  "fabcon -i gpu.yml diagnose slow node07",
	  .options = REACH PRINT " tree answer", .formats = "json md", .words = "slow tcp hang errors drops none @hosts" },
	{ "report", "", "the fabric now in at most 40 lines of Markdown: findings, evidence, what is not known", cmd_report,
	  "For tickets. -o json has every finding and all its evidence.",
	  "fabcon replay incident.db --at 14:26 report > INC-42.md",
	  .options = REACH PRINT, .formats = "md json" },
	{ "plan", "[FINDING|TARGET…] | show FILE | diff FILE [FILE]", "plan a fix, step by step with its undo",
	  cmd_plan,
	  "Sends nothing. FINDING: CHECK, or CHECK@WHERE with part of the place. TARGET: node1, node1:eth2, a range: everything "
	  "that differs from the policy (-p). Without either, every finding that has a fix. Settings that both ends of a link must "
	  "share are planned at both ends, whichever was named; --one-end: at that end alone. Where the other end cannot be planned, "
	  "the step's \"disturbs\" names it. -O FILE saves the plan for fabcon apply; -o json prints it. "
	  "show prints a saved plan; diff shows the config change per device, or compares two plans. Exit 9 when it is refused, "
	  "with the reason.",
	  "fabcon -i gpu.yml plan trust-as-wanted@node1:eth2 -O fix.json",
	  .options = REACH " out output verify-for undo-after one-end reason", .formats = "json", .words = "show diff @checks @hosts" },
	{ "explain", "[ID]", "a check, cause, question, field or limit: meaning, why it matters, what to do", cmd_explain,
	  "explain checks, causes, questions, fields or limits lists them; explain remedies shows how each check is fixed on each system.",
	  "fabcon explain trust-same", .any_config = true,
	  .options = "output", .formats = SHEET,
	  .words = "@checks @causes @questions @fields @limits checks causes questions fields limits remedies" },
	{ "record", "FILE", "record the fabric to one sqlite file until Ctrl-C or --for", cmd_record,
	  NULL, "fabcon -i gpu.yml record --for 30m incident.db", .needs_args = true,
	  .options = REACH " for", .formats = "", .words = "@files" },
	{ "import", "FILE HOST=DIRECTORY…", "turn support bundles (sosreport, SONiC techsupport) into a recording", cmd_import,
	  "Extract the bundles first (tar xf), and give each with its device. Facts have the time at which their file was written. "
	  "Files without facts for fabcon are skipped; what is missing in a bundle is listed and stays unknown.",
	  "fabcon import case.db node07=sosreport-node07-2026-11-24 leaf1=sonic_dump_leaf1", .needs_args = true, .any_config = true,
	  .options = "policy output", .formats = SHEET, .words = "@files" },
	{ "replay", "FILE [COMMAND]", "the same screens or commands on a recording; opens no connection", cmd_replay,
	  "--at TIME selects the time; default: the end.",
	  "fabcon replay incident.db --at 14:26 ports", .needs_args = true,
	  .options = "at policy output filter theme ascii plain fresh since until", .formats = SHEET " dot junit md",
	  .words = "@files @commands" },
	{ "events", "", "what happened in a recording: findings, changed settings, devices, notes", cmd_events,
	  "For recordings only: fabcon replay FILE events. --since and --until narrow it.",
	  "fabcon replay incident.db events --since -10m --filter kind:config",
	  .options = "since until output filter", .formats = SHEET },
	{ "changes", "", "what changed between two times of a recording, and the mean rates before and after", cmd_changes,
	  "Settings with every value they had in between, findings that opened or closed. Means are of the minute before --since "
	  "and the minute after --until.",
	  "fabcon replay incident.db changes --since 14:25 --until 14:34",
	  .options = "since until output filter", .formats = SHEET },
	{ "note", "TEXT", "add a note at a time of a recording (--at, or its end), saved next to it", cmd_note,
	  "The recording itself is not changed; events and History show the note.",
	  "fabcon replay incident.db --at 14:26 note switch rebooted",
	  .options = "at", .formats = "" },
	{ "parse", "PLATFORM PROBE [FILE|-]", "parse a device's output into facts", cmd_parse,
	  "--list prints every platform, probe and its command. --port names the port the output is about.",
	  "fabcon parse linux mlnx_qos --port eth2 qos.txt", .any_config = true,
	  .options = "port list output", .formats = SHEET, .words = "@platforms @probes @files" },
	{ "inventory", "list|test|import [FILE]|plan", "list, test, or import an inventory as the default", cmd_inventory,
	  "plan writes the cables that LLDP reports now as CSV, to -O FILE: a cable plan for --plan, or for the inventory variable "
	  "fabcon_plan.", "fabcon -i 'node[01-16]' inventory test", .needs_args = true,
	  .options = REACH PRINT " out", .formats = SHEET, .words = "list test import plan" },
	{ "config", "show|path|check [FILE]", "settings and where they are set; the files that are read; their errors", cmd_config,
	  "Options by their long names, and keys:, in ~/.config/fabcon/config.yaml; /etc/fabcon/config.yaml before it; FABCON_NAME "
	  "for --name after it; the command line last.",
	  "fabcon config show", .needs_args = true, .any_config = true,
	  .options = "output", .formats = SHEET, .words = "show path check" },
	{ "doctor", "", "check this machine: libraries, terminal, agent, known_hosts, limits", cmd_doctor,
	  NULL, "fabcon doctor", .any_config = true,
	  .options = "inventory output", .formats = SHEET },
	{ "tos", "VALUE", "decode a ToS byte or DSCP: 106, 0x6a, dscp26", cmd_tos,
	  NULL, "fabcon tos 106", .needs_args = true, .any_config = true,
	  .options = "output", .formats = SHEET },
	{ "calc", "WHAT [NAME=VALUE…]", "calculators: headroom, pause, dcqcn, wred, tos; calc list shows the arguments of each", cmd_calc,
	  "Needs no fabric. Quantities: 100G, 150KB, 16KiB, 20%, 40m, 55us.",
	  "fabcon calc headroom speed=400G cable=100m have=200KiB", .needs_args = true,
	  .options = "output ascii", .formats = SHEET, .words = "headroom pause dcqcn wred tos list" },
	{ "frame", "build KIND [NAME=VALUE…] | decode HEX|FILE|-", "build or decode RoCE, CNP and PFC frames, with their ICRC", cmd_frame,
	  "frame list shows the kinds and names. decode takes hex, a pcap file, or either on standard input; -O FILE writes a pcap file.",
	  "fabcon frame build cnp src=10.0.0.1 dst=10.0.0.2 qp=0x118", .needs_args = true,
	  .options = "out output", .formats = SHEET, .words = "build decode list" },
	{ "nccl", "FILE|-", "what an NCCL log reports, by process: network, HCAs, GID, traffic class, GPU Direct, errors", cmd_nccl,
	  "NCCL_DEBUG=INFO makes NCCL write it; several ranks and hosts may be mixed. Each error comes with the next step. With -i, "
	  "--nccl FILE includes the log in check, findings and the screens.",
	  "fabcon nccl job.log", .needs_args = true, .any_config = true,
	  .options = "output filter", .formats = SHEET, .words = "@files" },
	{ "perf", "FILE|- [NAME=VALUE…]", "compare a bandwidth test (perftest, nccl-tests) with what the links carry", cmd_perf,
	  "speed=400G: one link; rails=8: links per host; mtu=1024: where the test does not print it. Exit 1 below 90 % of that, or "
	  "when a test failed.",
	  "fabcon perf ib_write_bw.txt speed=200G", .needs_args = true, .any_config = true,
	  .options = "output", .formats = SHEET, .words = "@files" },
	{ "emit", "KIND|list [TARGET]", "a manifest that owns the required settings: systemd, machineconfig, daemonset, …", cmd_emit,
	  "Prints it, or writes it to -O FILE; nothing is sent. Values come from the policy; port and device names "
	  "from TARGET, which is read: what sets a host's ports needs it, and names those of the fabric alone. "
	  "emit list shows what each kind covers and how it is applied.",
	  "fabcon emit machineconfig node1 > 99-roce.yaml", .needs_args = true,
	  .options = REACH " out list", .formats = "", .words = "@manifests list" },
	{ "apply", "FILE", "apply a plan: rollback timer armed first, verified over a new session, then committed or rolled back", cmd_apply,
	  "Needs --rw and approval. A plan made here: type the device's name, or \"2 devices\", on a terminal. Any plan: "
	  "--approve with its whole hash, or --signature FILE of an allowed signer. --confirm-within T: each device rolls back "
	  "after T unless kept. --dry-run is read-only. The first Ctrl-C rolls back what was started. Exit 7: rolled back; 8: "
	  "unknown; 9: refused.",
	  "fabcon -i gpu.yml apply fix.json --rw --reason INC-42 --signature fix.json.sig", .needs_args = true,
	  .options = REACH APPROVAL " dry-run confirm-within undo-after no-save no-undo management output", .formats = "json",
	  .words = "@files" },
	{ "verify", "PLAN|FILE", "read the state of a plan: each device as before, as planned, mixed or unknown", cmd_verify,
	  "Read-only. PLAN is the id of a plan that was applied from here. Exit 8 where a device is mixed or unknown, or where only "
	  "one end of a link is committed or as planned (half). --finish --rw ends such a link: where one end is committed, the other is "
	  "committed or applied again; if that fails, both are rolled back.",
	  "fabcon -i gpu.yml verify P-20261121-4f2a", .needs_args = true,
	  .options = REACH " rw reason approve finish undo-after output", .formats = "json", .words = "@plans @files" },
	{ "keep", "PLAN|FILE", "commit what was applied with --confirm-within, and save it", cmd_keep,
	  "Needs --rw. A plan that was applied from here starts at once, without a prompt; any other needs its approval first. Exit 8: "
	  "unknown or half.",
	  "fabcon -i gpu.yml keep P-20261121-4f2a --rw", .needs_args = true,
	  .options = REACH APPROVAL " no-save output", .formats = "json", .words = "@plans @files" },
	{ "undo", "PLAN|FILE", "roll a plan back: with the undo armed on the device, or the plan's own undo commands", cmd_undo,
	  "Needs --rw. A plan that was applied from here starts at once, without a prompt; any other needs its approval first, and a "
	  "device that has a record of it. Exit 7: the undo itself was reverted; 8: unknown or half.",
	  "fabcon -i gpu.yml undo P-20261121-4f2a --rw --reason INC-42", .needs_args = true,
	  .options = REACH APPROVAL " output", .formats = "json", .words = "@plans @files" },
	{ "audit", "show [PLAN] | verify [HASH]", "every plan and command sent from here; whether that record is intact", cmd_audit,
	  "verify prints the audit hash: store it elsewhere and pass it in later to detect a truncated end too. Exit 10 when an "
	  "entry was changed, removed or inserted.",
	  "fabcon audit show P-20261121-4f2a", .needs_args = true, .any_config = true,
	  .options = "output", .formats = SHEET, .words = "show verify" },
	{ "completion", "bash|zsh|fish", "shell completions", cmd_completion,
	  NULL, "fabcon completion bash > ~/.local/share/bash-completion/completions/fabcon", .needs_args = true, .any_config = true,
	  .options = "", .formats = "", .words = "bash zsh fish" },
	{ "man", "PAGE", "print a manual page: fabcon.1, fabcon-policy.5, fabcon-theme.5", cmd_man,
	  NULL, "fabcon man fabcon.1 | man -l -", .needs_args = true, .any_config = true,
	  .options = "", .formats = "", .words = "fabcon.1 fabcon-policy.5 fabcon-theme.5" },
	{ "version", "", "versions of this program and its libraries", cmd_version, NULL, "fabcon version", .any_config = true,
	  .options = "output", .formats = SHEET },
	{ "help", "[COMMAND|GUIDE]", "help on one command, or a guide: on-call, technician, reviewer", cmd_help, NULL,
	  "fabcon help on-call", .any_config = true,
	  .options = "", .formats = "", .words = "@commands on-call technician reviewer exit-codes" },
};
const size_t cli_count = sizeof(cli_table) / sizeof(*cli_table);
