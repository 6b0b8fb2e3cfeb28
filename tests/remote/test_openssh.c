/*
 * The same set-up, by OpenSSH's client and by ours, against a real sshd: both get in, both do not, or ours refuses and
 * names what helps. Never ours alone.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/route/routes.h"
#include "remote/poll/poller.h"
#include "tests/lib/lab.h"
#include "tests/lib/say.h"
#include "tests/lib/sshd.h"
#include "tui/args/consent.h"
#include "tui/session/ssh_files.h"

#define PATIENCE_MS	60000

enum outcome { IN, OUT };

struct set {
	struct sshd sshd;
	struct inventory inv;
	struct arena arena;
	uv_loop_t loop;
	struct poller *poller;
	struct buf said;
	const char *answer;		/* of the person, or NULL: nobody is there */
	bool is_late;
};

/* What the words of a row stand for: {D} the server's directory, {P} its port. */
struct set_up {
	const char *name;
	const char *server;		/* lines of its sshd_config */
	const char *before;		/* run by sh in {D} when keys "id" and "host" are there */
	const char *between;		/* the same, after ssh and before ours */
	const char *blocks;		/* of the ssh_config, before "Host *" */
	const char *client;		/* lines of its "Host *", before the usual ones */
	const char *person;		/* what a person answers; NULL: nobody is there */
	enum outcome ssh, ours;
	const char *says;		/* within what ours says; of a row that ssh gets into and ours does not: the remedy */
	const char *never;		/* not within it */
	bool is_site;			/* ours goes by the transport openssh */
	bool is_agreed;			/* programs of Match exec may run; it holds from there on */
	const char *accounts;		/* lines of the server's own passwd; their password is "pw" */
};

/* -- words -- */

static char *put_in(const struct set *s, const char *text)
{
	struct buf out = { 0 };

	buf_str(&out, "");
	for (const char *at = text ? text : ""; *at; at++) {
		if (at[0] != '{' || !at[1] || at[2] != '}')
			buf_add(&out, at, 1);
		else if (at[1] == 'P')
			buf_printf(&out, "%u", s->sshd.port);
		else
			buf_str(&out, s->sshd.dir);
		if (at[0] == '{' && at[1] && at[2] == '}')
			at += 2;
	}
	return out.text;
}

static void run_before(const struct set *s, const char *script)
{
	char *text = put_in(s, script);
	char *all = xasprintf("cd %s && umask 077 && { %s\n} >before.log 2>&1", s->sshd.dir, text);

	if (system(all) != 0)
		fail_msg("did not work: %s (see %s/before.log)", text, s->sshd.dir);
	free(all);
	free(text);
}

/* -- the same ssh_config for both -- */

static void add_text(struct set *s, struct texts *t, const char *text)
{
	*GROW(t->list, t->n, t->cap) = arena_text(&s->arena, text, strlen(text));
	t->n++;
}

#define USUAL \
	"HostName 127.0.0.1\nPort {P}\nUserKnownHostsFile {D}/known_hosts\n"

static bool has_word(const struct set_up *u, const char *word)
{
	return (u->client && strstr(u->client, word)) || (u->blocks && strstr(u->blocks, word));
}

static void write_config(struct set *s, const struct set_up *u)
{
	struct buf text = { 0 };

	buf_printf(&text, "%sHost *\n%s%s%s%s", u->blocks ? u->blocks : "", u->client ? u->client : "", USUAL,
		   has_word(u, "IdentityFile") ? "" : "IdentityFile {D}/id\n",
		   has_word(u, "IdentityAgent") ? "" : "IdentityAgent none\n");
	buf_str(&text, "GlobalKnownHostsFile /dev/null\nStrictHostKeyChecking yes\nUpdateHostKeys no\n");
	char *all = put_in(s, text.text);
	sshd_write(&s->sshd, "config", all);
	free(all);
	buf_done(&text);
}

/* -- OpenSSH -- */

static int run_ssh(struct set *s, const struct set_up *u, char *last, size_t size)
{
	char *config = xstrdup(sshd_path(&s->sshd, "config"));
	char *askpass = xasprintf("#!/bin/sh\nprintf '%%s\\n' '%s'\n", u->person ? u->person : "");

	sshd_write(&s->sshd, "askpass", askpass);
	chmod(sshd_path(&s->sshd, "askpass"), 0700);
	setenv("SSH_ASKPASS", sshd_path(&s->sshd, "askpass"), 1);
	setenv("SSH_ASKPASS_REQUIRE", "force", 1);
	struct run r = run_program((const char *const[]){ "/usr/bin/ssh", "-F", config, "-o", u->person ? "BatchMode=no" : "BatchMode=yes",
							  "-o", "ConnectTimeout=60", "target", "/bin/sh -s", NULL }, "exit 0\n");
	struct span rest = buf_span(&r.err), line, one = { 0 };
	while (span_line(&rest, &line))
		if (line.n)
			one = line;
	snprintf(last, size, "%.*s", (int)one.n, one.p ? one.p : "");
	int code = r.code;
	run_done(&r);
	free(askpass);
	free(config);
	return code;
}

/* -- ours -- */

static void observed(void *ctx, struct obs *o)
{
	obs_print(o, &((struct set *)ctx)->said);
}

static void ask(void *ctx, unsigned id, const struct question *q)
{
	struct set *s = ctx;

	buf_printf(&s->said, "asked %s\n", q->text);
	poller_answer(s->poller, id, s->answer);
}

static void on_late(uv_timer_t *timer)
{
	((struct set *)timer->data)->is_late = true;
}

static bool is_decided(const struct set *s)
{
	static const char *const states[] = { "target state = up", "target state = refused", "target state = retrying",
					      "target error = \"target: jump host " };

	for (size_t i = 0; s->said.n && i < 4; i++)
		if (strstr(s->said.text, states[i]))
			return true;
	return false;
}

static void wait_decided(struct set *s)
{
	uv_timer_t guard;

	uv_timer_init(&s->loop, &guard);
	guard.data = s;
	uv_timer_start(&guard, on_late, PATIENCE_MS, 0);
	while (!s->is_late && !is_decided(s))
		uv_run(&s->loop, UV_RUN_ONCE);
	uv_close((uv_handle_t *)&guard, NULL);
	uv_run(&s->loop, UV_RUN_NOWAIT);
	if (s->is_late)
		fail_msg("nothing came of it: %s", s->said.n ? s->said.text : "nothing");
}

/* An inventory whose host is reached with "-F CONFIG", as the other one is. */
static void settle(struct set *s, const struct set_up *u)
{
	struct err err = { "" };
	char *text = xasprintf("all:\n  hosts:\n    target:\n      ansible_ssh_common_args: -F %s\n", sshd_path(&s->sshd, "config"));

	inventory_init(&s->inv);
	if (!inventory_read(&s->inv, span_of(text), "hosts.yml", &err) || (u->is_agreed && !consent_allow("match-exec", &err)))
		fail_msg("%s", err.text);
	ssh_files_use_openssh(u->is_site);
	ssh_files_settle(&s->inv);
	ssh_files_use_openssh(false);
	free(text);
}

