#include "remote/talk/write.h"

void talk_errand_say(struct talk *t, enum errand_how how, const char *text)
{
	struct talk_errand *e = (struct talk_errand *)t;

	e->say(e, how, text);
}
