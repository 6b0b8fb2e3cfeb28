/* SONiC: its updater in the lab, and the commands that lead from one CONFIG_DB to another and back. */
#include "tests/lib/say.h"

#include <stdio.h>
#include <stdlib.h>

#include <unistd.h>

#include "remote/lab/fabric_plan.h"
#include "remote/lab/server/tools.h"
#include "remote/lab/sonic/config_db.h"
#include "remote/lab/sonic/patch.h"
#include "remote/lab/world/faults.h"
#include "remote/platform/dialect.h"
#include "remote/sonic/patch.h"
#include "remote/sonic/settings.h"
#include "remote/sonic/sonic.h"
#include "tests/lib/lab.h"

#define WORDS_MAX	8

static struct fabric *fabric_of_sonic(void)
{
	struct fabric_plan plan = { .nodes = 4, .rails = 1, .leaves = 1, .spines = 0, .switch_os = "sonic",
				    .speed_bps = 100000000000, .seed = 7 };
	struct err err;
	struct fabric *f = fabric_generate(&plan, &err);

	if (!f)
		fail_msg("%s", err.text);
	return f;
}

/* A command line at leaf1; text is what the file that it names holds. */
static int run_at(struct fabric *f, const char *line, const char *text, struct buf *said)
{
	char *copy = xstrdup(line), *words[WORDS_MAX + 2], *rest = NULL;
	struct lab_device *d = fabric_device(f, SPAN("leaf1"));
	struct tool_call t = { f, d, 0, words, said, said, false };
	int status;

	for (char *w = strtok_r(copy, " ", &rest); w && t.argc < WORDS_MAX; w = strtok_r(NULL, " ", &rest))
		words[t.argc++] = w;
	if (text)
		words[t.argc++] = (char *)text;
	words[t.argc] = NULL;
	status = tool_run(&t);
	if (t.is_changed)
		fabric_refresh(f, d);
	free(copy);
	return status;
}

static char *db_text(struct fabric *f)
{
	return json_dumps(confdb_of(fabric_device(f, SPAN("leaf1"))), JSON_SORT_KEYS);
}

static void assert_patch(struct fabric *f, const char *patch, int status, const char *words)
{
	struct buf said = { NULL };
	char *before = db_text(f), *after;

	assert_int_equal(run_at(f, "config apply-patch -v /tmp/p.json", patch, &said), status);
	if (!strstr(said.text, words))
		fail_msg("\"%s\" is not in: %s", words, said.text);
	after = db_text(f);
	if (status)
		assert_string_equal(before, after);
	else
		assert_string_not_equal(before, after);
	free(before);
	free(after);
	buf_done(&said);
}

static void a_patch_is_applied_whole_or_refused_whole(void **state)
{
	static const struct { const char *patch, *words; } refused[] = {
		{ "", "Expecting value" },
		{ "{}", "Expecting value" },
		{ "[{\"op\":\"replace\",\"path\":\"/PORT/Ethernet0/mtu\",\"value\":\"1500\"},"
		  "{\"op\":\"test\",\"path\":\"/PORT/Ethernet0/mtu\",\"value\":\"9194\"}]", "not equal to tested value" },
		{ "[{\"op\":\"replace\",\"path\":\"/PORT/Ethernet999/mtu\",\"value\":\"1500\"}]", "non-existent object" },
		{ "[{\"op\":\"add\",\"path\":\"/PORT_QOS_MAP/Ethernet999\",\"value\":{\"pfc_enable\":\"3\"}}]", "non-existing leaf" },
		{ "[{\"op\":\"replace\",\"path\":\"/PORT/Ethernet0/mtu\",\"value\":\"99999\"}]", "Invalid value" },
		{ "[{\"op\":\"replace\",\"path\":\"/PORT_QOS_MAP/Ethernet0/pfc_enable\",\"value\":\"3,9\"}]", "Invalid value" },
		{ "[{\"op\":\"replace\",\"path\":\"/PORT_QOS_MAP/Ethernet0/dscp_to_tc_map\",\"value\":\"NONE\"}]", "Invalid value" },
		{ "[{\"op\":\"remove\",\"path\":\"/WRED_PROFILE/ROCE_LOSSLESS\"}]", "" },
		{ "[{\"op\":\"add\",\"path\":\"/NEW\",\"value\":{}}]", "empty tables" },
		{ "[{\"op\":\"move\",\"path\":\"/PORT/Ethernet0\",\"from\":\"/PORT/Ethernet4\"}]", "Unknown operation" },
		{ "[{\"op\":\"add\",\"path\":\"/PORT/Ethernet0/mtu\"}]", "'value'" },
	};
	struct fabric *f = fabric_of_sonic();

	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		assert_patch(f, refused[i].patch, 2, refused[i].words);
	assert_patch(f, "[{\"op\":\"test\",\"path\":\"/PORT/Ethernet0/mtu\",\"value\":\"9194\"},"
		     "{\"op\":\"replace\",\"path\":\"/PORT/Ethernet0/mtu\",\"value\":\"1500\"},"
		     "{\"op\":\"remove\",\"path\":\"/QUEUE/Ethernet0|3/wred_profile\"},"
		     "{\"op\":\"add\",\"path\":\"/VLAN\",\"value\":{\"a~b/c\":{}}},"
		     "{\"op\":\"remove\",\"path\":\"/VLAN/a~0b~1c\"},{\"op\":\"remove\",\"path\":\"/VLAN\"}]", 0, "successfully");
	assert_string_equal(confdb_get(confdb_of(fabric_device(f, SPAN("leaf1"))), "PORT", "Ethernet0", "mtu"), "1500");
	fabric_free(f);
}

