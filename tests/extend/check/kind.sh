# A check: its question in a file of its own, its row, and a world in which it says no.
bar=2 order=1
programs="core/test_checks core/test_greens core/test_judged core/test_findings core/test_tree core/test_diagnosis core/test_fix
	tui/test_help layers"

edit() {
	after core/judge/checks.c '#include "core/judge/checks.h"' '#include "core/judge/checks_address.h"'
	after core/judge/checks.c '/* Devices */' '{ .id = "address-locally-made", .of = OF_PORT, .side = SIDE_HOST, .severity = VERDICT_LOOK, .step = 2, .fields = "mac",
  .ask = ask_address_made,
  .title = "The port has a MAC address that nobody assigned",
  .why = "Two hosts may have made the same, and a switch then sends the packets of one to the other.",
  .change = "Give the port the address that its maker gave it: ip link set dev PORT address MAC." },'
	after tests/core/test_checks.c 'static const struct fault faults[] = {' '	{ "address-locally-made", "node1:eth2", ETH2 "mac = \"02:00:00:00:00:01\"", NULL },'
}
