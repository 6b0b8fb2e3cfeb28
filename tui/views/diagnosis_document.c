#include "tui/views/diagnosis_document.h"

#include "core/diagnose/verify.h"
#include "tui/text/safe.h"
#include "tui/text/sheet.h"
#include "tui/views/remedy.h"
#include "tui/views/report.h"

#define CAUSES_TOLD	6	/* in text; JSON has all */
#define NOTES_TOLD	3
#define FACTS_TOLD	2
#define LACKS_TOLD	8

/* -- JSON -- */

static json_t *note_json(const struct diagnosis *d, const struct note *n)
{
	json_t *json = json_object(), *facts = json_array();

	json_object_set_new(json, "text", json_text(n->text));
	json_object_set_new(json, "weight", json_integer(n->weight));
	json_object_set_new(json, "check", json_text(n->finding ? n->finding->check->id : NULL));
	json_object_set_new(json, "where", json_text(n->finding ? n->finding->where : NULL));
	for (size_t i = 0; i < n->n_evidence; i++)
		json_array_append_new(facts, evidence_json(d->of.model, &n->evidence[i]));
	json_object_set_new(json, "facts", facts);
	return json;
}

static json_t *notes_json(const struct diagnosis *d, const struct suspect *s, enum note_is is)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->n_notes; i++)
		if (s->notes[i].is == is)
			json_array_append_new(list, note_json(d, &s->notes[i]));
	return list;
}

static json_t *suspect_json(const struct diagnosis *d, const struct suspect *s, size_t rank)
{
	json_t *json = json_object();

	json_object_set_new(json, "rank", s->is_named ? json_integer((json_int_t)rank) : json_null());
	json_object_set_new(json, "named", json_boolean(s->is_named));
	json_object_set_new(json, "cause", json_text(s->cause->id));
	json_object_set_new(json, "title", json_text(s->cause->title));
	json_object_set_new(json, "where", json_text(s->where));
	json_object_set_new(json, "device", json_text(s->device ? s->device->name : NULL));
	json_object_set_new(json, "port", json_text(s->port ? s->port->name : NULL));
	json_object_set_new(json, "score", json_integer(s->score));
	json_object_set_new(json, "explains", json_integer(s->explains));
	json_object_set_new(json, "for", notes_json(d, s, NOTE_FOR));
	json_object_set_new(json, "against", notes_json(d, s, NOTE_AGAINST));
	json_object_set_new(json, "missing", notes_json(d, s, NOTE_MISSING));
	json_object_set_new(json, "why", json_text(s->cause->why));
	remedy_of_suspect(json, d, s);
	json_object_set_new(json, "source", json_text(s->cause->source));
	return json;
}

static json_t *step_json(const struct diagnosis *d, const struct step *s)
{
	const struct asking *a = &s->asked;
	json_t *json = json_object(), *facts = json_array();
	struct buf settle = { NULL };

	json_object_set_new(json, "question", json_text(a->question->id));
	json_object_set_new(json, "text", json_text(a->question->text));
	json_object_set_new(json, "answer", json_text(answer_word(s->answer)));
	json_object_set_new(json, "says", json_text(step_word(s)));
	json_object_set_new(json, "by", json_text(s->by));
	json_object_set_new(json, "reason", json_text(s->reason));
	json_object_set_new(json, "by_evidence", json_text(answer_word(a->answer)));
	json_object_set_new(json, "what", json_text(*a->what ? a->what : NULL));
	json_object_set_new(json, "missing", json_text(*a->missing ? a->missing : NULL));
	json_object_set_new(json, "check", json_text(a->finding ? a->finding->check->id : NULL));
	json_object_set_new(json, "others", json_integer(a->others));
	for (size_t i = 0; i < a->n_evidence; i++)
		json_array_append_new(facts, evidence_json(d->of.model, &a->evidence[i]));
	json_object_set_new(json, "evidence", facts);
	json_object_set_new(json, "needs", json_text(a->question->needs));
	json_object_set_new(json, "wrong_if", json_text(a->question->wrong_if));
	verify_question(d, a, &settle);
	json_object_set_new(json, "settle", json_text(settle.n ? settle.text : NULL));
	buf_done(&settle);
	json_object_set_new(json, "source", json_text(a->question->source));
	json_object_set_new(json, "passed", json_boolean(s->is_passed));	/* so, and another cause is likelier */
	json_object_set_new(json, "next", json_text(s->next));
	return json;
}

static json_t *leaf_json(const struct leaf *leaf)
{
	return leaf ? json_pack("{s:s, s:s, s:s}", "id", leaf->id, "text", leaf->text, "source", leaf->source) : json_null();
}

