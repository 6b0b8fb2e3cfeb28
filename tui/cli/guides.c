#include "tui/cli/guides.h"

#include <string.h>

#include "tui/widgets/bind.h"
#include "tui/widgets/keys.h"

const struct guide guide_table[] = {
	{ "on-call", "On call: something is slow, and it may be the fabric",
	  "You have an inventory and a few minutes. Nothing is changed on any device before you have read a plan, said :arm and why, "
	  "and typed the device's name.",
	  { { "fabcon", NULL, "opens the Overview: where it hurts by rail and node, and what is wrong, worst first" },
	    { NULL, "explain", "why the finding under the cursor is one: the rule, both facts, who said them, when, the line" },
	    { NULL, "open", "the link it is about: every setting and counter of both ends side by side" },
	    { NULL, "devices", "what could not be read and what to do about it: what is not known is never shown as healthy" },
	    { "fabcon --record incident.db", NULL, "records meanwhile, so that others can look at it afterwards" },
	    { NULL, "fix-this", "plans what would mend the finding under the cursor, and shows it on Fix: the commands, the undo of each, "
	      "what they disturb. Nothing is sent" },
	    { NULL, "refresh", "there: a dry run. Reads the devices again, and says line by line what would be done" },
	    { NULL, "arm", "with a ticket's number, :arm INC-42: allows changes for a quarter of an hour" },
	    { NULL, "apply", "asks; the device's name, typed, starts it. The device's own undo is armed first, what was sent is then "
	      "verified over a new connection" },
	    { NULL, "keep", "once it says verified: keeps it. Until then, and when fabcon dies, the device takes it back by itself" },
	    { NULL, "undo", "takes it back: at once while it goes on, later after the device's name was typed. Overview and Findings show "
	      "whether the finding is gone" },
	    { "fabcon verify", NULL, "with a plan's id, after a crash or a lost connection: reads what became of it; fabcon keep and "
	      "fabcon undo end it" },
	    { "fabcon emit", NULL, "what survives a reboot, where Fix says that one would forget it; applied by hand" } } },
	{ "technician", "Technician: are these cables and ports right?",
	  "You stand at a rack and want one answer a cable. All of this only reads; what is to be changed is planned, by you "
	  "too, and applied by who is on call.",
	  { { "fabcon ports node07", NULL, "both ends of each link of a node in one row: speed, MTU, trust, PFC, ECN, errors" },
	    { "fabcon show node07:eth2", NULL, "all that is known of one port and of the one it faces" },
	    { NULL, "ports", "in the console: a row a link; a sign between the ends where they disagree" },
	    { NULL, "filter", "narrows the list: node07, leaf2, speed:?, or ~regular expression" },
	    { NULL, "open", "everything of one link; the counters of errors stand there too" },
	    { NULL, "zero", "counts from now on, in this console alone: what comes after a cable was moved stands out" },
	    { NULL, "refresh", "asks both ends again, after a cable was changed" },
	    { "fabcon plan node07:eth2 -O fix.json", NULL, "what would make a port's settings those of the policy, as a file to hand over; "
	      "sends nothing" },
	    { "fabcon --plain", NULL, "the same console in lines, for a screen reader or a small terminal" } } },
	{ "reviewer", "Reviewer: what happened, and when",
	  "You have a recording, a plan, or the record of what was done. None of this changes a device; a replay does not even "
	  "open a connection.",
	  { { "fabcon replay incident.db", NULL, "the same screens, at the end of the recording" },
	    { NULL, "next-event", "to the next event: a finding that opens or closes, a setting that changes" },
	    { NULL, "previous-event", "to the event before" },
	    { NULL, "time", "to a time: 14:26, -10m, 2026-09-12 14:26; times are UTC" },
	    { NULL, "history", "all events; Enter goes to one, Space plays" },
	    { NULL, "explain", "the evidence as it stood at that moment" },
	    { "fabcon replay incident.db --at 14:26 findings -o json", NULL, "what was wrong then, as a document" },
	    { "fabcon replay incident.db --at 14:26 show node07:eth2", NULL, "what was known of a port then, with source and age" },
	    { "fabcon plan show fix.json", NULL, "before a change: its steps, commands, undo, what it disturbs, and the hash to say yes to" },
	    { "fabcon plan diff fix.json", NULL, "what it does to each device's settings, line by line" },
	    { "fabcon audit show", NULL, "after it: every plan, every command and every answer; with a plan's id, that plan alone" },
	    { "fabcon audit verify", NULL, "whether that record is whole; its head, kept elsewhere, shows a cut end too" } } },
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