static void a_checkpoint_is_what_rollback_brings_back(void **state)
{
	struct fabric *f = fabric_of_sonic();
	struct buf said = { NULL };
	char *before = db_text(f), *after;

	(void)state;
	assert_int_equal(run_at(f, "config rollback here", NULL, &said), 2);
	assert_int_equal(run_at(f, "config checkpoint here", NULL, &said), 0);
	assert_int_equal(run_at(f, "config interface shutdown Ethernet0", NULL, &said), 0);
	assert_int_equal(run_at(f, "config interface pfc priority Ethernet4 4 on", NULL, &said), 0);
	assert_int_equal(run_at(f, "config rollback here", NULL, &said), 0);
	after = db_text(f);
	assert_string_equal(before, after);
	assert_int_equal(run_at(f, "config list-checkpoints", NULL, &said), 0);
	assert_non_null(strstr(said.text, "\"here\""));
	assert_int_equal(run_at(f, "config delete-checkpoint here", NULL, &said), 0);
	assert_int_equal(run_at(f, "config delete-checkpoint here", NULL, &said), 2);
	free(before);
	free(after);
	buf_done(&said);
	fabric_free(f);
}

static void what_was_not_saved_is_gone_after_a_boot(void **state)
{
	struct fabric *f = fabric_of_sonic();
	struct buf said = { NULL };
	struct lab_device *d = fabric_device(f, SPAN("leaf1"));

	(void)state;
	run_at(f, "config interface mtu Ethernet0 1500", NULL, &said);
	assert_int_equal(run_at(f, "config save", NULL, &said), 1);
	confdb_boot(d);
	assert_string_equal(confdb_get(confdb_of(d), "PORT", "Ethernet0", "mtu"), "9194");
	run_at(f, "config interface mtu Ethernet0 1500", NULL, &said);
	assert_int_equal(run_at(f, "config save -y", NULL, &said), 0);
	confdb_boot(d);
	assert_string_equal(confdb_get(confdb_of(d), "PORT", "Ethernet0", "mtu"), "1500");
	buf_done(&said);
	fabric_free(f);
}

