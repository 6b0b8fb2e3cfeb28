#include "remote/ssh/handshake.h"

/* Where libssh would look for files of its own at each login; one path that cannot be. */
#define NOWHERE	"/dev/null/none"
/* Its own list, but AES-GCM first: cheaper to begin with and in bulk, and no prefix of it can be cut (CVE-2023-48795). */
#define CIPHERS	"aes128-gcm@openssh.com,aes256-gcm@openssh.com,chacha20-poly1305@openssh.com,aes256-ctr,aes192-ctr,aes128-ctr"

bool handshake_options(ssh_session session, const struct ssh_plan *plan, int fd)
{
	struct buf name = { 0 }, algorithms = { 0 };
	bool done;

	known_files_name(plan->host_key_alias, plan->address, plan->port, &name);
	known_hosts_algorithms(plan->known_hosts, name.text, &algorithms);
	done = ssh_options_set(session, SSH_OPTIONS_PROCESS_CONFIG, &(bool){ false }) == SSH_OK &&
	       ssh_options_set(session, SSH_OPTIONS_HOST, "connected.already") == SSH_OK &&
	       ssh_options_set(session, SSH_OPTIONS_USER, plan->user) == SSH_OK &&
	       ssh_options_set(session, SSH_OPTIONS_SSH_DIR, NOWHERE) == SSH_OK &&
	       ssh_options_set(session, SSH_OPTIONS_KNOWNHOSTS, NOWHERE) == SSH_OK &&
	       ssh_options_set(session, SSH_OPTIONS_GLOBAL_KNOWNHOSTS, NOWHERE) == SSH_OK &&
	       ssh_options_set(session, SSH_OPTIONS_CIPHERS_C_S, CIPHERS) == SSH_OK &&
	       ssh_options_set(session, SSH_OPTIONS_CIPHERS_S_C, CIPHERS) == SSH_OK &&
	       ssh_options_set(session, SSH_OPTIONS_HOSTKEYS, algorithms.text) == SSH_OK &&
	       ssh_options_set(session, SSH_OPTIONS_FD, &fd) == SSH_OK;
	buf_done(&name);
	buf_done(&algorithms);
	return done;
}

char *handshake_key(ssh_session session, size_t *n)
{
	ssh_key key = NULL;
	char *base64 = NULL;
	char *bytes = NULL;

	if (ssh_get_server_publickey(session, &key) == SSH_OK && ssh_pki_export_pubkey_base64(key, &base64) == SSH_OK)
		bytes = hostkey_decode(base64, n);
	ssh_string_free_char(base64);
	ssh_key_free(key);
	return bytes;
}

/* A name that is not listed with its port counts as listed without it, when that line has this key: as ssh has it. */
enum hostkey_verdict handshake_judge(const struct ssh_plan *plan, const char *name, struct span key, struct hostkey_seen *seen)
{
	enum hostkey_verdict verdict = known_hosts_judge(plan->known_hosts, name, key, seen);
	struct hostkey_seen plain_seen;
	struct buf plain = { 0 };

	if (verdict != HOSTKEY_UNKNOWN || plan->host_key_alias || plan->port == 22)
		return verdict;
	known_hosts_name(plan->address, 22, &plain);
	enum hostkey_verdict plainly = known_hosts_judge(plan->known_hosts, plain.text, key, &plain_seen);
	buf_done(&plain);
	if (plainly != HOSTKEY_KNOWN && plainly != HOSTKEY_REVOKED)
		return verdict;
	*seen = plain_seen;
	return plainly;
}
