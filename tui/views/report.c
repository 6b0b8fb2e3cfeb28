#include "tui/views/report.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/judge/judged.h"
#include "tui/text/human.h"
#include "tui/text/safe.h"
#include "tui/text/sheet.h"
#include "tui/views/diagnosis_document.h"
#include "tui/views/remedy.h"

#define EVIDENCE_LINES 2	/* of each finding, in Markdown */
#define WORDS_MOST 300		/* of one text in a line, */
#define VERDICT_MOST 700		/* and of the verdict */

/* -- the document -- */

static json_t *device_json(const struct model *m, const struct device *d)
{
	json_t *json = json_object();
	const struct cell *state = device_cell(d, FIELD_STATE, 0);

	json_object_set_new(json, "device", json_text(d->name));
	json_object_set_new(json, "state", state && !cell_is_stale(m, state) ? json_value(FIELD_STATE, &state->value) : json_null());
	json_object_set_new(json, "error", json_text(device_text(d, FIELD_ERROR)));
	return json;
}

/* By its state where that is known; else by whether it was heard of late. */
static bool was_read(const struct model *m, const struct device *d)
{
	bool fresh = false;
	uint64_t state;

	for (size_t i = 0; i < d->n_replies; i++) {
		const struct reply *r = d->replies[i];

		fresh |= r->period_us && strcmp(r->probe, "ssh") && !reply_is_stale(m, r);
	}
	return fresh && (!device_number(m, d, FIELD_STATE, 0, &state) || state == STATE_UP);
}

static json_t *devices_json(const struct model *m)
{
	json_t *json = json_object(), *lacking = json_array();
	size_t n = model_devices(m);

	for (size_t i = 0; i < n; i++)
		if (!was_read(m, model_device(m, i)))
			json_array_append_new(lacking, device_json(m, model_device(m, i)));
	json_object_set_new(json, "all", json_integer((json_int_t)n));
	json_object_set_new(json, "read", json_integer((json_int_t)(n - json_array_size(lacking))));
	json_object_set_new(json, "not_read", lacking);
	return json;
}

/* The devices of which nothing could be judged, and why. */
static json_t *unjudged_json(const struct view_of *of, bool *is_nothing)
{
	json_t *list = json_array();
	struct judged judged;

	judged_make(&judged, of->model, of->findings);
	*is_nothing = judged_is_nothing(&judged);
	for (size_t i = 0; i < judged.n_list; i++)
		json_array_append_new(list, json_pack("{s:o, s:o}", "device", json_text(judged.list[i].device->name), "why",
						      json_text(judged.list[i].why)));
	judged_done(&judged);
	return list;
}

json_t *evidence_json(const struct model *m, const struct evidence *e)
{
	bool of_port = field_table[e->field].scope == SCOPE_PORT;
	const struct device *device = e->port ? e->port->device : e->device;
	const struct cell *c = of_port ? (e->port ? port_cell(e->port, e->field, e->index) : NULL) :
				device ? device_cell(device, e->field, e->index) : NULL;
	struct fact fact = { .device = device ? device->name : "?", .port = of_port && e->port ? e->port->name : NULL,
			     .field = e->field, .index = e->index, .value = { .is = VALUE_ABSENT } };
	json_t *json = json_object();
	struct buf text = { 0 };
	unsigned number = 0;
	struct span line;
	char *copy;

	if (c)
		fact.value = c->value;
	fact_print(&fact, &text);
	json_object_set_new(json, "fact", json_text(text.text));
	buf_done(&text);
	json_object_set_new(json, "note", *e->note ? json_text(e->note) : json_null());
	if (!c)
		return json;
	line = cell_line(c, &number);
	copy = line.n ? xstrndup(line.p, line.n < WORDS_MOST ? line.n : WORDS_MOST) : NULL;
	json_object_set_new(json, "at", json_time(model_now(m) - cell_age_us(m, c)));	/* the last reply may not have said it */
	json_object_set_new(json, "stale", json_boolean(cell_is_stale(m, c)));
	json_object_set_new(json, "probe", json_text(c->reply->probe));
	json_object_set_new(json, "command", json_text(c->reply->command));
	json_object_set_new(json, "line", json_text(copy));
	json_object_set_new(json, "line_number", copy ? json_integer(number) : json_null());
	free(copy);
	return json;
}

static size_t consequences(const struct finding *const *list, size_t n, const struct finding *f)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += finding_follows(list[i], f);
	return count;
}

