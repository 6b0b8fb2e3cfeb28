/* What is dialed, as the kernel saw it: strace of the forms in which hosts are named. This machine, only when it was named. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/lib/home.h"
#include "tests/lib/run.h"
#include "tests/lib/say.h"

#define STRACE	"/usr/bin/strace"

/* file: what stands in FILE of the arguments; NULL: nothing. dials: what connect() must be seen with, NULL: nothing at all. */
static const struct {
	const char *arguments[5], *file, *dials;
	bool is_named;		/* localhost, or a loopback address, was said */
} form_table[] = {
	{ { "-i", "node[01-02].invalid" },	NULL, NULL, false },
	{ { "spark1.invalid" },			NULL, NULL, false },
	{ { "root@spark1.invalid:2222" },	NULL, NULL, false },
	{ { "ssh://u@spark1.invalid:2222" },	NULL, NULL, false },
	{ { "-i", "FILE" }, "all: {hosts: {n1.invalid: , n2.invalid: {ansible_user: root}}}\n", NULL, false },
	{ { "-i", "FILE" }, "[gpu]\nn[1:2].invalid ansible_user=root\n", NULL, false },
	{ { "-i", "FILE" }, "all: {hosts: {n1: {ansible_host: }}}\n", NULL, false },
	{ { "-i", "FILE" }, "n1.invalid\nroot@n2.invalid\n", NULL, false },
	{ { "-i", "FILE" }, "all: {hosts: {n1.invalid: {fabcon_jump: jump.invalid}}}\n", NULL, false },
	{ { "-i", "FILE" }, "all: {hosts: {n1: {ansible_connection: local}}}\n", NULL, false },
	{ { "localhost:1" },			NULL, "127.0.0.1", true },
	{ { "127.0.0.1:1" },			NULL, "127.0.0.1", true },
	{ { "-i", "FILE" }, "all: {hosts: {n1: {ansible_host: localhost, ansible_port: 1}}}\n", "127.0.0.1", true },
};

/* Addresses that a line of strace connects to, but for the resolver's. */
static bool connects(struct span line, struct buf *out)
{
	const char *at = span_find(line, "inet_addr(\""), *at6 = span_find(line, "inet_pton(AF_INET6, \"");
	const char *from = at ? at + 11 : at6 ? at6 + 21 : NULL;
	size_t n = from ? strcspn(from, "\"") : 0;

	if (!from || !span_find(line, "connect(") || span_find(line, "htons(53)") || span_find(line, "SOCK_DGRAM") ||
	    span_find(line, "htons(0)"))
		return false;
	buf_printf(out, "%s%.*s", out->n ? " " : "", (int)n, from);
	return true;
}

static void dialed(const char *log, struct buf *out)
{
	size_t n;
	char *text = file_text(log, &n);
	struct span rest = { text, text ? n : 0 }, line;

	while (span_line(&rest, &line))
		connects(line, out);
	free(text);
}

static bool is_loopback(const char *addresses)
{
	return strstr(addresses, "127.") || strstr(addresses, "::1");
}

static void this_machine_is_dialed_only_when_it_was_named(void **state)
{
	(void)state;
	if (access(STRACE, X_OK) != 0) {
		print_message("skip: strace is not installed\n");
		return;
	}
	for (size_t i = 0; i < sizeof(form_table) / sizeof(*form_table); i++) {
		const char *argv[24] = { STRACE, "-f", "-q", "-e", "trace=connect", "-o", NULL, program_path("fabcon"), "--no-input",
					 "--no-agent", "--timeout", "3s", "-q" };
		char log[128], file[128], *text;
		struct buf seen = { 0 };
		size_t n = 13;
		struct run r;
		FILE *f;

		snprintf(log, sizeof(log), "%s/strace.%zu", home, i);
		snprintf(file, sizeof(file), "%s/hosts.%zu", home, i);
		argv[6] = log;
		f = form_table[i].file ? fopen(file, "w") : NULL;
		if (f) {
			fputs(form_table[i].file, f);
			fclose(f);
		}
		for (size_t k = 0; k < 5 && form_table[i].arguments[k]; k++)
			argv[n++] = strcmp(form_table[i].arguments[k], "FILE") ? form_table[i].arguments[k] : file;
		argv[n++] = "status";
		r = run_program(argv, NULL);
		dialed(log, &seen);
		text = seen.text ? seen.text : (char *)"";
		print_message("%s => %s\n", form_table[i].file ? form_table[i].file : form_table[i].arguments[1] ?
			      form_table[i].arguments[1] : form_table[i].arguments[0], *text ? text : "nothing is dialed");
		if (is_loopback(text) && !form_table[i].is_named)
			fail_msg("this machine was dialed: %s", text);
		if (form_table[i].dials ? !strstr(text, form_table[i].dials) : *text)
			fail_msg("dialed \"%s\", not \"%s\"\n%s%s", text, form_table[i].dials ? form_table[i].dials : "", r.out.text,
				 r.err.text);
		assert_null(strstr(r.out.text ? r.out.text : "", "(null)"));
		assert_null(strstr(r.err.text ? r.err.text : "", "(null)"));
		buf_done(&seen);
		run_done(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(this_machine_is_dialed_only_when_it_was_named),
	};

	return cmocka_run_group_tests(tests, home_open, home_close);
}
