/*
 * Who may approve a plan, with the ssh-keygen of this machine: a signature of this plan by an allowed signer, or its whole hash.
 * FORGED_APPROVALS: how many forgeries are tried (make forged: 1000).
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/home.h"
#include "tests/lib/plans.h"
#include "tests/lib/run.h"
#include "tests/lib/say.h"
#include "tui/commands/approve.h"
#include "tui/fixing/plans.h"
#include "tui/fixing/signature.h"
#include "tui/fixing/write_mode.h"

static struct plans plans;
static char hash[FIX_HASH_SIZE];

static char *path_of(const char *name)
{
	static char paths[8][128];
	static unsigned turn;
	char *path = paths[turn++ % 8];

	snprintf(path, 128, "%s/%s", home, name);
	return path;
}

static void write_file(const char *name, struct span text)
{
	FILE *f = fopen(path_of(name), "w");

	assert_non_null(f);
	fwrite(text.p, 1, text.n, f);
	fclose(f);
	chmod(path_of(name), 0644);
}

/* The tool itself, as a person runs it. */
static void keygen(const char *const *args)
{
	struct run r = run_program(args, NULL);

	if (r.code != 0)
		fail_msg("ssh-keygen: %d %s", r.code, r.err.text ? r.err.text : "");
	run_done(&r);
}
#define KEYGEN(...) keygen((const char *const[]){ "/usr/bin/ssh-keygen", __VA_ARGS__, NULL })

/* "alice": a key of that name; its line among the allowed signers begins with who. */
static void make_key(const char *name)
{
	KEYGEN("-q", "-t", "ed25519", "-N", "", "-C", name, "-f", path_of(name));
}

static void allow(struct buf *list, const char *who, const char *key)
{
	char *public = xasprintf("%s.pub", key);
	size_t n;
	char *text = file_text(path_of(public), &n);

	buf_printf(list, "%s %s", who, text);
	free(public);
	free(text);
}

/* name.sig: name's bytes, signed. */
static void sign(const char *name, const char *key, const char *space)
{
	char *sig = xasprintf("%s/%s.sig", home, name);

	unlink(sig);
	KEYGEN("-q", "-Y", "sign", "-f", path_of(key), "-n", space, path_of(name));
	free(sig);
}

static void write_plan(const char *name)
{
	struct buf text = { 0 };

	fix_plan_write(&plans.plan, &text);
	write_file(name, buf_span(&text));
	buf_done(&text);
}

/* Alice may; bob may no more; carol may in another namespace alone; mallory never could. */
static int open_desk(void **state)
{
	static const char *const keys[] = { "alice", "bob", "carol", "mallory" };
	struct buf list = { 0 };

	if (home_open(state) != 0)
		return -1;
	plans_init(&plans, PLANS_MADE);
	fix_plan_hash(&plans.plan, hash);
	for (size_t i = 0; i < 4; i++)
		make_key(keys[i]);
	allow(&list, "alice@example.net", "alice");
	allow(&list, "bob@example.net valid-before=\"20200101\"", "bob");
	allow(&list, "carol@example.net namespaces=\"file\"", "carol");
	write_file("approvers", buf_span(&list));
	buf_done(&list);
	write_plan("fix.json");
	return 0;
}

static int close_desk(void **state)
{
	plans_done(&plans);
	return home_close(state);
}

static bool check(const char *signature, struct signer *s, struct err *err)
{
	*err = (struct err){ "" };
	return signature_check(&plans.plan, path_of(signature), path_of("approvers"), s, err);
}

static void refused(const char *signature, const char *words)
{
	struct signer s;
	struct err err;

	if (check(signature, &s, &err))
		fail_msg("%s: taken", signature);
	if (!strstr(err.text, words))
		fail_msg("%s: no \"%s\" in: %s", signature, words, err.text);
}

static void an_allowed_signer_is_known_by_name_and_key(void **state)
{
	struct signer s;
	struct err err;

	(void)state;
	sign("fix.json", "alice", SIGNATURE_NAMESPACE);
	if (!check("fix.json.sig", &s, &err))
		fail_msg("%s", err.text);
	assert_string_equal(s.principal, "alice@example.net");
	assert_non_null(strstr(s.key, "SHA256:"));
}