static void the_watchdog_takes_what_the_real_one_takes(void **state)
{
	struct fabric *f = fabric_of_sonic();
	const struct lab_device *d = fabric_device(f, SPAN("leaf1"));
	struct buf said = { NULL };

	(void)state;
	assert_int_equal(run_at(f, "pfcwd stop Ethernet0", NULL, &said), 0);
	assert_null(confdb_get(confdb_of(d), "PFC_WD", "Ethernet0", "action"));
	assert_non_null(confdb_get(confdb_of(d), "PFC_WD", "Ethernet4", "action"));
	assert_int_equal(run_at(f, "pfcwd start --action alert Ethernet0 300 --restoration-time 400", NULL, &said), 0);
	assert_string_equal(confdb_get(confdb_of(d), "PFC_WD", "Ethernet0", "action"), "alert");
	assert_string_equal(confdb_get(confdb_of(d), "PFC_WD", "Ethernet0", "detection_time"), "300");
	assert_string_equal(confdb_get(confdb_of(d), "PFC_WD", "Ethernet0", "restoration_time"), "400");
	assert_string_equal(confdb_get(confdb_of(d), "PFC_WD", "Ethernet4", "action"), "drop");
	assert_int_equal(run_at(f, "pfcwd interval 250", NULL, &said), 0);
	assert_string_equal(confdb_get(confdb_of(d), "PFC_WD", "GLOBAL", "POLL_INTERVAL"), "250");
	assert_int_equal(run_at(f, "pfcwd start --action burn Ethernet0 300", NULL, &said), 2);
	assert_int_equal(run_at(f, "pfcwd start Ethernet999 300000", NULL, &said), 2);
	assert_int_equal(run_at(f, "pfcwd interval 7", NULL, &said), 2);
	buf_clear(&said);
	assert_int_equal(run_at(f, "pfcwd show config", NULL, &said), 0);
	assert_non_null(strstr(said.text, "Ethernet0"));
	buf_done(&said);
	fabric_free(f);
}

/* -- what the console makes of it -- */

static const struct dialect_place place = { "leaf1", "/run/fabcon/P-1.1", "fabcon-P-1-1" };

/* A model that has read this CONFIG_DB; NULL text of the saved one: the same. */
static struct model *model_of(const char *db)
{
	struct model *m = model_new();
	struct buf text = { NULL };
	struct obs o;

	buf_printf(&text, "%s\n" SONIC_SAVED_MARK "\n%s", db, db);
	obs_init(&o, "leaf1", NULL);
	platform_parse(&sonic_platform, platform_probe(&sonic_platform, "config-db"),
		       &(struct answer){ .text = buf_span(&text), .status = 0 }, &o);
	o.at_us = 1000000;
	o.period_us = 30000000;
	model_apply(m, &o);
	model_set_now(m, 1000000);
	obs_done(&o);
	buf_done(&text);
	return m;
}

static struct buf setup_of(const struct model *m)
{
	struct buf out = { NULL };
	struct err err;

	if (!sonic_dialect.setup(m, model_find_device(m, "leaf1"), &out, &err))
		fail_msg("%s", err.text);
	return out;
}

static void add_edit(struct edits *e, const struct port *p, enum field f, unsigned index, const struct value *was, uint64_t want)
{
	struct edit edit = { .device = "leaf1", .port = p->name, .field = f, .index = index, .was = *was,
			     .want = { .is = VALUE_KNOWN, .n = want }, .why = "as before" };

	edit.was.is = VALUE_KNOWN;
	edits_add(e, &edit);
}

/* What differs at leaf1's ports from how they were, of what can be set. */
static void edits_back(const struct model *now, const struct model *before, struct edits *e)
{
	const struct device *d = model_find_device(now, "leaf1");

	for (size_t i = 0; i < d->n_ports; i++)
		for (unsigned f = 0; f < FIELD_COUNT; f++)
			for (unsigned k = 0; sonic_dialect.can_set(f, true) && k < field_table[f].width; k++) {
				const struct port *p = d->ports[i], *old = model_find_port(before, "leaf1", p->name);
				const struct cell *is = port_cell(p, f, k), *was = port_cell(old, f, k);

				if (was && was->value.is == VALUE_KNOWN && is && !value_same(f, &is->value, &was->value))
					add_edit(e, p, f, k, &is->value, was->value.n);
			}
}

/* -- a switch of the lab, by its own shell and tools -- */

struct switch_of_lab {
	struct lab lab;
	char dir[64];
};

static struct run at_switch(const struct switch_of_lab *s, const char *line)
{
	struct buf script = { NULL }, moved = { NULL };
	struct span rest = span_of(line);
	struct run r;

	while (rest.n) {
		if (span_skip(&rest, place.dir))
			buf_str(&moved, s->dir);
		else
			buf_add(&moved, rest.p++, 1), rest.n--;
	}
	buf_printf(&script, "export LAB_NODE=leaf1 LAB_SOCKET=%s/ctl.sock PATH=%s/bin/sonic:$PATH\n%s\n", s->lab.dir, s->lab.dir,
		   moved.text);
	r = RUN("/bin/sh", "-c", script.text);
	buf_done(&script);
	buf_done(&moved);
	return r;
}

