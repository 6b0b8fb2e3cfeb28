/* The parts of the HTML page, for html*.c. */
#ifndef CORE_CERTIFICATE_HTML_H
#define CORE_CERTIFICATE_HTML_H

#include "core/certificate/certificate.h"
#include "core/certificate/internal.h"

struct html {
	const json_t *certificate;
	struct buf *out;
	struct arena arena;
};

#define ADD(html, ...)	FILL((html)->out, certificate_xml, __VA_ARGS__)

/* How a state of a link, stage or test looks. */
struct html_state {
	const char *word;		/* as the certificate has it */
	const char *class;		/* of its text */
	const char *bar;		/* class of a bar */
	const char *sign;		/* one character */
};

const struct html_state *html_state(const json_t *row);

void html_links(struct html *h);	/* what failed, what is not known, and links by stages */
void html_tests(struct html *h);	/* with a bar each */
void html_lists(struct html *h);	/* not tested, skipped, notes, limits, devices, settings */
void html_evidence(struct html *h);	/* commands and counters of the tests */

#endif
