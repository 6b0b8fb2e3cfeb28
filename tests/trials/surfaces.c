#include "tests/trials/surfaces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/run.h"
#include "tests/trials/moment.h"

#define SAME		1e-9
#define DEVICES_MAX	24

json_t *surfaces_sheet(const char *file, const char *at, const char *command)
{
	struct run r = at ? RUN("fabcon", "replay", file, "-q", "--no-input", "-o", "json", "--at", at, command) :
			    RUN("fabcon", "replay", file, "-q", "--no-input", "-o", "json", command);
	json_t *doc = json_loads(r.out.text ? r.out.text : "", 0, NULL);

	run_done(&r);
	return doc;
}

/* -- how many -- */

static bool is_root(json_t *finding)
{
	return !json_is_string(json_object_get(finding, "because_of"));
}

/* A root counts as the worst of it and what follows from it. */
static double count_of(const struct moment *m, const char *severity, bool roots_only)
{
	json_t *row;
	double n = 0;
	size_t i;

	json_array_foreach(rows_of(m->findings), i, row)
		n += (!roots_only || is_root(row)) && !strcmp(text_of(row, roots_only ? "worst" : "severity"), severity);
	return n;
}

static double roots_of(const struct moment *m, const char *severity)
{
	return count_of(m, severity, true);
}

/* "… 10 links, 2 critical, 0 warning": the number before the word. */
static double number_before(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	while (at && at > text && at[-1] == ' ')
		at--;
	while (at && at > text && at[-1] >= '0' && at[-1] <= '9')
		at--;
	return at ? atof(at) : NAN;
}

static double places_of(json_t *rows)
{
	json_t *row;
	double n = 0;
	size_t i;

	json_array_foreach(rows, i, row)
		n += json_number_value(json_object_get(row, "places"));
	return n;
}

static void compare_counts(struct moment *m)
{
	double fail = roots_of(m, "fail"), warn = roots_of(m, "warn");
	/* Where nothing could be judged, no count is told: that no row is there says nothing. */
	bool is_judged = fail > 0 || warn > 0 || !strstr(text_of(m->findings, "summary"), "nothing could be judged");

	same_word(m, "the summary", "the fabric", "status", text_of(m->status, "summary"), "findings", text_of(m->findings, "summary"));
	same_number(m, "critical findings", "the fabric", "the summary", number_before(text_of(m->findings, "summary"), " critical"),
		    "the rows of findings", is_judged ? fail : NAN);
	same_number(m, "warning findings", "the fabric", "the summary", number_before(text_of(m->findings, "summary"), " warning"),
		    "the rows of findings", is_judged ? warn : NAN);
	same_number(m, "links", "the fabric", "the summary", number_before(text_of(m->status, "summary"), " link"), "report",
		    json_number_value(json_object_get(m->report, "links")));
	same_number(m, "links", "the fabric", "the rows of ports", (double)json_array_size(rows_of(m->ports)), "report",
		    json_number_value(json_object_get(m->report, "links")));
	same_number(m, "roots", "the fabric", "report", (double)json_array_size(json_object_get(m->report, "findings")),
		    "the rows of findings", fail + warn + roots_of(m, "look"));
	same_number(m, "unknowns", "the fabric", "report", places_of(json_object_get(m->report, "unknown")), "the rows of findings",
		    count_of(m, "unknown", false));
}

/* -- the worst -- */

static int rank_of(const char *severity)
{
	static const char *const by_rank[] = { "ok", "na", "unknown", "look", "warn", "fail" };

	for (int i = 0; i < 6; i++)
		if (!strcmp(severity, by_rank[i]))
			return i;
	return -1;
}

/* Of what is wrong or worth a look at a device: no device is better than its worst finding. */
static void compare_devices(struct moment *m)
{
	json_t *device, *row;
	size_t i, k;

	json_array_foreach(rows_of(m->status), i, device) {
		const char *worst = "ok", *said = text_of(device, "worst");

		json_array_foreach(rows_of(m->findings), k, row)
			if (!strcmp(text_of(row, "device"), text_of(device, "device")) &&
			    rank_of(text_of(row, "severity")) > rank_of(worst))
				worst = text_of(row, "severity");
		m->count->statements++;
		if (rank_of(said) < rank_of(worst) && rank_of(worst) > 2)
			differ(m, "the worst", text_of(device, "device"), said, worst);
	}
}

