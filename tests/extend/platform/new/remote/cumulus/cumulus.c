#include "remote/cumulus/cumulus.h"

#include "remote/platform/identify.h"

bool cumulus_mtu_line(struct span line, struct span *port, uint64_t *mtu)
{
	struct span rest = line, word;

	return span_skip(&rest, "nv set interface ") && span_word(&rest, port) && span_word(&rest, &word) && span_is(word, "link") &&
	       span_word(&rest, &word) && span_is(word, "mtu") && span_u64(span_trim(rest), mtu);
}

static bool is_it(struct span text)
{
	return identify_cumulus.is_it(text);
}

static size_t parse_release(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line;

	if (!is_it(a->text))
		return 0;
	while (span_line(&rest, &line)) {
		obs_cite(o, line);
		if (span_starts(line, "ID="))
			obs_text(o, OBS_DEVICE, FIELD_PLATFORM, SPAN("cumulus"));
		else if (span_skip(&line, "VERSION_ID="))
			obs_text(o, OBS_DEVICE, FIELD_VERSION, span_trim(line));
	}
	return o->n;
}

static size_t parse_config(const struct answer *a, struct obs *o)
{
	struct span rest = a->text, line, port;
	uint64_t mtu;

	while (span_line(&rest, &line)) {
		obs_cite(o, line);
		if (cumulus_mtu_line(line, &port, &mtu))
			obs_number(o, obs_port(o, port), FIELD_MTU, 0, mtu + CUMULUS_HEADERS);
	}
	return o->n;
}

static const struct probe probes[] = {
	{ .id = "release", .command = "cat /etc/os-release", .cadence = CADENCE_ONCE, .rank = 10, .parse = parse_release,
	  .proof = "source", .help = "Software version" },
	{ .id = "config", .command = "nv config show -o commands", .script = "run nv config show -o commands",
	  .cadence = CADENCE_CONFIG, .rank = 10, .parse = parse_config, .proof = "source",
	  .help = "MTU of each port" },
};

const struct platform cumulus_platform = {
	.id = "cumulus", .title = "NVIDIA Cumulus Linux", .is_switch = true, .way = WAY_SH,
	.probes = probes, .n_probes = sizeof(probes) / sizeof(*probes),
	.is_it = is_it,
	.dialect = &cumulus_dialect,
};
