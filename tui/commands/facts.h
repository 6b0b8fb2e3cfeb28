/* Facts as rows: each with its source and age. */
#ifndef TUI_COMMANDS_FACTS_H
#define TUI_COMMANDS_FACTS_H

#include "core/model/model.h"
#include "tui/text/sheet.h"

#define FACTS_SCHEMA	"fabcon.facts/1"
#define FACTS_COLUMNS	"device port field value unit rate_per_s age_ms stale probe unknown_because"

void facts_of_port(struct sheet *sheet, const struct model *m, const struct port *p);
/* Its own, and those of each port. */
void facts_of_device(struct sheet *sheet, const struct model *m, const struct device *d);

#endif
