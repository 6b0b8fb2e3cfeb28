/* SONiC's "show version". */
#include <stdio.h>
#include <time.h>

#include "remote/lab/sonic/cache.h"
#include "remote/lab/sonic/dress.h"
#include "remote/lab/sonic/show.h"
#include "remote/lab/world/ages.h"

/* As uptime(1): "05:21:03 up 3 days,  2:05,  1 user, ...", "up  2:05,", "up 5 min,". */
static void print_uptime(struct tool_call *t, const struct tm *now)
{
	long long up_s = device_up_us(t->fabric, t->device) / 1000000, days = up_s / 86400;

	buf_printf(t->out, "Uptime: %02d:%02d:%02d up ", now->tm_hour, now->tm_min, now->tm_sec);
	if (days)
		buf_printf(t->out, "%lld day%s, ", days, days == 1 ? "" : "s");
	if (up_s / 3600 % 24)
		buf_printf(t->out, "%2lld:%02lld", up_s / 3600 % 24, up_s / 60 % 60);
	else
		buf_printf(t->out, "%lld min", up_s / 60 % 60);
	buf_str(t->out, ",  1 user,  load average: 0.76, 0.65, 0.61\n");
}

/* As docker prints tables: three blanks between columns, each at least 10 wide with them. Each image is there by two tags. */
static void print_images(struct tool_call *t, const struct sonic_release *release)
{
	static const struct {
		const char *name, *id;
		unsigned mb;
	} images[] = {
		{ "docker-syncd-brcm", "ddd49cfcb0fd", 755 },	{ "docker-orchagent", "32309d2e29b4", 461 },
		{ "docker-fpm-frr", "6c0eab9adbfc", 432 },	{ "docker-lldp", "9681bbfea3ac", 318 },
		{ "docker-database", "badc6fc84cdb", 299 },	{ "docker-snmp", "e2776e2a30b7", 337 },
		{ "docker-teamd", "caf957cd2ad1", 316 },	{ "docker-router-advertiser", "b1a62023958c", 299 },
		{ "docker-platform-monitor", "40b40a4b2164", 540 },
	};
	char tag[48];
	int width = snprintf(tag, sizeof(tag), "%s-%s", release->version, release->commit) + 3;

	buf_printf(t->out, "\nDocker images:\n%-27s%-*s%-15s%s\n", "REPOSITORY", width, "TAG", "IMAGE ID", "SIZE");
	for (size_t i = 0; i < 2 * sizeof(images) / sizeof(*images); i++)
		buf_printf(t->out, "%-27s%-*s%-15s%uMB\n", images[i / 2].name, width, i % 2 ? tag : "latest", images[i / 2].id,
			   images[i / 2].mb);
	buf_str(t->out, "\n");
}

/* The older one knows neither the model nor the time. */
int show_version(struct tool_call *t)
{
	const struct sonic_release *release = sonic_release_of(t->device);
	bool is_old = sonic_is_old(t->device);
	time_t now_s = LAB_BEGINS_S + t->fabric->now_us / 1000000;
	struct tm now;
	char date[48];

	gmtime_r(&now_s, &now);
	strftime(date, sizeof(date), "Date: %a %d %b %Y %T\n", &now);
	buf_printf(t->out, "\nSONiC Software Version: SONiC.%s-%s\n", release->version, release->commit);
	if (!is_old)
		buf_printf(t->out, "SONiC OS Version: %s\n", release->os);
	buf_printf(t->out, "Distribution: Debian %s\nKernel: %s\nBuild commit: %s\nBuild date: %s\nBuilt by: sonic@builder\n\n"
		   "Platform: x86_64-accton_as7726_32x-r0\nHwSKU: Accton-AS7726-32X\nASIC: broadcom\nASIC Count: 1\n"
		   "Serial Number: LAB%04u\n", release->debian, release->kernel, release->commit, release->date,
		   (unsigned)(t->device - t->fabric->devices));
	if (!is_old)
		buf_str(t->out, "Model Number: N/A\nHardware Revision: N/A\n");
	print_uptime(t, &now);
	buf_str(t->out, is_old ? "" : date);
	print_images(t, release);
	return 0;
}
