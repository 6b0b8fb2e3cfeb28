#include "core/judge/fec.h"

#include <string.h>

enum fec fec_of(const struct cell *c)
{
	static const struct {
		const char *part;
		enum fec is;
	} words[] = { { "rs", FEC_RS }, { "baser", FEC_FIRE }, { "fc", FEC_FIRE }, { "cl74", FEC_FIRE }, { "off", FEC_OFF }, { "none", FEC_OFF } };

	for (size_t i = 0; c && c->value.is == VALUE_KNOWN && i < sizeof(words) / sizeof(*words); i++)
		if (c->value.text && strcasestr(c->value.text, words[i].part))
			return words[i].is;
	return FEC_OTHER;
}
