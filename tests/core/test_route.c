/*
 * How hosts are reached: by the inventory and ssh_config as ssh itself has it. The corpus in tests/routes/ and configurations
 * made at random are compared with what "ssh -G" says of them.
 */
#include "core/ssh_config/ssh_config.h"

#include <errno.h>
#include <glob.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/inventory/inventory.h"
#include "core/route/routes.h"
#include "core/ssh_config/args.h"
#include "core/ssh_config/words.h"
#include "tests/lib/run.h"
#include "tests/lib/say.h"
#include "tui/args/consent.h"
#include "tui/session/ssh_files.h"

#define SSH	"/usr/bin/ssh"

static struct here {
	char dir[64], machine[256], shorter[256], uid[24];
	const char *user, *home;
	unsigned ran;			/* programs of Match exec */
	bool is_allowed;
} here;

/* -- what ssh_config is asked through -- */

static enum ssh_file_is read_file(void *ctx, const char *path, bool is_checked, struct buf *text, struct err *why)
{
	size_t n;
	char *all = file_text(path, &n);

	(void)ctx, (void)is_checked, (void)why;
	if (!all)
		return SSH_FILE_NONE;
	buf_add(text, all, n);
	free(all);
	return SSH_FILE_READ;
}

static bool list_files(void *ctx, const char *pattern, struct buf *paths)
{
	glob_t found = { 0 };
	int code = glob(pattern, GLOB_TILDE, NULL, &found);

	(void)ctx;
	for (size_t i = 0; code == 0 && i < found.gl_pathc; i++)
		buf_printf(paths, "%s\n", found.gl_pathv[i]);
	globfree(&found);
	return code == 0 || code == GLOB_NOMATCH;
}

static enum ssh_ran run(void *ctx, const char *place, const char *written, const char *command, struct err *why)
{
	struct here *h = ctx;
	int status;

	(void)place, (void)written, (void)why;
	if (!h->is_allowed)
		return SSH_RAN_NOT_ALLOWED;
	h->ran++;
	status = system(command);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? SSH_RAN_YES : SSH_RAN_NO;
}

static const char *environment(void *ctx, const char *name)
{
	(void)ctx;
	return getenv(name);
}

static bool has_file(void *ctx, const char *path)
{
	(void)ctx;
	return access(path, F_OK) == 0;
}

static const char *home_of(void *ctx, const char *user)
{
	const struct passwd *pw = getpwnam(user);

	(void)ctx;
	return pw ? pw->pw_dir : NULL;
}

static struct ssh_source source_here(void)
{
	return (struct ssh_source){ .ctx = &here, .user = here.user, .home = here.home, .machine = here.machine, .uid = getuid(),
				    .read = read_file, .list = list_files, .run = run, .env = environment, .has = has_file,
				    .home_of = home_of };
}

static int set_up(void **state)
{
	const struct passwd *pw = getpwuid(getuid());

	(void)state;
	snprintf(here.dir, sizeof(here.dir), "/tmp/fabcon-route-XXXXXX");
	if (!mkdtemp(here.dir) || gethostname(here.machine, sizeof(here.machine) - 1) != 0)
		return -1;
	snprintf(here.shorter, sizeof(here.shorter), "%.*s", (int)strcspn(here.machine, "."), here.machine);
	snprintf(here.uid, sizeof(here.uid), "%u", (unsigned)getuid());
	here.user = xstrdup(pw ? pw->pw_name : "nobody");
	here.home = xstrdup(pw ? pw->pw_dir : "/");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	const struct run r = RUN("/bin/rm", "-r", here.dir);

	run_done((struct run *)&r);
	free((char *)here.user);
	free((char *)here.home);
	return 0;
}

static const char *path_of(const char *name)
{
	static char path[8][256];
	static unsigned next;
	char *p = path[next++ % 8];

	snprintf(p, sizeof(path[0]), "%s/%s", here.dir, name);
	return p;
}

static void write_file(const char *name, const char *text, size_t n)
{
	FILE *f = fopen(path_of(name), "w");

	assert_non_null(f);
	if (n)
		fwrite(text, 1, n, f);
	fclose(f);
	chmod(path_of(name), 0600);
}

static void write_text(const char *name, const char *text)
{
	write_file(name, text, strlen(text));
}

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
		buf_printf(out, " %s/.ssh/known_hosts %s/.ssh/known_hosts2", here.home, here.home);
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

	buf_printf(out, "user %s\nhostname %s\nport %u\n", r->user ? r->user : here.user, r->address, r->port);
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
	struct ssh_source source = source_here();
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

