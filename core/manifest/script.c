/*
 * The script that keeps a host's settings: POSIX sh with awk, for /bin/sh of a host and of a container. What it is to set
 * stands in variables at its beginning. It compares before it writes: a PFC write on mlx5 takes the link down for a moment,
 * and a second run writes nothing.
 */
#include "core/manifest/internal.h"

static const char head[] =
	"#!/bin/sh\n"
	"# Sets this host's RoCE settings as the policy %s requires them; made by fabcon emit.\n"
	"# Loads the modules, waits for the driver, then sets what differs on each port of only= that is up:\n"
	"# members of a bond each, the bond itself and virtual functions never.\n"
	"set -u\n";

static const char body[] =
	"wait_s=${FABCON_WAIT_S:-300}\n"
	"status=0\n"
	"not_ready=75	# the exit status when the driver is not ready: nothing was set\n"
	"\n"
	"mode=${1:-set}	# or report: what differs is reported, nothing is written\n"
	"\n"
	"say() { echo \"roce: $*\"; }\n"
	"fail() { say \"$*\" >&2; status=1; }\n"
	"\n"
	"# A driver in a container tells when it is ready; else an RDMA device is enough.\n"
	"is_ready() {\n"
	"\tif [ -d /run/mellanox/drivers ]; then\n"
	"\t\t[ -e /run/mellanox/drivers/.driver-ready ]\n"
	"\telse\n"
	"\t\t[ -n \"$(ls /sys/class/infiniband 2>/dev/null)\" ]\n"
	"\tfi\n"
	"}\n"
	"\n"
	"# COMMAND...: runs it and says so; what it prints is shown when it fails.\n"
	"run() {\n"
	"\t[ \"$mode\" = set ] || { fail \"drift: not as required; would run $*\"; return 0; }\n"
	"\tif output=$(\"$@\" 2>&1); then say \"$*\"; else fail \"$*: $output\"; fi\n"
	"}\n"
	"\n"
	"# modules-load.d is read at boot alone: what is missing is loaded now.\n"
	"load_modules() {\n"
	"\tfor module in $modules; do\n"
	"\t\tgrep -qs \"^$module \" /proc/modules && continue\n"
	"\t\tgrep -qs \"/${module}[.]ko\" \"/lib/modules/$(uname -r)/modules.builtin\" || run modprobe \"$module\"\n"
	"\tdone\n"
	"}\n"
	"\n"
	"# SETTING: the policy requires it, and this port's driver has nothing to set it by.\n"
	"lacks() { case $lacking in *\"$1\"*) ;; *) lacking=\"${lacking:+$lacking, }$1\" ;; esac; }\n"
	"\n"
	"# FILE VALUE SETTING: writes where it says something else.\n"
	"put() {\n"
	"\t[ -e \"$1\" ] || { lacks \"$3\"; return 0; }\n"
	"\tread -r now <\"$1\" || now=\n"
	"\t[ \"${now##*=}\" = \"$2\" ] && return 0\n"
	"\t[ \"$mode\" = set ] || { fail \"drift: $1 is $now, required $2\"; return 0; }\n"
	"\tif echo \"$2\" >\"$1\"; then say \"$2 to $1\"; else fail \"$1 was not written\"; fi\n"
	"}\n"
	"\n"
	"# What mlnx_qos prints, a fact a line: trust dscp, dscp 26 3, pfc 0,0,0,1,0,0,0,0, tc 3 ets 60, prio 3 3.\n"
	"qos_state() {\n"
	"\tmlnx_qos -i \"$1\" -a 2>/dev/null | awk '\n"
	"\t\t/^Priority trust state:/ { print \"trust\", $4 }\n"
	"\t\t/^DCBX mode:/ { print \"dcbx\", $3 }\n"
	"\t\t/^[ \\t]*prio:[0-7] dscp:/ {\n"
	"\t\t\tsplit($1, p, \":\"); sub(/.*dscp:/, \"\"); n = split($0, d, \",\")\n"
	"\t\t\tfor (i = 1; i <= n; i++) if (d[i] ~ /[0-9]/) print \"dscp\", d[i] + 0, p[2] }\n"
	"\t\t/^[ \\t]*enabled/ { l = $2; for (i = 3; i <= 9; i++) l = l \",\" $i; print \"pfc\", l }\n"
	"\t\t/^tc: / { tc = $2; t = $0; sub(/.*tsa: /, \"\", t); sub(/[, ].*/, \"\", t)\n"
	"\t\t\tb = 0; if (match($0, /bw: [0-9]+/)) b = substr($0, RSTART + 4, RLENGTH - 4); print \"tc\", tc, t, b }\n"
	"\t\t/^[ \\t]*priority: / { print \"prio\", $2, tc }'\n"
	"}\n"
	"\n"
	"# STATE KEY: the eight values of \"prio N V\", \"tc N V\" (column 3 or 4) with commas; nothing where one is missing.\n"
	"eight() {\n"
	"\techo \"$1\" | awk -v key=\"$2\" -v column=\"$3\" '\n"
	"\t\t$1 == key { v[$2] = $column; seen[$2] = 1 }\n"
	"\t\tEND { for (i = 0; i < 8; i++) { if (!seen[i]) exit; s = s (i ? \",\" : \"\") v[i] } print s }'\n"
	"}\n"
	"\n"
	"# LIST PAIRS: \"0,0,0\" with \"1:5\" is \"0,5,0\".\n"
	"with() {\n"
	"\techo \"$1 $2\" | awk '{\n"
	"\t\tn = split($1, l, \",\")\n"
	"\t\tfor (i = 2; i <= NF; i++) { split($i, p, \":\"); l[p[1] + 1] = p[2] }\n"
	"\t\ts = l[1]; for (i = 2; i <= n; i++) s = s \",\" l[i]; print s }'\n"
	"}\n"
	"\n"
	"has() { echo \"$1\" | grep -qx \"$2\"; }\n"
	"\n"
	"set_classes() {\n"
	"\tprios=$(eight \"$2\" prio 3); algos=$(eight \"$2\" tc 3); bws=$(eight \"$2\" tc 4)\n"
	"\t[ -n \"$prios\" ] && [ -n \"$algos\" ] || { fail \"$1: mlnx_qos does not report its classes\"; return; }\n"
	"\tp=$(with \"$prios\" \"$prio_tc\"); a=$(with \"$algos\" \"$tc_algo\"); b=$bws\n"
	"\t[ -z \"$tc_share\" ] || b=$(with 0,0,0,0,0,0,0,0 \"$tc_share\")\n"
	"\t[ \"$p $a $b\" = \"$prios $algos $bws\" ] || run mlnx_qos -i \"$1\" --prio_tc \"$p\" --tsa \"$a\" --tcbw \"$b\"\n"
	"}\n"
	"\n"
	"set_by_mlnx_qos() {\n"
	"\tstate=$(qos_state \"$1\")\n"
	"\thas \"$state\" \"trust .*\" || { fail \"$1: mlnx_qos does not report its state\"; return; }\n"
	"\t[ -z \"$dcbx\" ] || has \"$state\" \"dcbx OS\" || run mlnx_qos -i \"$1\" --dcbx \"$dcbx\"\n"
	"\t[ -z \"$trust\" ] || has \"$state\" \"trust $trust\" || { run mlnx_qos -i \"$1\" --trust \"$trust\"; state=$(qos_state "
	"\"$1\"); }\n"
	"\tfor pair in $dscp_prio; do\n"
	"\t\thas \"$state\" \"dscp ${pair%:*} ${pair#*:}\" || run mlnx_qos -i \"$1\" --dscp2prio \"set,${pair%:*},${pair#*:}\"\n"
	"\tdone\n"
	"\tset_classes \"$1\" \"$state\"\n"
	"\tnow=$(echo \"$state\" | sed -n 's/^pfc //p')\n"
	"\twant=$(with \"$now\" \"$pfc\")\n"
	"\t[ \"$now\" = \"$want\" ] || run mlnx_qos -i \"$1\" --pfc \"$want\"\n"
	"}\n"
	"\n"
	"# TEXT WORD...: those words that are not in it.\n"
	"missing() {\n"
	"\ttext=\" $(echo \"$1\" | tr '\\n' ' ') \"; shift\n"
	"\tfor word; do case $text in *\" $word \"*) ;; *) printf '%s ' \"$word\" ;; esac; done\n"
	"}\n"
	"\n"
	"# PORT OBJECT KEYWORD: the words of that line of dcb.\n"
	"dcb_line() { dcb -N \"$2\" show dev \"$1\" 2>/dev/null | sed -n \"s/^$3 //p\"; }\n"
	"\n"
	"# PORT OBJECT KEYWORD WORD...: sets those that dcb does not show.\n"
	"set_dcb() {\n"
	"\tport=$1 object=$2 keyword=$3; shift 3\n"
	"\tleft=$(missing \"$(dcb_line \"$port\" \"$object\" \"$keyword\")\" \"$@\")\n"
	"\tverb=set; [ \"$object\" = app ] && verb=replace\n"
	"\t[ -z \"$left\" ] || run dcb \"$object\" \"$verb\" dev \"$port\" \"$keyword\" $left\n"
	"}\n"
	"\n"
	"# LIST: \"0,20\" is \"0:0 1:20\".\n"
	"pairs() {\n"
	"\techo \"$1\" | awk '{ n = split($0, l, \",\"); for (i = 1; i <= n; i++) printf \"%d:%s \", i - 1, l[i] }'\n"
	"}\n"
	"\n"
	"# In one request: the driver refuses shares that do not sum to 100 with the classes that have one.\n"
	"set_classes_by_dcb() {\n"
	"\tp=$(missing \"$(dcb_line \"$1\" ets prio-tc)\" $prio_tc); a=$(missing \"$(dcb_line \"$1\" ets tc-tsa)\" $tc_algo); b=\n"
	"\tif [ -n \"$tc_share\" ]; then\n"
	"\t\tb=$(pairs \"$(with 0,0,0,0,0,0,0,0 \"$tc_share\")\")\n"
	"\t\t[ -n \"$(missing \"$(dcb_line \"$1\" ets tc-bw)\" $b)\" ] || b=\n"
	"\tfi\n"
	"\t[ -z \"$p$a$b\" ] || run dcb ets set dev \"$1\" ${p:+prio-tc $p} ${a:+tc-tsa $a} ${b:+tc-bw $b}\n"
	"}\n"
	"\n"
	"# Where the NIC's firmware owns DCB (ice), it is told how to hand it over.\n"
	"set_by_dcb() {\n"
	"\tif ethtool --show-priv-flags \"$1\" 2>/dev/null | grep -q '^fw-lldp-agent[[:space:]]*: on'; then\n"
	"\t\tfail \"$1: the NIC's firmware owns DCB: classes and PFC are neither set nor checked; to hand them over: ethtool\" \\\n"
	"\t\t\t\"--set-priv-flags $1 fw-lldp-agent off\"\n"
	"\t\treturn\n"
	"\tfi\n"
	"\t[ \"$driver\" = mlx5_core ] || [ -z \"$trust\" ] || lacks trust\n"
	"\tcase \" $(dcb dcbx show dev \"$1\" 2>/dev/null) \" in\n"
	"\t*\" lld-managed \"*) run dcb dcbx set dev \"$1\" host ieee ;;\n"
	"\tesac\n"
	"\t[ \"$trust\" != dscp ] || set_dcb \"$1\" app dscp-prio $dscp_prio\n"
	"\tset_classes_by_dcb \"$1\"\n"
	"\tset_dcb \"$1\" pfc prio-pfc $(echo \"$pfc\" | sed 's/:1/:on/g; s/:0/:off/g')\n"
	"}\n"
	"\n"
	"set_pause() {\n"
	"\tcommand -v ethtool >/dev/null || return 0\n"
	"\tethtool -a \"$1\" 2>/dev/null | grep -qi \"^[rt]x:[[:space:]]*on\" && run ethtool -A \"$1\" rx off tx off\n"
	"\treturn 0\n"
	"}\n"
	"\n"
	"# PORT FILE PARAM VALUE: of MLNX_OFED's driver, or of the kernel's own mlx5.\n"
	"put_cnp() {\n"
	"\tif [ -e \"/sys/class/net/$1/ecn/roce_np/$2\" ]; then put \"/sys/class/net/$1/ecn/roce_np/$2\" \"$4\" CNPs; return; fi\n"
	"\tdevice=$(readlink -f \"/sys/class/net/$1/device\")\n"
	"\tput \"/sys/kernel/debug/mlx5/${device##*/}/cc_params/$3\" \"$4\" \"DSCP and priority of CNPs\"\n"
	"}\n"
	"\n"
	"set_ecn() {\n"
	"\tfor pair in $np; do put \"/sys/class/net/$1/ecn/roce_np/enable/${pair%:*}\" \"${pair#*:}\" \"ECN of priorities\"; done\n"
	"\tfor pair in $rp; do put \"/sys/class/net/$1/ecn/roce_rp/enable/${pair%:*}\" \"${pair#*:}\" \"ECN of priorities\"; done\n"
	"\t[ -z \"$cnp_dscp\" ] || put_cnp \"$1\" cnp_dscp np_cnp_dscp \"$cnp_dscp\"\n"
	"\t[ -z \"$cnp_prio\" ] || put_cnp \"$1\" cnp_802p_prio np_cnp_prio \"$cnp_prio\"\n"
	"}\n"
	"\n"
	"# Of each RDMA device of the port.\n"
	"set_tos() {\n"
	"\tfor device in \"/sys/class/net/$1/device/infiniband\"/*; do\n"
	"\t\t[ -e \"$device\" ] || continue\n"
	"\t\tname=${device##*/}\n"
	"\t\t[ -z \"$tos_force\" ] || put \"/sys/class/infiniband/$name/tc/1/traffic_class\" \"$tos_force\" \"forced ToS\"\n"
	"\t\t[ -n \"$tos_cma\" ] || continue\n"
	"\t\tif command -v cma_roce_tos >/dev/null; then\n"
	"\t\t\t[ \"$(cma_roce_tos -d \"$name\" 2>/dev/null)\" = \"$tos_cma\" ] || run cma_roce_tos -d \"$name\" -t \"$tos_cma\"\n"
	"\t\telse\n"
	"\t\t\t[ \"$mode\" != set ] || mkdir -p \"/sys/kernel/config/rdma_cm/$name\" 2>/dev/null\n"
	"\t\t\tput \"/sys/kernel/config/rdma_cm/$name/ports/1/default_roce_tos\" \"$tos_cma\" \"ToS of RDMA CM\"\n"
	"\t\tfi\n"
	"\tdone\n"
	"}\n"
	"\n"
	"# Whether a named port is here, Ethernet, a physical function and up; what is not is neither set nor checked. A bond has no\n"
	"# device, a virtual function has a physfn, IPoIB is of type 32.\n"
	"is_ours() {\n"
	"\treason=\n"
	"\tif [ ! -e \"/sys/class/net/$1\" ]; then reason=\"not here\"\n"
	"\telif read -r type <\"/sys/class/net/$1/type\" && [ \"$type\" != 1 ]; then reason=\"not Ethernet\"\n"
	"\telif [ ! -e \"/sys/class/net/$1/device/driver\" ] || [ -e \"/sys/class/net/$1/device/physfn\" ]; then\n"
	"\t\treason=\"no physical function\"\n"
	"\telif read -r link <\"/sys/class/net/$1/operstate\" && [ \"$link\" != up ]; then reason=$link\n"
	"\telse driver=$(readlink \"/sys/class/net/$1/device/driver\"); driver=${driver##*/}; return 0; fi\n"
	"\tfail \"$1 is $reason: neither set nor checked\"\n"
	"\treturn 1\n"
	"}\n"
	"\n"
	"grep -qsx lldpad /proc/[0-9]*/comm && say \"lldpad runs here and can write DCB settings over these: set them by lldptool, or\" \\\n"
	"\t\"systemctl disable --now lldpad.socket lldpad.service\"\n"
	"load_modules\n"
	"waited=0\n"
	"until is_ready; do\n"
	"\t[ \"$waited\" -lt \"$wait_s\" ] || { fail \"the driver is not ready after $wait_s s: nothing is set\"; exit $not_ready; }\n"
	"\tsleep 2\n"
	"\twaited=$((waited + 2))\n"
	"done\n"
	"ports=0\n"
	"for port in $only; do\n"
	"\tis_ours \"$port\" || continue\n"
	"\tports=$((ports + 1)) lacking=\n"
	"\tif [ \"$driver\" = mlx5_core ] && command -v mlnx_qos >/dev/null; then set_by_mlnx_qos \"$port\"\n"
	"\telif command -v dcb >/dev/null; then set_by_dcb \"$port\"\n"
	"\telif [ \"$driver\" = mlx5_core ]; then fail \"$port: neither mlnx_qos nor dcb is here: classes and PFC are not set\"\n"
	"\telse fail \"$port ($driver): dcb is not here: classes and PFC are not set\"; fi\n"
	"\t[ -z \"$pause_off\" ] || set_pause \"$port\"\n"
	"\tset_ecn \"$port\"\n"
	"\tset_tos \"$port\"\n"
	"\tcase $driver in bnxt_en) by=\"; niccli of Broadcom sets trust and congestion control\" ;; *) by= ;; esac\n"
	"\t[ -z \"$lacking\" ] || say \"$port ($driver): neither set nor checked, its driver has no setting for it here: $lacking$by\"\n"
	"done\n"
	"[ \"$ports\" -gt 0 ] || fail \"no port to set is up\"\n"
	"exit $status\n";

