# A fault of the lab, of the common kind: settings of a host's port, as its row says them.
bar=1 order=6
programs="remote/test_lab trials/test_fixes trials/test_scenarios"

edit() {
	after remote/lab/world/faults.c '"no commands are sent to an unreachable device"' '	{ "np-rp-off",		AT_PORT,	"neither CNPs are sent nor obeyed", .host = "ecn.np[3] = no; ecn.rp[3] = no", .cause = "np-off" },'
}
