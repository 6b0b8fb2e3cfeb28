/* What f asks for: a plan that mends a subject. */
#include "tui/screens/screen.h"

static struct intent say(const char *text)
{
	return (struct intent){ .is = INTENT_SAY, .text = text };
}

struct intent plan_subject(const struct subject *s)
{
	if (s->finding && !s->finding->is_open)
		return say("This finding is closed: there is nothing to fix.");
	if (s->finding)
		return (struct intent){ .is = INTENT_PLAN, .finding = s->finding };
	if (s->port)
		return (struct intent){ .is = INTENT_PLAN, .port = s->port };
	if (s->device)
		return (struct intent){ .is = INTENT_PLAN, .device = s->device->name };
	return say(s->none ? s->none : "There is nothing to fix here.");
}