static json_t *split_json(const struct diagnosis *d, const struct split *s)
{
	struct buf command = { NULL };
	json_t *json;

	if (!s->question)
		return json_null();
	verify_question(d, s->asked, &command);
	json = json_pack("{s:s, s:o, s:o, s:[s, s]}", "question", s->question->id, "measure", json_text(s->question->needs), "command",
			 json_text(command.n ? command.text : "fabcon findings -v"), "between", s->between[0]->cause->id,
			 s->between[1]->cause->id);
	buf_done(&command);
	return json;
}

static json_t *proof_json(const struct acquittal *a)
{
	json_t *json = json_object(), *unreported = json_array();

	json_object_set_new(json, "links", json_integer((json_int_t)a->links));
	json_object_set_new(json, "hosts", json_integer((json_int_t)a->hosts));
	json_object_set_new(json, "switches", json_integer((json_int_t)a->switches));
	json_object_set_new(json, "checks", json_integer((json_int_t)a->checks));
	json_object_set_new(json, "right", json_integer((json_int_t)a->right));
	json_object_set_new(json, "open", json_integer((json_int_t)a->n_open));
	json_object_set_new(json, "open_of_network", json_integer((json_int_t)a->n_network));
	json_object_set_new(json, "open_at_hosts", json_integer((json_int_t)a->n_at_host));
	json_object_set_new(json, "counters_still", json_integer((json_int_t)a->counters));
	json_object_set_new(json, "window_ms", json_integer(a->window_us / 1000));
	json_object_set_new(json, "paused_share", json_real(a->paused));
	json_object_set_new(json, "settings_age_ms", json_integer(a->settings_us / 1000));
	for (size_t i = 0; i < a->n_unreported; i++)
		json_array_append_new(unreported, json_text(a->unreported[i]->id));
	json_object_set_new(json, "not_reported", unreported);
	return json;
}

static json_t *lacks_json(const struct acquittal *a)
{
	json_t *list = json_array();

	for (size_t i = 0; i < a->n_lacks; i++) {
		const struct lacking *l = &a->lacks[i];

		json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:I, s:s}", "of", l->key, "where", json_text(l->where), "what",
						      json_text(l->what), "places", (json_int_t)l->places, "do", l->settle));
	}
	return list;
}

void diagnosis_add_verdict(json_t *doc, const struct diagnosis *d)
{
	struct acquittal a = { 0 };
	struct buf says = { 0 };

	acquittal_make(&a, d);
	acquittal_words(&a, &says);
	json_object_set_new(doc, "verdict", json_text(acquittal_name(a.is)));
	json_object_set_new(doc, "says", json_text(says.text));
	json_object_set_new(doc, "cause", json_text(d->n_named ? d->suspects[0].cause->id : NULL));
	json_object_set_new(doc, "proof", proof_json(&a));
	json_object_set_new(doc, "lacks", lacks_json(&a));
	buf_done(&says);
	acquittal_done(&a);
}

const char *step_word(const struct step *s)
{
	const struct tree_question *q = s->asked.question;

	if (s->answer == ANSWER_YES && q->yes_word)
		return q->yes_word;
	return s->answer == ANSWER_NO && q->no_word ? q->no_word : answer_word(s->answer);
}

json_t *diagnosis_json(const struct diagnosis *d)
{
	json_t *doc = json_object(), *causes = json_array(), *path = json_array();

	json_object_set_new(doc, "schema", json_string("fabcon.diagnosis/2"));
	json_object_set_new(doc, "at", json_time(model_now(d->of.model)));
	json_object_set_new(doc, "tree", json_text(d->of.tree->name));
	json_object_set_new(doc, "symptom", json_text(d->of.symptom ? d->of.symptom->word : NULL));
	for (size_t i = 0; i < d->n_steps; i++)
		json_array_append_new(path, step_json(d, &d->steps[i]));
	json_object_set_new(doc, "path", path);
	json_object_set_new(doc, "leaf", leaf_json(d->leaf));
	for (size_t i = 0; i < d->n_suspects; i++)
		json_array_append_new(causes, suspect_json(d, &d->suspects[i], i + 1));
	diagnosis_add_verdict(doc, d);
	json_object_set_new(doc, "causes", causes);
	json_object_set_new(doc, "split", split_json(d, &d->split));
	return doc;
}

/* -- text -- */

struct sheet_of_paper {
	struct buf *out;
	bool markdown, ascii;
};

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "?";
}

/* What devices say may hold anything. */
static void add_safe(struct sheet_of_paper *p, const char *text)
{
	size_t from = p->out->n;

	safe_add(p->out, span_of(text), p->ascii);
	/* As code in Markdown: there a backtick alone has a meaning. */
	for (size_t i = from; p->markdown && i < p->out->n; i++)
		if (strchr("`<>|*", p->out->text[i]))
			p->out->text[i] = '\'';
}

