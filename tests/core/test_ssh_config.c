/*
 * ssh_config as ssh itself reads it: the corpus in tests/routes/ and configurations made at random are compared with what
 * "ssh -G" says of them.
 */
#include "core/ssh_config/ssh_config.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/inventory/inventory.h"
#include "core/route/routes.h"
#include "core/ssh_config/args.h"
#include "core/ssh_config/words.h"
#include "tests/lib/run.h"
#include "tests/lib/say.h"
#include "tests/lib/ssh_here.h"

/* -- the same words, by ssh and by us -- */

static const char *const compared[] = {
	"user", "hostname", "port", "identitiesonly", "proxycommand", "proxyjump", "hostkeyalias", "certificatefile",
	"identityfile", "globalknownhostsfile", "userknownhostsfile",
};

#define N_COMPARED	(sizeof(compared) / sizeof(*compared))

/* The lines of "ssh -G" that are compared, in one order. */
static void keep_compared(struct span text, struct buf *out)
{
	for (size_t i = 0; i < N_COMPARED; i++) {
		struct span rest = text, line, key, value;

		while (span_line(&rest, &line))
			if (span_cut(line, ' ', &key, &value) && span_is(key, compared[i]))
				buf_printf(out, "%.*s\n", (int)line.n, line.p);
	}
}

static void add_list(struct buf *out, const char *key, const struct ssh_said *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_printf(out, "%s %s\n", key, list[i].text);
}

/* "a,b,user@[10.0.0.1]:22" as ssh writes it back: the last one taken apart. */
static void add_jump(struct buf *out, struct arena *a, const char *text)
{
	struct span last = span_of(text), before = { 0 };
	struct ssh_hop hop;
	bool is_number;

	span_cut_last(last, ',', &before, &last);
	assert_true(ssh_read_hop(a, span_trim((struct span){ last.p, strcspn(last.p, "#") }), &hop));
	is_number = strchr(hop.host, ':') || hop.host[strspn(hop.host, "1234567890.")] == '\0';
	buf_printf(out, "proxyjump %.*s%s%s%s%s%s%s", (int)before.n, before.n ? before.p : "", before.n ? "," : "",
		   hop.user ? hop.user : "", hop.user ? "@" : "", is_number ? "[" : "", hop.host, is_number ? "]" : "");
	if (hop.port)
		buf_printf(out, ":%u", hop.port);
	buf_str(out, "\n");
}

static void add_proxy(struct buf *out, struct arena *a, const struct ssh_settings *s)
{
	const struct ssh_said *command = &s->said[SSH_PROXY_COMMAND], *jump = &s->said[SSH_PROXY_JUMP];

	if (command->text && !ssh_said_is(command, "none"))
		buf_printf(out, "proxycommand %s\n", command->text);
	if (jump->text && !ssh_said_is(jump, "none"))
		add_jump(out, a, jump->text);
}

/* The system's files are written as they are, the user's expanded; the route has both, or neither for the usual. */
static void add_known(struct buf *out, const struct ssh_settings *s, const struct route *r)
{
	static const char system_usual[] = "/etc/ssh/ssh_known_hosts /etc/ssh/ssh_known_hosts2";
	const struct ssh_said *system = &s->said[SSH_SYSTEM_KNOWN], *user = &s->said[SSH_USER_KNOWN];
	size_t n_system = !system->text ? 2 : ssh_said_is(system, "none") ? 0 : ssh_line_words(system->line)->n;
	size_t n = r->known_hosts.n - (r->known_hosts.n ? n_system : 0);

	buf_str(out, "globalknownhostsfile");
	if (!system->text)
		buf_printf(out, " %s", system_usual);
	for (size_t i = 0; system->text && i < ssh_line_words(system->line)->n; i++)
		buf_printf(out, " %s", ssh_line_words(system->line)->list[i]);
	buf_str(out, "\nuserknownhostsfile");
	if (ssh_said_is(user, "none"))
		buf_str(out, " none");
	else if (!r->known_hosts.n)
		buf_printf(out, " %s/.ssh/known_hosts %s/.ssh/known_hosts2", ssh_here.home, ssh_here.home);
	for (size_t i = 0; !ssh_said_is(user, "none") && i < n; i++)
		buf_printf(out, " %s", r->known_hosts.list[i]);
	buf_str(out, "\n");
}

