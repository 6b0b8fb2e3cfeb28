/* What the programs that a test has started and waited for have used of the processor. */
#ifndef TESTS_LIB_CPU_H
#define TESTS_LIB_CPU_H

double ended_cpu_s(void);	/* user and system; a lab that still runs is not among them */

#endif