static bool run_ours(struct set *s, const struct set_up *u)
{
	struct poller_options options = { .seed = 7, .hostkey = HOSTKEY_ASK, .timeout_us = 60000000, .use_agent = true };
	struct poller_hooks hooks = { .ctx = s, .observed = observed, .ask = u->person ? ask : NULL };

	s->answer = u->person;
	settle(s, u);
	uv_loop_init(&s->loop);
	s->poller = poller_new(&s->loop, &s->inv, &options, &hooks);
	poller_start(s->poller);
	wait_decided(s);
	bool is_in = strstr(s->said.text, "target state = up");
	poller_free(s->poller);
	uv_run(&s->loop, UV_RUN_DEFAULT);
	assert_int_equal(uv_loop_close(&s->loop), 0);
	inventory_done(&s->inv);
	return is_in;
}

/* What ours said last of why, or how it got in. */
static void what_it_said(const struct set *s, char *out, size_t size)
{
	static const char *const marks[] = { "target error = \"target: ", "target auth = \"" };

	*out = '\0';
	for (size_t i = 0; i < 2; i++)
		for (const char *at = s->said.text; at && (at = strstr(at, marks[i])); at++)
			snprintf(out, size, "%.*s", (int)strcspn(at + strlen(marks[i]), "\n"), at + strlen(marks[i]));
}

/* -- a row -- */

/* The server's key, under its port; "pw" as crypt(3) has it. */
static const char usual_before[] =
	"echo \"[127.0.0.1]:{P} `cat host.pub`\" > known_hosts\n"
	"cp authorized_keys keys 2>/dev/null || cp id.pub keys\n";
#define PW "$6$ab$td.Yv18i64fuHSCSFfhcg9cvGN/q.1N72dPYEBvvVyQIQbX2mVX2dRrHRg.vLlqSchKS1d4urAkRbfv.vYLNE1"

static void write_accounts(const struct set *s, const char *accounts)
{
	struct buf shadow = { 0 };
	struct span rest = span_of(accounts), line, name;

	sshd_write(&s->sshd, "passwd.more", accounts);
	while (span_line(&rest, &line))
		if (span_cut(line, ':', &name, &line))
			buf_printf(&shadow, "%.*s:" PW ":19000:0:99999:7:::\n", (int)name.n, name.p);
	sshd_write(&s->sshd, "shadow.more", shadow.text);
	buf_done(&shadow);
	run_before(s, "cat /etc/passwd passwd.more > passwd; cat /etc/shadow shadow.more > shadow; chmod 644 passwd; chmod 755 .");
}

static bool begin(struct set *s, const struct set_up *u)
{
	*s = (struct set){ 0 };
	if (!sshd_prepare(&s->sshd))
		return false;
	run_before(s, usual_before);
	if (u->before)
		run_before(s, u->before);
	if (u->accounts)
		write_accounts(s, u->accounts);
	char *server = put_in(s, u->server);
	bool runs = sshd_launch(&s->sshd, server, u->accounts);
	free(server);
	return runs;
}

static void finish(struct set *s)
{
	if (access(sshd_path(&s->sshd, "agent.pid"), R_OK) == 0)
		run_before(s, "kill `cat agent.pid`");
	sshd_stop(&s->sshd);
	buf_done(&s->said);
}

#define AGENT	"rm -f agent; ssh-agent -a {D}/agent | sed -n 's/.*AGENT_PID=\\([0-9]*\\).*/\\1/p' > agent.pid\n" \
		"export SSH_AUTH_SOCK={D}/agent\n"
#define KEY(name)	"ssh-keygen -q -t ed25519 -N '' -C " name " -f " name "\n"
#define CA	"ssh-keygen -q -t ed25519 -N '' -C ca -f ca\n"
#define SIGN(key, how)	"ssh-keygen -q -s ca -I test " how " " key ".pub\n"
#define BY_CA	"TrustedUserCAKeys {D}/ca.pub\nAuthorizedKeysFile none\n"
#define HOST_CA	CA "ssh-keygen -q -s ca -I host -h -n 127.0.0.1 host.pub\necho \"@cert-authority * `cat ca.pub`\" > known_hosts\n"
#define ME	"-n `id -un`"
#define OP	"op:x:0:0::/root:/bin/sh\n"
#define QUESTIONS "UsePAM yes\nKbdInteractiveAuthentication yes\nPubkeyAuthentication no\n"
#define WRONG	"IdentityFile {D}/wrong\n"

