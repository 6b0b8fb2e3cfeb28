/* Text inside an XML document. */
#ifndef TUI_TEXT_XML_H
#define TUI_TEXT_XML_H

#include <stdio.h>

/* For content and for attributes in double quotes; whatever is not printable ASCII becomes "?". */
void xml_text(const char *text, FILE *out);

#endif
