#include "tui/cli/guides.h"

#include <string.h>

#include "tui/widgets/bind.h"
#include "tui/widgets/keys.h"

const struct guide guide_table[] = {
	{ "on-call", "On call: something is slow, and it may be the fabric",
	  "You have an inventory and a few minutes. Nothing is changed on any device until you have read a plan, entered :arm with "
	  "a reason, and typed the device's name.",
	  { { "fabcon", NULL, "opens the Overview: problems by rail and node, and the findings, worst first" },
	    { NULL, "explain", "why this is a finding: the rule, both facts, their source, age and line" },
	    { NULL, "open", "the link it is about: every setting and counter of both ends side by side" },
	    { NULL, "devices", "what could not be read and what to do about it: unknown is never shown as healthy" },
	    { "fabcon --record incident.db", NULL, "records meanwhile, so that others can look at it afterwards" },
	    { NULL, "fix-this", "plans a fix for the finding under the cursor and shows it on Fix: the commands, how each is "
				"undone, what they disturb. Nothing is sent" },
	    { NULL, "refresh", "there: a dry run. Reads the devices again and shows line by line what would be done" },
	    { NULL, "arm", "with a ticket's number, :arm INC-42: permits changes for 15 minutes" },
	    { NULL, "apply", "prompts; type the device's name to start. The device's rollback timer is armed first, and the change "
			     "is then verified over a new connection" },
	    { NULL, "keep", "once it shows verified: keep it. Until then, even if fabcon dies, the device rolls back by itself" },
	    { NULL, "undo", "rolls it back: at once while in progress, later after you type the device's name. Overview and "
			    "Findings show whether the finding has closed" },
	    { "fabcon verify", NULL, "with a plan's id, after a crash or a lost connection: reads its state; fabcon keep or fabcon "
				     "undo ends it. Half, where one end of a link was kept and the other was not: "
				     "fabcon verify --finish" },
	    { "fabcon emit", NULL, "how to make it survive a reboot, where Fix shows that it would not; applied by hand" } } },
	{ "technician", "Technician: are these cables and ports right?",
	  "You are at a rack and need one answer per cable. Nothing here writes to a device: changes are planned here and applied by the "
	  "engineer on call.",
	  { { "fabcon bringup R14", NULL, "each NIC of a rack, and the first stage of bring-up that it does not pass; sends no traffic" },
	    { "fabcon bringup R14 --traffic --reason INC-42 --record R14.db", NULL, "tests its links in the lossless class, and keeps it all" },
	    { "fabcon bringup judge R14.db -o html", NULL, "the certificate of that bring-up; the same recording is the same bytes" },
	    { "fabcon bringup diff R14.db", NULL, "what is not today as it was on the day that was recorded" },
	    { "fabcon ports node07", NULL, "both ends of each link of a node in one row: speed, MTU, trust, PFC, ECN, errors" },
	    { "fabcon show node07:eth2", NULL, "everything known about a port and its neighbor" },
	    { NULL, "ports", "in the console: one row per link, with a sign where the ends differ" },
	    { NULL, "filter", "narrows the list: node07, leaf2, speed:?, or ~regular expression" },
	    { NULL, "open", "everything of one link; error counters included" },
	    { NULL, "zero", "counts from now on, in this console only: shows what happens after a cable was moved" },
	    { NULL, "refresh", "polls both ends again, after a cable was changed" },
	    { "fabcon plan node07:eth2 -O fix.json", NULL, "the changes that would bring a port to the policy, as a file to hand "
							   "over; sends nothing" },
	    { "fabcon --plain", NULL, "the same console in lines, for a screen reader or a small terminal" } } },
	{ "reviewer", "Reviewer: what happened, and when",
	  "You have a recording, a plan, or the record of what was done. None of this changes a device; a replay does not even "
	  "open a connection.",
	  { { "fabcon replay incident.db", NULL, "the same screens, at the end of the recording" },
	    { NULL, "next-event", "to the next event: a finding that opens or closes, a setting that changes" },
	    { NULL, "previous-event", "to the event before" },
	    { NULL, "time", "to a time: 14:26, -10m, 2026-09-12 14:26; times are UTC" },
	    { NULL, "history", "all events; Enter goes to one, Space plays" },
	    { NULL, "explain", "the evidence at that moment" },
	    { "fabcon replay incident.db --at 14:26 findings -o json", NULL, "what was wrong then, as a document" },
	    { "fabcon replay incident.db --at 14:26 show node07:eth2", NULL, "what was known of a port then, with source and age" },
	    { "fabcon plan show fix.json", NULL, "before a change: its steps, commands, undo, what it disturbs, and the hash to approve" },
	    { "fabcon plan diff fix.json", NULL, "what it does to each device's settings, line by line" },
	    { "fabcon audit show", NULL, "after it: every plan, command and output; with a plan id, that plan only" },
	    { "fabcon audit verify", NULL, "whether that record is intact; its audit hash, stored elsewhere, also detects a "
					   "truncated end" } } },
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