static const struct set_up table[] = {
	{ "a key", .ssh = IN, .ours = IN },
	{ "two keys, the second is right", .before = KEY("wrong"), .client = "IdentityFile {D}/wrong\nIdentityFile {D}/id\n", .ssh = IN,
	  .ours = IN, .says = "publickey id" },
	{ "no key is right", .before = KEY("wrong"), .client = "IdentityFile {D}/wrong\n", .ssh = OUT, .ours = OUT,
	  .says = "refused wrong" },
	{ "IdentitiesOnly, agent full of wrong keys, MaxAuthTries 2", .server = "MaxAuthTries 2\n",
	  .before = KEY("w1") KEY("w2") KEY("w3") KEY("w4") AGENT "ssh-add -q w1 w2 w3 w4\n",
	  .client = "IdentityAgent {D}/agent\nIdentitiesOnly yes\nIdentityFile {D}/id\n", .ssh = IN, .ours = IN },
	{ "IdentitiesOnly, the agent holds the key of KEY.pub among others", .server = "MaxAuthTries 2\n",
	  .before = KEY("w1") KEY("w2") KEY("w3") AGENT "ssh-add -q w1 w2 w3 id\nrm id\n",
	  .client = "IdentityAgent {D}/agent\nIdentitiesOnly yes\nIdentityFile {D}/id\n", .ssh = IN, .ours = IN, .says = "agent" },
	{ "IdentityFile KEY.pub, the agent holds the rest", .server = "MaxAuthTries 2\n",
	  .before = KEY("w1") KEY("w2") KEY("w3") AGENT "ssh-add -q w1 w2 w3 id\nrm id\n",
	  .client = "IdentityAgent {D}/agent\nIdentitiesOnly yes\nIdentityFile {D}/id.pub\n", .ssh = IN, .ours = IN, .says = "agent" },
	{ "IdentitiesOnly, the agent's other key would do", .before = KEY("wrong") AGENT "ssh-add -q id\n",
	  .client = "IdentityAgent {D}/agent\nIdentitiesOnly yes\nIdentityFile {D}/wrong\n", .ssh = OUT, .ours = OUT,
	  .says = "refused wrong" },
	{ "the agent's key", .before = AGENT "ssh-add -q id\nrm id id.pub\n", .client = "IdentityAgent {D}/agent\n", .ssh = IN, .ours = IN,
	  .says = "agent" },
	{ "IdentityAgent none", .before = AGENT "ssh-add -q id\nrm id\n", .client = "IdentityAgent none\n", .ssh = OUT, .ours = OUT,
	  .says = "no credential was available" },
	{ "an agent that is not there", .before = KEY("wrong"), .client = "IdentityAgent {D}/nobody\nIdentityFile {D}/wrong\n",
	  .ssh = OUT, .ours = OUT, .says = "refused wrong" },
	{ "a certificate beside the key", .server = BY_CA, .before = CA SIGN("id", ME), .ssh = IN, .ours = IN, .says = "certificate" },
	{ "an RSA key's certificate", .server = BY_CA, .before = CA "rm id id.pub; ssh-keygen -q -t rsa -N '' -f id\n" SIGN("id", ME),
	  .ssh = IN, .ours = IN, .says = "certificate" },
	{ "an ECDSA key's certificate", .server = BY_CA, .before = CA "rm id id.pub; ssh-keygen -q -t ecdsa -N '' -f id\n" SIGN("id", ME),
	  .ssh = IN, .ours = IN, .says = "certificate" },
	{ "CertificateFile elsewhere", .server = BY_CA, .before = CA SIGN("id", ME) "mv id-cert.pub elsewhere\n",
	  .client = "CertificateFile {D}/elsewhere\n", .ssh = IN, .ours = IN, .says = "elsewhere (certificate)" },
	{ "an expired certificate", .server = BY_CA, .before = CA SIGN("id", ME " -V 20200101:20200102"), .ssh = OUT, .ours = OUT,
	  .says = "the certificate of id" },
	{ "a certificate for somebody else", .server = BY_CA, .before = CA SIGN("id", "-n somebody"), .ssh = OUT, .ours = OUT,
	  .says = "the certificate of id" },
	{ "a certificate in the agent", .server = BY_CA, .before = CA SIGN("id", ME) AGENT "ssh-add -q id\nrm id id.pub id-cert.pub\n",
	  .client = "IdentityAgent {D}/agent\n", .ssh = IN, .ours = IN, .says = "agent" },
	{ "CertificateFile, its key in the agent", .server = BY_CA,
	  .before = CA SIGN("id", ME) "mv id-cert.pub cert\n" AGENT "ssh-add -q id\nrm id\n",
	  .client = "IdentityAgent {D}/agent\nCertificateFile {D}/cert\n", .ssh = IN, .ours = IN, .says = "agent" },
	{ "an RSA certificate in the agent", .server = BY_CA,
	  .before = CA "rm id id.pub; ssh-keygen -q -t rsa -N '' -f id\n" SIGN("id", ME) AGENT "ssh-add -q id\nrm id id.pub id-cert.pub\n",
	  .client = "IdentityAgent {D}/agent\n", .ssh = IN, .ours = IN, .says = "agent" },
	{ "a key that all may read", .before = "chmod 644 id\n", .ssh = OUT, .ours = OUT,
	  .says = "permissions 0644 are too open; chmod 600" },
	{ "a key that all may read, and the agent holds it", .before = AGENT "ssh-add -q id\nchmod 644 id\n",
	  .client = "IdentityAgent {D}/agent\n", .ssh = IN, .ours = IN, .says = "agent" },
	{ "a key under a passphrase, nobody there", .before = "ssh-keygen -q -p -N secret -f id\n", .ssh = OUT, .ours = OUT,
	  .says = "needs its passphrase" },
	{ "a key under a passphrase, and a person", .before = "ssh-keygen -q -p -N secret -f id\n", .person = "secret", .ssh = IN,
	  .ours = IN },
	{ "User, the wrong one", .server = "DenyUsers games\n", .client = "User games\n", .ssh = OUT, .ours = OUT,
	  .says = "check authorized_keys of games" },
	{ "User of a Match block", .client = "User root\n", .ssh = IN, .ours = IN },
	{ "a port where nobody listens", .client = "Port 1\n", .ssh = OUT, .ours = OUT, .says = "Connection refused" },
	{ "MaxAuthTries 1 and two keys", .server = "MaxAuthTries 1\n", .before = KEY("wrong"),
	  .client = "IdentityFile {D}/wrong\nIdentityFile {D}/id\n", .ssh = OUT, .ours = OUT, .says = "wrong" },
	{ "a server that takes what we have not", .server = "AuthenticationMethods hostbased\nHostbasedAuthentication yes\n", .ssh = OUT,
	  .ours = OUT, .says = "the server accepts hostbased" },
	{ "a host key that is not known", .before = ": > known_hosts\n", .ssh = OUT, .ours = OUT, .says = "is not known" },
	{ "a host key listed without its port", .before = "echo \"127.0.0.1 `cat host.pub`\" > known_hosts\n", .ssh = IN, .ours = IN },
	{ "a host key that has changed", .before = KEY("other") "echo \"[127.0.0.1]:{P} `cat other.pub`\" > known_hosts\n", .ssh = OUT,
	  .ours = OUT, .says = "CHANGED" },
	{ "a host key that is revoked", .before = "echo \"@revoked * `cat host.pub`\" >> known_hosts\n", .ssh = OUT, .ours = OUT,
	  .says = "REVOKED" },
	{ "HostKeyAlias", .before = "echo \"rack1-node7 `cat host.pub`\" > known_hosts\n", .client = "HostKeyAlias rack1-node7\n",
	  .ssh = IN, .ours = IN },
	{ "HostKeyAlias that is not listed", .client = "HostKeyAlias rack1-node8\n", .ssh = OUT, .ours = OUT,
	  .says = "rack1-node8 is not known" },
	{ "UserKnownHostsFile elsewhere", .before = "mv known_hosts site_hosts\n", .client = "UserKnownHostsFile {D}/site_hosts\n",
	  .ssh = IN, .ours = IN },
	{ "ProxyCommand", .client = "ProxyCommand ssh -F none -i {D}/id -o BatchMode=yes -o IdentityAgent=none -p {P} "
				    "-o UserKnownHostsFile={D}/known_hosts -W 127.0.0.1:{P} 127.0.0.1\n",
	  .ssh = IN, .ours = IN },
	{ "ProxyCommand that fails", .client = "ProxyCommand sh -c 'echo no way through >&2; exit 3'\n", .ssh = OUT, .ours = OUT,
	  .says = "ProxyCommand ended with status 3: no way through" },
	{ "ProxyJump", .blocks = "Host target\nProxyJump jump1\n", .ssh = IN, .ours = IN },
	{ "ProxyJump through two", .blocks = "Host target\nProxyJump jump1,jump2\n", .ssh = IN, .ours = IN },
	{ "ProxyJump to a host that the jump host does not know",
	  .blocks = "Host target\nProxyJump jump1\nHostName no-such-host.invalid\n", .ssh = OUT, .ours = OUT,
	  .says = "the jump host refuses to connect" },
	{ "ProxyJump through a host that is not known", .blocks = "Host target\nProxyJump jump1\nHost jump1\nHostName "
								  "no-such-host.invalid\n",
	  .ssh = OUT, .ours = OUT, .says = "jump host jump1: resolve" },
	{ "a host certificate", .server = "HostCertificate {D}/host-cert.pub\n", .before = HOST_CA, .ssh = IN, .ours = OUT,
	  .says = "set fabcon_transport: openssh for this host, or --transport openssh" },
	{ "a host certificate, by the site's ssh", .server = "HostCertificate {D}/host-cert.pub\n", .before = HOST_CA, .is_site = true,
	  .ssh = IN, .ours = IN, .says = "publickey by the site's ssh" },
	{ "a host certificate for another host, by the site's ssh", .server = "HostCertificate {D}/host-cert.pub\n",
	  .before = HOST_CA "ssh-keygen -q -s ca -I host -h -n elsewhere host.pub\n", .is_site = true, .ssh = OUT, .ours = OUT,
	  .says = "host key: the site's ssh reported" },
	{ "a key, by the site's ssh", .is_site = true, .ssh = IN, .ours = IN, .says = "publickey by the site's ssh" },
	{ "a key that is refused, by the site's ssh", .is_site = true, .before = KEY("wrong"), .client = "IdentityFile {D}/wrong\n",
	  .ssh = OUT, .ours = OUT, .says = "Permission denied (publickey)" },
	{ "a key that all may read, by the site's ssh", .is_site = true, .before = "chmod 644 id\n", .ssh = OUT, .ours = OUT,
	  .says = "are too open" },
	{ "a host key that has changed, by the site's ssh", .is_site = true,
	  .before = KEY("other") "echo \"[127.0.0.1]:{P} `cat other.pub`\" > known_hosts\n", .ssh = OUT, .ours = OUT,
	  .says = "known_hosts:1" },
	{ "a host key that is not known, by the site's ssh", .is_site = true, .before = ": > known_hosts\n", .ssh = OUT, .ours = OUT,
	  .says = "Host key verification failed.; it is ssh-ed25519 SHA256:" },
	{ "nobody listens, by the site's ssh", .is_site = true, .client = "Port 1\n", .ssh = OUT, .ours = OUT,
	  .says = "Connection refused" },
	{ "a line of ssh_config that is wrong, by the site's ssh", .is_site = true, .client = "NoSuchWord yes\n", .ssh = OUT, .ours = OUT,
	  .says = "terminating, 1 bad configuration options" },
	{ "rbash, by the site's ssh", .is_site = true, .accounts = "op:x:0:0::/root:/bin/rbash\n", .client = "User op\n", .ssh = OUT,
	  .ours = OUT, .says = "restricted (rbash)" },
	{ "ForceCommand, by the site's ssh", .is_site = true, .server = "ForceCommand /bin/echo only backups here\n", .ssh = IN,
	  .ours = OUT, .says = "use another user" },
	{ "GSSAPI wished for and not to be had", .is_site = true, .client = "GSSAPIAuthentication yes\n", .ssh = IN, .ours = IN },
	{ "ProxyJump, by the site's ssh", .is_site = true, .blocks = "Host target\nProxyJump jump1\n", .ssh = IN, .ours = IN },
	{ "ForceCommand", .server = "ForceCommand /bin/echo only backups here\n", .ssh = IN, .ours = OUT, .says = "use another user" },
	{ "ForceCommand that runs what was asked for", .server = "ForceCommand sh -c \"$SSH_ORIGINAL_COMMAND\"\n", .ssh = IN, .ours = IN },
	{ "rbash by ForceCommand", .server = "ForceCommand exec /bin/rbash -c \"$SSH_ORIGINAL_COMMAND\"\n", .ssh = OUT, .ours = OUT,
	  .says = "restricted (rbash)" },
	{ "rbash as login shell", .accounts = "op:x:0:0::/root:/bin/rbash\n", .client = "User op\n", .ssh = OUT, .ours = OUT,
	  .says = "the login shell of op there is restricted (rbash)" },
	{ "nologin", .accounts = "op:x:0:0::/root:/usr/sbin/nologin\n", .client = "User op\n", .ssh = OUT, .ours = OUT,
	  .says = "the login shell of op there allows no login (nologin)" },
	{ "false as login shell", .accounts = "op:x:0:0::/root:/bin/false\n", .client = "User op\n", .ssh = OUT, .ours = OUT,
	  .says = "chsh -s /bin/sh op" },
	{ "git-shell", .accounts = "op:x:0:0::/root:/usr/bin/git-shell\n", .client = "User op\n", .ssh = OUT, .ours = OUT,
	  .says = "(git-shell)" },
	{ "a command of authorized_keys", .before = "echo \"command=\\\"/bin/echo hello\\\" `cat id.pub`\" > authorized_keys\n", .ssh = IN,
	  .ours = OUT, .says = "use another user" },
	{ "ProxyCommand that is not there", .client = "ProxyCommand /no/such/program\n", .ssh = OUT, .ours = OUT,
	  .says = "ProxyCommand ended with status 127" },
	/* Passwords and questions. */
	{ "a password", .server = "PasswordAuthentication yes\n", .before = KEY("wrong"), .accounts = OP,
	  .client = "User op\nIdentityFile {D}/wrong\n", .person = "pw", .ssh = IN, .ours = IN, .says = "password" },
	{ "a wrong password", .server = "PasswordAuthentication yes\n", .before = KEY("wrong"), .accounts = OP,
	  .client = "User op\nIdentityFile {D}/wrong\n", .person = "not it", .ssh = OUT, .ours = OUT,
	  .says = "refused wrong, the password" },
	{ "a password, nobody there", .server = "PasswordAuthentication yes\n", .before = KEY("wrong"), .accounts = OP,
	  .client = "User op\nIdentityFile {D}/wrong\n", .ssh = OUT, .ours = OUT, .says = "the server accepts publickey, password" },
	{ "a password and no keys at all", .server = "PasswordAuthentication yes\nPubkeyAuthentication no\n", .accounts = OP,
	  .client = "User op\n", .person = "pw", .ssh = IN, .ours = IN, .says = "password" },
	{ "a password through a jump host", .server = "Match User op\nPasswordAuthentication yes\nPubkeyAuthentication no\nMatch all\n",
	  .accounts = OP, .blocks = "Host target\nUser op\nProxyJump jump1\n", .person = "pw", .ssh = IN, .ours = IN,
	  .says = "password" },
	{ "a password, by the site's ssh", .server = "PasswordAuthentication yes\nPubkeyAuthentication no\n", .accounts = OP,
	  .client = "User op\n", .person = "pw", .is_site = true, .ssh = IN, .ours = OUT, .says = "transport libssh, which prompts" },
	{ "PubkeyAuthentication no", .client = "PubkeyAuthentication no\n", .ssh = OUT, .ours = OUT,
	  .says = "ssh_config excludes publickey" },
	{ "PubkeyAuthentication no, and a password", .server = "PasswordAuthentication yes\nMaxAuthTries 1\n", .before = KEY("wrong"),
	  .accounts = OP, .client = "User op\nPubkeyAuthentication no\nIdentityFile {D}/wrong\n", .person = "pw", .ssh = IN, .ours = IN,
	  .says = "password" },
	{ "PasswordAuthentication no", .server = "PasswordAuthentication yes\n", .before = KEY("wrong"), .accounts = OP,
	  .client = "User op\nPasswordAuthentication no\nIdentityFile {D}/wrong\n", .person = "pw", .ssh = OUT, .ours = OUT,
	  .says = "ssh_config excludes password", .never = "asked " },
	{ "KbdInteractiveAuthentication no", .server = QUESTIONS, .accounts = OP, .client = "User op\nKbdInteractiveAuthentication no\n",
	  .person = "pw", .ssh = OUT, .ours = OUT, .says = "ssh_config excludes keyboard-interactive", .never = "asked " },
	{ "PreferredAuthentications password", .server = "PasswordAuthentication yes\n", .accounts = OP,
	  .client = "User op\nPreferredAuthentications password\n", .person = "not it", .ssh = OUT, .ours = OUT,
	  .says = "ssh_config excludes publickey" },
	{ "PreferredAuthentications publickey", .server = "PasswordAuthentication yes\n", .before = KEY("wrong"), .accounts = OP,
	  .client = "User op\nPreferredAuthentications publickey\nIdentityFile {D}/wrong\n", .person = "pw", .ssh = OUT, .ours = OUT,
	  .says = "ssh_config excludes password", .never = "asked " },
	{ "PubkeyAuthentication no, and the key needs its passphrase", .before = "ssh-keygen -q -p -N secret -f id\n",
	  .client = "PubkeyAuthentication no\n", .person = "secret", .ssh = OUT, .ours = OUT, .says = "ssh_config excludes publickey",
	  .never = "asked " },
	{ "keyboard-interactive", .server = QUESTIONS, .accounts = OP, .client = "User op\n", .person = "pw", .ssh = IN, .ours = IN,
	  .says = "keyboard-interactive" },
	{ "keyboard-interactive, a wrong answer", .server = QUESTIONS, .accounts = OP, .client = "User op\n", .person = "not it",
	  .ssh = OUT, .ours = OUT, .says = ", the answers;" },
	{ "keyboard-interactive, nobody there", .server = QUESTIONS, .accounts = OP, .client = "User op\n", .ssh = OUT, .ours = OUT,
	  .says = "the server accepts keyboard-interactive" },
	{ "a key, and then a password", .server = "AuthenticationMethods publickey,password\nPasswordAuthentication yes\n", .accounts = OP,
	  .client = "User op\n", .person = "pw", .ssh = IN, .ours = IN, .says = "password" },
	{ "a key, and then a wrong password", .server = "AuthenticationMethods publickey,password\nPasswordAuthentication yes\n",
	  .accounts = OP, .client = "User op\n", .person = "not it", .ssh = OUT, .ours = OUT, .says = "the password" },
	{ "a password, and then questions", .accounts = OP, .client = "User op\n", .person = "pw", .ssh = IN, .ours = IN,
	  .server = "AuthenticationMethods password,keyboard-interactive\nPasswordAuthentication yes\nUsePAM yes\n"
		    "KbdInteractiveAuthentication yes\n", .says = "keyboard-interactive" },
	{ "two keys, both wanted", .server = "AuthenticationMethods publickey,publickey\n",
	  .before = KEY("more") "cat id.pub more.pub > authorized_keys\n", .client = "IdentityFile {D}/id\nIdentityFile {D}/more\n",
	  .ssh = IN, .ours = IN },
	{ "two keys wanted, and one there", .server = "AuthenticationMethods publickey,publickey\n", .ssh = OUT, .ours = OUT,
	  .says = "the server accepts publickey" },
	{ "a wrong passphrase", .before = "ssh-keygen -q -p -N secret -f id\n", .person = "not it", .ssh = OUT, .ours = OUT,
	  .says = "wrong passphrase" },

	/* The agent without IdentitiesOnly: what the agent holds comes before files that it does not hold. */
	{ "an agent full of wrong keys, MaxAuthTries 2", .server = "MaxAuthTries 2\n",
	  .before = KEY("w1") KEY("w2") KEY("w3") AGENT "ssh-add -q w1 w2 w3\n", .client = "IdentityAgent {D}/agent\n", .ssh = OUT,
	  .ours = OUT, .says = "and IdentitiesOnly yes" },
	{ "an agent with few wrong keys", .before = KEY("w1") KEY("w2") AGENT "ssh-add -q w1 w2\n", .client = "IdentityAgent {D}/agent\n",
	  .ssh = IN, .ours = IN, .says = "publickey id" },
	{ "an agent full of wrong keys and of the named one, MaxAuthTries 2", .server = "MaxAuthTries 2\n",
	  .before = KEY("w1") KEY("w2") KEY("w3") AGENT "ssh-add -q w1 w2 w3 id\n", .client = "IdentityAgent {D}/agent\n", .ssh = IN,
	  .ours = IN, .says = "agent" },
	{ "a wrong named key, the agent's would do, MaxAuthTries 1", .server = "MaxAuthTries 1\n",
	  .before = KEY("wrong") AGENT "ssh-add -q id\n", .client = "IdentityAgent {D}/agent\nIdentityFile {D}/wrong\n", .ssh = IN,
	  .ours = IN, .says = "agent" },
	{ "both named keys in the agent in another order, MaxAuthTries 1", .server = "MaxAuthTries 1\n",
	  .before = KEY("wrong") AGENT "ssh-add -q id wrong\n",
	  .client = "IdentityAgent {D}/agent\nIdentityFile {D}/wrong\nIdentityFile {D}/id\n", .ssh = IN, .ours = IN, .says = "agent" },
	{ "IdentitiesOnly, both named keys in the agent in another order, MaxAuthTries 1", .server = "MaxAuthTries 1\n",
	  .before = KEY("wrong") AGENT "ssh-add -q id wrong\n",
	  .client = "IdentityAgent {D}/agent\nIdentitiesOnly yes\nIdentityFile {D}/wrong\nIdentityFile {D}/id\n", .ssh = IN, .ours = IN,
	  .says = "agent" },
	{ "two keys in the agent, both wanted", .server = "AuthenticationMethods publickey,publickey\n",
	  .before = KEY("more") "cat id.pub more.pub > authorized_keys\n" AGENT "ssh-add -q id more\n", .client = "IdentityAgent "
														  "{D}/agent\n",
	  .ssh = IN, .ours = IN, .says = "agent" },
	{ "a key of a file and one of the agent, both wanted", .server = "AuthenticationMethods publickey,publickey\n",
	  .before = KEY("more") "cat id.pub more.pub > authorized_keys\n" AGENT "ssh-add -q more\n", .client = "IdentityAgent {D}/agent\n",
	  .ssh = IN, .ours = IN },
	{ "an empty agent", .before = AGENT, .client = "IdentityAgent {D}/agent\n", .ssh = IN, .ours = IN, .says = "publickey id" },
	{ "a locked agent", .before = AGENT "ssh-add -q id\n"
	  "printf '#!/bin/sh\\necho x\\n' > lock; chmod 700 lock; SSH_ASKPASS=./lock SSH_ASKPASS_REQUIRE=force ssh-add -q -x\n",
	  .client = "IdentityAgent {D}/agent\n", .ssh = IN, .ours = IN, .says = "publickey id" },

	/* Certificates, and which are tried. */
	{ "a CertificateFile that is expired, a good one beside the key", .server = BY_CA,
	  .before = CA SIGN("id", ME " -V 20200101:20200102") "mv id-cert.pub elsewhere\n" SIGN("id", ME),
	  .client = "CertificateFile {D}/elsewhere\n", .ssh = OUT, .ours = OUT, .says = "the certificate of elsewhere" },
	{ "a certificate beside the key, MaxAuthTries 1", .server = BY_CA "MaxAuthTries 1\n", .before = CA SIGN("id", ME), .ssh = OUT,
	  .ours = OUT, .says = "no more attempts after id" },
	{ "CertificateFile, MaxAuthTries 1", .server = BY_CA "MaxAuthTries 1\n", .before = CA SIGN("id", ME) "mv id-cert.pub elsewhere\n",
	  .client = "CertificateFile {D}/elsewhere\n", .ssh = IN, .ours = IN, .says = "elsewhere (certificate)" },
	{ "CertificateFile, and an agent full of wrong keys, MaxAuthTries 1", .server = BY_CA "MaxAuthTries 1\n",
	  .before = CA SIGN("id", ME) "mv id-cert.pub elsewhere\n" KEY("w1") KEY("w2") AGENT "ssh-add -q w1 w2\n",
	  .client = "IdentityAgent {D}/agent\nCertificateFile {D}/elsewhere\n", .ssh = IN, .ours = IN, .says = "elsewhere (certificate)" },
	{ "CertificateFile, its key in the agent and no public half anywhere", .server = BY_CA,
	  .before = CA SIGN("id", ME) "mv id-cert.pub cert\n" AGENT "ssh-add -q id\nrm id id.pub\n",
	  .client = "IdentityAgent {D}/agent\nCertificateFile {D}/cert\n", .ssh = IN, .ours = IN, .says = "agent" },
	{ "IdentitiesOnly, CertificateFile, its key in the agent and not named", .server = BY_CA,
	  .before = CA SIGN("id", ME) "mv id-cert.pub cert\n" KEY("wrong") AGENT "ssh-add -q id\n",
	  .client = "IdentityAgent {D}/agent\nIdentitiesOnly yes\nCertificateFile {D}/cert\nIdentityFile {D}/wrong\n", .ssh = OUT,
	  .ours = OUT, .says = "refused wrong" },
	{ "a certificate beside the key, the key in the agent", .server = BY_CA,
	  .before = CA SIGN("id", ME) "mv id-cert.pub cert\n" AGENT "ssh-add -q id\nmv cert id-cert.pub; rm id\n",
	  .client = "IdentityAgent {D}/agent\n", .ssh = IN, .ours = IN, .says = "agent" },
	{ "a certificate beside the key, both in the agent", .server = BY_CA, .before = CA SIGN("id", ME) AGENT "ssh-add -q id\n",
	  .client = "IdentityAgent {D}/agent\nIdentitiesOnly yes\n", .ssh = IN, .ours = IN, .says = "agent" },
	{ "a CertificateFile that is not there", .client = "CertificateFile {D}/nobody\n", .ssh = IN, .ours = IN, .says = "publickey id" },
	{ "a certificate for another network", .server = BY_CA, .before = CA SIGN("id", ME " -O source-address=192.0.2.0/24"), .ssh = OUT,
	  .ours = OUT, .says = "the certificate of id" },
	{ "a key that is revoked", .server = "RevokedKeys {D}/id.pub\n", .ssh = OUT, .ours = OUT, .says = "refused id" },

	/* Which lines of ssh_config count. */
	{ "Match host", .before = KEY("wrong"), .blocks = "Match host target\nIdentityFile {D}/id\n", .client = WRONG, .ssh = IN,
	  .ours = IN, .says = "publickey id" },
	{ "Match host of another host", .before = KEY("wrong"), .blocks = "Match host elsewhere\nIdentityFile {D}/id\n", .client = WRONG,
	  .ssh = OUT, .ours = OUT, .says = "refused wrong" },
	{ "Match host with an exception", .before = KEY("wrong"), .blocks = "Match host !target,*\nIdentityFile {D}/id\n",
	  .client = WRONG, .ssh = OUT, .ours = OUT, .says = "refused wrong" },
	{ "Match host by HostName", .before = KEY("wrong"),
	  .blocks = "Host target\nHostName 127.0.0.1\nMatch host 127.* originalhost target\nIdentityFile {D}/id\n", .client = WRONG,
	  .ssh = IN, .ours = IN, .says = "publickey id" },
	{ "Match user", .before = KEY("wrong"), .blocks = "Host target\nUser root\nMatch user root\nIdentityFile {D}/id\n",
	  .client = WRONG, .ssh = IN, .ours = IN, .says = "publickey id" },
	{ "Match user of another user", .before = KEY("wrong"), .blocks = "Match user games\nIdentityFile {D}/id\n", .client = WRONG,
	  .ssh = OUT, .ours = OUT, .says = "refused wrong" },
	{ "Match final", .before = KEY("wrong"), .blocks = "Match final host 127.0.0.1\nIdentityFile {D}/id\n", .client = WRONG, .ssh = IN,
	  .ours = IN, .says = "publickey id" },
	{ "Match exec, and nobody has agreed", .blocks = "Match exec \"test -e {D}/id\"\nHostKeyAlias elsewhere\n",
	  .before = "echo \"elsewhere `cat host.pub`\" > known_hosts\n", .ssh = IN, .ours = OUT, .says = "fabcon --allow match-exec" },
	{ "Match exec, and nobody has agreed, by the site's ssh", .blocks = "Match exec \"test -e {D}/id\"\nHostKeyAlias elsewhere\n",
	  .before = "echo \"elsewhere `cat host.pub`\" > known_hosts\n", .is_site = true, .ssh = IN, .ours = OUT,
	  .says = "fabcon --allow match-exec" },
	{ "Include", .before = KEY("wrong") "echo IdentityFile {D}/id > more\n", .blocks = "Include {D}/mor*\n", .client = WRONG, .ssh = IN,
	  .ours = IN, .says = "publickey id" },
	{ "the first value wins", .before = "echo \"first `cat host.pub`\" > known_hosts\n",
	  .blocks = "Host t?rget !elsewhere\nHostKeyAlias first\n", .client = "HostKeyAlias second\n", .ssh = IN, .ours = IN },
	{ "words in any case, with = and quotes", .before = "echo \"rack1-node7 `cat host.pub`\" > known_hosts\n",
	  .client = "hostkeyALIAS=\"Rack1-Node7\"\n", .ssh = IN, .ours = IN },
	{ "tokens in IdentityFile", .before = KEY("wrong") "cp id key-127.0.0.1-target\n", .client = WRONG "IdentityFile {D}/key-%h-%n\n",
	  .ssh = IN, .ours = IN, .says = "publickey key-127.0.0.1-target" },
	{ "a variable in IdentityFile", .client = "IdentityFile ${FABCON_TEST_DIR}/id\n", .ssh = OUT, .ours = OUT,
	  .says = "FABCON_TEST_DIR" },
	{ "a word that ssh does not know", .client = "NoSuchWord yes\n", .ssh = OUT, .ours = OUT, .says = "/config:2: " },
	{ "a word that ssh does not know, with IgnoreUnknown", .client = "IgnoreUnknown NoSuch*\nNoSuchWord yes\n", .ssh = IN, .ours = IN },
	{ "a port that is none", .client = "Port 99999\n", .ssh = OUT, .ours = OUT, .says = "/config:2: " },
	{ "AddressFamily inet", .client = "AddressFamily inet\n", .ssh = IN, .ours = IN },
	{ "AddressFamily inet6", .client = "AddressFamily inet6\n", .ssh = OUT, .ours = OUT, .says = "/config:2: " },
	{ "CanonicalizeHostname, without effect on an address", .client = "CanonicalizeHostname yes\nCanonicalDomains invalid\n",
	  .ssh = IN, .ours = IN },
	{ "CanonicalizeHostname, by the site's ssh", .client = "CanonicalizeHostname yes\nCanonicalDomains invalid\n", .is_site = true,
	  .ssh = IN, .ours = IN },
	{ "RevokedHostKeys", .before = KEY("other") "ssh-keygen -q -k -f revoked other.pub\n", .client = "RevokedHostKeys {D}/revoked\n",
	  .ssh = IN, .ours = OUT, .says = "fabcon --transport openssh" },
	{ "RevokedHostKeys, by the site's ssh", .before = "ssh-keygen -q -k -f revoked host.pub\n",
	  .client = "RevokedHostKeys {D}/revoked\n", .is_site = true, .ssh = OUT, .ours = OUT, .says = "host key" },

	/* Jump hosts. */
	{ "ProxyJump user@host:port", .blocks = "Host target\nProxyJump root@localhost:{P}\n", .ssh = IN, .ours = IN },
	{ "ProxyJump through the host itself", .blocks = "Host target\nProxyJump root@127.0.0.1:{P}\n", .ssh = OUT, .ours = OUT,
	  .says = "/config:2: " },
	{ "ProxyJump none before a ProxyJump", .blocks = "Host target\nProxyJump none\nHost *\nProxyJump nowhere.invalid\n", .ssh = IN,
	  .ours = IN },
	{ "a jump host of other entries", .server = "DenyUsers games\n", .blocks = "Host target\nProxyJump jump1\nHost jump1\nUser root\n"
	  "Match originalhost target\nUser root\nHost *\nUser games\n", .ssh = IN, .ours = IN },
	{ "a jump host that lets nobody in", .server = "DenyUsers games\n",
	  .blocks = "Host target\nProxyJump jump1\nHost jump1\nUser games\n",
	  .ssh = OUT, .ours = OUT, .says = "jump host jump1: authentication" },
	{ "a jump host of a jump host's own entry", .blocks = "Host target\nProxyJump jump1\nHost jump1\nProxyJump jump2\n", .ssh = IN,
	  .ours = IN },
	{ "a jump host whose key is not known", .before = "echo \"target `cat host.pub`\" > known_hosts\n",
	  .blocks = "Host target\nHostKeyAlias target\nProxyJump jump1\n", .ssh = OUT, .ours = OUT, .says = "jump host jump1: host key" },
	{ "ProxyCommand with tokens", .client = "ProxyCommand ssh -F none -i {D}/id -o BatchMode=yes -o IdentityAgent=none -p %p "
						"-o UserKnownHostsFile={D}/known_hosts -W %h:%p %r@%h\n",
	  .ssh = IN, .ours = IN },

	/* Host keys. */
	{ "known_hosts with hashed names", .before = "ssh-keygen -q -H -f known_hosts\n", .ssh = IN, .ours = IN },
	{ "known_hosts with patterns", .before = "echo \"[127.0.*]:{P} `cat host.pub`\" > known_hosts\n", .ssh = IN, .ours = IN },
	{ "known_hosts with an exception", .before = "echo \"*,!127.0.0.1,![127.0.0.1]:{P} `cat host.pub`\" > known_hosts\n", .ssh = OUT,
	  .ours = OUT, .says = "is not known" },
	{ "two known_hosts files", .client = "UserKnownHostsFile {D}/nobody {D}/known_hosts\n", .ssh = IN, .ours = IN },
	{ "GlobalKnownHostsFile", .client = "UserKnownHostsFile none\nGlobalKnownHostsFile {D}/known_hosts\n", .ssh = IN, .ours = IN },
	{ "a server of two host keys, of which the RSA one is known", .server = "HostKey {D}/host\nHostKey {D}/host2\n",
	  .before = "ssh-keygen -q -t rsa -N '' -f host2; echo \"[127.0.0.1]:{P} `cat host2.pub`\" > known_hosts\n", .ssh = IN, .ours = IN },
	{ "StrictHostKeyChecking yes, a key that is not known, and a person", .before = ": > known_hosts\n", .person = "yes", .ssh = OUT,
	  .ours = OUT, .says = "is not known", .never = "asked " },
	{ "a key that is not known, and a person says yes", .before = ": > known_hosts\n", .between = ": > known_hosts\n",
	  .client = "StrictHostKeyChecking ask\n", .person = "yes", .ssh = IN, .ours = IN },
	{ "a key that is not known, and a person says no", .before = ": > known_hosts\n", .client = "StrictHostKeyChecking ask\n",
	  .person = "no", .ssh = OUT, .ours = OUT, .says = "not accepted" },
	{ "a key that has changed, and a person would say yes", .client = "StrictHostKeyChecking ask\n", .person = "yes",
	  .before = KEY("other") "echo \"[127.0.0.1]:{P} `cat other.pub`\" > known_hosts\n", .ssh = OUT, .ours = OUT, .says = "CHANGED",
	  .never = "asked " },
	{ "StrictHostKeyChecking accept-new, nobody there", .before = ": > known_hosts\n", .between = ": > known_hosts\n",
	  .client = "StrictHostKeyChecking accept-new\n", .ssh = IN, .ours = OUT, .says = "add it to known_hosts" },

	/* From here on programs of Match exec may run. */
	{ "Match exec, agreed", .is_agreed = true, .before = KEY("wrong"),
	  .blocks = "Match originalhost target exec \"test -e {D}/id\"\nIdentityFile {D}/id\n", .client = WRONG, .ssh = IN, .ours = IN,
	  .says = "publickey id" },
	{ "Match exec, agreed, and its program says no", .is_agreed = true, .blocks = "Match exec \"test -e {D}/nobody\"\nPort 1\n",
	  .ssh = IN, .ours = IN },
	{ "Match !exec, agreed", .is_agreed = true, .blocks = "Match !exec \"test -e {D}/nobody\"\nPort 1\n", .ssh = OUT, .ours = OUT,
	  .says = "Connection refused" },
	{ "Match exec with tokens, agreed", .is_agreed = true, .before = KEY("wrong"),
	  .blocks = "Host target\nHostName 127.0.0.1\nMatch exec \"test %n:%h = target:127.0.0.1\"\nIdentityFile {D}/id\n", .client = WRONG,
	  .ssh = IN, .ours = IN, .says = "publickey id" },
};

