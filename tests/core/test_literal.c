/* What Ansible makes something else of than a text, against the same rules as patterns of the C library's regcomp(). */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/inventory/literal.h"

#include "tests/lib/say.h"

#define N_RANDOM 400000

/* resolver.py of PyYAML; ast.literal_eval, as ini.py of Ansible calls it. */
static const char yaml[] = "^((yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)|"
			   "[-+]?(0b[01_]+|0[0-7_]+|0x[0-9a-fA-F_]+|[1-9][0-9_]*(:[0-5]?[0-9])+(\\.[0-9_]*)?)|"
			   "[-+]?[0-9]+_[0-9_]*|[+][0-9]+|[-+]?([0-9][0-9_]*)?\\.[0-9_]*([eE][-+][0-9]+)?|"
			   "[-+]?\\.(inf|Inf|INF|nan|NaN|NAN)|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*)$";
static const char python[] = "^[ \t]*((True|False)[ \t]*(#.*)?$|[[(].*[])][ \t]*(#.*)?$|[{][^{%#].*|[{]}.*|"
			     "[-+]?[0-9_]*[.]?[0-9_]*([eE][-+]?[0-9_]+)?[jJ]?[ \t]*(#.*)?$|0[xXoObB][0-9a-fA-F_]+[ \t]*(#.*)?$|"
			     "[bBrRuUfF]{0,2}['\"])";

static const char *const parts[] = {
	"yes", "Off", "True", "False", "0", "1", "7", "59", "60", "9", "_", ":", ".", "-", "+", "e", "E", "0x", "0b", "0o", "f", "a", ".inf",
	".NaN", "2026-", "1-2", "[", "]", "(", ")", "{", "}", "{%", "{{", "#", " ", "\t", "j", "J", "b", "r", "'", "\"", "x", "node",
};

static unsigned differ(const char *what, const char *pattern, bool (*converts)(const char *), unsigned *hits)
{
	unsigned n = 0, seed = 1;
	regex_t re;

	assert_int_equal(regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB), 0);
	for (unsigned i = 0; i < N_RANDOM; i++) {
		char text[64] = "";
		bool is_hit;

		for (unsigned k = rand_r(&seed) % 7; k > 0; k--)
			strcat(text, parts[(unsigned)rand_r(&seed) % (sizeof(parts) / sizeof(*parts))]);
		is_hit = regexec(&re, text, 0, NULL, 0) == 0;
		*hits += is_hit;
		if (converts(text) != is_hit && n++ < 10)
			printf("%s: \"%s\" is %s\n", what, text, is_hit ? "converted" : "a text");
	}
	regfree(&re);
	return n;
}

static void what_is_no_text_is_what_the_patterns_say(void **state)
{
	unsigned hits[2] = { 0 };

	(void)state;
	assert_int_equal(differ("YAML", yaml, literal_yaml_converts, &hits[0]), 0);
	assert_int_equal(differ("Python", python, literal_python_converts, &hits[1]), 0);
	printf("2 x %u texts, of which %u and %u are converted\n", N_RANDOM, hits[0], hits[1]);
	assert_true(hits[0] > N_RANDOM / 100 && hits[1] > N_RANDOM / 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_text_is_what_the_patterns_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
