#include "remote/lab/sonic/dress.h"

#include <stdio.h>
#include <stdlib.h>

#include "remote/lab/sonic/config_db.h"
#include "remote/lab/sonic/keys.h"
#include "remote/lab/world/skins.h"

/* The bases are those of the projects' release notes. */
const struct sonic_release *sonic_release_of(const struct lab_device *d)
{
	static const struct sonic_release releases[] = {
		{ 202605, "202605.1", "8e52c07", "Mon Jul 13 09:17:32 UTC 2026", "13", "13.1", "trixie", "6.12.41+deb13-sonic-amd64" },
		{ 202305, "202305.1", "3d1a8c2", "Thu Jul 20 08:41:07 UTC 2023", "11", "11.7", "bullseye", "5.10.0-18-2-amd64" },
		{ 202012, "202012.103", "4f9d1b2", "Tue Mar  8 11:02:40 UTC 2022", "10", "10.11", "buster", "4.19.0-12-2-amd64" },
	};

	if (wears(d, SKIN_KEYS_GROUPED) || wears(d, SKIN_REFS_BRACKETED))
		return &releases[2];
	return &releases[wears(d, SKIN_NO_WREDCOUNTERS)];
}

bool sonic_is_old(const struct lab_device *d)
{
	return sonic_release_of(d)->branch < 202111;
}

bool sonic_is_latest(const struct lab_device *d)
{
	return sonic_release_of(d)->branch > 202505;
}

const char *confdb_refer(const struct lab_device *d, const char *table, const char *name, char out[96])
{
	if (!name)
		return NULL;
	snprintf(out, 96, wears(d, SKIN_REFS_BRACKETED) ? "[%s|%s]" : "%.0s%s", table, name);
	return out;
}

const char *confdb_usual(const struct lab_device *d, const char *table, char out[96])
{
	bool is_azure = wears(d, SKIN_NAMES_AZURE);

	if (!strcmp(table, "WRED_PROFILE"))
		return confdb_refer(d, table, is_azure ? "AZURE_LOSSLESS" : "ROCE_LOSSLESS", out);
	return confdb_refer(d, table, is_azure ? "AZURE" : "ROCE", out);
}

const char *confdb_queue_key(const struct lab_device *d, const struct lab_port *p, unsigned queue, char out[160])
{
	if (wears(d, SKIN_KEYS_VOQ))
		snprintf(out, 160, "%s|asic0|%s|%u", d->name, p->name, queue);
	else
		snprintf(out, 160, "%s|%u", p->name, queue);
	return out;
}

/* -- how it is dressed -- */

static void rename_row(json_t *rows, const char *from, const char *to)
{
	json_t *row = json_object_get(rows, from);

	if (!row)
		return;
	json_object_set(rows, to, row);
	json_object_del(rows, from);
}

/* Each member that refers to a table now says what say() makes of it. */
static void each_reference(const struct lab_device *d, json_t *db,
			   const char *(*say)(const struct lab_device *d, const struct confdb_reference *r, const char *name, char out[96]))
{
	for (size_t i = 0; i < N_CONFDB_REFERENCES; i++) {
		const char *key;
		json_t *row;

		json_object_foreach(json_object_get(db, confdb_references[i].table), key, row) {
			const char *name = json_string_value(json_object_get(row, confdb_references[i].field));
			char text[96];

			if (name)
				json_object_set_new(row, confdb_references[i].field, json_string(say(d, &confdb_references[i], name, text)));
		}
	}
}

static const char *in_azure(const struct lab_device *d, const struct confdb_reference *r, const char *name, char out[96])
{
	(void)d;
	(void)r;
	snprintf(out, 96, "%s%s", strncmp(name, "ROCE", 4) ? "" : "AZURE", strncmp(name, "ROCE", 4) ? name : name + 4);
	return out;
}

static const char *in_brackets(const struct lab_device *d, const struct confdb_reference *r, const char *name, char out[96])
{
	return confdb_refer(d, r->to, name, out);
}

