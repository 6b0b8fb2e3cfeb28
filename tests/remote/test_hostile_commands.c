/*
 * Five thousand texts as nobody should name anything, given to every slot of a template and to every dialect in the place
 * of names, descriptions, modules and wanted values. What commands are made all the same are run by real shells behind a
 * real sshd: nothing of a name is ever run.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "core/base/template.h"
#include "remote/lab/fabric_plan.h"
#include "remote/lab/os10/config.h"
#include "remote/lab/sonic/config_db.h"
#include "remote/linux/linux.h"
#include "remote/os10/os10.h"
#include "remote/platform/dialect.h"
#include "remote/sonic/sonic.h"
#include "tests/lib/hostile.h"
#include "tests/lib/say.h"
#include "tests/lib/sshd.h"
#include "tui/text/safe.h"

#define STRINGS		5000
#define PASTED		300	/* of them pasted as they are, to see that the shells would run them */
#define LENGTH_MAX	300

/* Run by a shell, each leaves an empty file where it stands. */
static const char *const payloads[] = {
	"$(>c)", "`>c`", ";>c;", "|>c", "&>c&", "\n>c\n", ">c", "' >c '", "\" >c \"", "'$(>c)'", "\"`>c`\"", "&&>c", "||>c", ";>c #",
	"$(>c", "\\`>c`", "{>c,}", "$IFS>c", "<(>c)", "\r>c\r", "\302\233>c", "\033[2J;>c", "\033]52;c;Yw==\007;>c",
	"\342\200\256;>c", "=>c", "*", "?", "~", "[a-z]*", "%s%n", "!!", "--help;>c", "-c>c", "\t;>c", "\\\n;>c", "'\n>c\n'",
	"FABCON_END\n>c\n", "EOF\n>c\n", "}\n>c\n{", ")\n>c\n(", "\377;>c", "|| >c ||", "../../c", "/c", ".", "..", "",
};
static const char *const heads[] = { "", "eth2", "-", "a", "--", "../", "Ethernet0", "ethernet1/1/1", "x.", "@", "mlx5_0", " " };
static const size_t lengths[] = { 0, 15, 127, LENGTH_MAX };
#define COUNT(list) (sizeof(list) / sizeof(*(list)))

static void string_at(unsigned i, char out[LENGTH_MAX + 1])
{
	size_t length = lengths[i / COUNT(heads) / COUNT(payloads) % COUNT(lengths)], n;

	n = (size_t)snprintf(out, LENGTH_MAX + 1, "%s%s", heads[i % COUNT(heads)], payloads[i / COUNT(heads) % COUNT(payloads)]);
	for (const char *more = "a$(>c)"; n < length; more = more[1] ? more + 1 : "a$(>c)")
		out[n++] = *more;
	if (length && n > length)
		n = length;
	out[n] = '\0';
	if (i >= COUNT(heads) * COUNT(payloads) * COUNT(lengths))	/* the rest begin in the middle of others */
		memmove(out, out + n / 3, n - n / 3 + 1);
}

/* -- what was made -- */

struct made {
	char **lines;
	size_t n, cap;
	unsigned refused;
};

static void assert_safe(const char *text)
{
	struct buf shown = { 0 };
	const char *wrong;

	safe_add(&shown, span_of(text), false);
	wrong = hostile_in_text(buf_span(&shown));
	if (wrong)
		fail_msg("would reach the terminal: %s", wrong);
	buf_done(&shown);
}

static void keep_line(struct made *made, const char *line)
{
	for (const char *p = line; *p; p++)
		if ((unsigned char)*p < 0x20 || (unsigned char)*p > 0x7e)
			fail_msg("a command holds byte %02x", (unsigned char)*p);
	*GROW(made->lines, made->n, made->cap) = xstrdup(line);
	made->n++;
}

/* The undo that a switch's shell types by itself. */
static void keep_undo_script(struct made *made, const struct dialect *d, const struct fix_lines *undo)
{
	struct buf text = { 0 };

	d->undo_script(undo, &text);
	*GROW(made->lines, made->n, made->cap) = text.text ? text.text : xstrdup(":");
	made->n++;
}