static void what_is_wrong_with_a_signature_is_said(void **state)
{
	struct err err;
	struct signer s;
	char *old_path = xstrdup(getenv("PATH"));

	(void)state;
	sign("fix.json", "mallory", SIGNATURE_NAMESPACE);
	refused("fix.json.sig", "not among the allowed signers");
	sign("fix.json", "bob", SIGNATURE_NAMESPACE);
	refused("fix.json.sig", "ssh-keygen");
	sign("fix.json", "carol", SIGNATURE_NAMESPACE);
	refused("fix.json.sig", "carol@example.net");
	sign("fix.json", "alice", "file");
	refused("fix.json.sig", "not a valid signature of this plan");
	plans.plan.title = "another plan";
	write_plan("other.json");
	sign("other.json", "alice", SIGNATURE_NAMESPACE);
	plans_done(&plans);
	plans_init(&plans, PLANS_MADE);
	refused("other.json.sig", "not a valid signature of this plan");
	refused("nothing.sig", "No such file");
	assert_false(signature_check(&plans.plan, path_of("other.json.sig"), NULL, &s, &err));
	assert_non_null(strstr(err.text, "approvers: FILE"));
	setenv("PATH", "/nowhere", 1);
	refused("other.json.sig", "ssh-keygen: No such file");
	setenv("PATH", old_path, 1);
	free(old_path);
}

/* Who can write the list can approve everything; a pattern is nobody. */
static void a_list_that_others_can_write_is_no_list(void **state)
{
	struct buf list = { 0 };

	(void)state;
	sign("fix.json", "alice", SIGNATURE_NAMESPACE);
	chmod(path_of("approvers"), 0666);
	refused("fix.json.sig", "chmod go-w");
	allow(&list, "*@example.net", "alice");
	write_file("approvers", buf_span(&list));
	buf_done(&list);
	refused("fix.json.sig", "has no name");
}

/* Who can write the directory can put another list in its place: as sshd's StrictModes has it. */
static void a_list_in_a_directory_that_others_can_write_is_no_list(void **state)
{
	(void)state;
	sign("fix.json", "alice", SIGNATURE_NAMESPACE);
	chmod(home, 0777);
	refused("fix.json.sig", "can be replaced by others");
	chmod(home, 0770);
	refused("fix.json.sig", "chmod go-w");
	chmod(home, 0700);
}

/* A tool that hangs is ended. */
static void a_tool_that_does_not_end_is_ended(void **state)
{
	char *old_path = xstrdup(getenv("PATH")), *bin = xasprintf("%s:%s", home, old_path);

	(void)state;
	sign("fix.json", "alice", SIGNATURE_NAMESPACE);
	write_file("ssh-keygen", SPAN("#!/bin/sh\nexec sleep 600\n"));
	chmod(path_of("ssh-keygen"), 0755);
	setenv("PATH", bin, 1);
	refused("fix.json.sig", "did not end within");
	setenv("PATH", old_path, 1);
	free(old_path);
	free(bin);
}

/* -- the command's approval -- */

static int approve_with(const struct cli *cli)
{
	int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY), code;

	fflush(stdout);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	code = approve(cli, &plans.plan);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	close(out);
	close(err);
	close(null);
	return code;
}

static bool audit_has(void *ctx, const struct audit_entry *e)
{
	bool *is_there = ctx;

	*is_there |= !strcmp(e->kind, "approve") && strstr(e->text, "alice@example.net") && strstr(e->text, "SHA256:") &&
		     strstr(e->text, ", an allowed signer of /") && strstr(e->text, "/approvers") && e->hash && !strcmp(e->hash, hash);
	return true;
}

static void who_approved_is_in_the_audit_and_a_hash_alone_is_not_enough_where_signatures_are_demanded(void **state)
{
	struct cli cli = { .no_input = true, .approvers = path_of("approvers"), .needs_signature = true, .approve = hash };
	struct err err = { "" };
	bool is_there = false;
	struct audit *a;

	(void)state;
	assert_int_equal(approve_with(&cli), EXIT_REFUSED);
	sign("fix.json", "alice", SIGNATURE_NAMESPACE);
	cli.signature = path_of("fix.json.sig");
	assert_int_equal(approve_with(&cli), EXIT_DONE);
	a = audit_of_user(false, &err);
	assert_non_null(a);
	assert_true(audit_each(a, 0, NULL, audit_has, &is_there, &err));
	audit_close(a);
	assert_true(is_there);
	cli = (struct cli){ .no_input = true, .approve = hash };
	assert_int_equal(approve_with(&cli), EXIT_DONE);
}

/* -- forgeries -- */

static uint64_t seed = 15;

static uint64_t draw(uint64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % n;
}

