#include "remote/ssh/own_machine.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define BOOT_ID	"/proc/sys/kernel/random/boot_id"

bool is_own_machine(const char *boot_id)
{
	char own[64] = "";
	FILE *f = boot_id ? fopen(BOOT_ID, "re") : NULL;

	if (!f)
		return false;
	if (!fgets(own, sizeof(own), f))
		own[0] = '\0';
	fclose(f);
	own[strcspn(own, "\n")] = '\0';
	return *own && !strcasecmp(own, boot_id);
}

bool names_own_machine(const char *address)
{
	return !strcasecmp(address, "localhost") || !strncmp(address, "127.", 4) || !strcmp(address, "::1");
}