static void ports(const struct port *const *list, size_t n, struct buf *out)
{
	buf_str(out, "only=\"");
	for (size_t i = 0; i < n; i++)
		buf_printf(out, "%s%s", i ? " " : "", list[i]->name);
	buf_str(out, "\"\n");
}

/* One a line in modules-load.d, words here. */
static void modules(struct buf *out)
{
	struct span rest = span_of(manifest_modules), line;
	const char *before = "";

	buf_str(out, "modules=\"");
	for (; span_line(&rest, &line); before = " ")
		buf_printf(out, "%s%.*s", before, (int)line.n, line.p);
	buf_str(out, "\"\n");
}

static void number(const struct manifest_scene *s, const char *name, enum field f, struct buf *out)
{
	int64_t n = manifest_want(s, false, f, 0);

	buf_printf(out, "%s=", name);
	if (n >= 0)
		buf_printf(out, "%lld", (long long)n);
	buf_str(out, "\n");
}

static void pairs(const struct manifest_scene *s, const char *name, enum field f, struct buf *out)
{
	buf_printf(out, "%s=\"", name);
	manifest_pairs(s, false, f, out);
	buf_str(out, "\"\n");
}

/* A class with a share is served by it. */
static void algorithms(const struct manifest_scene *s, struct buf *out)
{
	const char *blank = "";

	buf_str(out, "tc_algo=\"");
	for (unsigned i = 0; i < 8; i++) {
		int64_t algo = manifest_want(s, false, FIELD_ETS_ALGO, i);

		if (algo < 0 && manifest_want(s, false, FIELD_ETS_SHARE, i) > 0)
			algo = ETS_ETS;
		if (algo < 0)
			continue;
		buf_printf(out, "%s%u:%s", blank, i, algo == ETS_STRICT ? "strict" : algo == ETS_ETS ? "ets" : "vendor");
		blank = " ";
	}
	buf_str(out, "\"\n");
}