static void add_keys(struct buf *out, const struct ssh_settings *s)
{
	static const char usual[] = "identityfile ~/.ssh/id_rsa\nidentityfile ~/.ssh/id_ecdsa\nidentityfile ~/.ssh/id_ecdsa_sk\n"
				    "identityfile ~/.ssh/id_ed25519\nidentityfile ~/.ssh/id_ed25519_sk\n"
				    "identityfile ~/.ssh/id_xmss\nidentityfile ~/.ssh/id_dsa\n";

	add_list(out, "certificatefile", s->certificates, s->n_certificates);
	add_list(out, "identityfile", s->identities, s->n_identities);
	if (!s->n_identities)
		buf_str(out, usual);
}

struct asked {
	struct buf text;		/* as keep_compared() has it, or "refused" */
	char trouble[600];		/* of the route: it is not dialed */
};

static void print_ours(struct ssh_config *c, const struct ssh_settings *s, const struct route *r, struct buf *out)
{
	const struct ssh_said *only = &s->said[SSH_IDENTITIES_ONLY], *alias = &s->said[SSH_HOST_KEY_ALIAS];

	buf_printf(out, "user %s\nhostname %s\nport %u\n", r->user ? r->user : ssh_here.user, r->address, r->port);
	buf_printf(out, "identitiesonly %s\n", ssh_said_is(only, "yes") || ssh_said_is(only, "true") ? "yes" : "no");
	add_proxy(out, ssh_config_arena(c), s);
	if (alias->text)
		buf_printf(out, "hostkeyalias %s\n", ssh_lower(ssh_config_arena(c), alias->text));
	add_keys(out, s);
	add_known(out, s, r);
}

/* options: of ssh's command line, "-F FILE" among them. */
static struct asked ask_us(const char *options, const char *destination)
{
	struct ssh_source source = ssh_here_source();
	struct asked a = { 0 };
	struct ssh_args args = { 0 };
	struct ssh_settings s;
	struct ssh_config *c = ssh_config_new(&source);
	struct inventory inv;
	struct host h = { .name = "host", .address = destination, .ssh_args = options };

	inventory_init(&inv);
	inv.hosts = &h;
	inv.n_hosts = 1;
	routes_settle(&inv.routes, &inv, &source);
	const struct route *r = inv.routes.list[0];

	snprintf(a.trouble, sizeof(a.trouble), "%s", r->trouble ? r->trouble : "");
	const char *at = strrchr(destination, '@');
	char *user = at ? xstrndup(destination, (size_t)(at - destination)) : NULL;

	ssh_args_read(&args, c, options);
	if (user)
		ssh_args_say(&args, c, "User", user);
	free(user);
	ssh_config_ask(c, args.file, args.lines, args.n_lines, at ? at + 1 : destination, &s);
	if (s.trouble)
		buf_str(&a.text, "refused\n");
	else
		print_ours(c, &s, r, &a.text);
	ssh_settings_done(&s);
	ssh_args_done(&args);
	ssh_config_free(c);
	routes_done(&inv.routes);
	return a;
}

static void ask_ssh(const char *options, const char *destination, struct buf *out)
{
	struct arena arena = { 0 };
	struct texts argv = { 0 };
	struct run r;

	*GROW(argv.list, argv.n, argv.cap) = SSH;
	argv.n++;
	*GROW(argv.list, argv.n, argv.cap) = "-G";
	argv.n++;
	assert_true(ssh_shell_split(&arena, options, &argv));
	*GROW(argv.list, argv.n, argv.cap) = destination;
	argv.n++;
	*GROW(argv.list, argv.n, argv.cap) = NULL;
	r = run_program(argv.list, NULL);
	if (r.code != 0)
		buf_str(out, "refused\n");
	else
		keep_compared(buf_span(&r.out), out);
	run_done(&r);
	free(argv.list);
	arena_done(&arena);
}

/* A trouble names a file and a line, or the inventory, and what helps. */
static bool helps(const char *trouble)
{
	static const char *const remedies[] = { "fabcon --", "correct", "chmod", "write" };

	for (size_t i = 0; i < sizeof(remedies) / sizeof(*remedies); i++)
		if (strstr(trouble, remedies[i]))
			return true;
	return false;
}

/* -- the corpus -- */

static void replace(struct buf *text, const char *what, const char *with)
{
	struct buf out = { 0 };
	struct span rest = buf_span(text);
	const char *at;

	while ((at = span_find(rest, what))) {
		buf_add(&out, rest.p, (size_t)(at - rest.p));
		buf_str(&out, with);
		rest = (struct span){ at + strlen(what), rest.n - (size_t)(at - rest.p) - strlen(what) };
	}
	buf_add(&out, rest.p, rest.n);
	buf_done(text);
	*text = out;
}

