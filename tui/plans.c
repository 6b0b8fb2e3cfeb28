#include "tui/plans.h"

#include <stdlib.h>
#include <unistd.h>

#include "tui/arming.h"
#include "tui/files.h"

static bool from_file(const char *name, struct fix_plan *p, struct err *err)
{
	struct buf text = { 0 };
	struct err why = { "" };
	bool done = file_read(name, &text, err);

	if (done && !fix_plan_read(p, buf_span(&text), &why))
		done = err_set(err, "%.150s: %.300s", name, why.text);
	buf_done(&text);
	return done;
}

static bool from_audit(const char *id, struct fix_plan *p, struct err *err)
{
	struct audit *a = audit_of_user(false, err);
	char *text = a ? audit_plan(a, id) : NULL;
	bool done = false;

	if (text)
		done = fix_plan_read(p, span_of(text), err);
	else if (a)
		err_set(err, "%.80s: no such file, and the audit knows no plan of that name (fabcon audit show)", id);
	audit_close(a);
	free(text);
	return done;
}

bool plan_named(const char *name, struct fix_plan *p, struct err *err)
{
	if (strncmp(name, "P-", 2) != 0 || strchr(name, '/') || access(name, F_OK) == 0)
		return from_file(name, p, err);
	return from_audit(name, p, err);
}
