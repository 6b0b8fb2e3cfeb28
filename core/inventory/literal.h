/*
 * Which texts of an inventory Ansible's readers turn into something else than the text: a number, a boolean, a date, a list.
 * Matched by hand and not by regcomp(): glibc's crashes when memory runs out while it compiles.
 */
#ifndef CORE_INVENTORY_LITERAL_H
#define CORE_INVENTORY_LITERAL_H

#include <stdbool.h>

/* What YAML 1.1 and PyYAML make of an unquoted scalar is not its text: a boolean, 0x10, 1:30, 1_000, 010, 1.50. */
bool literal_yaml_converts(const char *text);
/* What Python's literal_eval makes something else of than a text; of whole numbers and None too. */
bool literal_python_converts(const char *text);

#endif
