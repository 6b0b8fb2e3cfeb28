#include "remote/talk/write.h"

void talk_write_say(struct talk *t, enum write_kind how, const char *text)
{
	struct talk_write *e = (struct talk_write *)t;

	e->say(e, how, text);
}
