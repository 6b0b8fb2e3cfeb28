/* How hosts are reached: by the inventory and ssh_config together, and by this machine's own files. */
#include "core/route/routes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/inventory/inventory.h"
#include "tests/lib/run.h"
#include "tests/lib/say.h"
#include "tests/lib/ssh_here.h"
#include "tui/args/consent.h"
#include "tui/session/ssh_files.h"

/* -- routes -- */

struct stage {
	struct inventory inv;
	struct host hosts[8];
	struct ssh_source source;
};

/* Hosts by their names; config: the user's file. */
static void stage_open(struct stage *s, const char *config, const char *const *names, size_t n)
{
	*s = (struct stage){ .source = ssh_here_source() };
	ssh_here_write_text("config", config);
	s->source.user_file = ssh_here_path("config");
	s->source.user = "ops";
	s->source.home = "/home/ops";
	inventory_init(&s->inv);
	for (size_t i = 0; i < n; i++)
		s->hosts[i].name = names[i];
	s->inv.hosts = s->hosts;
	s->inv.n_hosts = n;
}

#define OPEN(s, config, ...) \
	stage_open(s, config, (const char *const[]){ __VA_ARGS__ }, sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

static const struct route *route_of(struct stage *s, const char *name)
{
	if (!s->inv.routes.n)
		routes_settle(&s->inv.routes, &s->inv, &s->source);
	return routes_find(&s->inv.routes, name);
}

static void stage_done(struct stage *s)
{
	routes_done(&s->inv.routes);
}

static void assert_holds(const char *text, const char *what)
{
	if (!text || !strstr(text, what))
		fail_msg("\"%s\" does not hold \"%s\"", text ? text : "(nothing)", what);
}

static void the_inventory_wins_over_the_files_and_host_is_its_address(void **state)
{
	struct stage s;
	const struct route *r;

	(void)state;
	OPEN(&s, "Host node1\n User never\nHost 10.0.0.1\n User byaddress\n Port 2022\n IdentityFile /k/file\n", "node1", "node2");
	s.hosts[0].address = s.hosts[1].address = "10.0.0.1";
	s.hosts[1].user = "root";
	s.hosts[1].port = 22;
	s.hosts[1].identity = "/k/inventory";
	r = route_of(&s, "node1");
	assert_null(r->trouble);
	assert_string_equal(r->user, "byaddress");
	assert_int_equal(r->port, 2022);
	r = route_of(&s, "node2");
	assert_string_equal(r->user, "root");
	assert_int_equal(r->port, 22);
	assert_int_equal(r->identities.n, 2);
	assert_string_equal(r->identities.list[0], "/k/inventory");
	assert_string_equal(r->identities.list[1], "/k/file");
	stage_done(&s);
}

static void tokens_are_expanded_as_ssh_does(void **state)
{
	struct stage s;
	const struct route *r;

	(void)state;
	setenv("FABCON_TEST_KEYS", "/keys", 1);
	OPEN(&s, "Host n1\n HostName %h.lab\n User admin\n Port 2200\n IdentityFile ~/.ssh/%u@%h:%p_%r_%n_%i%%\n"
		 " IdentityFile ${FABCON_TEST_KEYS}/%k\n CertificateFile %d/c-cert.pub\n HostKeyAlias N1.Alias\n IdentityAgent ~/agent.%n\n"
		 " ProxyCommand nc -q0 %h %p # %r %n %%\n UserKnownHostsFile ~/kh/%k\n"
		 "Host n2\n IdentityAgent $FABCON_TEST_NONE\nHost n3\n IdentityFile ${FABCON_TEST_NONE}/x\n", "n1", "n2", "n3");
	s.source.uid = 1000;
	r = route_of(&s, "n1");
	assert_null(r->trouble);
	assert_string_equal(r->identities.list[0], "/home/ops/.ssh/ops@n1.lab:2200_admin_n1_1000%");
	assert_string_equal(r->identities.list[1], "/keys/n1.alias");
	assert_string_equal(r->certificates.list[0], "/home/ops/c-cert.pub");
	assert_string_equal(r->agent, "/home/ops/agent.n1");
	assert_string_equal(r->proxy_command, "nc -q0 n1.lab 2200 # admin n1 %");
	assert_string_equal(r->host_key_alias, "n1.alias");
	assert_string_equal(r->known_hosts.list[0], "/home/ops/kh/n1.alias");
	assert_string_equal(r->known_hosts.list[1], "/etc/ssh/ssh_known_hosts");
	assert_string_equal(route_of(&s, "n2")->agent, "none");
	assert_holds(route_of(&s, "n3")->trouble, "config:15: IdentityFile ${FABCON_TEST_NONE}/x");
	stage_done(&s);
}

static void a_chain_is_gone_through_by_each_hops_own_entries(void **state)
{
	struct stage s;
	const struct route *r;

	(void)state;
	OPEN(&s, "Host far\n ProxyJump first,root@second:2222\nHost first\n HostName 10.0.0.1\n ProxyCommand nc gate %p\n"
		 "Host second\n HostName 10.0.0.2\n User never\n ProxyJump elsewhere\n IdentityFile /k/second\n"
		 "Host named\n ProxyJump unused\n", "far", "named", "bastion");
	s.hosts[1].jump = "bastion";
	s.hosts[2].address = "10.9.9.9";
	s.hosts[2].port = 77;
	r = route_of(&s, "far")->jump;
	assert_string_equal(r->name, "root@second:2222");
	assert_string_equal(r->address, "10.0.0.2");
	assert_string_equal(r->user, "root");
	assert_int_equal(r->port, 2222);
	assert_string_equal(r->identities.list[0], "/k/second");
	assert_string_equal(r->jump->address, "10.0.0.1");
	assert_string_equal(r->jump->proxy_command, "nc gate 22");
	assert_null(r->jump->jump);
	r = route_of(&s, "named");
	assert_string_equal(r->jump->address, "10.9.9.9");
	assert_int_equal(r->jump->port, 77);
	stage_done(&s);
}

static void hosts_behind_the_same_jump_host_share_its_route(void **state)
{
	struct stage s;

	(void)state;
	OPEN(&s, "Host n*\n ProxyJump gw\n", "n1", "n2");
	assert_non_null(route_of(&s, "n1")->jump);
	assert_ptr_equal(route_of(&s, "n1")->jump, route_of(&s, "n2")->jump);
	assert_int_equal(s.inv.routes.n_jumps, 1);
	stage_done(&s);
}

static void circles_and_endless_chains_are_named(void **state)
{
	struct stage s;

	(void)state;
	OPEN(&s, "Host a\n ProxyJump b\nHost b\n ProxyJump a\nHost long\n ProxyJump 1,2,3,4,5,6,7,8,9\nHost self\n ProxyJump self\n"
		 "Host quoted\n ProxyJump \"gw\"\n", "a", "long", "self", "x", "y", "quoted");
	s.hosts[3].jump = "y";
	s.hosts[4].jump = "x";
	assert_holds(route_of(&s, "a")->trouble, "form a loop");
	assert_holds(route_of(&s, "long")->trouble, "more than 8 nested jump hosts");
	assert_holds(route_of(&s, "self")->trouble, "config:8: ProxyJump self: the jump host is the host itself");
	assert_holds(route_of(&s, "x")->trouble, "form a loop");
	assert_holds(route_of(&s, "quoted")->trouble, "config:10");
	stage_done(&s);
}

static void nothing_runs_before_the_person_agrees(void **state)
{
	static const char config[] = "Match host n1 exec \"touch %h\"\n Port 1\nMatch host n2 exec \"false\" user nobody\n Port 2\n"
				     "Match final exec \"true\"\n";
	struct stage s;

	(void)state;
	ssh_here.is_allowed = false;
	ssh_here.ran = 0;
	OPEN(&s, "Match host n1 exec \"touch %h\"\n Port 1\nMatch host n2 exec \"false\" user nobody\n Port 2\n", "n1", "n2", "n3");
	assert_holds(route_of(&s, "n1")->trouble, "config:1: Match exec \"touch %h\" runs a program on this machine");
	assert_holds(route_of(&s, "n1")->trouble, "fabcon --allow match-exec");
	assert_null(route_of(&s, "n2")->trouble);	/* whatever it said */
	assert_null(route_of(&s, "n3")->trouble);
	assert_int_equal(ssh_here.ran, 0);
	stage_done(&s);
	OPEN(&s, config, "n1");
	s.source.is_openssh = true;
	assert_holds(route_of(&s, "n1")->trouble, "fabcon --allow match-exec");
	stage_done(&s);
	ssh_here.is_allowed = true;
	OPEN(&s, "Match host n1 exec \"test %h = n1\"\n Port 1\n", "n1", "bad");
	s.hosts[1].address = "n1;touch";
	assert_int_equal(route_of(&s, "n1")->port, 1);
	assert_holds(route_of(&s, "bad")->trouble, "not a host name or address");
	assert_int_equal(ssh_here.ran, 1);
	stage_done(&s);
}

static void what_is_not_followed_is_named_with_file_and_line(void **state)
{
	static const struct {
		const char *line, *note, *trouble;
	} rows[] = {
		{ "HostbasedAuthentication yes", "fabcon_transport: openssh", NULL },
		{ "PKCS11Provider /lib/p11.so", "ssh-add -s", NULL },
		{ "KnownHostsCommand /bin/kh %h", "a host key that only it knows", NULL },
		{ "GSSAPIAuthentication yes", "Kerberos", NULL },
		{ "StrictHostKeyChecking no", "--host-key accept-new", NULL },
		{ "BindAddress 10.0.0.9", "source address", NULL },
		{ "Ciphers aes128-ctr", "libssh's algorithms", NULL },
		{ "RemoteCommand tmux", "its own commands", NULL },
		{ "RevokedHostKeys /etc/revoked", NULL, "fabcon_transport: openssh" },
		{ "AddressFamily inet", NULL, "either address family" },
		{ "CanonicalizeHostname yes\nCanonicalDomains lab", NULL, "canonical host names" },
		{ "Tag site", NULL, "no tags" },
		{ "User -oProxyCommand=x", NULL, "not a user name" },
		{ "HostName $(reboot)", NULL, "name or address" },
		{ "HostName -x", NULL, "name or address" },
		{ "ProxyJump a;b", NULL, "jump host" },
		{ "ProxyCommand nc %z", NULL, "%z is not a token" },
		{ "ProxyCommand -", NULL, "not a connection" },
		{ "ForwardAgent yes\nSendEnv LANG\nHashKnownHosts yes\nControlMaster auto\nServerAliveInterval 5\nCompression yes", NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct stage s;
		const struct route *r;

		OPEN(&s, rows[i].line, "n1");
		r = route_of(&s, "n1");
		assert_int_equal(r->notes.n, rows[i].note ? 1 : 0);
		if (rows[i].note)
			assert_holds(r->notes.list[0], rows[i].note), assert_holds(r->notes.list[0], "config:1: ");
		if (rows[i].trouble)
			assert_holds(r->trouble, rows[i].trouble), assert_holds(r->trouble, "config:1: ");
		else
			assert_null(r->trouble);
		stage_done(&s);
	}
}

static void a_distributions_defaults_are_no_reason_for_a_note(void **state)
{
	struct stage s;

	(void)state;
	OPEN(&s, "", "n1");
	ssh_here_write_text("system", "Host *\n SendEnv LANG LC_*\n HashKnownHosts yes\n GSSAPIAuthentication yes\n"
			     "Match final all\n Ciphers aes256-gcm@openssh.com\n RequiredRSASize 2048\n");
	s.source.system_file = ssh_here_path("system");
	assert_int_equal(route_of(&s, "n1")->notes.n, 0);
	assert_null(route_of(&s, "n1")->trouble);
	stage_done(&s);
}

static void strict_and_known_hosts_are_the_sites(void **state)
{
	struct stage s;
	const struct route *r;

	(void)state;
	OPEN(&s, "Host n1\n StrictHostKeyChecking yes\nHost n2\n UserKnownHostsFile none\n GlobalKnownHostsFile /site/known\n"
		 "Host n3\n IdentitiesOnly yes\n IdentityFile ~/a\n IdentityAgent none\n", "n1", "n2", "n3");
	assert_true(route_of(&s, "n1")->is_strict);
	assert_int_equal(route_of(&s, "n1")->known_hosts.n, 0);
	r = route_of(&s, "n2");
	assert_false(r->is_strict);
	assert_string_equal(r->known_hosts.list[0], "/dev/null");	/* a key that is accepted never goes to the system's file */
	assert_string_equal(r->known_hosts.list[1], "/site/known");
	r = route_of(&s, "n3");
	assert_true(r->identities_only);
	assert_string_equal(r->agent, "none");
	stage_done(&s);
	OPEN(&s, "UserKnownHostsFile /config/known\n", "n1");
	s.inv.known_hosts = "/inventory/known";
	assert_int_equal(route_of(&s, "n1")->known_hosts.n, 0);
	stage_done(&s);
}

static void the_sites_own_ssh_gets_the_inventorys_words(void **state)
{
	static const char *const wanted[] = { "-p", "2200", "-l", "root", "-o", "IdentityFile=\"/k/a b\"", "-J", "ops@10.0.0.9:99", "-o",
					      "ServerAliveInterval=5", "-4", "-o", "RemoteCommand=none" };
	struct stage s;
	const struct route *r;

	(void)state;
	OPEN(&s, "RemoteCommand tmux\nAddressFamily inet\nFutureKeyword x\n", "n1", "gw");
	s.hosts[0] = (struct host){ .name = "n1", .address = "node1.lab", .port = 2200, .user = "root", .identity = "/k/a b", .jump = "gw",
				    .ssh_args = "-o ServerAliveInterval=5 -4", .transport = TRANSPORT_OPENSSH };
	s.hosts[1] = (struct host){ .name = "gw", .address = "10.0.0.9", .user = "ops", .port = 99 };
	r = route_of(&s, "n1");
	assert_null(r->jump);	/* ssh goes its way alone */
	assert_int_equal(r->transport, TRANSPORT_OPENSSH);
	assert_null(r->trouble);
	assert_string_equal(r->destination, "node1.lab");
	assert_string_equal(r->user, "root");
	assert_int_equal(r->ssh_args.n, sizeof(wanted) / sizeof(*wanted));
	for (size_t i = 0; i < r->ssh_args.n; i++)
		assert_string_equal(r->ssh_args.list[i], wanted[i]);
	stage_done(&s);
}

static void arguments_that_make_another_session_stop_the_host(void **state)
{
	static const char *const args[] = { "-W a:1", "-N", "-Z", "stray", "-o", "-o Foo=bar", "-o Include=x", "-o 'Port 1", "-p 0", "-l -x",
					    "-- host", "-F /nonexistent/config", "-J a;b", "-o HostName=-x" };

	(void)state;
	for (size_t i = 0; i < sizeof(args) / sizeof(*args); i++) {
		struct stage s;
		const struct route *r;

		OPEN(&s, "", "n1");
		s.hosts[0].ssh_args = args[i];
		r = route_of(&s, "n1");
		if (!r->trouble)
			fail_msg("%s: no trouble", args[i]);
		stage_done(&s);
	}
}

static void the_inventorys_trouble_is_told_first(void **state)
{
	struct stage s;

	(void)state;
	OPEN(&s, "Foo bar\n", "n1", "n2");
	s.hosts[0].trouble = "hosts.yml:3: ansible_host is a template";
	assert_string_equal(route_of(&s, "n1")->trouble, "configuration: hosts.yml:3: ansible_host is a template");
	assert_holds(route_of(&s, "n2")->trouble, "config:1: Bad configuration option: foo");
	assert_holds(route_of(&s, "n2")->trouble, "IgnoreUnknown foo");
	stage_done(&s);
}

/* -- by this machine's own files -- */

static const struct route *settle_here(struct inventory *inv, struct host *h, const char *args)
{
	*h = (struct host){ .name = "n1", .ssh_args = args };
	inventory_init(inv);
	inv->hosts = h;
	inv->n_hosts = 1;
	ssh_files_settle(inv);
	return inv->routes.list[0];
}

static void a_file_that_others_can_write_is_refused_as_ssh_does(void **state)
{
	char *args = xasprintf("-F %s", ssh_here_path("main.conf")), *include = xasprintf("Include %s\n", ssh_here_path("open.conf"));
	struct inventory inv;
	struct host h;

	(void)state;
	ssh_here_write_text("main.conf", include);
	ssh_here_write_text("open.conf", "User someone\n");
	chmod(ssh_here_path("open.conf"), 0666);
	assert_holds(settle_here(&inv, &h, args)->trouble, "Bad owner or permissions on");
	assert_holds(inv.routes.list[0]->trouble, "chmod go-w ");
	routes_done(&inv.routes);
	chmod(ssh_here_path("open.conf"), 0644);
	assert_string_equal(settle_here(&inv, &h, args)->user, "someone");
	routes_done(&inv.routes);
	free(args);
	free(include);
}

static void a_program_of_match_exec_runs_once_and_with_leave_alone(void **state)
{
	char *args = xasprintf("-F %s", ssh_here_path("exec.conf")), *text, *ran;
	struct inventory inv;
	struct host h;
	struct err err;
	size_t n;

	(void)state;
	text = xasprintf("Match exec \"echo %%h >>%s; true\"\n User first\nMatch exec \"echo %%h >>%s; true\"\n Port 9\n"
			 "Match exec \"kill -9 $$\"\n", ssh_here_path("ran"), ssh_here_path("ran"));
	ssh_here_write_text("exec.conf", text);
	assert_holds(settle_here(&inv, &h, args)->trouble, "fabcon --allow match-exec");
	assert_int_not_equal(access(ssh_here_path("ran"), F_OK), 0);
	routes_done(&inv.routes);
	assert_true(consent_allow("match-exec", &err));
	assert_holds(settle_here(&inv, &h, args)->trouble, "exec.conf:5: Match exec \"kill -9 $$\": ended abnormally");
	assert_string_equal(inv.routes.list[0]->user, "first");
	assert_int_equal(inv.routes.list[0]->port, 9);
	routes_done(&inv.routes);
	ran = file_text(ssh_here_path("ran"), &n);
	assert_string_equal(ran, "n1\n");
	free(ran);
	free(text);
	free(args);
}

/* "ssh -v" says what it expanded once it has somebody to talk to. */
static void keys_and_proxy_command_are_expanded_as_by_a_live_ssh(void **state)
{
	static const char text[] = "Host n1\n HostName %h.lab\n User ops\n Port 2200\n IdentityFile ~/.ssh/%u@%h:%p_%r_%n_%k_%i_%L_%l_%C\n"
				   " IdentityFile /k/%%x\n ProxyCommand : %h %p %r %n %%; exit 1\n HostKeyAlias Alias\n";
	char *args = xasprintf("-F %s", ssh_here_path("live.conf")), *line;
	struct inventory inv;
	struct host h;
	const struct route *r;

	(void)state;
	if (!ssh_here_has_ssh()) {
		printf("skip: no " SSH " here\n");
		return;
	}
	ssh_here_write_text("live.conf", text);
	struct run said = RUN(SSH, "-v", "-F", ssh_here_path("live.conf"), "n1", "true");
	r = settle_here(&inv, &h, args);
	assert_null(r->trouble);
	line = xasprintf("identity file %s type", r->identities.list[0]);
	assert_holds(said.err.text, line);
	free(line);
	line = xasprintf("identity file %s type", r->identities.list[1]);
	assert_holds(said.err.text, line);
	free(line);
	line = xasprintf("Executing proxy command: exec %s", r->proxy_command);
	assert_holds(said.err.text, line);
	free(line);
	free(args);
	run_done(&said);
	routes_done(&inv.routes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_inventory_wins_over_the_files_and_host_is_its_address),
		cmocka_unit_test(tokens_are_expanded_as_ssh_does),
		cmocka_unit_test(a_chain_is_gone_through_by_each_hops_own_entries),
		cmocka_unit_test(hosts_behind_the_same_jump_host_share_its_route),
		cmocka_unit_test(circles_and_endless_chains_are_named),
		cmocka_unit_test(nothing_runs_before_the_person_agrees),
		cmocka_unit_test(what_is_not_followed_is_named_with_file_and_line),
		cmocka_unit_test(a_distributions_defaults_are_no_reason_for_a_note),
		cmocka_unit_test(strict_and_known_hosts_are_the_sites),
		cmocka_unit_test(the_sites_own_ssh_gets_the_inventorys_words),
		cmocka_unit_test(arguments_that_make_another_session_stop_the_host),
		cmocka_unit_test(the_inventorys_trouble_is_told_first),
		cmocka_unit_test(a_file_that_others_can_write_is_refused_as_ssh_does),
		cmocka_unit_test(a_program_of_match_exec_runs_once_and_with_leave_alone),
		cmocka_unit_test(keys_and_proxy_command_are_expanded_as_by_a_live_ssh),
	};

	return cmocka_run_group_tests(tests, ssh_here_open, ssh_here_close);
}