/* A hash as --approve might be given: a beginning, another plan's, one digit off, longer, blanks, a byte more. */
static bool forged_hash(char out[160])
{
	static const char digits[] = "0123456789abcdef";
	size_t at = draw(64);

	snprintf(out, 160, "%s", hash);
	switch (draw(6)) {
	case 0:
		out[at] = '\0';
		return true;
	case 1:
		out[at] = digits[(size_t)(strchr(digits, out[at]) - digits + 1 + (long)draw(15)) % 16];
		return true;
	case 2:
		snprintf(out, 160, "%s%c", hash, digits[draw(16)]);
		return true;
	case 3:
		for (size_t i = 8 + draw(50); i < 64; i++)
			out[i] = digits[draw(16)];
		return strcmp(out, hash) != 0;
	case 4:
		snprintf(out, 160, " %s", hash);
		return true;
	default:
		memmove(out, out + 1, 64);
		return true;
	}
}

static const struct option_row *row_named(const char *name)
{
	for (size_t i = 0; i < option_count; i++)
		if (!strcmp(option_table[i].name, name))
			return &option_table[i];
	fail_msg("no option %s", name);
	return NULL;
}

static bool takes_hash(const char *value)
{
	struct cli cli = { .no_input = true };
	struct err err;

	return row_named("approve")->take(&cli, value, &err) && approve_with(&cli) == EXIT_DONE;
}

/* The good signature with a byte changed, cut, doubled, or of another file: whether it is another is told by its bytes. */
static bool garbled(const char *good, size_t n, struct buf *out)
{
	size_t at = draw(n);

	buf_clear(out);
	buf_add(out, good, n);
	switch (draw(4)) {
	case 0:
		out->text[at] ^= (char)(1u << draw(7));
		break;
	case 1:
		out->n = at;
		break;
	case 2:
		memmove(out->text + at, out->text + at + 1, n - at - 1);
		out->n--;
		break;
	default:
		for (size_t i = 0; i < 1 + draw(20); i++)
			out->text[draw(n)] = (char)draw(256);
	}
	return true;
}

/* The armored text that decodes to the same bytes is the same signature: its blanks and line ends may differ. */
static bool is_same_signature(const struct buf *a, const char *good, size_t n)
{
	size_t i = 0, k = 0;

	for (;;) {
		while (i < a->n && strchr(" \r\n\t", a->text[i] ? a->text[i] : 'x'))
			i++;
		while (k < n && strchr(" \r\n\t", good[k]))
			k++;
		if (i == a->n || k == n)
			return i == a->n && k == n;
		if (a->text[i++] != good[k++])
			return false;
	}
}

static void no_forged_approval_is_taken(void **state)
{
	static const char *const keys[] = { "mallory", "bob", "carol" };
	static const char *const spaces[] = { "file", "git", "fabcon.plan ", "fabcon", "FABCON.PLAN" };
	const char *wanted = getenv("FORGED_APPROVALS");
	size_t all = wanted ? strtoul(wanted, NULL, 10) : 60, n, taken = 0, same = 0, tried = 0;
	struct buf text = { 0 };
	struct signer s;
	struct err err;
	char *good, value[160];

	(void)state;
	sign("fix.json", "alice", SIGNATURE_NAMESPACE);
	good = file_text(path_of("fix.json.sig"), &n);
	while (tried < all) {
		switch (draw(5)) {
		case 0:
		case 1:
			if (!forged_hash(value))
				continue;
			taken += takes_hash(value);
			break;
		case 2:
			sign("fix.json", keys[draw(3)], draw(3) ? SIGNATURE_NAMESPACE : "file");
			taken += check("fix.json.sig", &s, &err);
			break;
		case 3:
			sign("fix.json", "alice", spaces[draw(5)]);
			taken += check("fix.json.sig", &s, &err);
			break;
		default:
			garbled(good, n, &text);
			write_file("forged.sig", buf_span(&text));
			if (is_same_signature(&text, good, n)) {
				same++;
				continue;
			}
			if (check("forged.sig", &s, &err))
				print_message("taken: %.*s\n", (int)text.n, text.text);
			taken += check("forged.sig", &s, &err);
		}
		tried++;
	}
	print_message("%zu forged approvals: %zu accepted (%zu more were the good signature again)\n", tried, taken, same);
	assert_int_equal(taken, 0);
	free(good);
	buf_done(&text);
}

#define STORY(f) cmocka_unit_test_setup_teardown(f, open_desk, close_desk)

int main(void)
{
	const struct CMUnitTest tests[] = {
		STORY(an_allowed_signer_is_known_by_name_and_key),
		STORY(what_is_wrong_with_a_signature_is_said),
		STORY(a_list_that_others_can_write_is_no_list),
		STORY(a_list_in_a_directory_that_others_can_write_is_no_list),
		STORY(a_tool_that_does_not_end_is_ended),
		STORY(who_approved_is_in_the_audit_and_a_hash_alone_is_not_enough_where_signatures_are_demanded),
		STORY(no_forged_approval_is_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
