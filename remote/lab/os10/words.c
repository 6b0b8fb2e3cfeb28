#include "remote/lab/os10/words.h"

#include <stdio.h>
#include <string.h>

/* "<" begins what is anybody's: ports, names, numbers. */
static const char *const exec_commands[] = {
	"batch <", "boot system <", "clear counters interface <", "clear mac <", "clear qos statistics <", "commit",
	"configure terminal", "copy running-configuration startup-configuration", "copy running-configuration <", "crypto <", "debug <",
	"delete <", "dir <", "discard", "do <", "exit", "image <", "license <", "lock", "logout", "move <", "ping <", "reload", "show <",
	"start transaction", "system bash", "terminal length <", "terminal width <", "traceroute <", "unlock", "validate <",
	"write memory",
};

static const char *const show_commands[] = {
	"show clock", "show class-map <", "show diff candidate-configuration running-configuration", "show environment",
	"show hardware <", "show hosts", "show interface <", "show interface status", "show inventory", "show ip <",
	"show lldp neighbors detail", "show lldp dcbx <", "show logging <", "show mac address-table <", "show policy-map <",
	"show port-channel <", "show qos <", "show queuing statistics interface <", "show running-configuration class-map",
	"show running-configuration interface <", "show running-configuration policy-map", "show running-configuration qos-map",
	"show running-configuration snmp", "show running-configuration system-qos", "show running-configuration trust-map",
	"show running-configuration users", "show running-configuration wred",
	"show startup-configuration <", "show system", "show trace", "show uptime", "show users", "show version", "show virtual-network",
	"show vlan", "show vlt <", "show vrf",
};

static const char *const configuration[] = {
	"do <", "end", "exit", "ets <", "hostname <", "interface <", "no shutdown", "show <", "shutdown",
};

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

/* The n-th word of a line. */
static struct span word_at(const char *line, unsigned n)
{
	struct span rest = span_of(line), word = { NULL, 0 };

	for (unsigned i = 0; i <= n; i++)
		if (!span_word(&rest, &word))
			return SPAN("");
	return word;
}

/* Whether a command's first n words are those of the line. */
static bool begins_alike(const char *command, const char *line, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (!span_same(word_at(command, i), word_at(line, i)))
			return false;
	return true;
}

/* What the line's n-th word can be: the number of different ones, the last in *found. Itself alone where it is one. */
static unsigned candidates(const char *const *commands, size_t count, const char *line, unsigned n, struct span *found)
{
	struct span typed = word_at(line, n);
	unsigned several = 0;

	for (size_t i = 0; i < count; i++) {
		struct span word = word_at(commands[i], n);

		if (!word.n || *word.p == '<' || !begins_alike(commands[i], line, n) || word.n < typed.n || memcmp(word.p, typed.p, typed.n))
			continue;
		if (several && span_same(word, *found))
			continue;
		*found = word;
		several++;
		if (word.n == typed.n)
			return 1;
	}
	return several;
}

static void replace_word(char *line, size_t size, unsigned n, struct span word)
{
	struct span old = word_at(line, n);
	char tail[256];
	size_t at = (size_t)(old.p - line);

	snprintf(tail, sizeof(tail), "%s", old.p + old.n);
	snprintf(line + at, size - at, "%.*s%s", (int)word.n, word.p, tail);
}

/* Word after word, until one is nobody's. */
static bool complete(char *line, size_t size, const char *const *commands, size_t count)
{
	struct span found;

	for (unsigned n = 0; word_at(line, n).n; n++) {
		unsigned several = candidates(commands, count, line, n, &found);

		if (several > 1)
			return false;
		if (!several)
			return true;
		replace_word(line, size, n, found);
	}
	return true;
}

static bool is_first(const char *line, const char *word)
{
	struct span first = word_at(line, 0);

	return span_is(first, word);
}

bool dell_complete(char *words, size_t size, bool in_configuration)
{
	if (in_configuration && !complete(words, size, configuration, COUNT(configuration)))
		return false;
	if (in_configuration && is_first(words, "do"))
		return strlen(words) < 4 || dell_complete(words + 3, size - 3, false);
	if (!in_configuration && !complete(words, size, exec_commands, COUNT(exec_commands)))
		return false;
	return !is_first(words, "show") || complete(words, size, show_commands, COUNT(show_commands));
}
