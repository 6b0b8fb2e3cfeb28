#include "core/certificate/html.h"

static const struct html_state states[] = {
	{ "pass",	"is-pass",	"pass",	"\u2713" },
	{ "fail",	"is-fail",	"fail",	"\u2717" },
	{ "suspect",	"is-suspect",	"fail",	"\u2717" },
	{ "not known",	"is-open",	"open",	"?" },
	{ "not yet",	"is-none",	"open",	"\u00b7" },
	{ "not judged",	"is-none",	"open",	"\u2013" },
	{ "skipped",	"is-none",	"open",	"\u2013" },
};

const struct html_state *html_state(const json_t *row)
{
	size_t i = 0;

	while (i < sizeof(states) / sizeof(*states) - 1 && !has_state(row, states[i].word))
		i++;
	return &states[i];
}
