/* Devices as a table: what NetBox exports (of the view, or to be imported again), or a site's own with a heading. */
#include "core/inventory/draft.h"

#include <ctype.h>
#include <stdlib.h>

#include "core/base/csv.h"

/* Titles in lower case with _ for blanks, dots and dashes, the column that wins first. "IP Address" is NetBox's primary one. */
static const struct {
	const char *variable, *titles;
} columns[] = {
	{ NULL,			"name device hostname host node" },
	{ "ansible_host",	"ip_address primary_ip primary_ip4 primary_ipv4 primary_ip4_address primary_ip_address ip address "
				"ansible_host mgmt_ip management_ip oob_ip" },
	{ "ansible_port",	"ssh_port ansible_port" },
	{ "ansible_user",	"user username ssh_user ansible_user" },
	{ "fabcon_rack",	"rack" },
	{ "ansible_network_os",	"platform" },
	{ "role",		"role device_role" },
};

#define COLUMNS (sizeof(columns) / sizeof(*columns))

/* A heading names the devices, and one of the other things. */
bool draft_is_csv(struct span heading)
{
	struct csv c = { 0 };
	bool is_table;

	csv_divide(&c, heading);
	is_table = !csv_row(&c, heading) && c.n > 1 && csv_column(&c, columns[0].titles) >= 0;
	for (size_t i = 1, n = 0; is_table && i < COLUMNS; i++) {
		n += csv_column(&c, columns[i].titles) >= 0;
		if (i + 1 == COLUMNS)
			is_table = n > 0;
	}
	csv_done(&c);
	return is_table;
}

/* "leaf", "spine switch", "tor" are switches; what else there is is found out. */
static const char *kind_of(const char *role)
{
	static const char *const words[] = { "switch", "leaf", "spine", "tor", "core" }, *const hosts[] = { "server", "node", "host", "gpu",
													    "compute" };
	char low[64];
	size_t n = 0;

	for (; role[n] && n < sizeof(low) - 1; n++)
		low[n] = (char)tolower((unsigned char)role[n]);
	low[n] = '\0';
	for (size_t i = 0; i < sizeof(hosts) / sizeof(*hosts); i++)
		if (strstr(low, hosts[i]))
			return "host";
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strstr(low, words[i]))
			return "switch";
	return NULL;
}

/* "Row 4 / Rack 12" as a name: what no name may hold is a dash. */
static const char *as_name(struct draft *d, const char *text)
{
	char name[64];
	size_t n = 0;

	for (; *text && n < sizeof(name) - 1; text++) {
		bool is_fine = isalnum((unsigned char)*text) || (n && strchr(NAME_ALSO, *text));

		if (is_fine || (n && name[n - 1] != '-'))
			name[n++] = is_fine ? *text : '-';
	}
	return draft_keep(d, (struct span){ name, n });
}

static const char *value_of(struct draft *d, size_t column, const char *text)
{
	const char *variable = columns[column].variable;

	if (!strcmp(variable, "ansible_host"))
		return draft_keep(d, (struct span){ text, strcspn(text, "/") });	/* 10.0.0.5/24 */
	return !strcmp(variable, "fabcon_rack") ? as_name(d, text) : draft_keep(d, span_of(text));
}

static bool read_row(struct draft *d, const struct csv *c, const int *at, const char *file, unsigned line, struct err *err)
{
	const char *name = csv_field(c, at[0]);
	struct draft_host *h;

	if (!*name)		/* NetBox: a patch panel, a power strip */
		return true;
	if (!inventory_name_ok(name, NAME_ALSO, 63))
		return err_set(err, "%s:%u: not a host name (letters, digits, . - _ are allowed): %.80s", file, line, name);
	h = draft_host(d, name, NULL, file, line, err);
	if (!h)
		return false;
	h->is_word = true;
	for (size_t i = 1; i < COLUMNS; i++) {
		const char *text = csv_field(c, at[i]), *kind = strcmp(columns[i].variable, "role") ? NULL : kind_of(text);
		struct said said = { SAID_TEXT, kind ? kind : value_of(d, i, text), file, line };

		if (*said.text && strcmp(text, "—") != 0 && (kind || strcmp(columns[i].variable, "role") != 0))
			draft_set(d, &h->own, kind ? "fabcon_kind" : columns[i].variable, said);
	}
	return true;
}

bool draft_read_csv(struct draft *d, struct span text, const char *file, struct err *err)
{
	struct csv c = { 0 };
	int at[COLUMNS];
	bool has_heading = false, ok = true;
	struct span line;

	span_skip(&text, "\xef\xbb\xbf");	/* as spreadsheets write it */
	for (unsigned n = 1; ok && span_line(&text, &line); n++) {
		struct span words = span_trim(line);
		const char *wrong;

		if (!words.n || *words.p == '#')
			continue;
		if (!has_heading)
			csv_divide(&c, line);
		wrong = csv_row(&c, line);
		if (wrong)
			ok = err_set(err, "%s:%u: %s", file, n, wrong);
		else if (has_heading)
			ok = read_row(d, &c, at, file, n, err);
		for (size_t i = 0; !has_heading && i < COLUMNS; i++)
			at[i] = csv_column(&c, columns[i].titles);
		has_heading = true;
	}
	csv_done(&c);
	return ok;
}
