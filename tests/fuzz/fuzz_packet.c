/* Frames and capture files from outside. */
#include "core/roce/packet.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_one(struct span bytes, bool without_ethernet)
{
	struct packet p;
	struct err err;
	struct buf out = { 0 };

	if (packet_read(&p, bytes, without_ethernet, &err))
		packet_write(&p, &out, &err);
	buf_done(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span bytes = { (const char *)data, size }, one;
	struct capture c;
	struct err err;

	read_one(bytes, true);
	read_one(bytes, false);
	if (!capture_open(&c, bytes, &err))
		return 0;
	while (capture_next(&c, &one, &err))
		read_one(one, c.without_ethernet);
	return 0;
}
