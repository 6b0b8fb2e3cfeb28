/* Any text as known_hosts: read, asked about a name, and a key judged; the verdict and its words come back. */
#include "remote/ssh/known_hosts.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char key[] = "\0\0\0\13ssh-ed25519\0\0\0 0123456789abcdef0123456789abcdef";
	struct known_hosts *k = known_hosts_new();
	struct hostkey_seen seen;
	struct buf text = { 0 };
	enum hostkey_verdict verdict;
	char words[512];

	known_hosts_read(k, (struct span){ (const char *)data, size }, "known_hosts");
	verdict = known_hosts_judge(k, "[node1]:2222", (struct span){ key, sizeof(key) - 1 }, &seen);
	known_hosts_explain(verdict, &seen, "node1", words, sizeof(words));
	known_hosts_algorithms(k, "node1", &text);
	buf_done(&text);
	known_hosts_free(k);
	return 0;
}