static json_t *link_of(const struct moment *m, const char *device, const char *port)
{
	json_t *row;
	size_t i;

	json_array_foreach(rows_of(m->ports), i, row)
		if ((!strcmp(text_of(row, "a_device"), device) && !strcmp(text_of(row, "a_port"), port)) ||
		    (!strcmp(text_of(row, "b_device"), device) && !strcmp(text_of(row, "b_port"), port)))
			return row;
	return NULL;
}

static void compare_map(struct moment *m)
{
	json_t *row, *link;
	size_t i;

	json_array_foreach(rows_of(m->map), i, row) {
		link = link_of(m, text_of(row, "device"), text_of(row, "port"));
		if (link)
			same_word(m, "the worst", text_of(link, "link"), "map", text_of(row, "worst"), "ports", text_of(link, "worst"));
	}
}

/* -- share stopped -- */

/* "… 98.9 % of the last 3 s …", as a share rounded to its digits; NAN: it tells none. */
static double told_share(const char *what, double *unit)
{
	const char *end = strstr(what, " % of the "), *at = end, *dot;

	while (at && at > what && strchr("0123456789.", at[-1]))
		at--;
	if (!at || at == end)
		return NAN;
	dot = memchr(at, '.', (size_t)(end - at));
	*unit = pow(10, dot ? -(double)(end - dot - 1) : 0) / 100;
	return atof(at) / 100;
}

/* Whether a sentence names that window, in its digits; it names none where none is known. */
static bool is_window(const char *what, double window_ms)
{
	const char *last = strstr(what, " % of the last "), *s = last ? last + strlen(" % of the last ") : NULL;

	if (!s || isnan(window_ms))
		return !s && isnan(window_ms);
	return fabs(atof(s) * 1000 - window_ms) <= (memchr(s, '.', 3) ? 51 : 501);
}

static void compare_told(struct moment *m, const char *what, json_t *link)
{
	double unit = 0, told = told_share(what, &unit), share = number_of(link, "paused_share");

	if (isnan(told) || isnan(share))
		return;
	m->count->statements++;
	if (fabs(told - share) > unit / 2 + SAME || !is_window(what, number_of(link, "paused_window_ms"))) {
		char one[96];

		snprintf(one, sizeof(one), "%.1f %% of %.0f ms in ports", share * 100, number_of(link, "paused_window_ms"));
		differ(m, "the share stopped", text_of(link, "link"), one, what);
	}
}

static void same_stop(struct moment *m, json_t *hold, json_t *link)
{
	const char *name = text_of(link, "link");

	same_number(m, "the share stopped", name, "pauses", number_of(hold, "stopped_share"), "ports", number_of(link, "paused_share"));
	same_number(m, "the window of the share stopped", name, "pauses", number_of(hold, "window_ms"), "ports",
		    number_of(link, "paused_window_ms"));
}

/* Ports tells the share of the end that is paused more; a hold of that end is the same share. */
static void compare_holds(struct moment *m)
{
	json_t *root, *hold, *link;
	size_t i, k;

	json_array_foreach(rows_of(m->pauses), i, root)
		json_array_foreach(json_object_get(root, "tree"), k, hold) {
			char held[160];
			char *port;

			snprintf(held, sizeof(held), "%s", text_of(hold, "held"));
			port = strchr(held, ':');
			if (!port)
				continue;
			*port++ = '\0';
			link = link_of(m, held, port);
			if (link && !strcmp(text_of(link, "paused_device"), held))
				same_stop(m, hold, link);
		}
}

static void compare_shares(struct moment *m)
{
	json_t *row, *link;
	size_t i;

	json_array_foreach(rows_of(m->findings), i, row) {
		bool is_held = !strcmp(text_of(row, "check"), "not-paused"), holds = !strcmp(text_of(row, "check"), "not-pausing");

		link = is_held || holds ? link_of(m, text_of(row, "device"), text_of(row, "port")) : NULL;
		if (link && is_held == !strcmp(text_of(link, "paused_device"), text_of(row, "device")))
			compare_told(m, text_of(row, "what"), link);
	}
	compare_holds(m);
}

