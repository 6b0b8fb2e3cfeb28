/* fabcon show: everything known of a device, a port or a link. */
#include "tui/commands/commands.h"

#include <stdlib.h>

#include "tui/commands/facts.h"

static bool show_target(struct sheet *sheet, struct session *s, const char *target)
{
	const struct model *m = session_model(s);
	const char *colon = strchr(target, ':');
	char device[128];
	struct device *d;
	const struct port *p = NULL, *far;
	const struct link *link;

	snprintf(device, sizeof(device), "%.*s", colon ? (int)(colon - target) : (int)strlen(target), target);
	d = model_find_device(m, device);
	if (d && colon)
		p = model_find_port(m, device, colon + 1);
	if (!d || (colon && !p))
		return false;
	if (!p) {
		facts_of_device(sheet, m, d);
		return true;
	}
	facts_of_port(sheet, m, p);
	link = links_of_port(session_links(s), p);
	far = link ? link_far(link, p) : NULL;
	if (far)
		facts_of_port(sheet, m, far);
	return true;
}

static void fill_show(struct cli *cli, struct session *s, struct sheet *sheet)
{
	for (int i = 0; i < cli->n_args; i++)
		if (!show_target(sheet, s, cli->args[i]))
			complain_of_target(cli, cli->args[i], device_near(session_model(s), cli->args[i]));
}

int cmd_show(struct cli *cli)
{
	return print_sheet(cli, FACTS_SCHEMA, FACTS_COLUMNS, fill_show);
}
