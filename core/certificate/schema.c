#include "core/certificate/certificate.h"

const char certificate_schema[] =
#include "schema.inc"
;
