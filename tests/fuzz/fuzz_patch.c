/* Any JSON patch, to the lab's updater of a CONFIG_DB: it is applied whole or not at all, and the database stays as it was. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "remote/lab/sonic/patch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char db_text[] =
	"{\"PORT\": {\"Ethernet0\": {\"mtu\": \"9100\", \"lanes\": \"1,2\"}, \"Ethernet4\": {\"mtu\": \"9100\"}},"
	" \"PORT_QOS_MAP\": {\"Ethernet0\": {\"pfc_enable\": \"3\", \"dscp_to_tc_map\": \"AZURE\"}},"
	" \"DSCP_TO_TC_MAP\": {\"AZURE\": {\"26\": \"3\"}}, \"WRED_PROFILE\": {\"A~B/C\": {\"ecn\": \"ecn_all\"}}}";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	json_t *db = json_loads(db_text, 0, NULL), *before = json_deep_copy(db), *after;
	char *patch = malloc(size + 1);
	struct err err;

	memcpy(patch, data, size);
	patch[size] = '\0';
	after = sonic_patched(db, patch, &err);
	assert(json_equal(db, before));
	if (after)
		sonic_is_valid(after, &err);
	json_decref(after);
	json_decref(before);
	json_decref(db);
	free(patch);
	return 0;
}