static void keep_step(struct made *made, const struct dialect *d, const struct fix_step *s)
{
	const struct fix_lines *const lists[] = { &s->lines, &s->undo, &s->save };

	for (size_t k = 0; k < COUNT(lists); k++)
		for (size_t i = 0; i < lists[k]->n; i++)
			if (d->lines_in_cli)
				assert_null(strpbrk(lists[k]->list[i], "?|;!\n\r\t\033`$"));
			else
				keep_line(made, lists[k]->list[i]);
	if (d->undo_script && s->undo.n)
		keep_undo_script(made, d, &s->undo);
	for (size_t i = 0; i < s->n_files; i++) {
		json_t *json = json_loads(s->files[i].text, 0, NULL);

		assert_non_null(json);
		json_decref(json);
		assert_true(template_is_name(s->files[i].name));
	}
	assert_safe(s->disturbs ? s->disturbs : "");
	assert_safe(s->save_note ? s->save_note : "");
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void each_once(struct made *made)
{
	size_t kept = 0;

	qsort(made->lines, made->n, sizeof(*made->lines), by_text);
	for (size_t i = 0; i < made->n; i++)
		if (kept && !strcmp(made->lines[i], made->lines[kept - 1]))
			free(made->lines[i]);
		else
			made->lines[kept++] = made->lines[i];
	made->n = kept;
}

static void made_done(struct made *made)
{
	for (size_t i = 0; i < made->n; i++)
		free(made->lines[i]);
	free(made->lines);
}

/* -- templates -- */

static void fill_templates(struct made *made, const char *text)
{
	static const char *const formats[] = {
		"ip link set dev {port} mtu 9000", "echo 1 > /sys/class/infiniband/{name}/tc/1/traffic_class",
		"mlnx_qos -i eth2 --trust {word}", "mlnx_qos -i eth2 --pfc {list}", "rm -r {dir}/x",
	};

	for (size_t i = 0; i < COUNT(formats); i++) {
		struct buf line = { 0 };
		struct err err;

		if (template_fill(&line, &err, formats[i], text)) {
			keep_line(made, line.text);
		} else {
			made->refused++;
			assert_int_equal(line.n, 0);
			assert_null(hostile_in_text(span_of(err.text)));
		}
		buf_done(&line);
	}
}

/* -- dialects -- */

static void plan_edits(struct made *made, const struct dialect *d, struct span setup, const struct edit *edits, size_t n)
{
	static const struct dialect_place place = { "leaf1", "/run/fabcon/P-1.1", "fabcon-P-1-1" };
	struct buf after = { 0 }, part = { 0 };
	struct arena arena = { 0 };
	struct fix_step step = { 0 };
	struct err err = { "" };

	d->part(setup, edits, n, &part);
	if (d->edit(setup, edits, n, &after, &err) && d->commands(setup, buf_span(&after), &place, &arena, &step, &err))
		keep_step(made, d, &step);
	else
		made->refused++;
	assert_safe(err.text);
	free(step.lines.list);
	free(step.undo.list);
	free(step.save.list);
	free(step.files);
	buf_done(&after);
	buf_done(&part);
	arena_done(&arena);
}

static struct edit edit_of(const char *device, const char *port, enum field f, unsigned index, uint64_t was, uint64_t want)
{
	return (struct edit){ device, port, f, index, { .is = VALUE_KNOWN, .n = was }, { .is = VALUE_KNOWN, .n = want }, "test" };
}

static void say_port(struct obs *o, const char *name, const char *text)
{
	static const enum field texts[] = { FIELD_RDMA, FIELD_DRIVER, FIELD_BOND, FIELD_ALIAS, FIELD_PEER_NAME, FIELD_PEER_PORT };
	uint16_t port = obs_port(o, span_of(name));

	for (size_t i = 0; i < COUNT(texts); i++)
		obs_text(o, port, texts[i], span_of(text));
	obs_number(o, port, FIELD_MTU, 0, 1500);
	obs_number(o, port, FIELD_TRUST, 0, TRUST_PCP);
	obs_number(o, port, FIELD_TOS_CMA, 0, 0);
	obs_number(o, port, FIELD_CNP_DSCP, 0, 0);
	obs_number(o, port, FIELD_DCBX, 0, DCBX_FW);
	for (unsigned i = 0; i < 8; i++)
		obs_bool(o, port, FIELD_PFC_ON, i, false);
}

static void plan_host(struct made *made, const char *text)
{
	static const enum field fields[] = { FIELD_MTU, FIELD_TRUST, FIELD_TOS_CMA, FIELD_CNP_DSCP, FIELD_PFC_ON, FIELD_DCBX };
	const char *const ports[] = { "eth2", text };
	struct model *m = model_new();
	struct buf setup = { 0 };
	struct obs o;
	struct edit e;

	obs_init(&o, "node1", "link");
	o.at_us = 1000000;
	say_port(&o, "eth2", text);
	if (obs_port(&o, span_of(text)) != OBS_DEVICE)
		say_port(&o, text, text);
	obs_text(&o, OBS_DEVICE, FIELD_MODULES, span_of(text));
	model_apply(m, &o);
	model_set_now(m, 1000000);
	assert_true(linux_dialect.setup(m, model_find_device(m, "node1"), &setup, NULL));
	for (size_t p = 0; p < COUNT(ports); p++)
		for (size_t f = 0; f < COUNT(fields); f++) {
			e = edit_of("node1", ports[p], fields[f], 0, 0, fields[f] == FIELD_MTU ? 9000 : fields[f] == FIELD_TRUST ? 2 : 1);
			plan_edits(made, &linux_dialect, buf_span(&setup), &e, 1);
		}
	e = (struct edit){ "node1", NULL, FIELD_MODULES, 0, { .is = VALUE_KNOWN, .text = "" }, { .is = VALUE_KNOWN, .text = text }, "" };
	plan_edits(made, &linux_dialect, buf_span(&setup), &e, 1);
	plan_edits(made, &linux_dialect, SPAN("node1 modules = \"mlx5_ib\"\n"), &e, 1);
	obs_done(&o);
	buf_done(&setup);
	model_free(m);
}

/* A switch that has text in the place of one of the words of its configuration. */
static void plan_switch(struct made *made, const struct dialect *d, const struct platform *platform, const char *probe,
			struct span reply, const char *port, const char *text)
{
	const struct edit edits[] = {
		edit_of("leaf1", port, FIELD_PFC_ON, 3, 1, 0), edit_of("leaf1", port, FIELD_TRUST, 0, TRUST_DSCP, TRUST_PCP),
		edit_of("leaf1", port, FIELD_MTU, 0, 9216, 9100), edit_of("leaf1", text, FIELD_PFC_ON, 3, 1, 0),
		edit_of("leaf1", port, FIELD_ECN_KMIN, 3, 150000, 200000), edit_of("leaf1", port, FIELD_DSCP_PRIO, 26, 3, 4),
	};
	struct model *m = model_new();
	struct answer a = { .text = reply };
	struct buf setup = { 0 };
	struct obs o;
	struct err err = { "" };

	obs_init(&o, "leaf1", NULL);
	o.at_us = 1000000;
	o.period_us = 30000000;
	platform_parse(platform, platform_probe(platform, probe), &a, &o);
	model_apply(m, &o);
	model_set_now(m, 1000000);
	if (d->setup(m, model_find_device(m, "leaf1"), &setup, &err))
		for (size_t i = 0; i < COUNT(edits); i++)
			plan_edits(made, d, buf_span(&setup), &edits[i], 1);
	else
		made->refused++;
	assert_safe(err.text);
	obs_done(&o);
	buf_done(&setup);
	model_free(m);
}

/* The nth run of bytes between separators in another's place. */
static void replace_word(const char *whole, const char *between, unsigned nth, const char *text, struct buf *out)
{
	unsigned count = 0, wanted;

	for (const char *p = whole; *p; p += strspn(p, between), p += strcspn(p, between))
		count++;
	wanted = nth % count;
	for (count = 0; *whole; count++) {
		size_t blank = strspn(whole, between), n = strcspn(whole + blank, between);

		buf_add(out, whole, blank);
		if (count == wanted && n)
			buf_str(out, text);
		else
			buf_add(out, whole + blank, n);
		whole += blank + n;
	}
}

static void plan_os10(struct made *made, const char *config, unsigned i, const char *text)
{
	struct buf reply = { 0 };

	buf_str(&reply, "! Version 10.5.6.1\n");
	replace_word(config, " \n", i * 7, text, &reply);
	buf_str(&reply, OS10_STARTUP "\n");
	plan_switch(made, &os10_dialect, &os10_platform, "running-config", buf_span(&reply), "ethernet1/1/1", text);
	buf_done(&reply);
}

static void plan_sonic(struct made *made, const char *config, unsigned i, const char *text)
{
	json_t *json = json_string(text);
	char *quoted = json ? json_dumps(json, JSON_ENCODE_ANY) : NULL;
	struct buf reply = { 0 };

	if (quoted) {
		quoted[strlen(quoted) - 1] = '\0';
		replace_word(config, "\"", 1 + i * 7 / 2 * 2, quoted + 1, &reply);
		plan_switch(made, &sonic_dialect, &sonic_platform, "config-db", buf_span(&reply), "Ethernet0", text);
	}
	free(quoted);
	json_decref(json);
	buf_done(&reply);
}

static char *lab_sonic(void)
{
	struct fabric_plan how = { .nodes = 2, .rails = 1, .leaves = 1, .switch_os = "sonic", .speed_bps = 100000000000, .seed = 3 };
	struct fabric *f = fabric_generate(&how, NULL);
	char *text = json_dumps(confdb_of(fabric_device(f, SPAN("leaf1"))), JSON_SORT_KEYS);

	fabric_free(f);
	return text;
}

static char *lab_os10(void)
{
	struct dell_config *dell = dell_config_lossless("leaf1", 2);
	struct buf text = { 0 };

	dell_config_print(dell, "", &text);
	dell_config_free(dell);
	return text.text;
}

/* -- shells -- */

static const char *const shells[] = { "/bin/sh", "/bin/bash", "/bin/dash" };

/* Login shells of other kinds: they are told what a session begins with, and the lines go to the sh that they start. */
static const char *const login_shells[] = { "/bin/csh", "/bin/tcsh", "/usr/bin/fish", "/bin/zsh" };
#define SESSION		"/bin/sh -s"	/* as remote/talk/ways.c has it */

/* Each line is a shell's own, as it is when it is carried out: what is wrong with it stays its own. */
static void write_script(const struct sshd *d, const char *name, const char *shell, char *const *lines, size_t n)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < n; i++)
		buf_printf(&text, "%s <<'The end of line %zu'\n{\n%s\n} </dev/null\nThe end of line %zu\n", shell, i, lines[i], i);
	sshd_write(d, name, text.text ? text.text : "");
	buf_done(&text);
}

