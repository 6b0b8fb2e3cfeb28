#include "core/certificate/certificate.h"

#include "core/certificate/internal.h"

const struct certificate_format certificate_formats[] = {
	{ "json",	"json",	certificate_json },
	{ "md",		"md",	certificate_markdown },
	{ "html",	"html",	certificate_html },
	{ "junit",	"xml",	certificate_junit },
	{ "csv",	"csv",	certificate_csv },
};
const size_t certificate_n_formats = sizeof(certificate_formats) / sizeof(*certificate_formats);

const struct certificate_format *certificate_format_find(const char *name)
{
	for (size_t i = 0; i < certificate_n_formats; i++)
		if (!strcmp(certificate_formats[i].name, name))
			return &certificate_formats[i];
	return NULL;
}

void certificate_write(const json_t *certificate, const struct certificate_format *format, struct buf *out)
{
	buf_str(out, "");
	format->write(certificate, out);
}