static void add_fact(struct sheet_of_paper *p, const json_t *fact)
{
	const char *line = json_string_value(json_object_get(fact, "line"));

	buf_str(p->out, p->markdown ? "     - `" : "         ");
	add_safe(p, text_of(fact, "fact"));
	buf_str(p->out, p->markdown ? "`" : "");
	if (json_is_string(json_object_get(fact, "at")))
		buf_printf(p->out, "  (%s, %.19sZ)", text_of(fact, "probe"), text_of(fact, "at"));
	if (line) {
		buf_str(p->out, p->markdown ? ": `" : "  | ");
		add_safe(p, line);
		buf_str(p->out, p->markdown ? "`" : "");
	}
	buf_str(p->out, "\n");
}

static void add_notes(struct sheet_of_paper *p, const json_t *cause, const char *key)
{
	const json_t *list = json_object_get(cause, key), *facts;

	for (size_t i = 0; i < json_array_size(list) && i < NOTES_TOLD; i++) {
		const json_t *note = json_array_get(list, i);

		buf_printf(p->out, p->markdown ? "   - %s: " : "     %-8s ", key);
		add_safe(p, text_of(note, "text"));
		buf_str(p->out, "\n");
		facts = json_object_get(note, "facts");
		for (size_t k = 0; k < json_array_size(facts) && k < FACTS_TOLD; k++)
			add_fact(p, json_array_get(facts, k));
	}
	if (json_array_size(list) > NOTES_TOLD)
		buf_printf(p->out, "%s and %zu more\n", p->markdown ? "   -" : "             ", json_array_size(list) - NOTES_TOLD);
}

static void add_cause(struct sheet_of_paper *p, const json_t *c, size_t number)
{
	if (json_is_true(json_object_get(c, "named")))
		buf_printf(p->out, p->markdown ? "%zu. **%s** at " : "  %zu  %s at ", number, text_of(c, "cause"));
	else
		buf_printf(p->out, p->markdown ? "- not excluded: **%s** at " : "  ?  not excluded: %s at ", text_of(c, "cause"));
	add_safe(p, text_of(c, "where"));
	buf_printf(p->out, ": %s (score %lld)\n", text_of(c, "title"), (long long)json_integer_value(json_object_get(c, "score")));
	add_notes(p, c, "for");
	add_notes(p, c, "against");
	add_notes(p, c, "missing");
	remedy_text(c, p->markdown, p->out);
}