static char *running(const struct switch_of_lab *s)
{
	struct run r = at_switch(s, "sonic-cfggen -d --print-data");
	char *text = xstrdup(r.out.text);

	run_done(&r);
	return text;
}

static void switch_start(struct switch_of_lab *s)
{
	snprintf(s->dir, sizeof(s->dir), "/tmp/fabcon-sonic-XXXXXX");
	assert_non_null(mkdtemp(s->dir));
	assert_true(LAB(&s->lab, "--nodes", "4", "--rails", "1", "--switch-os", "sonic", "--seed", "3"));
}

static void switch_stop(struct switch_of_lab *s)
{
	struct run r = RUN("/bin/rm", "-rf", s->dir);

	run_done(&r);
	lab_stop(&s->lab);
}

static void put_files(const struct switch_of_lab *s, const struct fix_step *step)
{
	for (size_t i = 0; i < step->n_files; i++) {
		char path[128];
		FILE *file;

		snprintf(path, sizeof(path), "%s/%s", s->dir, step->files[i].name);
		file = fopen(path, "w");
		assert_non_null(file);
		fputs(step->files[i].text, file);
		fclose(file);
	}
}

static int say(const struct switch_of_lab *s, const char *line)
{
	struct run r = at_switch(s, line);
	int code = r.code;

	run_done(&r);
	return code;
}

static void step_done(struct fix_step *step)
{
	free(step->lines.list);
	free(step->undo.list);
	free(step->save.list);
	free(step->files);
}

/* From wherever the lines stop, undo brings back every byte of it. */
static void undo_from_everywhere(const struct switch_of_lab *s, const struct fix_step *step, const char *before)
{
	put_files(s, step);
	for (size_t k = 0; k <= step->lines.n; k++) {
		struct buf prepared = { NULL };
		char *now;

		sonic_dialect.prepare(step, &place, &prepared);
		assert_int_equal(say(s, prepared.text), 0);
		buf_done(&prepared);

		for (size_t i = 0; i < k; i++)
			assert_int_equal(say(s, step->lines.list[i]), 0);
		for (size_t i = 0; i < step->undo.n; i++)
			if (say(s, step->undo.list[i]) != 0)
				fail_msg("undo after %zu lines says no: %s", k, step->undo.list[i]);
		now = running(s);
		assert_string_equal(now, before);
		free(now);
	}
}

static void assert_part_holds(struct span from, struct span to, const struct edits *e)
{
	struct buf before = { NULL }, after = { NULL };

	sonic_dialect.part(from, e->list, e->n, &before);
	sonic_dialect.part(to, e->list, e->n, &after);
	for (unsigned side = 0; side < 2; side++) {
		struct span rest = side ? to : from, other = side ? from : to, line;
		const struct buf *part = side ? &after : &before;

		while (span_line(&rest, &line)) {
			char *text = xasprintf("%.*s\n", (int)line.n, line.p);

			if (!span_find(other, text) && !span_find(buf_span(part), text))
				fail_msg("changed outside of the part: %s", text);
			free(text);
		}
	}
	buf_done(&before);
	buf_done(&after);
}

/* What was kept is taken back to the byte, too. */
static void assert_restores(const struct model *after, const struct edits *e, struct span from)
{
	struct buf setup = setup_of(after), base = { NULL }, part = { NULL }, back = { NULL };
	struct err err;

	sonic_dialect.part(from, e->list, e->n, &base);
	sonic_dialect.part(buf_span(&setup), e->list, e->n, &part);
	assert_true(sonic_dialect.restore(buf_span(&setup), buf_span(&base), buf_span(&part), &back, &err));
	assert_int_equal(back.n, from.n);
	assert_memory_equal(back.text, from.p, from.n);
	buf_done(&setup);
	buf_done(&base);
	buf_done(&part);
	buf_done(&back);
}

