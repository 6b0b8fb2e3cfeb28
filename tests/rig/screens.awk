# screens.awk KERNEL1 KERNEL2 PORTS FINDINGS STATUS: what two kernels say (kernel_says.sh), and the rows of three screens as jsonl.
# Settings alone: nothing changes them meanwhile. Ends with "right N, wrong N, sentences not held N"; status 1 when one is wrong,
# or when nothing was right.

function text(key,	at) {	# of "key":"text" or "key":123 in the line
	if (!match($0, "\"" key "\":(\"[^\"]*\"|[0-9.]+|null)"))
		return ""
	at = substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3)
	gsub(/"/, "", at)
	return at == "null" ? "" : at
}

function end_of(key, end,	at) {	# of "key":{"a":"text","b":…}
	if (!match($0, "\"" key "\":[{][^}]*[}]"))
		return ""
	at = substr($0, RSTART, RLENGTH)
	if (!match(at, "\"" end "\":\"[^\"]*\""))
		return ""
	return substr(at, RSTART + length(end) + 4, RLENGTH - length(end) - 5)
}

function said(port, field) { return kernel[port " " field] }

function pfc(port,	i, list) {	# "3,4", or "none"
	if (said(port, "pfc.on[0]") == "")
		return ""
	for (i = 0; i < 8; i++)
		if (said(port, "pfc.on[" i "]") == "yes")
			list = list (list == "" ? "" : ",") i
	return list == "" ? "none" : list
}

function hold(what, is, wanted) {
	if (is == wanted) {
		n_right++
		return
	}
	print "WRONG " what ": " is "; the kernel says " wanted
	n_wrong++
}

function hold_known(what, is, wanted) { if (is != "") hold(what, is, wanted) }

function bare(list) { gsub(/ /, "", list); return list == "-" ? "none" : list }

function row_of_ports(	end, port, other) {
	for (end = "a"; end != ""; end = end == "a" ? "b" : "") {
		port = text(end "_device") ":" text(end "_port")
		other = end == "a" ? "b" : "a"
		hold(port " mtu in ports", text(end "_mtu_bytes"), said(port, "mtu"))
		hold(port " speed in ports", text(end "_speed_bps"), said(port, "speed"))
		hold_known(port " trust in ports", end_of("trust", end), said(port, "trust"))
		hold_known(port " pfc in ports", bare(end_of("pfc", end)), pfc(port))
		if (text("joined_by") ~ /^lldp/)
			hold(port " other end in ports", text(other "_device"), said(port, "peer.name"))
	}
}

# The words of a sentence that are values: what is between is fixed.
function sentence(where, what,	w, ends, at) {
	split(where, ends, " - ")
	split(what, w, " ")
	at = ends[1] ":" ends[2] " in \"" what "\""
	if (what ~ /^the MTU is [0-9]+, wanted/)
		hold(at, w[4], said(ends[1], "mtu") ",")
	else if (what ~ /^the MTU is [0-9]+ at [^ ]+ and [0-9]+ at /)
		hold(at, w[4] " " w[8], said(ends[1], "mtu") " " said(ends[2], "mtu"))
	else if (what ~ /^trusts [a-z]+, wanted/)
		hold(at, w[2], said(ends[1], "trust") ",")
	else if (what ~ /^[^ ]+ trusts [a-z]+, [^ ]+ trusts [a-z]+$/)
		hold(at, w[3] " " w[6], said(ends[1], "trust") ", " said(ends[2], "trust"))
	else if (what ~ /^PFC is on for (none|[0-7]), wanted/)
		hold(at, w[5], pfc(ends[1]) ",")
	else if (what ~ /^PFC is on for (none|[0-7]) at [^ ]+ and for (none|[0-7]) at /)
		hold(at, w[5] " " w[10], pfc(ends[1]) " " pfc(ends[2]))
	else if (what ~ /^class [0-7] has [0-9]+ %, wanted/)
		hold(at, w[4], said(ends[1], "ets.share[" w[2] "]"))
	else if (what ~ /^DSCP [0-9]+ has priority [0-7] at [^ ]+ and [0-7] at /)	# without a row it is 0
		hold(at, w[5] " " w[9], said(ends[1], "dscp.prio[" w[2] "]") + 0 " " said(ends[2], "dscp.prio[" w[2] "]") + 0)
	else if (what ~ /^[^ ]+ is soft-RoCE: /)
		hold(at, w[1] " yes", said(ends[1], "rdma") " " said(ends[1], "rdma.soft"))
	else if (what ~ /^ToS [0-9]+ is DSCP/)
		hold(at, w[2], said(ends[1], "tos.cma"))
	else
		not_held[what] = where
}

FNR == 1 { file++ }
file <= 2 {
	if ($1 == "-" && $2 == "hostname")
		node = $3
	port = node ":" $1
	kernel[port " " $2] = substr($0, length($1 $2) + 3)
	if ($2 == "role")
		role[port] = node
	next
}
file == 3 { row_of_ports(); next }
file == 4 && text("severity") == "unknown" {
	hold("a reason of unknown " text("check") " at " text("where"), text("missing") != "", 1)
	next
}
file == 4 { sentence(text("where"), text("what")); next }
{
	count = 0
	for (port in role)
		count += role[port] == text("device") && said(port, "rdma") == ""
	if ($0 ~ /[0-9]+ without RDMA/) {
		match($0, /[0-9]+ without RDMA/)
		words = substr($0, RSTART, RLENGTH)
		hold(text("device") " in status", words, count " without RDMA")
	}
	hold(text("device") " version in status", text("version"), said(text("device") ":-", "version"))
}

END {
	for (what in not_held) {
		print "not held " not_held[what] ": " what
		n_open++
	}
	printf "right %d, wrong %d, sentences not held %d: links, findings, devices\n", n_right, n_wrong, n_open
	exit n_wrong > 0 || n_right == 0
}