static void copy_to_dir(const char *from, const char *name)
{
	struct buf text = { 0 };
	size_t n;
	char *all = file_text(from, &n);

	assert_non_null(all);
	buf_add(&text, all, n);
	replace(&text, "@DIR@", ssh_here.dir);
	ssh_here_write(name, text.text, text.n);
	buf_done(&text);
	free(all);
}

static void expected_of(const char *path, struct buf *out)
{
	size_t n;
	char *all = file_text(path, &n);

	if (!all)
		fail_msg("%s is missing: sh tests/routes/expect.sh writes it", path);
	buf_add(out, all, n);
	free(all);
	replace(out, "@DIR@", ssh_here.dir);
	replace(out, "@HOME@", ssh_here.home);
	replace(out, "@USER@", ssh_here.user);
}

/* Of "== WORDS" up to the next one. */
static struct span section(const struct buf *all, const char *head)
{
	char *line = xasprintf("== %s\n", head);
	const char *at = span_find(buf_span(all), line), *end;
	struct span rest = { 0 };

	if (at) {
		at += strlen(line);
		rest = (struct span){ at, all->n - (size_t)(at - all->text) };
		end = span_find(rest, "== ");
		rest.n = end ? (size_t)(end - at) : rest.n;
	}
	free(line);
	return rest;
}

struct tally {
	unsigned same, stopped, different, lines;
};

static const char *verdict_of(const struct asked *ours, struct span expected, struct tally *t)
{
	if (ours->trouble[0] && helps(ours->trouble)) {
		bool is_refused = span_is(expected, "refused\n");

		t->same += is_refused;
		t->stopped += !is_refused;
		return is_refused ? "same: both refuse" : "stopped with message";
	}
	if (!ours->trouble[0] && span_same(buf_span(&ours->text), expected)) {
		t->same++;
		return "same";
	}
	t->different++;
	return "DIFFERENT";
}

static void one_ask(const char *name, const char *words, const struct buf *expected, struct tally *t)
{
	const char *at = strrchr(words, ' '), *destination = at ? at + 1 : words;
	char *options = xasprintf("%.*s -F %s", at ? (int)(at - words) : 0, words, ssh_here_path(name));
	struct span want = section(expected, words);
	struct asked ours = ask_us(options, destination);
	const char *verdict = verdict_of(&ours, want, t);
	struct buf live = { 0 };

	printf("  %-28s %-30s %s%s%s\n", name, words, verdict, ours.trouble[0] ? ": " : "", ours.trouble);
	if (!strcmp(verdict, "DIFFERENT"))
		printf("--- ssh\n%.*s--- fabcon\n%s", (int)want.n, want.p, ours.text.text);
	if (ssh_here_has_ssh()) {
		ask_ssh(options, destination, &live);
		if (!span_same(buf_span(&live), want))
			fail_msg("%s.expect is not what this ssh says of %s:\n%s", name, words, live.text);
	}
	t->lines++;
	buf_done(&live);
	buf_done(&ours.text);
	free(options);
}

static void one_file(const char *path, struct tally *t)
{
	const char *name = strrchr(path, '/') + 1;
	char *wanted = xasprintf("%.*s.expect", (int)(strlen(path) - 5), path);
	struct buf expected = { 0 };
	struct span rest, line;
	size_t n;
	char *text = file_text(path, &n);

	copy_to_dir(path, name);
	expected_of(wanted, &expected);
	rest = (struct span){ text, n };
	while (span_line(&rest, &line)) {
		if (!span_skip(&line, "# ask: "))
			continue;
		char *words = xstrndup(line.p, line.n);

		one_ask(name, words, &expected, t);
		free(words);
	}
	buf_done(&expected);
	free(wanted);
	free(text);
}

static void the_corpus_gives_what_ssh_itself_says_or_a_stop_that_helps(void **state)
{
	struct tally t = { 0 };
	glob_t files, included;

	(void)state;
	ssh_here.is_allowed = true;
	mkdir(ssh_here_path("inc"), 0700);
	assert_int_equal(glob("tests/routes/inc/*", 0, NULL, &included), 0);
	for (size_t i = 0; i < included.gl_pathc; i++)
		copy_to_dir(included.gl_pathv[i], included.gl_pathv[i] + strlen("tests/routes/"));
	assert_int_equal(glob("tests/routes/*.conf", 0, NULL, &files), 0);
	if (!ssh_here_has_ssh())
		printf("skip: no " SSH " here: compared with what it said when the .expect files were written\n");
	for (size_t i = 0; i < files.gl_pathc; i++)
		one_file(files.gl_pathv[i], &t);
	printf("%zu files, %u destinations: %u same, %u stopped, %u silently different\n", files.gl_pathc, t.lines, t.same,
	       t.stopped, t.different);
	assert_true(files.gl_pathc >= 30);
	assert_int_equal(t.different, 0);
	globfree(&files);
	globfree(&included);
}