/* One fault: named by what differs, mended by the lines, and undone from everywhere. */
static unsigned mend(const struct switch_of_lab *s, const struct model *healthy)
{
	char *before = running(s), *now;
	struct model *m = model_of(before), *after;
	struct buf from = setup_of(m), to = { NULL };
	struct edits e = { NULL }, left = { NULL };
	struct fix_step step = { .device = "leaf1" };
	struct arena arena = { NULL };
	unsigned n;
	struct err err;

	edits_back(m, healthy, &e);
	n = e.n;
	if (n && !sonic_dialect.edit(buf_span(&from), e.list, e.n, &to, &err))
		fail_msg("%s", err.text);
	if (n) {
		assert_part_holds(buf_span(&from), buf_span(&to), &e);
		if (!sonic_dialect.commands(buf_span(&from), buf_span(&to), &place, &arena, &step, &err))
			fail_msg("%s", err.text);
		assert_non_null(strstr(step.disturbs, "config rollback also reverts changes that others make meanwhile"));
		undo_from_everywhere(s, &step, before);
		for (size_t i = 0; i < step.lines.n; i++)
			assert_int_equal(say(s, step.lines.list[i]), 0);
		now = running(s);
		after = model_of(now);
		edits_back(after, healthy, &left);
		assert_int_equal(left.n, 0);
		assert_restores(after, &e, buf_span(&from));
		assert_int_equal(say(s, step.undo.list[0]), 0);
		model_free(after);
		free(now);
	}
	edits_done(&e);
	edits_done(&left);
	step_done(&step);
	arena_done(&arena);
	buf_done(&from);
	buf_done(&to);
	model_free(m);
	free(before);
	return n;
}

static void each_fault_of_a_port_is_mended_and_undone_to_the_byte(void **state)
{
	struct switch_of_lab s;
	struct model *healthy;
	unsigned mended = 0;
	char *text;

	(void)state;
	switch_start(&s);
	text = running(&s);
	healthy = model_of(text);
	for (size_t i = 0; i < fault_count; i++) {
		const struct fault *fault = &fault_table[i];
		char name[96];
		struct run r;

		if (fault->place != AT_PORT)
			continue;
		snprintf(name, sizeof(name), "%s@leaf1:Ethernet0", fault->name);
		r = LAB_CTL(&s.lab, "fault", "add", name);
		if (r.code == 0)
			mended += mend(&s, healthy) > 0;
		run_done(&r);
		r = LAB_CTL(&s.lab, "fault", "clear", "all");
		run_done(&r);
	}
	assert_in_range(mended, 10, 100);
	print_message("%u faults mended\n", mended);
	model_free(healthy);
	free(text);
	switch_stop(&s);
}

/* -- what is shared -- */

/* Three ports, two of them with one WRED profile and maps in the old style; buffers for priority 3 alone. */
static const char small[] =
	"{\n\"PORT\": {\"Ethernet0\": {\"speed\": \"100000\"}, \"Ethernet4\": {\"speed\": \"100000\", \"mtu\": \"9100\"},"
	" \"Ethernet8\": {\"speed\": \"100000\"}, \"Ethernet16\": {\"mtu\": \"9100\", \"pfc_asym\": \"on\"}},\n"
	"\"PORTCHANNEL\": {\"PortChannel1\": {\"mtu\": \"1500\"}},\n\"PORTCHANNEL_MEMBER\": {\"PortChannel1|Ethernet16\": {}},\n"
	"\"DSCP_TO_TC_MAP\": {\"AZURE\": {\"24\": \"3\", \"26\": \"0\"}},\n"
	"\"TC_TO_PRIORITY_GROUP_MAP\": {\"AZURE\": {\"3\": \"3\", \"4\": \"0\"}},\n"
	"\"PORT_QOS_MAP\": {\"Ethernet0\": {\"dscp_to_tc_map\": \"[DSCP_TO_TC_MAP|AZURE]\", \"pfc_enable\": \"3\","
	" \"tc_to_pg_map\": \"[TC_TO_PRIORITY_GROUP_MAP|AZURE]\"},"
	" \"Ethernet4\": {\"dscp_to_tc_map\": \"[DSCP_TO_TC_MAP|AZURE]\"}},\n"
	"\"WRED_PROFILE\": {\"W\": {\"ecn\": \"ecn_all\", \"green_min_threshold\": \"1000\", \"yellow_min_threshold\": \"1000\","
	" \"red_min_threshold\": \"7\", \"green_max_threshold\": \"9000\"}},\n"
	"\"QUEUE\": {\"Ethernet0|3-4\": {\"wred_profile\": \"[WRED_PROFILE|W]\"}, \"Ethernet4|3\": {\"wred_profile\": \"[WRED_PROFILE|W]\"},"
	" \"Ethernet4,Ethernet8|5\": {\"wred_profile\": \"[WRED_PROFILE|W]\"}},\n"
	"\"BUFFER_PROFILE\": {\"lossless\": {\"size\": \"1248\", \"xoff\": \"9\"}, \"lossy\": {\"size\": \"0\"}},\n"
	"\"BUFFER_PG\": {\"Ethernet0|3\": {\"profile\": \"lossless\"}, \"Ethernet0|0\": {\"profile\": \"lossy\"}}\n}\n";

