/*
 * The screens in lines (--plain tui) against the sheets of the same moment: the header's counts, each row of Ports and Findings,
 * Overview's worst links, roots and rates, Fabric's counts. Figures are read back from how they are written: "54.6G" is any number
 * that rounds to it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/trials/plain_lines.h"

#define LINES_MAX 4096

/* -- the header -- */

static void compare_header(struct moment *m, const struct screen_lines *s)
{
	static const struct {
		const char *what, *plain, *summary;
	} counts[] = {
		{ "devices", " devices up", " devices up" }, { "devices up", " of ", " of " }, { "links", " link", " link" },
		{ "critical findings", " critical", " critical" }, { "warning findings", " warning findings", " warning" },
	};
	const char *head = line_with(s, "Fabric "), *summary = text_of(m->status, "summary");

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		same_number(m, counts[i].what, s->list[0], "the header", before(head, counts[i].plain), "status",
			    before(summary, counts[i].summary));
}

/* -- Ports -- */

static const char *verdict_of(const char *row)
{
	static const char *const words[][2] = {
		{ "as it should be", "ok" }, { "does not apply", "na" }, { "not known", "unknown" }, { "info", "look" },
		{ "warning", "warn" }, { "critical", "fail" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strncmp(row, words[i][0], strlen(words[i][0])))
			return words[i][1];
	return "";
}

static const char *row_of_link(const struct screen_lines *s, const char *name)
{
	char find[256];

	snprintf(find, sizeof(find), ", %s. ", name);
	for (size_t i = 0; i < s->n; i++)
		if (line_row(s->list[i]) && strstr(s->list[i], find))
			return line_row(s->list[i]);
	return NULL;
}

/* "both dscp", "nic 9000, switch 9216", "first end on, second end off, they differ": what one end says. */
static void end_said(const char *part, bool is_b, char out[64])
{
	static const char *const ends[2][2] = { { "nic ", "first end " }, { ", switch ", ", second end " } };
	const char *at = NULL;

	for (size_t i = 0; i < 2 && !at; i++) {
		at = is_b ? strstr(part, ends[1][i]) : !strncmp(part, ends[0][i], strlen(ends[0][i])) ? part : NULL;
		at = at ? at + strlen(ends[is_b][i]) : NULL;
	}
	if (!strncmp(part, "both ", 5))
		at = part + 5;
	if (!at)
		at = part;		/* of a speed that both have */
	snprintf(out, 64, "%.*s", (int)(strstr(at, ", ") ? strstr(at, ", ") - at : (long)strlen(at)), at);
}

static void compare_pairs(struct moment *m, json_t *link, const char *row)
{
	static const char *const pairs[][2] = {
		{ "speed", "speed" }, { "mtu", "mtu" }, { "trust", "trust" }, { "dscp", "dscp_prio" }, { "ecn", "ecn" }, { "cnp", "cnp" },
	};
	char part[256], said[64], what[64];

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		json_t *cell = json_object_get(link, pairs[i][1]);

		part_of(row, pairs[i][0], part);
		for (int end = 0; end < 2; end++) {
			const char *is = json_string_value(json_object_get(cell, end ? "b" : "a"));

			end_said(part, end, said);
			snprintf(what, sizeof(what), "%s of the %s end", pairs[i][0], end ? "second" : "first");
			same_word(m, what, text_of(link, "link"), "Ports", said, "ports", is ? is : "not known");
		}
	}
}

/* "pfc/s: 5.8k to sw": the figure before the words. */
static double pfc_part(const char *row, const char *words)
{
	const char *at = strstr(row, words);

	while (at && at > row && at[-1] != ' ')
		at--;
	return at ? figure_of(at) : NAN;
}