static const char *word(bool is_in)
{
	return is_in ? "in" : "out";
}

static bool is_as_it_must(const struct set_up *u, bool ssh, bool ours, const char *said, const struct set *s)
{
	return ssh == (u->ssh == IN) && ours == (u->ours == IN) && (!u->says || strstr(said, u->says)) &&
	       (!u->never || !strstr(s->said.text, u->never));
}

static bool compare(const struct set_up *u, unsigned *n, unsigned *same, unsigned *alone)
{
	struct set s;
	char last[400], said[1000];

	assert_true(u->ours == u->ssh || u->says);	/* the remedy is looked for */
	if (!begin(&s, u)) {
		printf("%-58s -    -    skipped: not possible on this machine\n", u->name);
		finish(&s);
		return true;
	}
	write_config(&s, u);
	bool ssh = run_ssh(&s, u, last, sizeof(last)) == 0;
	if (u->between)
		run_before(&s, u->between);
	bool ours = run_ours(&s, u);
	what_it_said(&s, said, sizeof(said));
	bool good = is_as_it_must(u, ssh, ours, said, &s);
	printf("%-58s %-4s %-4s %.150s%s\n", u->name, word(ssh), word(ours), said, good ? "" : "   <- NOT AS IT MUST BE");
	if (!good)
		printf("    ssh said: %s\n    ours said: %s\n    wanted: %s, %s, %s\n", last, said, word(u->ssh == IN),
		       word(u->ours == IN), u->says ? u->says : "");
	++*n;
	*same += ssh == ours;
	*alone += ours && !ssh;
	finish(&s);
	return good;
}

