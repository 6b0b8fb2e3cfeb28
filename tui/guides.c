#include "tui/guides.h"

#include <string.h>

#include "tui/bind.h"
#include "tui/keys.h"

const struct guide guide_table[] = {
	{ "on-call", "On call: something is slow, and it may be the fabric",
	  "You have an inventory and a few minutes. Nothing that fabcon does changes a device.",
	  { { "fabcon", NULL, "opens the Overview: where it hurts by rail and node, and what is wrong, worst first" },
	    { NULL, "explain", "why the finding under the cursor is one: the rule, both facts, who said them, when, the line" },
	    { NULL, "raw", "the device's whole reply, with that line marked" },
	    { NULL, "open", "the link it is about: every setting and counter of both ends side by side" },
	    { NULL, "ports", "every link; sort by paused to see who is stopped, filter with words like trust:pcp" },
	    { NULL, "devices", "what could not be read and what to do about it: what is not known is never shown as healthy" },
	    { NULL, "refresh", "asks a device again now; also after its host key or login was put right" },
	    { "fabcon --record incident.db", NULL, "records meanwhile, so that others can look at it afterwards" },
	    { "fabcon check --fail-on warn", NULL, "the same judgement for a script: exit 1 when something is wrong, 3 or 4 when it "
	      "could not be read" } } },
	{ "technician", "Technician: are these cables and ports right?",
	  "You stand at a rack and want one answer a cable.",
	  { { "fabcon ports node07", NULL, "both ends of each link of a node in one row: speed, MTU, trust, PFC, ECN, errors" },
	    { "fabcon show node07:eth2", NULL, "all that is known of one port and of the one it faces" },
	    { NULL, "ports", "in the console: a row a link; a sign between the ends where they disagree" },
	    { NULL, "filter", "narrows the list: node07, leaf2, speed:?, or ~regular expression" },
	    { NULL, "open", "everything of one link; the counters of errors stand there too" },
	    { NULL, "zero", "counts from now on, in this console alone: what comes after a cable was moved stands out" },
	    { NULL, "refresh", "asks both ends again, after a cable was changed" },
	    { "fabcon --plain", NULL, "the same console in lines, for a screen reader or a small terminal" } } },
	{ "reviewer", "Reviewer: what happened, and when",
	  "You have a recording. A replay opens no connection to any device.",
	  { { "fabcon replay incident.db", NULL, "the same screens, at the end of the recording" },
	    { NULL, "next-event", "to the next event: a finding that opens or closes, a setting that changes" },
	    { NULL, "previous-event", "to the event before" },
	    { NULL, "time", "to a time: 14:26, -10m, 2026-09-12 14:26; times are UTC" },
	    { NULL, "history", "all events; Enter goes to one, Space plays" },
	    { NULL, "explain", "the evidence as it stood at that moment" },
	    { "fabcon replay incident.db --at 14:26 findings -o json", NULL, "what was wrong then, as a document" },
	    { "fabcon replay incident.db --at 14:26 show node07:eth2", NULL, "what was known of a port then, with source and age" } } },
};
const size_t guide_count = sizeof(guide_table) / sizeof(*guide_table);

const struct guide *guide_find(const char *name)
{
	for (size_t i = 0; i < guide_count; i++)
		if (!strcmp(guide_table[i].name, name))
			return &guide_table[i];
	return NULL;
}

const char *guide_types(const struct guide_step *s)
{
	const struct key *k = s->run ? NULL : key_named(span_of(s->key));

	return k ? key_show(k) : s->run;
}

void guide_print(const struct guide *g, FILE *out)
{
	fprintf(out, "%s\n\n%s\n", g->title, g->for_whom);
	for (size_t i = 0; i < GUIDE_STEPS && g->steps[i].what; i++)
		fprintf(out, "\n  %s\n      %s\n", guide_types(&g->steps[i]), g->steps[i].what);
}