/* Of one row: what both ends received is what each of them did; each is written to two digits at least. */
static void compare_pfc(struct moment *m, const char *name, const char *row, const char *total)
{
	double of_ends = pfc_part(row, " to nic.") + pfc_part(row, " to sw.");
	char other[64];

	if (isnan(of_ends) || isnan(figure_of(total)))
		return;
	m->count->statements++;
	snprintf(other, sizeof(other), "%g at its ends", of_ends);
	if (fabs(of_ends - figure_of(total)) > 1.5 + 0.011 * figure_of(total))
		differ(m, "PFC frames", name, total, other);
}

static void compare_port(struct moment *m, json_t *link, const char *row)
{
	const char *name = text_of(link, "link");
	const char *rail = text_of(link, "rail");
	const double paused = number_of(link, "paused_share");
	char part[256];

	same_word(m, "the verdict", name, "Ports", verdict_of(row), "ports", text_of(link, "worst"));
	same_figure(m, "the share stopped", name, part_of(row, "paused", part), "ports", paused * 100);
	same_figure(m, "PFC frames", name, part_of(row, "pfc/s", part), "ports", number_of(link, "pfc_per_s"));
	compare_pfc(m, name, row, part);
	same_figure(m, "CNPs sent", name, part_of(row, "cnp/s", part), "ports", number_of(link, "cnp_per_s"));
	same_figure(m, "bits sent", name, part_of(row, "tx bit/s", part), "ports", number_of(link, "tx_bps"));
	same_word(m, "the rail", name, "Ports", part_of(row, "rail", part), "ports", *rail ? rail : "none");
	part_of(row, "on", part);
	same_number(m, "an end is stopped", name, "Ports", *part != '\0', "ports", paused > 0);
	if (!strcmp(part, "nic") || !strcmp(part, "1st"))
		same_word(m, "the end stopped", name, "Ports", text_of(link, "a_device"), "ports", text_of(link, "paused_device"));
	else if (*part)
		same_word(m, "the end stopped", name, "Ports", text_of(link, "b_device"), "ports", text_of(link, "paused_device"));
	compare_pairs(m, link, row);
}

static void compare_ports(struct moment *m, const struct screen_lines *s)
{
	json_t *link;
	size_t i, bad = 0;

	json_array_foreach(rows_of(m->ports), i, link) {
		const char *row = row_of_link(s, text_of(link, "link"));

		bad += !strcmp(text_of(link, "worst"), "warn") || !strcmp(text_of(link, "worst"), "fail");
		if (row)
			compare_port(m, link, row);
		else
			differ(m, "the link", text_of(link, "link"), "Ports does not list it", "ports does");
	}
	if (i)		/* an empty list has words of its own */
		same_number(m, "rows", "Ports", "the screen", s->n > 2 ? before(s->list[2], " row") : NAN, "ports", (double)i);
	if (bad)
		same_number(m, "rows with problems", "Ports", "the screen", s->n > 2 ? before(s->list[2], " with problems") : NAN, "ports",
			    (double)bad);
}

/* -- Findings -- */

void compare_listed(struct moment *m, json_t *finding, const char *row, const char *screen)
{
	const char *where = text_of(finding, "where"), *check = text_of(finding, "check"), *because = text_of(finding, "because_of");
	double since = time_of(text_of(m->findings, "at")) - time_of(text_of(finding, "first_seen")), unit, told;
	char part[256], head[128], what[600];

	same_word(m, "the verdict", where, screen, verdict_of(row), "findings", text_of(finding, "severity"));
	snprintf(head, sizeof(head), ", %s. where: ", check);
	same_number(m, check, where, screen, strstr(row, head) != NULL, "findings", 1);
	if (!strcmp(text_of(finding, "severity"), "unknown"))
		snprintf(what, sizeof(what), ". where: %s. what: not known: %.240s", where, text_of(finding, "missing"));
	else
		snprintf(what, sizeof(what), ". where: %s. what: %.250s", where, text_of(finding, "what"));
	if (strlen(what) > 200)
		what[200] = '\0';		/* a cell holds no more */
	m->count->statements++;
	if (!strstr(row, what))
		differ(m, check, where, row, what);
	told = seconds_of(part_of(row, "since", part), &unit);
	m->count->statements++;
	if (!(told <= since + 0.001 && since < told + unit + 0.001))
		differ(m, "the time since when", where, part, text_of(finding, "first_seen"));
	if (*part_of(row, "seen", part))
		same_figure(m, "how often seen", where, part, "findings", number_of(finding, "seen"));
	if (*part_of(row, "state", part)) {
		snprintf(head, sizeof(head), "%s%s", *because ? "after " : "open", because);
		same_word(m, "the state", where, screen, part, "findings", head);
	}
}