static json_t *finding_json(const struct view_of *of, const struct finding *f, size_t n_consequences)
{
	json_t *json = json_object(), *evidence = json_array();

	json_object_set_new(json, "severity", json_text(verdict_name(f->verdict)));
	json_object_set_new(json, "check", json_text(f->check->id));
	json_object_set_new(json, "where", json_text(f->where));
	json_object_set_new(json, "what", json_text(f->what));
	json_object_set_new(json, "first_seen", json_time(f->first_us));
	json_object_set_new(json, "last_seen", json_time(f->last_us));
	json_object_set_new(json, "age_ms", json_integer((model_now(of->model) - f->first_us) / 1000));
	json_object_set_new(json, "why", json_text(f->check->why));
	json_object_set_new(json, "to_do", json_text(f->check->change));
	remedy_of_finding(json, of, f);
	json_object_set_new(json, "explains", json_integer((json_int_t)n_consequences));
	for (size_t i = 0; i < f->n_evidence; i++)
		json_array_append_new(evidence, evidence_json(of->model, &f->evidence[i]));
	json_object_set_new(json, "evidence", evidence);
	return json;
}

/* What could not be judged, by check: how often, and one fact that is lacking. */
static void add_unknown(json_t *unknown, const struct finding *f)
{
	json_t *row, *places;
	size_t i;

	json_array_foreach(unknown, i, row) {
		if (strcmp(json_string_value(json_object_get(row, "check")), f->check->id))
			continue;
		places = json_object_get(row, "places");
		json_integer_set(places, json_integer_value(places) + 1);
		return;
	}
	row = json_object();
	json_object_set_new(row, "check", json_text(f->check->id));
	json_object_set_new(row, "places", json_integer(1));
	json_object_set_new(row, "lacks", json_text(f->missing));
	json_array_append_new(unknown, row);
}

/* As diagnose has it, of the whole fabric. */
static void add_verdict(json_t *doc, const struct view_of *of)
{
	struct diagnosis d = { 0 };

	diagnosis_make(&d, &(struct diagnosis_of){ .model = of->model, .links = of->links, .findings = of->findings, .policy = of->policy,
						   .inventory = of->inventory });
	diagnosis_add_verdict(doc, &d);
	diagnosis_done(&d);
}

json_t *report_json(const struct view_of *of)
{
	const struct finding *const *list;
	size_t n = findings_open(of->findings, &list);
	bool is_nothing;
	json_t *doc = json_object(), *findings = json_array(), *unknown = json_array(), *devices = devices_json(of->model);

	for (size_t i = 0; i < n; i++) {
		if (list[i]->verdict == VERDICT_UNKNOWN)
			add_unknown(unknown, list[i]);
		else if (!list[i]->cause)
			json_array_append_new(findings, finding_json(of, list[i], consequences(list, n, list[i])));
	}
	json_object_set_new(doc, "schema", json_string("fabcon.report/1"));
	json_object_set_new(doc, "fabric", json_text(of->fabric));
	json_object_set_new(doc, "at", json_time(model_now(of->model)));
	json_object_set_new(doc, "replay", json_boolean(of->is_replay));
	json_object_set_new(doc, "complete", json_boolean(!json_array_size(json_object_get(devices, "not_read"))));
	json_object_set_new(doc, "devices", devices);
	json_object_set_new(doc, "links", json_integer((json_int_t)of->links->n));
	json_object_set_new(doc, "policy", json_text(of->policy ? policy_name(of->policy) : NULL));
	add_verdict(doc, of);
	json_object_set_new(doc, "findings", findings);
	json_object_set_new(doc, "unknown", unknown);
	json_object_set_new(doc, "unknown_besides", json_integer((json_int_t)findings_untold(of->findings)));
	json_object_set_new(doc, "not_judged", unjudged_json(of, &is_nothing));
	json_object_set_new(doc, "nothing_judged", json_boolean(is_nothing));
	return doc;
}

/* -- markdown, a line at a time -- */

struct paper {
	struct buf *out;
	unsigned lines;
	bool ascii;
};

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "?";
}

