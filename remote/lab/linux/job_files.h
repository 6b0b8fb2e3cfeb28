/* The files of a host that depend on its job: /proc of the process, modules, the driver's file, and its ports' sysfs. */
#ifndef REMOTE_LAB_LINUX_JOB_FILES_H
#define REMOTE_LAB_LINUX_JOB_FILES_H

#include "remote/lab/world/fabric.h"

/* /proc of the process, and what else of the host's files depends on the job's needs: modules, the driver's file. */
void job_put_files(const struct fabric *f, const struct lab_device *d, const char *dir);
/* PCIe link, virtual functions and soft-RoCE of a port, as sysfs shows them. */
void job_put_port_files(const struct lab_device *d, const struct lab_port *p, const char *dir);

#endif
