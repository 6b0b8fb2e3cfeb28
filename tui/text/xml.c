#include "tui/text/xml.h"

void xml_text(const char *text, FILE *out)
{
	for (const char *c = text; *c; c++) {
		switch (*c) {
		case '&': fputs("&amp;", out); break;
		case '<': fputs("&lt;", out); break;
		case '>': fputs("&gt;", out); break;
		case '"': fputs("&quot;", out); break;
		default: fputc((unsigned char)*c < ' ' || (unsigned char)*c >= 0x7f ? '?' : *c, out);
		}
	}
}
