#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/evp.h>

#include "remote/ssh/known_hosts.h"
#include "tests/lib/say.h"

/* Keys by ssh-keygen, which is the other witness of everything said here. */
enum { ED, ED2, EC, RS, KEYS };
static char dir[64];
static struct key {
	char line[4096];	/* "type base64" */
	unsigned char bytes[4096];
	struct span blob;
	char fingerprint[FINGERPRINT_SIZE];
} keys[KEYS];

static void run(const char *format, const char *name)
{
	char command[512];

	snprintf(command, sizeof(command), format, dir, name, dir, name);
	assert_int_equal(system(command), 0);
}

static void make_key(struct key *k, const char *name, const char *kind)
{
	char format[256], path[128], base64[4096], comment[256];
	size_t n;

	snprintf(format, sizeof(format), "ssh-keygen -q -N '' -C x %s -f %%s/%s", kind, "%s");
	run(format, name);
	run("ssh-keygen -l -f %s/%s.pub > %s/%s.fp", name);
	snprintf(path, sizeof(path), "%s/%s.pub", dir, name);
	char *text = file_text(path, &n);
	snprintf(k->line, sizeof(k->line), "%.*s", (int)(strrchr(text, ' ') - text), text);
	free(text);
	assert_int_equal(sscanf(k->line, "%*s %4095s", base64), 1);
	size_t length = strlen(base64);
	int bytes = EVP_DecodeBlock(k->bytes, (unsigned char *)base64, length);
	bytes -= (base64[length - 1] == '=') + (base64[length - 2] == '=');
	k->blob = (struct span){ (char *)k->bytes, bytes };
	snprintf(path, sizeof(path), "%s/%s.fp", dir, name);
	text = file_text(path, &n);
	assert_int_equal(sscanf(text, "%*s %63s %255s", k->fingerprint, comment), 2);
	free(text);
}

static int make_keys(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/fabcon-known.XXXXXX");
	assert_non_null(mkdtemp(dir));
	make_key(&keys[ED], "ed", "-t ed25519");
	make_key(&keys[ED2], "ed2", "-t ed25519");
	make_key(&keys[EC], "ec", "-t ecdsa");
	make_key(&keys[RS], "rsa", "-t rsa -b 2048");
	return 0;
}

static int remove_keys(void **state)
{
	(void)state;
	run("rm -rf %s # %s", "");
	return 0;
}

static enum hostkey_verdict judge(const char *text, const char *address, unsigned port, int key,
				  struct hostkey_seen *seen)
{
	struct known_hosts *k = known_hosts_new();
	struct buf name = { 0 };

	known_hosts_read(k, span_of(text), "known_hosts");
	known_hosts_name(address, port, &name);
	enum hostkey_verdict v = known_hosts_judge(k, name.text, keys[key].blob, seen);
	buf_done(&name);
	known_hosts_free(k);
	return v;
}

/* A file of "prefix key" lines, and what must become of a host that shows a key. */
static const struct {
	const char *prefix;
	int listed;
	const char *prefix2;
	int listed2;
	const char *address;
	unsigned port;
	int shown;
	enum hostkey_verdict verdict;
} case_table[] = {
	{ "node1",			ED,	NULL,		0,   "node1",	22,   ED,  HOSTKEY_KNOWN },
	{ "node2",			ED,	NULL,		0,   "node1",	22,   ED,  HOSTKEY_UNKNOWN },
	{ "node1",			ED2,	NULL,		0,   "node1",	22,   ED,  HOSTKEY_CHANGED },
	{ "node1",			RS,	NULL,		0,   "node1",	22,   ED,  HOSTKEY_OTHER_TYPE },
	{ "node1",			RS,	"node1",	ED,  "node1",	22,   ED,  HOSTKEY_KNOWN },
	{ "node1",			RS,	"node1",	ED2, "node1",	22,   ED,  HOSTKEY_CHANGED },
	{ "node1",			ED,	"@revoked *",	ED,  "node1",	22,   ED,  HOSTKEY_REVOKED },
	{ "@revoked node1",		ED,	"node1",	ED,  "node1",	22,   ED,  HOSTKEY_REVOKED },
	{ "node1",			ED,	"@revoked *",	ED2, "node1",	22,   ED,  HOSTKEY_KNOWN },
	{ "@revoked node2",		ED,	NULL,		0,   "node1",	22,   ED,  HOSTKEY_UNKNOWN },
	{ "@cert-authority *",		ED,	NULL,		0,   "node1",	22,   ED,  HOSTKEY_AUTHORITY_ONLY },
	{ "@cert-authority *",		ED2,	"node1",	ED,  "node1",	22,   ED,  HOSTKEY_KNOWN },
	{ "[node1]:2222",		ED,	NULL,		0,   "node1",	2222, ED,  HOSTKEY_KNOWN },
	{ "node1",			ED,	NULL,		0,   "node1",	2222, ED,  HOSTKEY_UNKNOWN },
	{ "[node1]:2222",		ED,	NULL,		0,   "node1",	22,   ED,  HOSTKEY_UNKNOWN },
	{ "a,node?,!node2",		ED,	NULL,		0,   "node1",	22,   ED,  HOSTKEY_KNOWN },
	{ "a,node?,!node2",		ED,	NULL,		0,   "node2",	22,   ED,  HOSTKEY_UNKNOWN },
	{ "*.fabric",			EC,	NULL,		0,   "n.fabric", 22,  EC,  HOSTKEY_KNOWN },
	{ "NODE1.Fabric",		EC,	NULL,		0,   "Node1.fabric", 22, EC, HOSTKEY_KNOWN },
	{ "@unheard-of node1",		ED,	NULL,		0,   "node1",	22,   ED,  HOSTKEY_UNKNOWN },
};