static void each_set_up_ends_as_with_openssh(void **state)
{
	unsigned n = 0, same = 0, alone = 0, bad = 0;
	const char *only = getenv("OPENSSH_SET_UP");

	(void)state;
	unsetenv("SSH_AUTH_SOCK");
	unsetenv("FABCON_TEST_DIR");
	printf("%-58s %-4s %-4s %s\n", "SET-UP", "SSH", "OURS", "SAID");
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (!only || strstr(table[i].name, only))
			bad += !compare(&table[i], &n, &same, &alone);
	printf("%u set-ups: %u the same, %u refused by ours with the remedy, %u where ours is in and ssh is not\n", n, same,
	       n - same - alone, alone);
	assert_true(n > 0);	/* none has the words of OPENSSH_SET_UP */
	assert_int_equal(bad, 0);
	assert_int_equal(alone, 0);
}

/* By routes that leave all to ssh: -F none, and what the inventory says. */
static void leave_to_ssh(struct set *s)
{
	char port[16];

	routes_plain(&s->inv.routes, &s->inv);
	for (size_t i = 0; i < s->inv.n_hosts; i++) {
		struct route *r = s->inv.routes.list[i];
		snprintf(port, sizeof(port), "%u", r->port);
		const char *args[] = { "-F", "none", "-p", port, "-l", r->user ? r->user : "root", "-i",
				       r->identities.n ? r->identities.list[0] : "none" };
		r->transport = TRANSPORT_OPENSSH;
		r->destination = r->address;
		for (size_t a = 0; a < sizeof(args) / sizeof(*args); a++)
			add_text(s, &r->ssh_args, args[a]);
	}
}

