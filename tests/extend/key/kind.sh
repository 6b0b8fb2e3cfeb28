# A key for a command that had none on these screens: the key bar, the help and the manual page come from its row.
bar=1 order=5
programs="tui/test_keys tui/test_screens tui/test_help tui/test_config tui/test_palette"

edit() {
	replace tui/widgets/keys.c '{ DO_BASELINE,	"baseline",	{ 0 },				":baseline",' "{ DO_BASELINE,	\"baseline\",	{ 'B' },			\"B\","
}
