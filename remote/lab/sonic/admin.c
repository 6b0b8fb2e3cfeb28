#include "remote/lab/sonic/admin.h"

#include "remote/lab/linux/tools.h"
#include "remote/lab/sonic/tools.h"
#include "remote/lab/world/skins.h"

static bool is_not_root(const struct tool_call *t)
{
	return t->is_user && wears(t->device, SKIN_SONIC_ADMIN);
}

static int refuse(struct tool_call *t)
{
	buf_str(t->errors, "Root privileges are required for this operation\n");
	return 1;
}

int admin_config(struct tool_call *t)
{
	return is_not_root(t) ? refuse(t) : tool_sonic_config(t);
}

int admin_pfcwd(struct tool_call *t)
{
	bool is_read = t->argc < 2 || is_word(t->argv[1], "show");

	return is_not_root(t) && !is_read ? refuse(t) : tool_pfcwd(t);
}

int admin_ecnconfig(struct tool_call *t)
{
	bool is_read = t->argc < 2 || is_word(t->argv[1], "-l");

	return is_not_root(t) && !is_read ? refuse(t) : tool_ecnconfig(t);
}

int admin_systemd_run(struct tool_call *t)
{
	if (!is_not_root(t))
		return tool_systemd_run(t);
	buf_str(t->errors, "Failed to start transient service unit: Interactive authentication required.\n");
	return 1;
}

int admin_id(struct tool_call *t)
{
	if (!is_not_root(t))
		return tool_id(t);
	buf_str(t->out, t->argc > 1 && is_word(t->argv[1], "-u") ? "1000\n" :
		"uid=1000(admin) gid=1000(admin) groups=1000(admin),27(sudo),999(docker),1001(redis)\n");
	return 0;
}