static void compare_findings(struct moment *m, const struct screen_lines *s)
{
	json_t *finding;
	size_t i;

	json_array_foreach(rows_of(m->findings), i, finding) {
		const char *row = nth_row(s, i + 1);

		if (row)
			compare_listed(m, finding, row, "Findings");
		else
			differ(m, "the finding", text_of(finding, "where"), "Findings does not list it", text_of(finding, "what"));
	}
	if (nth_row(s, i + 1))
		differ(m, "a finding", "Findings", nth_row(s, i + 1), "findings has no more");
}

/* -- Fabric -- */

/* A rack has at least the links of each device in it. */
static void compare_racks(struct moment *m, const struct screen_lines *s)
{
	const char *rack = NULL;

	for (size_t i = 0; i < s->n; i++) {
		if (strstr(s->list[i], " device, ") || strstr(s->list[i], " devices, "))
			rack = s->list[i];
		else if (rack && !isnan(before(s->list[i], " link"))) {
			m->count->statements++;
			if (before(s->list[i], " link") > before(rack, " link"))
				differ(m, "links", "Fabric", rack, s->list[i]);
		}
	}
}

static void compare_fabric(struct moment *m, const struct screen_lines *s)
{
	json_t *device, *link;
	size_t i, k;

	json_array_foreach(rows_of(m->status), i, device) {
		const char *name = text_of(device, "device");
		double of_it = 0, told = 0;
		char find[160];

		json_array_foreach(rows_of(m->ports), k, link)
			of_it += !strcmp(text_of(link, "a_device"), name) || !strcmp(text_of(link, "b_device"), name);
		snprintf(find, sizeof(find), " %s. faces: ", name);
		for (k = 0; k < s->n; k++) {
			const char *at = strstr(s->list[k], find);

			if (!at)
				continue;
			told = (isnan(before(at, " link")) ? 0 : before(at, " link")) +
			       (isnan(before(at, " to hosts")) ? 0 : before(at, " to hosts"));
			same_number(m, "links", name, "Fabric", told, "ports", of_it);
		}
	}
}

/* -- all -- */

void compare_plain(struct moment *m)
{
	static char *all[LINES_MAX];
	struct run r = moment_run(m, (const char *const[]){ "--plain", "tui", "overview", NULL }, "ports\nfindings\nfabric\n");
	struct screen_lines overview, ports, findings, fabric;
	size_t n = 0;

	for (char *at = strtok(r.out.text, "\n"); at && n < LINES_MAX; at = strtok(NULL, "\n"))
		all[n++] = at;
	overview = lines_of(all, n, "Overview.");
	ports = lines_of(all, n, "Ports.");
	findings = lines_of(all, n, "Findings.");
	fabric = lines_of(all, n, "Fabric.");
	if (!overview.n || !ports.n || !findings.n || !fabric.n) {
		differ(m, "a screen", "--plain", "is not printed", r.err.text);
	} else {
		compare_header(m, &overview);
		compare_header(m, &ports);
		compare_ports(m, &ports);
		compare_findings(m, &findings);
		compare_overview(m, &overview);
		compare_fabric(m, &fabric);
		compare_racks(m, &fabric);
	}
	run_done(&r);
}
