/* Secrets that a name tells, in lines of text: "name value", "name=value", "name: value", <name>value</name>. */
#ifndef REMOTE_PLATFORM_MASK_LINES_H
#define REMOTE_PLATFORM_MASK_LINES_H

#include "core/base/span.h"

/* What a line leaves for those after it. All zero before the first. */
struct mask_lines {
	bool is_nested;		/* a secret's name stood alone before ":": what is indented deeper than nest is its value */
	size_t nest;
	bool is_next;		/* the next line is the value of the name that this one ends with */
	unsigned armed;		/* "name: DB_PASSWORD": a "value" in this line or the next is its; lines that are left */
	struct span tag;	/* inside this element of XML; empty: in none */
	const char *no_close;	/* from the last element that was looked at up to here, none ends */
};

/* Hides what one line tells. rest is what follows the line, where a closing tag is looked for. */
void mask_line(struct mask_lines *m, char *p, size_t n, struct span rest);
/* Whether the lines before leave something for the next one. */
bool mask_line_is_due(const struct mask_lines *m);
/* The text of one string, in which "\n" ends a line. */
void mask_string(char *p, size_t n);

#endif