bool manifest_script(const struct manifest_scene *s, const char *kind, struct buf *out, struct err *err)
{
	const struct port *list[MANIFEST_PORTS];
	size_t n = manifest_fabric(s, kind, list, err);
	int64_t trust = manifest_want(s, false, FIELD_TRUST, 0);
	bool no_pause = manifest_want(s, false, FIELD_PAUSE_RX, 0) == 0 && manifest_want(s, false, FIELD_PAUSE_TX, 0) == 0;

	if (!n)
		return false;
	buf_printf(out, head, policy_name(s->policy));
	manifest_left_out(s, out);
	ports(list, n, out);
	modules(out);
	buf_printf(out, "trust=%s\ndcbx=os\n", trust == TRUST_DSCP ? "dscp" : trust == TRUST_PCP ? "pcp" : "");
	pairs(s, "dscp_prio", FIELD_DSCP_PRIO, out);
	pairs(s, "prio_tc", FIELD_PRIO_TC, out);
	algorithms(s, out);
	pairs(s, "tc_share", FIELD_ETS_SHARE, out);
	pairs(s, "pfc", FIELD_PFC_ON, out);
	buf_printf(out, "pause_off=%s\n", no_pause ? "yes" : "");
	pairs(s, "np", FIELD_ECN_NP, out);
	pairs(s, "rp", FIELD_ECN_RP, out);
	number(s, "cnp_dscp", FIELD_CNP_DSCP, out);
	number(s, "cnp_prio", FIELD_CNP_PRIO, out);
	number(s, "tos_cma", FIELD_TOS_CMA, out);
	number(s, "tos_force", FIELD_TOS_FORCE, out);
	buf_str(out, body);
	return true;
}