/* "Ethernet0 ecn.kmin[3] = 2000", a line each. */
static void read_edits(struct edits *e, const char *lines)
{
	struct span rest = span_of(lines), line;

	while (span_line(&rest, &line)) {
		struct buf text = { NULL };
		struct arena arena = { NULL };
		struct fact f;
		struct err err;
		struct edit edit;

		buf_printf(&text, "leaf1 %.*s", (int)line.n, line.p);
		if (!fact_parse(buf_span(&text), &arena, &f, &err))
			fail_msg("%s", err.text);
		edit = (struct edit){ .device = f.device, .port = f.port, .field = f.field, .index = f.index, .want = f.value,
				      .was = { .is = VALUE_KNOWN, .n = f.value.n + 1 }, .why = "test" };
		edits_add(e, &edit);
		arena_done(&arena);
		buf_done(&text);
	}
}

/* The small switch after these edits, or the reason why not. */
static bool small_after(const char *lines, struct buf *after, struct err *err)
{
	struct model *m = model_of(small);
	struct buf from = setup_of(m);
	struct edits e = { NULL };
	bool done;

	read_edits(&e, lines);
	done = sonic_dialect.edit(buf_span(&from), e.list, e.n, after, err);
	edits_done(&e);
	buf_done(&from);
	model_free(m);
	return done;
}

static void assert_after(const char *lines, const char *const *has)
{
	struct buf after = { NULL };
	struct err err;

	if (!small_after(lines, &after, &err))
		fail_msg("%s: %s", lines, err.text);
	for (; *has; has++)
		if (!strstr(after.text, *has))
			fail_msg("%s\nis not in\n%s", *has, after.text);
	buf_done(&after);
}
#define HAS(...) (const char *const[]){ __VA_ARGS__, NULL }

static void what_others_share_is_left_to_them(void **state)
{
	(void)state;
	assert_after("Ethernet4 ecn.kmin[3] = 2000",
		     HAS("QUEUE|Ethernet4|3 wred_profile = \"[WRED_PROFILE|fabcon_Ethernet4_3]\"\n",
			 "WRED_PROFILE|fabcon_Ethernet4_3 green_min_threshold = \"2000\"\n",
			 "WRED_PROFILE|fabcon_Ethernet4_3 yellow_min_threshold = \"2000\"\n",
			 "WRED_PROFILE|fabcon_Ethernet4_3 red_min_threshold = \"7\"\n",
			 "WRED_PROFILE|W green_min_threshold = \"1000\"\n"));
	assert_after("Ethernet0 ecn.kmin[3] = 2000",
		     HAS("QUEUE|Ethernet0|3 wred_profile = \"[WRED_PROFILE|fabcon_Ethernet0_3]\"\n",
			 "QUEUE|Ethernet0|4 wred_profile = \"[WRED_PROFILE|W]\"\n"));
	assert_after("Ethernet0 dscp.prio[26] = 3\nEthernet4 dscp.prio[26] = 3",
		     HAS("DSCP_TO_TC_MAP|AZURE 26 = \"3\"\n", "PORT_QOS_MAP|Ethernet0 dscp_to_tc_map = \"[DSCP_TO_TC_MAP|AZURE]\"\n"));
	assert_after("Ethernet8 trust = dscp", HAS("PORT_QOS_MAP|Ethernet8 dscp_to_tc_map = \"[DSCP_TO_TC_MAP|AZURE]\"\n"));
}

static void a_new_lossless_priority_has_its_group_and_buffer(void **state)
{
	(void)state;
	assert_after("Ethernet0 pfc.on[4] = yes",
		     HAS("BUFFER_PG|Ethernet0|4 profile = \"lossless\"\n", "PORT_QOS_MAP|Ethernet0 pfc_enable = \"3,4\"\n",
			 "TC_TO_PRIORITY_GROUP_MAP|AZURE 4 = \"4\"\n"));
	assert_after("Ethernet0 pfc.on[3] = no\nEthernet0 pfc.on[4] = yes", HAS("PORT_QOS_MAP|Ethernet0 pfc_enable = \"4\"\n"));
	assert_after("Ethernet4 pfc.watchdog = yes\nEthernet4 mtu = 9216",
		     HAS("PFC_WD|Ethernet4 detection_time = \"200\"\n", "PORT|Ethernet4 mtu = \"9194\"\n"));
}

