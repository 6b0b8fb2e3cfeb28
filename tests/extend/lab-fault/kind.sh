# A fault of the lab, the same on every system: its row.
bar=1 order=6
programs="remote/test_lab trials/test_fixes trials/test_scenarios"

edit() {
	after remote/lab/world/faults.c '/* -- of any device -- */' '
static void noisy_and_slow(struct fabric *f, struct lab_port *p, bool on)
{
	port_device(f, p)->is_slow = on;
	port_device(f, p)->is_garbled = on;
}'
	after remote/lab/world/faults.c '"nothing is sent to who is not reached"' '	{ "noisy-and-slow",	AT_DEVICE,	"garbage, a byte at a time", noisy_and_slow, .cause = "slow-answers",
	  .check = "answers-in-time", .left_to = "see what keeps its CPU" },'
}