static json_int_t number_of(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

/* Device text as code: there a backtick alone has a meaning. */
static void add_code(struct paper *p, const char *text)
{
	struct buf safe = { 0 };

	safe_add(&safe, (struct span){ text, strnlen(text, WORDS_MOST) }, p->ascii);
	for (size_t i = 0; i < safe.n; i++)
		if (safe.text[i] == '`')
			safe.text[i] = '\'';
	buf_printf(p->out, "`%s`", safe.n ? safe.text : " ");
	buf_done(&safe);
}

static void add_most_words(struct paper *p, const char *text, size_t most)
{
	char one[SAFE_MAX];
	struct span rest = { text, strnlen(text, most) };
	unsigned columns;

	while (safe_next(&rest, p->ascii, one, &columns)) {
		if (strchr("\\`*<>[]|", *one))
			buf_str(p->out, "\\");
		buf_str(p->out, one);
	}
}

static void add_words(struct paper *p, const char *text)
{
	add_most_words(p, text, WORDS_MOST);
}

static void end_line(struct paper *p)
{
	buf_str(p->out, "\n");
	p->lines++;
}

static void write_head(struct paper *p, const json_t *report)
{
	const json_t *devices = json_object_get(report, "devices"), *lacking = json_object_get(devices, "not_read"), *d;
	size_t i;

	buf_str(p->out, "# ");
	add_words(p, text_of(report, "fabric"));
	buf_printf(p->out, " at %.19sZ%s", text_of(report, "at"), json_is_true(json_object_get(report, "replay")) ? " (recording)" : "");
	end_line(p);
	end_line(p);
	buf_printf(p->out, "%lld of %lld devices read, %lld link%s, policy ", (long long)number_of(devices, "read"),
		   (long long)number_of(devices, "all"), (long long)number_of(report, "links"), plural_s((size_t)number_of(report, "links")));
	add_words(p, text_of(report, "policy"));
	end_line(p);
	json_array_foreach(lacking, i, d) {
		if (i == 3) {
			buf_printf(p->out, "- and %zu more not read", json_array_size(lacking) - i);
			end_line(p);
			break;
		}
		buf_str(p->out, "- not read: ");
		add_code(p, text_of(d, "device"));
		buf_printf(p->out, " (%s) ", text_of(d, "state"));
		add_words(p, json_is_string(json_object_get(d, "error")) ? text_of(d, "error") : "");
		end_line(p);
	}
}

#define LACKS_TOLD 3

static void write_lacks(struct paper *p, const json_t *report)
{
	const json_t *lacks = json_object_get(report, "lacks"), *row;
	size_t i;

	json_array_foreach(lacks, i, row) {
		if (i == LACKS_TOLD) {
			buf_printf(p->out, "- open: %zu more (fabcon diagnose)", json_array_size(lacks) - i);
			end_line(p);
			return;
		}
		buf_printf(p->out, "- open: %s at ", text_of(row, "of"));
		add_words(p, text_of(row, "where"));
		buf_printf(p->out, number_of(row, "places") > 1 ? " and %lld more: " : ": ", (long long)number_of(row, "places") - 1);
		add_words(p, text_of(row, "what"));
		end_line(p);
	}
}

static void write_verdict(struct paper *p, const json_t *report)
{
	struct buf proof = { 0 };

	end_line(p);
	buf_str(p->out, "**Verdict**: ");
	add_most_words(p, text_of(report, "says"), VERDICT_MOST);
	end_line(p);
	diagnosis_proof_words(report, &proof);
	buf_printf(p->out, "- read: %s", proof.text);
	end_line(p);
	buf_done(&proof);
	write_lacks(p, report);
}

static void write_evidence(struct paper *p, const json_t *e)
{
	buf_str(p->out, "   - ");
	add_code(p, text_of(e, "fact"));
	if (json_is_string(json_object_get(e, "at"))) {
		buf_printf(p->out, " read %.8sZ by %s%s", text_of(e, "at") + 11, text_of(e, "probe"),
			   json_is_true(json_object_get(e, "stale")) ? ", too old" : "");
	} else {
		buf_str(p->out, " not reported");
	}
	if (json_is_string(json_object_get(e, "line"))) {
		buf_str(p->out, ": ");
		add_code(p, text_of(e, "line"));
	}
	end_line(p);
}

static unsigned lines_of(const json_t *finding)
{
	size_t n = json_array_size(json_object_get(finding, "evidence"));

	return 2 + (unsigned)(n < EVIDENCE_LINES ? n : EVIDENCE_LINES);
}

static void write_finding(struct paper *p, size_t number, const json_t *f)
{
	const json_t *evidence = json_object_get(f, "evidence");
	char age[HUMAN_MAX];

	buf_printf(p->out, "%zu. **%s** %s at ", number, severity_of(text_of(f, "severity")), text_of(f, "check"));
	add_words(p, text_of(f, "where"));
	buf_printf(p->out, ", since %.19sZ (%s): ", text_of(f, "first_seen"), human_age(age, number_of(f, "age_ms") * 1000));
	add_words(p, text_of(f, "what"));
	if (number_of(f, "explains"))
		buf_printf(p->out, "; explains %lld more", (long long)number_of(f, "explains"));
	end_line(p);
	buf_str(p->out, "   - to do: ");
	add_words(p, text_of(f, "to_do"));
	end_line(p);
	for (size_t i = 0; i < EVIDENCE_LINES && i < json_array_size(evidence); i++)
		write_evidence(p, json_array_get(evidence, i));
}

/* What could not be judged at all: a line each, as room allows. */
static void write_unjudged(struct paper *p, const json_t *report, unsigned room)
{
	const json_t *list = json_object_get(report, "not_judged"), *row;
	size_t i;

	json_array_foreach(list, i, row) {
		if (p->lines + 1 >= room) {
			buf_printf(p->out, "- and %zu more not judged", json_array_size(list) - i);
			end_line(p);
			return;
		}
		buf_str(p->out, "- not judged: ");
		add_code(p, text_of(row, "device"));
		buf_str(p->out, " ");
		add_words(p, text_of(row, "why"));
		end_line(p);
	}
}

static void write_findings(struct paper *p, const json_t *report, unsigned room)
{
	const json_t *findings = json_object_get(report, "findings");
	bool is_nothing = json_is_true(json_object_get(report, "nothing_judged"));
	size_t n = json_array_size(findings), i;

	end_line(p);
	buf_printf(p->out, "## Findings: %zu", n);
	end_line(p);
	for (i = 0; i < n && p->lines + lines_of(json_array_get(findings, i)) + 1 <= room; i++)
		write_finding(p, i + 1, json_array_get(findings, i));
	if (i < n) {
		buf_printf(p->out, "%zu more: fabcon findings", n - i);
		end_line(p);
	} else if (!n) {
		buf_str(p->out, is_nothing ? "Nothing could be judged." : "No finding in what could be judged.");
		end_line(p);
	}
	write_unjudged(p, report, is_nothing ? room : p->lines + 5 < room ? p->lines + 5 : room);
}

/* "Nothing" only where no verdict lacks a fact: what the next samples or a finding above tell of is not known either. */
static void write_unknown_head(struct paper *p, size_t n, json_int_t besides, bool is_nothing)
{
	end_line(p);
	if (n)
		buf_printf(p->out, "## Not known: %zu check%s", n, plural_s(n));
	else if (is_nothing)
		buf_str(p->out, "## Not known: everything that is checked");
	else if (besides)
		buf_printf(p->out, "## Not known: %lld verdict%s that wait for samples or follow a finding above", (long long)besides,
			   plural_s((size_t)besides));
	else
		buf_str(p->out, "## Not known: nothing that is checked");
	end_line(p);
}

static void write_unknown(struct paper *p, const json_t *report)
{
	const json_t *unknown = json_object_get(report, "unknown");
	size_t n = json_array_size(unknown), i;

	write_unknown_head(p, n, number_of(report, "unknown_besides"), json_is_true(json_object_get(report, "nothing_judged")));
	for (i = 0; i < n && (p->lines + 1 < REPORT_LINES || i + 1 == n) && p->lines < REPORT_LINES; i++) {
		const json_t *row = json_array_get(unknown, i);

		buf_printf(p->out, "- %s, %lld place%s: ", text_of(row, "check"), (long long)number_of(row, "places"),
			   number_of(row, "places") == 1 ? "" : "s");
		add_words(p, text_of(row, "lacks"));
		end_line(p);
	}
	if (i < n) {
		buf_printf(p->out, "- %zu more: fabcon findings -v", n - i);
		end_line(p);
	}
}

void report_markdown(const json_t *report, bool ascii, struct buf *out)
{
	const json_t *unknown = json_object_get(report, "unknown");
	size_t n = json_array_size(unknown);
	struct paper p = { .out = out, .ascii = ascii };

	write_head(&p, report);
	write_verdict(&p, report);
	/* What is not known is always told, if not in full. */
	write_findings(&p, report, REPORT_LINES - 2 - (unsigned)(n < 6 ? n : 6));
	write_unknown(&p, report);
}