static void each_line_form_means_what_openssh_means(void **state)
{
	struct hostkey_seen seen;
	char text[9000];

	(void)state;
	for (size_t i = 0; i < sizeof(case_table) / sizeof(*case_table); i++) {
		snprintf(text, sizeof(text), "# comment\n\n%s %s comment\n", case_table[i].prefix,
			 keys[case_table[i].listed].line);
		if (case_table[i].prefix2)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s %s", case_table[i].prefix2,
				 keys[case_table[i].listed2].line);
		enum hostkey_verdict v = judge(text, case_table[i].address, case_table[i].port,
					       case_table[i].shown, &seen);
		if (v != case_table[i].verdict)
			fail_msg("row %zu (%s): verdict %d", i, case_table[i].prefix, v);
	}
}

static void a_changed_key_is_told_with_both_fingerprints_and_the_line(void **state)
{
	struct hostkey_seen seen;
	char text[9000];

	(void)state;
	snprintf(text, sizeof(text), "other %s\nnode1 %s\n", keys[RS].line, keys[ED2].line);
	assert_int_equal(judge(text, "node1", 22, ED, &seen), HOSTKEY_CHANGED);
	assert_string_equal(seen.type, "ssh-ed25519");
	assert_string_equal(seen.fingerprint, keys[ED].fingerprint);
	assert_string_equal(seen.old_fingerprint, keys[ED2].fingerprint);
	assert_string_equal(seen.where, "known_hosts:2");
}

static void names_hashed_by_ssh_keygen_are_found(void **state)
{
	struct known_hosts *k = known_hosts_new();
	struct hostkey_seen seen;
	struct err err;
	char path[128];

	(void)state;
	snprintf(path, sizeof(path), "%s/hashed", dir);
	FILE *f = fopen(path, "w");
	fprintf(f, "node1 %s\n[node1]:2222 %s\nnode2 %s\n", keys[ED].line, keys[EC].line, keys[RS].line);
	fclose(f);
	run("ssh-keygen -q -H -f %s/%s 2>/dev/null >&2", "hashed");
	char *text = file_text(path, &(size_t){ 0 });
	assert_null(strstr(text, "node1"));
	free(text);
	assert_true(known_hosts_load(k, path, &err));
	assert_int_equal(known_hosts_judge(k, "node1", keys[ED].blob, &seen), HOSTKEY_KNOWN);
	assert_int_equal(known_hosts_judge(k, "[node1]:2222", keys[EC].blob, &seen), HOSTKEY_KNOWN);
	assert_int_equal(known_hosts_judge(k, "node2", keys[ED].blob, &seen), HOSTKEY_OTHER_TYPE);
	assert_int_equal(known_hosts_judge(k, "node3", keys[ED].blob, &seen), HOSTKEY_UNKNOWN);
	known_hosts_free(k);
}

static void known_types_are_asked_for_first_and_sha1_never(void **state)
{
	struct known_hosts *k = known_hosts_new();
	struct buf text = { 0 }, out = { 0 };

	(void)state;
	buf_printf(&text, "node1 %s\n@revoked node1 %s\n", keys[RS].line, keys[EC].line);
	known_hosts_read(k, buf_span(&text), "f");
	known_hosts_algorithms(k, "node1", &out);
	assert_string_equal(out.text, "rsa-sha2-512,rsa-sha2-256,ssh-ed25519,ecdsa-sha2-nistp256,"
				      "ecdsa-sha2-nistp384,ecdsa-sha2-nistp521");
	buf_done(&text);
	buf_done(&out);
	known_hosts_free(k);
}

