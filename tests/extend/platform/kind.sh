# A platform that was only recognized: it is read, written, and a switch of the lab.
bar=2 order=0
programs="remote/test_cumulus remote/test_fixtures remote/test_identify remote/test_lab layers"
wrong_fact="tests/fixtures/cumulus/config/two-ports.facts 9216 9215 remote/test_fixtures"

edit() {
	after remote/platforms.c '#include <string.h>' '
#include "remote/cumulus/cumulus.h"'
	replace remote/platforms.c '&identify_cumulus' '&cumulus_platform'
	replace remote/lab/systems.c 'lab_linux, lab_os10, lab_sonic;' 'lab_cumulus, lab_linux, lab_os10, lab_sonic;'
	replace remote/lab/systems.c '&lab_sonic, NULL' '&lab_sonic, &lab_cumulus, NULL'
}
