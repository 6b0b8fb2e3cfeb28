/* For tests: a lab of its own for each story, gone with it. */
#ifndef TESTS_LIB_LAB_H
#define TESTS_LIB_LAB_H

#include <sys/types.h>

#include "tests/lib/run.h"

struct lab {
	pid_t pid;
	char dir[64];
	char inventory[96];
};

/*
 * Starts a tidy fabcon-lab with these arguments beside --dir, and waits until it is READY; false when it does not come up.
 * LAB_NASTY=SEED of the environment: in the skins of that seed, whatever test it is.
 */
bool lab_start(struct lab *lab, const char *const *args);
#define LAB(lab, ...) lab_start((lab), (const char *const[]){ __VA_ARGS__, NULL })
/* In the skins that the seed draws, at a pace: "real", "off", "10". */
bool lab_start_nasty(struct lab *lab, unsigned seed, const char *pace, const char *const *args);
#define LAB_NASTY(lab, seed, pace, ...) lab_start_nasty((lab), (seed), (pace), (const char *const[]){ __VA_ARGS__, NULL })
/* fabcon-lab ctl --dir DIR …; the exit status is in the run. */
struct run lab_ctl(const struct lab *lab, const char *const *args);
#define LAB_CTL(lab, ...) lab_ctl((lab), (const char *const[]){ __VA_ARGS__, NULL })
void lab_stop(struct lab *lab);
/* The machine has so much to do that the lab's devices answer later than any real one would, and its traffic comes in leaps. */
bool lab_is_late(void);

/*
 * A script for the device's /bin/sh, over OpenSSH; what it printed (both outputs), NUL-terminated, until the next call.
 * Empty where nothing answered.
 */
const char *lab_tell(const struct lab *lab, const char *device, const char *script);
const char *lab_tell_for(const struct lab *lab, const char *device, const char *script, unsigned patience_s);
/* Lines typed at a switch's terminal, and everything that it showed; lent as above. */
const char *lab_type(const struct lab *lab, const char *device, const char *lines);

/* fabcon -i INVENTORY --no-input … on it, with time enough to read all of it on a busy machine; args may say another. */
struct run lab_fabcon(const struct lab *lab, const char *const *args);
#define LAB_FABCON(lab, ...) lab_fabcon((lab), (const char *const[]){ __VA_ARGS__, NULL })

#endif
