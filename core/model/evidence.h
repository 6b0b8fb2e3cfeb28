/* What a statement stands on. */
#ifndef CORE_MODEL_EVIDENCE_H
#define CORE_MODEL_EVIDENCE_H

#include "core/model/model.h"

#define EVIDENCE_MAX 8

/* One fact that a verdict stands on. device for SCOPE_DEVICE fields, port for the others; note: what it shows, or NULL. */
struct evidence {
	const struct device *device;
	const struct port *port;
	enum field field;
	unsigned index;
	char note[96];
};

#endif