static json_int_t number_of(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

void diagnosis_proof_words(const json_t *doc, struct buf *out)
{
	const json_t *proof = json_object_get(doc, "proof");
	size_t links = (size_t)number_of(proof, "links");

	buf_printf(out, "%zu link%s, %lld checks passed at %lld places, %lld loss counters unchanged for %lld s, settings read at "
			"most %lld s ago",
		   links, plural_s(links), (long long)number_of(proof, "checks"), (long long)number_of(proof, "right"),
		   (long long)number_of(proof, "counters_still"), (long long)number_of(proof, "window_ms") / 1000,
		   (long long)number_of(proof, "settings_age_ms") / 1000);
}

/* What the verdict stands on. */
static void add_proof(struct sheet_of_paper *p, const json_t *doc)
{
	const json_t *unreported = json_object_get(json_object_get(doc, "proof"), "not_reported");

	buf_str(p->out, p->markdown ? "- read: " : "  read    ");
	diagnosis_proof_words(doc, p->out);
	buf_str(p->out, "\n");
	if (!json_array_size(unreported) || strcmp(text_of(doc, "verdict"), acquittal_name(ACQUITTAL_NETWORK)) == 0)
		return;	/* an acquittal names them itself */
	buf_str(p->out, p->markdown ? "- not reported everywhere, and not needed:" : "  also    not reported everywhere, and not needed:");
	for (size_t i = 0; i < json_array_size(unreported); i++)
		buf_printf(p->out, " %s", json_string_value(json_array_get(unreported, i)));
	buf_str(p->out, "\n");
}

static void add_lacks(struct sheet_of_paper *p, const json_t *doc)
{
	const json_t *lacks = json_object_get(doc, "lacks");

	for (size_t i = 0; i < json_array_size(lacks) && i < LACKS_TOLD; i++) {
		const json_t *l = json_array_get(lacks, i);

		buf_printf(p->out, p->markdown ? "- open: %s at " : "  open %s at ", text_of(l, "of"));
		add_safe(p, text_of(l, "where"));
		if (number_of(l, "places") > 1)
			buf_printf(p->out, " and %lld more", (long long)number_of(l, "places") - 1);
		buf_str(p->out, ": ");
		add_safe(p, text_of(l, "what"));
		buf_printf(p->out, p->markdown ? "; read by `%s`\n" : "; read by: %s\n", text_of(l, "do"));
	}
	if (json_array_size(lacks) > LACKS_TOLD)
		buf_printf(p->out, p->markdown ? "- open: %zu more (-o json)\n" : "  open %zu more: -o json has all\n",
			   json_array_size(lacks) - LACKS_TOLD);
}

static void add_verdict(struct sheet_of_paper *p, const json_t *doc)
{
	buf_str(p->out, p->markdown ? "\n## Verdict\n\n**" : "\nVerdict\n  ");
	add_safe(p, text_of(doc, "says"));
	buf_str(p->out, p->markdown ? "**\n\n" : "\n");
	add_proof(p, doc);
	add_lacks(p, doc);
}

static void add_causes(struct sheet_of_paper *p, const json_t *doc)
{
	const json_t *causes = json_object_get(doc, "causes"), *nothing = json_object_get(doc, "nothing_judged");
	size_t n = json_array_size(causes);

	buf_str(p->out, p->markdown ? "\n## Causes\n\n" : "\nCauses\n");
	for (size_t i = 0; i < n && i < CAUSES_TOLD; i++)
		add_cause(p, json_array_get(causes, i), i + 1);
	if (n > CAUSES_TOLD)
		buf_printf(p->out, "%zu more: -o json has all\n", n - CAUSES_TOLD);
	if (!n && !nothing)
		buf_str(p->out, "  the facts read name no cause\n");
	if (nothing) {
		buf_str(p->out, "  ");
		add_safe(p, json_string_value(nothing));
		buf_str(p->out, "\n");
	}
}

static void add_step(struct sheet_of_paper *p, const json_t *s, bool is_last)
{
	bool is_unreported = strcmp(text_of(s, "answer"), answer_word(ANSWER_UNREPORTED)) == 0;
	bool is_open = is_unreported || strcmp(text_of(s, "answer"), answer_word(ANSWER_UNKNOWN)) == 0;
	const char *sign = is_unreported ? "_" : is_open ? "?" : is_last ? ">" : ".";
	bool is_by_person = strcmp(text_of(s, "by"), "person") == 0;
	const char *what = json_string_value(json_object_get(s, is_open ? "missing" : "what"));

	buf_printf(p->out, p->markdown ? "- %s%s %s **%s**" : "  %s %-9s %-66s %-10s", p->markdown ? "" : sign,
		   text_of(s, "question"), text_of(s, "text"), text_of(s, "says"));
	if (is_by_person) {
		buf_str(p->out, " by person");
		if (json_is_string(json_object_get(s, "reason")))
			buf_str(p->out, ": ");
		add_safe(p, json_is_string(json_object_get(s, "reason")) ? text_of(s, "reason") : "");
	} else if (what) {
		buf_str(p->out, is_open && !is_unreported ? " needs: " : " ");
		add_safe(p, what);
	}
	buf_str(p->out, "\n");
	if (is_open && json_is_string(json_object_get(s, "settle"))) {
		buf_str(p->out, p->markdown ? "  - verify with `" : "              verify with ");
		add_safe(p, text_of(s, "settle"));
		buf_str(p->out, p->markdown ? "`\n" : "\n");
	}
}

static void add_path(struct sheet_of_paper *p, const json_t *doc)
{
	const json_t *path = json_object_get(doc, "path"), *leaf = json_object_get(doc, "leaf"), *split = json_object_get(doc, "split");
	size_t n = json_array_size(path);

	buf_printf(p->out, p->markdown ? "\n## Path (tree %s)\n\n" : "\nPath (tree %s)\n", text_of(doc, "tree"));
	for (size_t i = 0; i < n; i++)
		add_step(p, json_array_get(path, i), i + 1 == n);
	buf_printf(p->out, p->markdown ? "\n**%s**: %s\n" : "  = %s: %s\n", text_of(leaf, "id"), text_of(leaf, "text"));
	if (json_is_object(split))
		buf_printf(p->out, p->markdown ? "\nOne measurement distinguishes the first two: %s, with `%s`\n" :
			   "  One measurement distinguishes the first two: %s, with %s\n", text_of(split, "measure"), text_of(split, "command"));
}

void diagnosis_text(const json_t *diagnosis, bool markdown, bool ascii, struct buf *out)
{
	struct sheet_of_paper p = { out, markdown, ascii };

	buf_str(out, markdown ? "# Diagnosis of " : "Diagnosis of ");
	add_safe(&p, text_of(diagnosis, "fabric"));
	buf_printf(out, " at %.19sZ%s\n", text_of(diagnosis, "at"),
		   json_is_true(json_object_get(diagnosis, "complete")) ? "" : ", not everything was read");
	add_path(&p, diagnosis);
	add_verdict(&p, diagnosis);
	add_causes(&p, diagnosis);
}