static void name_azure(const struct lab_device *d, json_t *db)
{
	for (size_t i = 0; i < N_CONFDB_REFERENCES; i++) {
		rename_row(json_object_get(db, confdb_references[i].to), "ROCE", "AZURE");
		rename_row(json_object_get(db, confdb_references[i].to), "ROCE_LOSSLESS", "AZURE_LOSSLESS");
	}
	each_reference(d, db, in_azure);
}

/* A map of the VLAN tag's priorities beside that of DSCPs; packets with an IP header go by the latter. */
static void add_dot1p(const struct fabric *f, const struct lab_device *d, json_t *db)
{
	json_t *map = json_object(), *table = json_object();

	for (unsigned i = 0; i < 8; i++) {
		char key[4], to[4];

		snprintf(key, sizeof(key), "%u", i);
		snprintf(to, sizeof(to), "%u", i == 3 || i == 6 ? i : 0);
		json_object_set_new(map, key, json_string(to));
	}
	json_object_set_new(table, "ROCE", map);
	json_object_set_new(db, "DOT1P_TO_TC_MAP", table);
	for (unsigned i = 0; i < d->n; i++)
		json_object_set_new(json_object_get(json_object_get(db, "PORT_QOS_MAP"), f->ports[d->first + i].name), "dot1p_to_tc_map",
				    json_string("ROCE"));
}

static void take_schedulers(json_t *db)
{
	json_t *rows = json_object_get(db, "QUEUE"), *row;
	const char *key;
	void *next;

	json_object_del(db, "SCHEDULER");
	json_object_foreach_safe(rows, next, key, row) {
		json_object_del(row, "scheduler");
		if (!json_object_size(row))
			json_object_del(rows, key);
	}
}

/* A PortChannel of one port each to the switches above. */
static void add_portchannels(const struct fabric *f, const struct lab_device *d, json_t *db)
{
	for (unsigned i = 0; i < d->n; i++) {
		const struct lab_port *p = &f->ports[d->first + i], *far = port_peer(f, p);
		char name[24], member[64];

		if (!far || port_is_host(f, far))
			continue;
		snprintf(name, sizeof(name), PORTCHANNEL_NAME, p->number);
		snprintf(member, sizeof(member), "%s|%s", name, p->name);
		confdb_set(db, "PORTCHANNEL", name, "admin_status", "up");
		confdb_set(db, "PORTCHANNEL", name, "min_links", "1");
		confdb_set(db, "PORTCHANNEL", name, "mtu", "9194");
		confdb_set(db, "PORTCHANNEL_MEMBER", member, "NULL", NULL);
	}
}

static void key_voq(const struct fabric *f, const struct lab_device *d, json_t *db)
{
	json_t *rows = json_object_get(db, "QUEUE");

	for (unsigned i = 0; i < d->n; i++)
		for (unsigned k = 0; k < SIM_PRIOS; k++) {
			const struct lab_port *p = &f->ports[d->first + i];
			char from[64], to[160];

			snprintf(from, sizeof(from), "%s|%u", p->name, k);
			rename_row(rows, from, confdb_queue_key(d, p, k, to));
		}
}

void confdb_dress(const struct fabric *f, const struct lab_device *d, json_t *db)
{
	if (wears(d, SKIN_DOT1P_MAPS))
		add_dot1p(f, d, db);
	if (wears(d, SKIN_PORTCHANNELS))
		add_portchannels(f, d, db);
	if (wears(d, SKIN_NO_SCHEDULERS))
		take_schedulers(db);
	if (wears(d, SKIN_NAMES_AZURE))
		name_azure(d, db);
	if (wears(d, SKIN_REFS_BRACKETED))
		each_reference(d, db, in_brackets);
	if (wears(d, SKIN_KEYS_VOQ))
		key_voq(f, d, db);
	if (!wears(d, SKIN_KEYS_GROUPED))
		return;
	confdb_group(db, "PORT_QOS_MAP");
	confdb_group(db, "BUFFER_PG");
	if (!wears(d, SKIN_KEYS_VOQ))
		confdb_group(db, "QUEUE");
}