/* -- at random -- */

static uint64_t seed;

static unsigned below(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

#define PICK(list)	(list)[below(sizeof(list) / sizeof(*(list)))]

static void random_patterns(struct buf *out, const char *sep)
{
	static const char *const patterns[] = { "*", "node*", "node1", "node?", "n*1", "!node2", "*.example.com", "gw", "10.0.0.*", "NODE1",
						"!gw", "node[12]", "bastion", "db-*", "!*.example.com", "127.0.0.1" };

	for (unsigned i = 0, n = 1 + below(3); i < n; i++)
		buf_printf(out, "%s%s", i ? sep : "", PICK(patterns));
}

static void random_match(struct buf *out)
{
	static const char *const users[] = { "ops", "admin", "*", "!ops", "a*", "root" };
	static const char *const lists[] = { "host ", "originalhost ", "!host ", "!originalhost " };
	static const char *const execs[] = { "exec true", "exec false", "exec \"test %h = node1\"", "!exec \"test %n = gw\"",
					     "exec \"test %p = 22\"", "exec \"test %r = ops\"" };

	buf_str(out, "Match");
	for (unsigned i = 0, n = 1 + below(3); i < n; i++) {
		buf_str(out, " ");
		switch (below(9)) {
		case 0:
			buf_printf(out, "%suser %s", below(4) ? "" : "!", PICK(users));
			break;
		case 1:
			buf_printf(out, "%s", below(5) ? "final" : "!final");
			break;
		case 2:
			buf_str(out, below(2) ? "canonical" : "localuser *");
			break;
		case 3:
			buf_str(out, PICK(execs));
			break;
		case 4:
			buf_str(out, i ? "host *" : below(3) ? "all" : "!all");
			i = below(4) ? n : i;
			break;
		default:
			buf_str(out, PICK(lists));
			random_patterns(out, ",");
		}
	}
	buf_str(out, "\n");
}

static void random_key(struct buf *out)
{
	static const char *const lines[] = {
		"HostName %h.example.com", "HostName 10.0.0.7", "HostName Node1.Example.COM", "HostName gw", "HostName ::0001",
		"HostName %%x%h", "User ops", "User admin", "User=\"root\"", "User 'a b'", "Port 2222", "Port = 2200", "port=22",
		"IdentityFile ~/.ssh/id_%h", "IdentityFile \"/k/with blank\"", "IdentityFile none", "identityfile /k/a", "IdentityFile /k/b",
		"CertificateFile ~/.ssh/c-cert.pub", "CertificateFile /k/d", "IdentitiesOnly yes", "IdentitiesOnly no",
		"IdentitiesOnly True", "ProxyJump gw", "ProxyJump ops@bastion:2200,gw", "ProxyJump none", "ProxyJump [fe80::1]:22",
		"ProxyJump ssh://u@gw:99", "ProxyJump 10.0.0.9", "ProxyCommand nc %h %p", "ProxyCommand none", "ProxyCommand=nc -x p:1 %h %p # c",
		"HostKeyAlias ALIAS", "HostKeyAlias other", "UserKnownHostsFile ~/.ssh/kh_%h_%C %d/x", "UserKnownHostsFile none",
		"UserKnownHostsFile /kh/%n-%k-%u-%i-%l-%L-%r-%p", "GlobalKnownHostsFile ~/g /etc/h", "GlobalKnownHostsFile none",
		"# a comment", "", "Compression yes # why", "ServerAliveInterval 1m30s", "IgnoreUnknown UseKeychain,x*",
		"SendEnv LANG LC_*", "StrictHostKeyChecking accept-new", "ForwardAgent yes", "LogLevel QUIET", "Ciphers aes128-ctr",
		"\t User  ops \t", "ControlPath ~/.ssh/%C", "AddKeysToAgent yes", "LocalForward 8080 localhost:80", "CanonicalizeHostname no",
		"ConnectTimeout 10", "user \"admin\"", "SetEnv A=b", "Protocol 2", "CanonicalizeHostname yes", "CanonicalizeMaxDots 2",
	};
	static const char *const rare[] = { "UseKeychain yes", "Port 0", "Foo bar", "User", "IdentitiesOnly maybe", "Port 22 23", "User \"x",
					    "ProxyJump a b", "Host", "HostName %z", "ConnectTimeout 5x", "Match", "Match foo bar",
					    "UserKnownHostsFile a none", "IdentityAgent ${NOT_SET_HERE}", "ProxyJump #", "xfoo 1" };

	buf_printf(out, "%s%s\n", below(2) ? "  " : "", below(60) ? PICK(lines) : PICK(rare));
}

static void random_config(struct buf *out, unsigned depth)
{
	for (unsigned i = 0, n = 1 + below(5); i < n; i++) {
		if (below(6)) {
			buf_str(out, below(3) ? "Host " : "host=");
			random_patterns(out, " ");
			buf_str(out, "\n");
		} else if (below(5)) {
			random_match(out);
		}
		if (below(3) == 0)
			random_match(out);
		for (unsigned k = 0, keys = below(5); k < keys; k++)
			random_key(out);
		if (depth && below(4) == 0)
			buf_printf(out, "Include %s/r-inc* %s/r-none\n", ssh_here.dir, ssh_here.dir);
	}
}

#define RANDOM_RUNS	2000

struct random_tally {
	unsigned same, stopped, refused;
};

static bool agrees(const struct asked *ours, const struct buf *theirs, struct random_tally *t)
{
	if (!strcmp(theirs->text, "refused\n") && ours->trouble[0])
		t->refused++;
	else if (ours->trouble[0] && helps(ours->trouble))
		t->stopped++;
	else if (ours->trouble[0] || strcmp(theirs->text, ours->text.text) != 0)
		return false;
	else
		t->same++;
	return true;
}

static void one_random(struct random_tally *t)
{
	static const char *const names[] = { "node1", "node2", "gw", "NODE1", "node1.example.com", "10.0.0.1", "bastion", "db-7", "ops@node1",
					     "0:0::1", "127.1", "admin@gw" };
	static const char *const options[] = { "", "", "", "", "-p 2022", "-l ops", "-J gw", "-o User=admin", "-o 'Port 99'",
					       "-o ProxyCommand=none", "-o IdentityFile=/i/j", "-4 -o HostName=gw", "-i /k/missing" };
	struct buf config = { 0 }, included = { 0 }, theirs = { 0 };
	unsigned long long from = (unsigned long long)seed;
	struct asked ours;
	const char *name;
	char *all;

	below(2);
	random_config(&config, 1);
	random_config(&included, 0);
	ssh_here_write("r.conf", config.text, config.n);
	ssh_here_write("r-inc1", included.text, included.n);
	name = PICK(names);
	all = xasprintf("%s -F %s", PICK(options), ssh_here_path("r.conf"));
	ours = ask_us(all, name);
	ask_ssh(all, name, &theirs);
	if (!agrees(&ours, &theirs, t)) {
		printf("FABCON_SEED=%llu: %s %s\n%s--- included\n%s--- ssh\n%s--- fabcon: %s\n%s", from, all, name, config.text, included.text,
		       theirs.text, ours.trouble, ours.text.text);
		fail();
	}
	free(all);
	buf_done(&config);
	buf_done(&included);
	buf_done(&theirs);
	buf_done(&ours.text);
}

static void random_configurations_say_the_same_as_ssh(void **state)
{
	const char *given = getenv("FABCON_SEED");
	uint64_t first = given ? strtoull(given, NULL, 10) : (uint64_t)getpid();
	struct random_tally t = { 0 };

	(void)state;
	if (!ssh_here_has_ssh()) {
		printf("skip: no " SSH " here\n");
		return;
	}
	ssh_here.is_allowed = true;
	printf("seed %llu\n", (unsigned long long)first);
	for (unsigned i = 0; i < RANDOM_RUNS; i++) {
		seed = first + i;
		one_random(&t);
	}
	printf("%u configurations: %u same, %u refused by both, %u stopped with message, 0 different\n", RANDOM_RUNS, t.same, t.refused,
	       t.stopped);
	assert_true(t.same > RANDOM_RUNS / 2);
}

static void patterns_take_no_time_however_they_are_written(void **state)
{
	char name[200], pattern[400] = "";

	(void)state;
	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	for (unsigned i = 0; i < 190; i++)
		strcat(pattern, "*a");
	assert_false(ssh_match(name, strcat(pattern, "b")));
	assert_true(ssh_match("node17", "n*?7"));
	assert_true(ssh_match_list("NODE1", "!node2,node*", true));
	assert_false(ssh_match_list("node2", "node*,!node2", false));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_corpus_gives_what_ssh_itself_says_or_a_stop_that_helps),
		cmocka_unit_test(patterns_take_no_time_however_they_are_written),
		cmocka_unit_test(random_configurations_say_the_same_as_ssh),
	};

	return cmocka_run_group_tests(tests, ssh_here_open, ssh_here_close);
}