/* The watchdog's priorities were replaced by those of a port that pauses none: typed after the fix of PFC, nothing was guarded. */
static void the_watchdog_keeps_its_priorities_where_pfc_is_off(void **state)
{
	struct model *m = model_of("{\n\"PORT\": {\"Ethernet0\": {}},\n"
				   "\"PORT_QOS_MAP\": {\"Ethernet0\": {\"pfc_enable\": \"\", \"pfcwd_sw_enable\": \"3\"}}\n}\n");
	struct buf from = setup_of(m), to = { NULL };
	struct edits e = { NULL };
	struct err err;

	(void)state;
	read_edits(&e, "Ethernet0 pfc.watchdog = yes");
	assert_true(sonic_dialect.edit(buf_span(&from), e.list, e.n, &to, &err));
	assert_non_null(strstr(to.text, "PORT_QOS_MAP|Ethernet0 pfcwd_sw_enable = \"3\"\n"));
	assert_non_null(strstr(to.text, "PFC_WD|Ethernet0 detection_time"));
	edits_done(&e);
	buf_done(&from);
	buf_done(&to);
	model_free(m);
}

static void a_port_that_had_no_mtu_has_none_again_and_is_still_there(void **state)
{
	struct model *m = model_of("{\n\"PORT\": {\"Ethernet0\": {}}\n}\n");
	struct buf from = setup_of(m), to = { NULL }, base = { NULL }, part = { NULL }, back = { NULL };
	struct edits e = { NULL };
	struct err err;

	(void)state;
	read_edits(&e, "Ethernet0 mtu = 9216");
	assert_true(sonic_dialect.edit(buf_span(&from), e.list, e.n, &to, &err));
	sonic_dialect.part(buf_span(&from), e.list, e.n, &base);
	sonic_dialect.part(buf_span(&to), e.list, e.n, &part);
	assert_true(sonic_dialect.restore(buf_span(&to), buf_span(&base), buf_span(&part), &back, &err));
	assert_string_equal(back.text, from.text);
	edits_done(&e);
	buf_done(&from);
	buf_done(&to);
	buf_done(&base);
	buf_done(&part);
	buf_done(&back);
	model_free(m);
}