/* How many files it left where it ran; nothing but the shell itself is in its path. started: by this, in that folder. */
static unsigned run_in(const struct sshd *d, const char *dir, const char *shell, const char *started, char *const *lines, size_t n)
{
	unsigned left = 0;
	DIR *listing;
	char *command;

	mkdir(dir, 0700);
	write_script(d, "script", shell, lines, n);
	command = xasprintf("ssh -q -F none -i %s/id -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null "
			    "-p %u 127.0.0.1 '%s' <%s/script >/dev/null 2>&1", d->dir, d->port, started, d->dir);
	assert_int_not_equal(system(command), 255 << 8);
	listing = opendir(dir);
	assert_non_null(listing);
	for (struct dirent *entry; (entry = readdir(listing));)
		left += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") &&
			!remove(strcat(strcat(strcpy((char[600]){ 0 }, dir), "/"), entry->d_name));
	closedir(listing);
	free(command);
	return left;
}

static unsigned run_there(const struct sshd *d, const char *shell, char *const *lines, size_t n)
{
	char *dir = xasprintf("%s/%s", d->dir, strrchr(shell, '/') + 1);
	char *started = xasprintf("cd %s && PATH=/nonexistent exec %s", dir, shell);
	unsigned left = run_in(d, dir, shell, started, lines, n);

	free(started);
	free(dir);
	return left;
}

