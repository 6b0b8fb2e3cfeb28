#include "tui/text/progress.h"

#include "core/model/series.h"

void progress_words(struct buf *out, const char *what, size_t done, size_t all, int64_t elapsed_us, int64_t limit_us)
{
	int64_t left_us = done && done < all ? elapsed_us / (int64_t)done * (int64_t)(all - done) : 0;
	bool is_limited = limit_us && (!done || left_us > limit_us - elapsed_us);

	buf_printf(out, "%zu of %zu %s, %lld s", done, all, what, (long long)(elapsed_us / SECOND));
	if (done >= all)
		return;
	if (is_limited)
		buf_printf(out, ", at most %lld s more", (long long)((limit_us - elapsed_us + SECOND - 1) / SECOND));
	else if (done)
		buf_printf(out, ", about %lld s more", (long long)((left_us + SECOND - 1) / SECOND));
}