static void what_cannot_be_made_so_is_refused_with_the_reason(void **state)
{
	static const struct { const char *edit, *why; } rows[] = {
		{ "Ethernet0 pfc.on[0] = yes", "lossy buffer" },
		{ "Ethernet8 pfc.on[3] = yes", "tc_to_pg_map" },
		{ "Ethernet8 ecn.kmin[5] = 2000", "several ports" },
		{ "Ethernet0 ecn.kmin[3] = 10000", "above" },
		{ "Ethernet0 ets.share[3] = 60", "no DWRR weight" },
		{ "Ethernet8 dscp.prio[26] = 3", "dscp_to_tc_map" },
		{ "Ethernet0 mtu = 20000", "frames of" },
		{ "Ethernet16 mtu = 9216", "comes from its port channel PortChannel1" },
		{ "Ethernet16 pfc.on[3] = no", "pfc_asym is on" },
		{ "Ethernet0 pfc.watchdog = no", "does not turn" },
		{ "Ethernet12 mtu = 9216", "not in the configuration" },
		{ "Ethernet0 cable = 40", "cannot be set" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct buf after = { NULL };
		struct err err = { "" };

		assert_false(small_after(rows[i].edit, &after, &err));
		if (!strstr(err.text, rows[i].why))
			fail_msg("%s: %s", rows[i].edit, err.text);
		assert_int_equal(after.n, 0);
	}
}

static void a_configuration_that_is_not_whole_is_not_changed(void **state)
{
	static const char *const texts[] = { "{}", "[]", "", "{\"PORT\": []}", "{\"PORT\": {\"Ethernet0\": 7}}", "{\"PORT\": {\"Ether",
					     "{\"PORT\": {\"Ethernet0\": {}, \"Ethernet-BP0\": {}}}" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct model *m = model_of(texts[i]);
		struct buf out = { NULL };
		struct err err = { "" };

		if (model_find_device(m, "leaf1"))
			assert_false(sonic_dialect.setup(m, model_find_device(m, "leaf1"), &out, &err));
		assert_int_equal(out.n, 0);
		model_free(m);
	}
}

/* -- texts -- */

static void the_normal_form_reads_back_as_it_was(void **state)
{
	static const char db[] = "{\"PORT\":{\"Ethernet0\":{\"mtu\":\"9100\",\"a = b\":\"x\\n\\\"\"},\"Ethernet4\":{}},"
				 "\"A|B\":{\"k k|{}\":{\"l\":[\"1\",\"2\"]}},\"VLAN\":{\"\\u00e4\\\"\\\\|7\":{\"\":\"\"}}}";
	json_t *tree = json_loads(db, 0, NULL), *back;
	struct buf text = { NULL }, again = { NULL };
	struct err err;

	(void)state;
	sonic_setup_write(tree, &text);
	back = sonic_setup_read(buf_span(&text), &err);
	assert_non_null(back);
	assert_true(json_equal(tree, back));
	sonic_setup_write(back, &again);
	assert_string_equal(text.text, again.text);
	assert_non_null(strstr(text.text, "PORT|Ethernet4 {}\n"));
	for (size_t cut = 0; cut < text.n; cut++) {
		json_t *part = sonic_setup_read((struct span){ text.text, cut }, &err);

		json_decref(part);
	}
	json_decref(tree);
	json_decref(back);
	buf_done(&text);
	buf_done(&again);
}

/* Two random trees; the patch leads from one to the other and on nothing else. */
static json_t *random_db(unsigned *seed)
{
	static const char *const tables[] = { "VLAN", "ACL~RULE", "X/Y", "LOOPBACK" };
	json_t *db = json_object();

	for (unsigned i = 0; i < 12; i++) {
		char key[16], field[16], text[16];

		*seed = *seed * 1103515245u + 12345u;
		snprintf(key, sizeof(key), "k%u|%u/24", *seed >> 16 & 3, *seed >> 18 & 1);
		snprintf(field, sizeof(field), "f~%u", *seed >> 20 & 3);
		snprintf(text, sizeof(text), "%u", *seed >> 22 & 3);
		confdb_set(db, tables[*seed >> 28 & 3], key, field, text);
	}
	return db;
}

static void a_patch_leads_from_one_configuration_to_the_other(void **state)
{
	unsigned seed = 1;

	(void)state;
	for (unsigned i = 0; i < 300; i++) {
		json_t *a = random_db(&seed), *b = random_db(&seed), *got;
		struct buf patch = { NULL }, test = { NULL };
		struct err err;

		got = sonic_patched(a, sonic_patch(a, b, &patch) ? patch.text : "[]", &err);
		assert_non_null(got);
		assert_true(json_equal(got, b));
		json_decref(got);
		sonic_patch_test(a, b, &test);
		got = patch.n && test.n ? sonic_patched(b, test.text, &err) : NULL;
		assert_null(got);
		buf_done(&patch);
		buf_done(&test);
		json_decref(a);
		json_decref(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_patch_is_applied_whole_or_refused_whole),
		cmocka_unit_test(a_checkpoint_is_what_rollback_brings_back),
		cmocka_unit_test(what_was_not_saved_is_gone_after_a_boot),
		cmocka_unit_test(the_watchdog_takes_what_the_real_one_takes),
		cmocka_unit_test(the_normal_form_reads_back_as_it_was),
		cmocka_unit_test(a_patch_leads_from_one_configuration_to_the_other),
		cmocka_unit_test(what_others_share_is_left_to_them),
		cmocka_unit_test(a_new_lossless_priority_has_its_group_and_buffer),
		cmocka_unit_test(the_watchdog_keeps_its_priorities_where_pfc_is_off),
		cmocka_unit_test(a_port_that_had_no_mtu_has_none_again_and_is_still_there),
		cmocka_unit_test(what_cannot_be_made_so_is_refused_with_the_reason),
		cmocka_unit_test(a_configuration_that_is_not_whole_is_not_changed),
		cmocka_unit_test(each_fault_of_a_port_is_mended_and_undone_to_the_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