static void make_all(struct made *made)
{
	char *os10 = lab_os10(), *sonic = lab_sonic(), text[LENGTH_MAX + 1];

	for (unsigned i = 0; i < STRINGS; i++) {
		string_at(i, text);
		fill_templates(made, text);
		plan_host(made, text);
		plan_os10(made, os10, i, text);
		plan_sonic(made, sonic, i, text);
	}
	free(os10);
	free(sonic);
	each_once(made);
}

/* What a careless program would send. */
static void paste_all(struct made *made)
{
	char text[LENGTH_MAX + 1];

	for (unsigned i = 0; i < PASTED; i++) {
		string_at(i, text);
		*GROW(made->lines, made->n, made->cap) = xasprintf("ip link set dev %s mtu 9000", text);
		made->n++;
	}
}

/* A server whose user has that login shell; false where there is none. */
static bool start_with(struct sshd *d, const char *shell, char **dir)
{
	char *extra;

	if (access(shell, X_OK) || !sshd_prepare(d))
		return false;
	*dir = xasprintf("%s/login", d->dir);
	extra = xasprintf("ForceCommand cd %s && PATH=/nonexistent exec %s -c \"$SSH_ORIGINAL_COMMAND\"\n", *dir, shell);
	assert_int_equal(mkdir(*dir, 0700), 0);
	assert_true(sshd_launch(d, extra, false));
	free(extra);
	return true;
}

