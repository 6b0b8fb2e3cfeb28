/* The parts of the SONiC row (system.c); its tools are in tools.h. */
#ifndef REMOTE_LAB_SONIC_SONIC_H
#define REMOTE_LAB_SONIC_SONIC_H

#include "remote/lab/sonic/config_db.h"

extern const struct lab_settings lab_sonic_settings;
extern const struct lab_fault lab_sonic_faults[];

#endif
