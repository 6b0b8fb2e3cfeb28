# A screen: its row, which makes its tab, key, help and name, and its file.
bar=2 order=2
programs="tui/test_screens tui/test_keys tui/test_help tui/test_palette tui/test_pictures tui/test_subject tui/test_plain
	tui/test_fix_screen tui/test_completion tui/test_cli tui/test_config tui/test_packaging layers"

edit() {
	replace tui/widgets/screen_list.h '	"Fabric: what is connected to what, and where cables differ from the plan")' '	"Fabric: what is connected to what, and where cables differ from the plan") \
ROW(VERSIONS,	versions,	"versions",	"Versions",	"Ver",	'"'V'"', "V",	TAKES_OWN,	"Versions: what each device runs")'
	after tests/tui/test_subject.c '{ SCREEN_BRINGUP, ""' '	{ SCREEN_VERSIONS, "", NULL, "", NULL, NULL, "", NULL },'
}