/* Of all shells that are here: how many, and how many files were left by names. What is pasted leaves some in each. */
static unsigned run_in_all(const struct sshd *d, const struct made *made, const struct made *pasted, unsigned *n_shells)
{
	unsigned left = 0;

	for (size_t i = 0; i < COUNT(shells); i++) {
		if (access(shells[i], X_OK)) {
			print_message("not present, and so not tried: %s\n", shells[i]);
			continue;
		}
		left += run_there(d, shells[i], made->lines, made->n);
		assert_int_not_equal(run_there(d, shells[i], pasted->lines, pasted->n), 0);
		++*n_shells;
	}
	for (size_t i = 0; i < COUNT(login_shells); i++) {
		struct sshd login;
		char *dir;

		if (!start_with(&login, login_shells[i], &dir)) {
			print_message("not present, and so not tried: the login shell %s\n", login_shells[i]);
			continue;
		}
		left += run_in(&login, dir, "/bin/sh", SESSION, made->lines, made->n);
		assert_int_not_equal(run_in(&login, dir, "/bin/sh", SESSION, pasted->lines, pasted->n), 0);
		++*n_shells;
		sshd_stop(&login);
		free(dir);
	}
	return left;
}

static void no_name_that_a_device_says_is_run_by_any_shell(void **state)
{
	struct made made = { 0 }, pasted = { 0 };
	unsigned n_shells = 0, left;
	struct sshd d;

	(void)state;
	if (!sshd_start(&d, "")) {
		print_message("skip: there is no sshd\n");
		return;
	}
	make_all(&made);
	paste_all(&pasted);
	assert_true(made.refused > STRINGS);
	print_message("%d strings: %u times refused, %zu different commands made\n", STRINGS, made.refused, made.n);
	left = run_in_all(&d, &made, &pasted, &n_shells);
	print_message("run in %u shells, %u files left by names\n", n_shells, left);
	assert_int_equal(left, 0);
	made_done(&made);
	made_done(&pasted);
	sshd_stop(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_name_that_a_device_says_is_run_by_any_shell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
