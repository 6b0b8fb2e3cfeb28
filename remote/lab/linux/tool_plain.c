/* What any Unix answers of itself: hostname, id, whoami, uname, lsmod, ps, pgrep. */
#include "remote/lab/linux/breed.h"
#include "remote/lab/linux/tools.h"
#include "remote/lab/server/trap.h"
#include "remote/lab/world/skins.h"

int tool_lsmod(struct tool_call *t)
{
	const struct lab_job *job = &t->device->job;
	const char *rdma = breed_of(t->device)->rdma_driver, *driver = breed_of(t->device)->driver;

	buf_str(t->out, "Module                  Size  Used by\nrdma_ucm               28672  0\nrdma_cm               122880  1 rdma_ucm\n");
	if (!job->is_without_peermem)
		buf_str(t->out, "nvidia_peermem         16384  0\n");
	buf_printf(t->out, "%-20s  471040  0\n", rdma);
	if (!job->is_without_uverbs)
		buf_printf(t->out, "ib_uverbs             163840  3 rdma_ucm,%s\n", rdma);
	buf_printf(t->out, "ib_core               438272  4 rdma_ucm,rdma_cm,%s,ib_uverbs\n%-20s 2084864  1 %s\n", rdma, driver, rdma);
	return 0;
}

int tool_hostname(struct tool_call *t)
{
	buf_printf(t->out, "%s\n", t->device->name);
	return 0;
}

int tool_id(struct tool_call *t)
{
	bool is_number = t->argc > 1 && is_word(t->argv[1], "-u");

	if (trap_is(t->device, "no-sudo")) {
		buf_str(t->out, is_number ? "1000\n" : "uid=1000(admin) gid=1000(admin) groups=1000(admin)\n");
		return 0;
	}
	buf_str(t->out, is_number ? "0\n" : "uid=0(root) gid=0(root) groups=0(root)\n");
	return 0;
}

int tool_whoami(struct tool_call *t)
{
	buf_str(t->out, "root\n");
	return 0;
}

int tool_uname(struct tool_call *t)
{
	const struct lab_system *system = t->device->system;
	const char *release = system->kernel_of ? system->kernel_of(t->device) : system->kernel;
	const char *option = t->argc > 1 ? t->argv[1] : "-s";

	if (is_word(option, "-a"))
		buf_printf(t->out, "Linux %s %s #101 SMP x86_64 GNU/Linux\n", t->device->name, release);
	else if (is_word(option, "-r"))
		buf_printf(t->out, "%s\n", release);
	else if (is_word(option, "-n"))
		buf_printf(t->out, "%s\n", t->device->name);
	else if (is_word(option, "-m"))
		buf_str(t->out, "x86_64\n");
	else
		buf_str(t->out, "Linux\n");
	return 0;
}

/* Nothing that this asks after runs here. */
int tool_pgrep(struct tool_call *t)
{
	(void)t;
	return 1;
}

int tool_ps(struct tool_call *t)
{
	bool has_lldpd = !wears(t->device, SKIN_NO_LLDPCLI) && !wears(t->device, SKIN_LLDPD_DOWN);
	bool has_systemd = !wears(t->device, SKIN_NO_SYSTEMD) && !wears(t->device, SKIN_BUSYBOX);

	buf_printf(t->out, "    PID TTY          TIME CMD\n      1 ?        00:00:03 %s\n%s    811 ?        00:00:00 sshd\n",
		   has_systemd ? "systemd" : "init", has_lldpd ? "    742 ?        00:00:01 lldpd\n" : "");
	return 0;
}