static void an_accepted_key_is_known_now_and_next_time(void **state)
{
	struct known_hosts *k = known_hosts_new();
	struct hostkey_seen seen;
	struct stat st;
	struct err err;
	char path[128];

	(void)state;
	snprintf(path, sizeof(path), "%s/made/accepted", dir);
	assert_int_equal(known_hosts_judge(k, "node1", keys[RS].blob, &seen), HOSTKEY_UNKNOWN);
	assert_true(known_hosts_add(k, "node1", keys[RS].blob));
	assert_int_equal(known_hosts_judge(k, "node1", keys[RS].blob, &seen), HOSTKEY_KNOWN);
	assert_true(known_hosts_append(path, "node1", keys[RS].blob, &err));
	assert_true(known_hosts_append(path, "[node1]:2222", keys[ED].blob, &err));
	assert_false(known_hosts_append(path, "evil,*", keys[ED].blob, &err));
	known_hosts_free(k);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	run("ssh-keygen -F node1 -f %s/%s >/dev/null", "made/accepted");
	k = known_hosts_new();
	assert_true(known_hosts_load(k, path, &err));
	assert_int_equal(known_hosts_judge(k, "node1", keys[RS].blob, &seen), HOSTKEY_KNOWN);
	assert_int_equal(known_hosts_judge(k, "[node1]:2222", keys[ED].blob, &seen), HOSTKEY_KNOWN);
	assert_int_equal(known_hosts_judge(k, "evil", keys[ED].blob, &seen), HOSTKEY_UNKNOWN);
	known_hosts_free(k);
}

static void lines_nobody_understands_are_counted_and_the_rest_stands(void **state)
{
	struct known_hosts *k = known_hosts_new();
	struct hostkey_seen seen;
	struct buf text = { 0 };

	(void)state;
	buf_str(&text, "node1\nnode1 ssh-ed25519\nnode1 ssh-ed25519 ====\nnode1 ssh-ed25519 AAAA\n|1|x|y ssh-rsa AAAA\n");
	buf_printf(&text, "node1 ssh-rsa %s\n|1|x|y %s\n|2| %s\n@revoked\n", strchr(keys[ED].line, ' ') + 1, keys[ED].line,
		   keys[ED].line);
	for (int i = 0; i < 300; i++)
		buf_add(&text, (char[]){ (char)i }, 1);
	buf_printf(&text, "\nnode1 %s\r\n", keys[ED].line);
	size_t missed = known_hosts_read(k, buf_span(&text), "f");
	assert_true(missed >= 9);
	assert_int_equal(known_hosts_judge(k, "node1", keys[ED].blob, &seen), HOSTKEY_KNOWN);
	for (size_t n = 0; n < keys[ED].blob.n; n++) {	/* a key cut anywhere is not that key */
		struct span cut = { keys[ED].blob.p, n };
		assert_int_not_equal(known_hosts_judge(k, "node1", cut, &seen), HOSTKEY_KNOWN);
	}
	buf_done(&text);
	known_hosts_free(k);
}

static void a_missing_file_is_empty_and_an_unreadable_one_is_an_error(void **state)
{
	struct known_hosts *k = known_hosts_new();
	struct err err;
	char path[128];

	(void)state;
	snprintf(path, sizeof(path), "%s/nowhere", dir);
	assert_true(known_hosts_load(k, path, &err));
	assert_false(known_hosts_load(k, dir, &err));
	assert_non_null(strstr(err.text, dir));
	known_hosts_free(k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_line_form_means_what_openssh_means),
		cmocka_unit_test(a_changed_key_is_told_with_both_fingerprints_and_the_line),
		cmocka_unit_test(names_hashed_by_ssh_keygen_are_found),
		cmocka_unit_test(known_types_are_asked_for_first_and_sha1_never),
		cmocka_unit_test(an_accepted_key_is_known_now_and_next_time),
		cmocka_unit_test(lines_nobody_understands_are_counted_and_the_rest_stands),
		cmocka_unit_test(a_missing_file_is_empty_and_an_unreadable_one_is_an_error),
	};

	return cmocka_run_group_tests(tests, make_keys, remove_keys);
}