/* -- roots -- */

static bool has_row(json_t *rows, json_t *like)
{
	json_t *row;
	size_t i;

	json_array_foreach(rows, i, row)
		if (!strcmp(text_of(row, "check"), text_of(like, "check")) && !strcmp(text_of(row, "where"), text_of(like, "where")) &&
		    !strcmp(text_of(row, "what"), text_of(like, "what")) && !strcmp(text_of(row, "severity"), text_of(like, "severity")))
			return true;
	return false;
}

static void compare_report(struct moment *m)
{
	json_t *row;
	size_t i;

	json_array_foreach(json_object_get(m->report, "findings"), i, row) {
		m->count->statements++;
		if (!has_row(rows_of(m->findings), row))
			differ(m, text_of(row, "check"), text_of(row, "where"), text_of(row, "what"), "findings does not say it");
	}
}

static bool is_found_at(const struct moment *m, const char *device)
{
	json_t *row;
	size_t i;

	json_array_foreach(rows_of(m->findings), i, row)
		if (rank_of(text_of(row, "severity")) >= 2 && (!*device || strstr(text_of(row, "where"), device) ||
								!strcmp(text_of(row, "device"), device)))
			return true;
	return false;
}

/* A cause that is named stands on something that is found there, or could not be judged, and the verdict is the first of them. */
static void compare_causes(struct moment *m)
{
	json_t *causes = json_object_get(m->diagnose, "causes"), *cause;
	const char *verdict = text_of(m->diagnose, "cause");
	size_t i;

	json_array_foreach(causes, i, cause) {
		if (!json_is_true(json_object_get(cause, "named")))
			continue;
		m->count->statements++;
		if (!is_found_at(m, text_of(cause, "device")))
			differ(m, text_of(cause, "cause"), text_of(cause, "where"), "a cause of diagnose", "nothing is found there");
	}
	if (json_is_true(json_object_get(json_array_get(causes, 0), "named")))
		same_word(m, "the verdict", "the fabric", "diagnose", verdict, "its causes", text_of(json_array_get(causes, 0), "cause"));
}

/* -- all -- */

/* Every cell of every device, of one process. */
static json_t *read_cells(struct moment *m)
{
	const char *args[3 + DEVICES_MAX + 1] = { "-o", "json", "show" };
	json_t *device, *doc;
	struct run r;
	size_t i;

	json_array_foreach(rows_of(m->status), i, device)
		if (i < DEVICES_MAX)
			args[3 + i] = text_of(device, "device");
	r = moment_run(m, args, NULL);
	doc = json_loads(r.out.text, 0, NULL);
	run_done(&r);
	return doc;
}

static bool read_all(struct moment *m)
{
	const char *file = m->file;

	m->status = surfaces_sheet(file, m->at, "status");
	m->ports = surfaces_sheet(file, m->at, "ports");
	m->map = surfaces_sheet(file, m->at, "map");
	m->findings = surfaces_sheet(file, m->at, "findings");
	m->pauses = surfaces_sheet(file, m->at, "pauses");
	m->report = surfaces_sheet(file, m->at, "report");
	m->diagnose = surfaces_sheet(file, m->at, "diagnose");
	m->cells = m->status ? read_cells(m) : NULL;
	return m->cells && m->ports && m->map && m->findings && m->pauses && m->report && m->diagnose;
}

bool surfaces_compare(const char *file, const char *at, struct surfaces_count *count, struct buf *words)
{
	struct moment m = { .file = file, .at = at, .count = count, .words = words };
	bool is_read = read_all(&m);

	if (is_read) {
		count->moments++;
		compare_counts(&m);
		compare_devices(&m);
		compare_map(&m);
		compare_shares(&m);
		compare_report(&m);
		compare_causes(&m);
		compare_csv(&m);
		compare_plain(&m);
		compare_cited(&m);
	}
	json_decref(m.status);
	json_decref(m.ports);
	json_decref(m.map);
	json_decref(m.findings);
	json_decref(m.pauses);
	json_decref(m.report);
	json_decref(m.diagnose);
	json_decref(m.cells);
	return is_read;
}