static void wait_said(struct set *s, const char *text)
{
	uv_timer_t guard;

	uv_timer_init(&s->loop, &guard);
	guard.data = s;
	uv_timer_start(&guard, on_late, PATIENCE_MS, 0);
	while (!s->is_late && !(s->said.n && strstr(s->said.text, text)))
		uv_run(&s->loop, UV_RUN_ONCE);
	uv_close((uv_handle_t *)&guard, NULL);
	uv_run(&s->loop, UV_RUN_NOWAIT);
	if (s->is_late)
		fail_msg("never came: %s\nsaid: %s", text, s->said.n ? s->said.text : "nothing");
}

static void a_switchs_command_line_is_spoken_over_the_sites_own_ssh(void **state)
{
	struct set s = { 0 };
	struct lab lab;
	struct poller_options options = { .seed = 7, .hostkey = HOSTKEY_STRICT, .timeout_us = 60000000 };
	struct err err;
	size_t n;

	(void)state;
	assert_true(LAB(&lab, "--nodes", "1", "--switch-os", "os10"));
	inventory_init(&s.inv);
	char *text = file_text(lab.inventory, &n);
	if (!inventory_read(&s.inv, (struct span){ text, n }, lab.inventory, &err))
		fail_msg("%s", err.text);
	free(text);
	leave_to_ssh(&s);
	char *known = xasprintf("%s/known_hosts", lab.dir);
	options.known_hosts = known;
	uv_loop_init(&s.loop);
	s.poller = poller_new(&s.loop, &s.inv, &options, &(struct poller_hooks){ .ctx = &s, .observed = observed });
	poller_start(s.poller);
	wait_said(&s, "leaf1 platform = \"os10\"");
	wait_said(&s, "node1 platform = \"linux\"");
	wait_said(&s, "leaf1 ethernet1/1/1 pfc.on[3] = yes");
	wait_said(&s, "node1 latency = ");
	poller_free(s.poller);
	uv_run(&s.loop, UV_RUN_DEFAULT);
	assert_int_equal(uv_loop_close(&s.loop), 0);
	inventory_done(&s.inv);
	arena_done(&s.arena);
	buf_done(&s.said);
	free(known);
	lab_stop(&lab);
}