static bool has_ssh(void)
{
	return access(SSH, X_OK) == 0;
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
	replace(&text, "@DIR@", here.dir);
	write_file(name, text.text, text.n);
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
	replace(out, "@DIR@", here.dir);
	replace(out, "@HOME@", here.home);
	replace(out, "@USER@", here.user);
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
	char *options = xasprintf("%.*s -F %s", at ? (int)(at - words) : 0, words, path_of(name));
	struct span want = section(expected, words);
	struct asked ours = ask_us(options, destination);
	const char *verdict = verdict_of(&ours, want, t);
	struct buf live = { 0 };

	printf("  %-28s %-30s %s%s%s\n", name, words, verdict, ours.trouble[0] ? ": " : "", ours.trouble);
	if (!strcmp(verdict, "DIFFERENT"))
		printf("--- ssh\n%.*s--- fabcon\n%s", (int)want.n, want.p, ours.text.text);
	if (has_ssh()) {
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
	here.is_allowed = true;
	mkdir(path_of("inc"), 0700);
	assert_int_equal(glob("tests/routes/inc/*", 0, NULL, &included), 0);
	for (size_t i = 0; i < included.gl_pathc; i++)
		copy_to_dir(included.gl_pathv[i], included.gl_pathv[i] + strlen("tests/routes/"));
	assert_int_equal(glob("tests/routes/*.conf", 0, NULL, &files), 0);
	if (!has_ssh())
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
			buf_printf(out, "Include %s/r-inc* %s/r-none\n", here.dir, here.dir);
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
	write_file("r.conf", config.text, config.n);
	write_file("r-inc1", included.text, included.n);
	name = PICK(names);
	all = xasprintf("%s -F %s", PICK(options), path_of("r.conf"));
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
	if (!has_ssh()) {
		printf("skip: no " SSH " here\n");
		return;
	}
	here.is_allowed = true;
	printf("seed %llu\n", (unsigned long long)first);
	for (unsigned i = 0; i < RANDOM_RUNS; i++) {
		seed = first + i;
		one_random(&t);
	}
	printf("%u configurations: %u same, %u refused by both, %u stopped with message, 0 different\n", RANDOM_RUNS, t.same, t.refused,
	       t.stopped);
	assert_true(t.same > RANDOM_RUNS / 2);
}

/* -- routes -- */

struct stage {
	struct inventory inv;
	struct host hosts[8];
	struct ssh_source source;
};

/* Hosts by their names; config: the user's file. */
static void stage_open(struct stage *s, const char *config, const char *const *names, size_t n)
{
	*s = (struct stage){ .source = source_here() };
	write_text("config", config);
	s->source.user_file = path_of("config");
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
	assert_holds(route_of(&s, "a")->trouble, "circle");
	assert_holds(route_of(&s, "long")->trouble, "more than 8 jump hosts");
	assert_holds(route_of(&s, "self")->trouble, "config:8: ProxyJump self: the jump host is the host itself");
	assert_holds(route_of(&s, "x")->trouble, "circle");
	assert_holds(route_of(&s, "quoted")->trouble, "config:10");
	stage_done(&s);
}

static void nothing_runs_before_the_person_agrees(void **state)
{
	static const char config[] = "Match host n1 exec \"touch %h\"\n Port 1\nMatch host n2 exec \"false\" user nobody\n Port 2\n"
				     "Match final exec \"true\"\n";
	struct stage s;

	(void)state;
	here.is_allowed = false;
	here.ran = 0;
	OPEN(&s, "Match host n1 exec \"touch %h\"\n Port 1\nMatch host n2 exec \"false\" user nobody\n Port 2\n", "n1", "n2", "n3");
	assert_holds(route_of(&s, "n1")->trouble, "config:1: Match exec \"touch %h\" runs a program on this machine");
	assert_holds(route_of(&s, "n1")->trouble, "fabcon --allow match-exec");
	assert_null(route_of(&s, "n2")->trouble);	/* whatever it said */
	assert_null(route_of(&s, "n3")->trouble);
	assert_int_equal(here.ran, 0);
	stage_done(&s);
	OPEN(&s, config, "n1");
	s.source.is_openssh = true;
	assert_holds(route_of(&s, "n1")->trouble, "fabcon --allow match-exec");
	stage_done(&s);
	here.is_allowed = true;
	OPEN(&s, "Match host n1 exec \"test %h = n1\"\n Port 1\n", "n1", "bad");
	s.hosts[1].address = "n1;touch";
	assert_int_equal(route_of(&s, "n1")->port, 1);
	assert_holds(route_of(&s, "bad")->trouble, "cannot be the name or address");
	assert_int_equal(here.ran, 1);
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
		{ "Ciphers aes128-ctr", "algorithms of libssh", NULL },
		{ "RemoteCommand tmux", "its own commands", NULL },
		{ "RevokedHostKeys /etc/revoked", NULL, "fabcon_transport: openssh" },
		{ "AddressFamily inet", NULL, "either family" },
		{ "CanonicalizeHostname yes\nCanonicalDomains lab", NULL, "DNS" },
		{ "Tag site", NULL, "no tags" },
		{ "User -oProxyCommand=x", NULL, "name of a user" },
		{ "HostName $(reboot)", NULL, "name or address" },
		{ "HostName -x", NULL, "name or address" },
		{ "ProxyJump a;b", NULL, "jump host" },
		{ "ProxyCommand nc %z", NULL, "%z is no token" },
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
	write_text("system", "Host *\n SendEnv LANG LC_*\n HashKnownHosts yes\n GSSAPIAuthentication yes\n"
			     "Match final all\n Ciphers aes256-gcm@openssh.com\n RequiredRSASize 2048\n");
	s.source.system_file = path_of("system");
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
	char *args = xasprintf("-F %s", path_of("main.conf")), *include = xasprintf("Include %s\n", path_of("open.conf"));
	struct inventory inv;
	struct host h;

	(void)state;
	write_text("main.conf", include);
	write_text("open.conf", "User someone\n");
	chmod(path_of("open.conf"), 0666);
	assert_holds(settle_here(&inv, &h, args)->trouble, "Bad owner or permissions on");
	assert_holds(inv.routes.list[0]->trouble, "chmod go-w ");
	routes_done(&inv.routes);
	chmod(path_of("open.conf"), 0644);
	assert_string_equal(settle_here(&inv, &h, args)->user, "someone");
	routes_done(&inv.routes);
	free(args);
	free(include);
}

static void a_program_of_match_exec_runs_once_and_with_leave_alone(void **state)
{
	char *args = xasprintf("-F %s", path_of("exec.conf")), *text, *ran;
	struct inventory inv;
	struct host h;
	struct err err;
	size_t n;

	(void)state;
	text = xasprintf("Match exec \"echo %%h >>%s; true\"\n User first\nMatch exec \"echo %%h >>%s; true\"\n Port 9\n"
			 "Match exec \"kill -9 $$\"\n", path_of("ran"), path_of("ran"));
	write_text("exec.conf", text);
	assert_holds(settle_here(&inv, &h, args)->trouble, "fabcon --allow match-exec");
	assert_int_not_equal(access(path_of("ran"), F_OK), 0);
	routes_done(&inv.routes);
	assert_true(consent_allow("match-exec", &err));
	assert_holds(settle_here(&inv, &h, args)->trouble, "exec.conf:5: Match exec \"kill -9 $$\": ended abnormally");
	assert_string_equal(inv.routes.list[0]->user, "first");
	assert_int_equal(inv.routes.list[0]->port, 9);
	routes_done(&inv.routes);
	ran = file_text(path_of("ran"), &n);
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
	char *args = xasprintf("-F %s", path_of("live.conf")), *line;
	struct inventory inv;
	struct host h;
	const struct route *r;

	(void)state;
	if (!has_ssh()) {
		printf("skip: no " SSH " here\n");
		return;
	}
	write_text("live.conf", text);
	struct run said = RUN(SSH, "-v", "-F", path_of("live.conf"), "n1", "true");
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
		cmocka_unit_test(patterns_take_no_time_however_they_are_written),
		cmocka_unit_test(a_file_that_others_can_write_is_refused_as_ssh_does),
		cmocka_unit_test(a_program_of_match_exec_runs_once_and_with_leave_alone),
		cmocka_unit_test(keys_and_proxy_command_are_expanded_as_by_a_live_ssh),
		cmocka_unit_test(the_corpus_gives_what_ssh_itself_says_or_a_stop_that_helps),
		cmocka_unit_test(random_configurations_say_the_same_as_ssh),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
