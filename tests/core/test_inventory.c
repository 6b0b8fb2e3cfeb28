/* Inventories as sites have them: Ansible YAML and JSON, ranges; and what is wrong in them. */
#include "core/inventory/inventory.h"

#include "tests/lib/say.h"

static const char yaml[] =
	"all:\n"
	"  vars:\n"
	"    ansible_user: ops\n"
	"    fabcon_fabric: gpu-a\n"
	"  children:\n"
	"    rack14:\n"
	"      vars: {ansible_port: 2222}\n"
	"      hosts:\n"
	"        node[01:03]:\n"
	"        node04: {ansible_host: 10.0.0.4, ansible_port: 22}\n"
	"    switches:\n"
	"      vars:\n"
	"        ansible_network_os: dellemc.os10.os10\n"
	"        fabcon_kind: switch\n"
	"        ansible_ssh_common_args: -o ProxyJump=bastion -o ForwardAgent=yes\n"
	"      hosts:\n"
	"        leaf1:\n"
	"          ansible_user: admin\n"
	"          fabcon_cables:\n"
	"            - {port: ethernet1/1/1, peer: node01, peer_port: eth2}\n";

static void yaml_groups_give_variables_from_the_outside_in(void **state)
{
	struct inventory inv;
	struct err err = { "" };
	const struct host *h;

	(void)state;
	inventory_init(&inv);
	if (!inventory_read(&inv, span_of(yaml), "gpu.yml", &err))
		fail_msg("%s", err.text);
	assert_int_equal(inv.n_hosts, 5);
	assert_string_equal(inv.fabric, "gpu-a");
	h = inventory_find(&inv, "node02");
	assert_non_null(h);
	assert_string_equal(h->user, "ops");
	assert_int_equal(h->port, 2222);
	assert_string_equal(h->rack, "rack14");
	h = inventory_find(&inv, "node04");
	assert_string_equal(h->address, "10.0.0.4");
	assert_int_equal(h->port, 22);
	h = inventory_find(&inv, "leaf1");
	assert_string_equal(h->user, "admin");
	assert_string_equal(h->platform, "os10");
	assert_string_equal(h->kind, "switch");
	assert_non_null(strstr(h->ssh_args, "bastion"));	/* the route reads it as ssh does */
	assert_int_equal(inv.n_cables, 1);
	assert_string_equal(inv.cables[0].peer_port, "eth2");
	inventory_done(&inv);
}

static void the_list_of_ansible_inventory_reads_the_same(void **state)
{
	static const char json[] =
		"{\"_meta\": {\"hostvars\": {\"node01\": {\"ansible_host\": \"10.0.0.1\", \"ansible_user\": \"ops\"},"
		" \"leaf1\": {\"fabcon_cables\": [{\"port\": \"ethernet1/1/1\", \"peer\": \"node01\", \"peer_port\": \"eth2\"}]}}},"
		" \"all\": {\"children\": [\"ungrouped\", \"rack14\", \"switches\"]},"
		" \"rack14\": {\"hosts\": [\"node01\", \"node02\"]}, \"switches\": {\"hosts\": [\"leaf1\"]}}";
	struct inventory inv;
	struct err err = { "" };

	(void)state;
	inventory_init(&inv);
	if (!inventory_read(&inv, span_of(json), "list.json", &err))
		fail_msg("%s", err.text);
	assert_int_equal(inv.n_hosts, 3);
	assert_string_equal(inventory_find(&inv, "node01")->address, "10.0.0.1");
	assert_string_equal(inventory_find(&inv, "node02")->rack, "rack14");
	assert_int_equal(inv.n_cables, 1);
	inventory_done(&inv);
}

static void ranges_expand_and_fold_back(void **state)
{
	struct inventory inv;
	struct buf out = { 0 };
	struct err err = { "" };
	const char *names[8];

	(void)state;
	inventory_init(&inv);
	assert_true(inventory_add_range(&inv, "node[08-10,12],leaf1", &err));
	assert_int_equal(inv.n_hosts, 5);
	for (size_t i = 0; i < inv.n_hosts; i++)
		names[i] = inv.hosts[i].name;
	range_fold(names, inv.n_hosts, &out);
	assert_string_equal(out.text, "node[08-10],node12,leaf1");
	buf_done(&out);
	inventory_done(&inv);
}

static void hostile_and_broken_inventories_are_refused_with_their_line(void **state)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{ "all:\n  hosts:\n    \"$(reboot)\": {}\n", "x.yml:3" },
		{ "all:\n  hosts:\n    a: {ansible_host: \"-oProxyCommand=x\"}\n", "x.yml:3" },
		{ "all:\n  hosts:\n    a: {ansible_port: 99999}\n", "x.yml:3" },
		{ "all:\n  hosts:\n    a: {ansible_user: \"x;y\"}\n", "x.yml:3" },
		{ "all:\n  hosts:\n    a: {fabcon_cables: [{port: e1}]}\n", "x.yml:3" },
		{ "all: [\n", "x.yml:" },
		{ "", "x.yml" },
		{ "- a\n", "x.yml" },
		{ "all:\n  hosts:\n    a[1-999999]: {}\n", "x.yml:3" },
		{ "{\"a\": {\"children\": [\"a\", \"a\"], \"hosts\": []}}", "x.yml" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct inventory inv;
		struct err err = { "" };

		inventory_init(&inv);
		assert_false(inventory_read(&inv, span_of(cases[i].text), "x.yml", &err));
		if (!strstr(err.text, cases[i].says))
			fail_msg("case %zu says: %s", i, err.text);
		inventory_done(&inv);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(yaml_groups_give_variables_from_the_outside_in),
		cmocka_unit_test(the_list_of_ansible_inventory_reads_the_same),
		cmocka_unit_test(ranges_expand_and_fold_back),
		cmocka_unit_test(hostile_and_broken_inventories_are_refused_with_their_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
