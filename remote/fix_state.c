/* The words of a step's states, as they stand in the audit and on screens. */
#include "remote/fixer.h"

static const struct {
	const char *word;
	bool is_final;
} states[FIX_STATES] = {
	[FIX_PLANNED]	    = { "planned" },
	[FIX_READING]	    = { "reading" },
	[FIX_NOTHING_TO_DO] = { "nothing to do", true },
	[FIX_ARMED]	    = { "armed" },
	[FIX_APPLYING]	    = { "applying" },
	[FIX_APPLIED]	    = { "applied" },
	[FIX_VERIFYING]	    = { "verifying" },
	[FIX_VERIFIED]	    = { "verified" },
	[FIX_KEPT]	    = { "kept", true },
	[FIX_SAVED]	    = { "saved", true },
	[FIX_UNDOING]	    = { "undoing" },
	[FIX_UNDONE]	    = { "undone", true },
	[FIX_REFUSED]	    = { "refused", true },
	[FIX_NOT_REACHED]   = { "not reached", true },
	[FIX_UNKNOWN]	    = { "unknown", true },
	[FIX_MIXED]	    = { "mixed", true },
};

const char *fix_state_word(enum fix_state s)
{
	return states[s].word;
}

bool fix_state_is_final(enum fix_state s)
{
	return states[s].is_final;
}
