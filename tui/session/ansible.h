/* Ansible on this machine: the settings it would read, and ansible-inventory, run only when a person has agreed. */
#ifndef TUI_SESSION_ANSIBLE_H
#define TUI_SESSION_ANSIBLE_H

#include "core/base/err.h"
#include "core/base/mem.h"

/*
 * The one ansible.cfg that Ansible reads: ANSIBLE_CONFIG, ./ansible.cfg (unless everybody may write there), ~/.ansible.cfg,
 * /etc/ansible/ansible.cfg; where there is none of these, the one beside the inventory. Yours to free; NULL: none.
 */
char *ansible_config(const char *inventory);

/*
 * `ansible-inventory --list` of these files or folders: its standard output. At most a minute, without a shell. config: its
 * ansible.cfg, or NULL.
 */
bool ansible_inventory(const char *const *sources, size_t n, const char *config, struct buf *out, struct err *err);

#endif
