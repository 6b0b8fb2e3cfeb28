#include "core/base/err.h"

#include <stdarg.h>
#include <stdio.h>

bool err_set(struct err *err, const char *format, ...)
{
	va_list args;

	if (!err)
		return false;
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	return false;
}