/* One command, and the session is over before the lab has looked again. */
static void what_a_short_session_wrote_is_in_the_labs_state(void **state)
{
	struct lab lab;
	struct run r;
	char *line;

	(void)state;
	assert_true(LAB(&lab, "--nodes", "1"));
	line = xasprintf("ssh -q -F none -i %s/client_key -o UserKnownHostsFile=%s/known_hosts -p $(awk '$1 == \"node1:\" { is = 1 } "
			 "is && $1 == \"ansible_port:\" { print $2; exit }' %s) root@127.0.0.1 "
			 "'echo 20000 > /sys/class/net/eth2/ecn/roce_rp/rpg_max_rate'", lab.dir, lab.dir, lab.inventory);
	assert_int_equal(system(line), 0);
	r = LAB_CTL(&lab, "state");
	assert_non_null(strstr(r.out.text, "node1 eth2 cc.rpg_max_rate = 20000\n"));
	run_done(&r);
	free(line);
	lab_stop(&lab);
}

/* Whoever waited for it would find a child that nobody has reaped. */
static void no_child_is_left(void **state)
{
	(void)state;
	errno = 0;
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_set_up_ends_as_with_openssh),
		cmocka_unit_test(a_switchs_command_line_is_spoken_over_the_sites_own_ssh),
		cmocka_unit_test(what_a_short_session_wrote_is_in_the_labs_state),
		cmocka_unit_test(no_child_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
