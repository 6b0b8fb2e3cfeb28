/* Any probe's parser on any text. An input's first line names it: "linux mlnx_qos eth2 0". */
#include "remote/platform/platform.h"
#include "remote/platforms.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct probe *choose(struct span head, const struct platform **platform, char *port, size_t port_size,
				  int *status)
{
	struct span word;
	char name[64];
	uint64_t n;

	if (!span_word(&head, &word))
		return NULL;
	snprintf(name, sizeof(name), "%.*s", (int)word.n, word.p);
	*platform = platform_find(name);
	if (!*platform || !span_word(&head, &word))
		return NULL;
	snprintf(name, sizeof(name), "%.*s", (int)word.n, word.p);
	if (span_word(&head, &word))
		snprintf(port, port_size, "%.*s", (int)word.n, word.p);
	*status = span_word(&head, &word) && span_u64(word, &n) ? (int)(n & 0xff) : -1;
	return platform_probe(*platform, name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span rest = { (const char *)data, size }, head;
	const struct platform *platform = NULL;
	const struct probe *probe;
	struct answer a = { 0 };
	struct buf facts = { 0 };
	struct obs o;
	char port[64] = "";
	char *text;

	if (!span_line(&rest, &head) || !(probe = choose(head, &platform, port, sizeof(port), &a.status)))
		return 0;
	text = malloc(rest.n + 1);	/* of its own, so that a read past the end is seen */
	memcpy(text, rest.p, rest.n);
	a.text = (struct span){ text, rest.n };
	a.port = *port ? port : NULL;
	obs_init(&o, "node1", probe->id);
	platform_parse(platform, probe, &a, &o);
	obs_print(&o, &facts);
	obs_done(&o);
	buf_done(&facts);
	free(text);
	return 0;
}
