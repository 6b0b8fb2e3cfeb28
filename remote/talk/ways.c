/* The table of ways to talk to a device: a shell, or the command line of a switch. */
#include "remote/talk/way.h"

#include <string.h>

#include "remote/platforms.h"
#include "remote/talk/collector.h"
#include "remote/talk/send_filter.h"

static struct talk *read_sh(const char *nonce, const char *ports, const struct talk_hooks *hooks)
{
	struct talk *talk = talk_sh_new(nonce, hooks);

	talk_sh_name_ports(talk, ports);
	return talk;
}

static struct talk *read_cli(const char *nonce, const char *ports, const struct talk_hooks *hooks)
{
	(void)nonce, (void)ports;
	return talk_cli_new(hooks);
}

const struct talk_way talk_ways[] = {
	{
		.id = WAY_SH, .title = "shell", .otherwise = WAY_CLI, .program = "/bin/sh -s", .fills_neighbors = true,
		.read = read_sh, .write = talk_write_sh_new,
		.identification = collector_identify, .questions = collector_program_for, .looking = talk_write_sh_transcript,
		.testing = talk_write_sh_test_transcript,
		.take_known = send_filter_take_known, .may_send = send_filter_may_tell,
	},
	{
		.id = WAY_CLI, .title = "command line", .otherwise = WAY_SH,
		.read = read_cli, .write = talk_write_cli_new,
		.looking = talk_write_cli_transcript,
		.may_send = send_filter_may_type,
	},
};
const size_t talk_way_count = sizeof(talk_ways) / sizeof(*talk_ways);

const struct talk_way *talk_way_find(const char *id)
{
	for (size_t i = 0; id && i < talk_way_count; i++)
		if (strcmp(talk_ways[i].id, id) == 0)
			return &talk_ways[i];
	return NULL;
}

const struct talk_way *talk_way_guess(const char *platform_hint, struct span banner)
{
	const struct platform *p = platform_hint ? platform_find(platform_hint) : NULL;

	p = p ? p : platform_of_banner(banner);
	if (p)
		return talk_way_find(p->way);
	/*
	 * The OpenSSH of Ubuntu, Debian and FreeBSD names its system behind its version. Any other OpenSSH, and an empty banner, may
	 * be a host's or a switch's: the shell is tried first, then the command line (.otherwise). Other SSH servers are switches'.
	 */
	if (span_find(banner, "Ubuntu") || span_find(banner, "Debian") || span_find(banner, "FreeBSD"))
		return talk_way_find(WAY_SH);
	return talk_way_find(span_find(banner, "OpenSSH") || banner.n == 0 ? WAY_SH : WAY_CLI);
}
