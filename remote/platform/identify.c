#include "remote/platform/identify.h"

/* A line that begins so, whatever its indentation. */
static bool has_line(struct span text, const char *begin)
{
	struct span line;

	while (span_line(&text, &line))
		if (span_starts(span_trim(line), begin))
			return true;
	return false;
}

static bool is_os9(struct span text)
{
	return has_line(text, "Dell Application Software Version:") || has_line(text, "Dell EMC Application Software Version:") ||
	       span_find(text, "Dell Real Time Operating System Software");
}

/* Dell N series. No output is published; dotted keys are this family's hand. */
static bool is_os6(struct span text)
{
	return has_line(text, "Machine Description...") && span_find(text, "Dell");
}

static bool is_enterprise_sonic(struct span text)
{
	return span_find(text, "Enterprise SONiC") || span_find(text, "-Enterprise_");
}

static bool is_eos(struct span text)
{
	return has_line(text, "Arista ") && has_line(text, "Software image version:");
}

static bool is_nxos(struct span text)
{
	return span_find(text, "Cisco Nexus Operating System (NX-OS) Software");
}

static bool is_cumulus(struct span text)
{
	return has_line(text, "ID=cumulus-linux") || has_line(text, "ID=\"cumulus-linux\"");
}

static bool is_onyx(struct span text)
{
	struct span line, head, tail;

	while (span_line(&text, &line))
		if (span_cut(line, ':', &head, &tail) && span_is(span_trim(head), "Product name") &&
		    span_is(span_trim(tail), "Onyx"))
			return true;
	return false;
}

static bool is_junos(struct span text)
{
	return has_line(text, "Junos: ") || has_line(text, "JUNOS Base OS");
}

#define NAMED(row, word, name, is) \
	const struct platform identify_##row = { \
		.id = word, .title = name, .is_switch = true, .is_it = is, \
	}

NAMED(os9, "os9", "Dell OS9", is_os9);
NAMED(os6, "os6", "Dell OS6", is_os6);
NAMED(enterprise_sonic, "enterprise-sonic", "Dell Enterprise SONiC", is_enterprise_sonic);
NAMED(eos, "eos", "Arista EOS", is_eos);
NAMED(nxos, "nxos", "Cisco NX-OS", is_nxos);
NAMED(cumulus, "cumulus", "NVIDIA Cumulus Linux", is_cumulus);
NAMED(onyx, "onyx", "NVIDIA Onyx", is_onyx);
NAMED(junos, "junos", "Juniper Junos", is_junos);
