#include "tui/widgets/keys.h"

#include <curses.h>

#include "tui/widgets/bind.h"

#define ON(s)	(1u << SCREEN_##s)
#define ALL	((1u << (SCREEN_PAGE + 1)) - 1)
#define SCREENS	(ALL & ~ON(PAGE))
#define LISTS	(0u SCREEN_LIST(ON_LIST))
#define TABLES	(0u SCREEN_LIST(ON_TABLE))
#define MOVES	(LISTS | ON(FIX) | ON(BRINGUP) | ON(PAGE))
#define OBJECTS	(LISTS | ON(FIX) | ON(HISTORY))	/* each of their rows is about something */
#define ON_LIST(id, object, name, title, brief, code, show, takes, help)	| (takes >= TAKES_LIST ? ON(id) : 0u)
#define ON_TABLE(id, object, name, title, brief, code, show, takes, help)	| (takes >= TAKES_TABLE ? ON(id) : 0u)
#define GO(id, object, name, title, brief, code, show, takes, help) \
{ DO_GO_##id, name, { code }, show, SCREENS, NULL, help, KEYS_GO, SCREEN_##id },
#define NAME(id, object, name, title, brief, ...) { name, title, brief },
#define CTRL(c)	((c) & 0x1f)
#define ESC	27

/* In the order of the key bar and the help. */
const struct key key_table[] = {
{ DO_OPEN,	"open",		{ '\n', '\r', KEY_ENTER },	"Enter",	LISTS | ON(HISTORY), "open",
  "Open the row at the cursor: a link in Detail, a device's probes; on History, go to its time" },
{ DO_APPLY,	"apply",	{ '\n', '\r', KEY_ENTER },	"Enter",	ON(FIX),	"apply",
  "Fix: apply this plan after confirmation. Needs :arm REASON" },
{ DO_NEXT_FAILURE, "next-failure", { '\n', '\r', KEY_ENTER },	"Enter",	ON(BRINGUP),	"next failure",
  "Bring-up: to the next NIC that fails; where none does, to the next that is not known" },
{ DO_RETEST,	"retest",	{ 'R', KEY_F(5) },		"R F5",		ON(BRINGUP),	"again",
  "Bring-up: read this NIC and its switch again; where it passes, and with :test, its link is tested again" },
{ DO_LABEL,	"label",	{ '/', KEY_F(3) },		"/ F3",		ON(BRINGUP),	"label",
  "Bring-up: type or scan a label (host, host:NIC, switch:port or a part of one); the cursor goes there" },
{ DO_SKIP,	"skip",		{ 'S' },			"S",		ON(BRINGUP),	"skip",
  "Bring-up: set this NIC aside, with a reason that the sheet shows; press again to withdraw it" },
{ DO_BLINK,	"blink",	{ 'B' },			"B",		ON(BRINGUP),	"blink",
  "Bring-up: the light of this NIC's port blinks for 15 s (ethtool -p). Needs :test REASON" },
{ DO_TEST_RACK,	"test-rack",	{ 'X' },			"X",		ON(BRINGUP),	"test",
  "Bring-up: send test traffic over each link; press again to end it. Needs :test REASON" },
{ DO_TEST,	"test",		{ 0 },				":test",	ON(BRINGUP),	NULL,
  "Permit test traffic for 15 minutes, with a reason: :test INC-42; :test across INC-42 sends across leaves too, :test lossy INC-42 a "
  "stream of UDP. It changes no setting" },
{ DO_MATRIX,	"matrix",	{ 'M' },			"M",		ON(BRINGUP),	"matrix",
  "Bring-up: the rates of all pairs, host by host, and what each link between switches carried" },
{ DO_KEEP,	"keep",		{ 'K' },			"K",		ON(FIX),	"keep",
  "Fix: keep what was applied and verified: cancels the rollback timer" },
{ DO_EXPLAIN,	"explain",	{ 'x' },			"x",		OBJECTS | ON(BRINGUP),	"explain",
  "Why: rule, both facts, probe, command, the raw line, its age, what would change the verdict; on Fix, the whole plan; "
  "on History, the whole event; on Bring-up, every stage of the NIC" },
{ DO_RAW,	"raw",		{ 'o' },			"o",		OBJECTS,	"raw",
  "The raw reply with its line marked; on Fix, commands sent and output" },
{ DO_FILTER,	"filter",	{ '/', KEY_F(3), KEY_F(4) },	"/ F3 F4",	TABLES | ON(HISTORY) | ON(PAGE), "filter",
  "Filter the list: words \"of several\" !not field:value field>9.7k age>=5m "
  "is:bad ~regex; Tab completes; empty shows all. On a page: find" },
{ DO_COPY,	"copy",		{ 'y' },			"y",		ALL,		"copy",
  "Copy the row, the marked rows, the finding with its evidence or the page to the clipboard (OSC 52)" },
{ DO_COPY_JSON,	"copy-json",	{ 'Y' },			"Y",		ALL,		NULL,
  "The same as JSON" },
{ DO_EXPORT,	"export",	{ 'e' },			"e",		ALL,		NULL,
  "Write all rows shown, or the page, to a file: .txt .json .csv .md" },
{ DO_REPORT,	"report",	{ 'r' },			"r",		ALL,		NULL,
  "A report in Markdown: findings, evidence, what is not known; to a file or the clipboard. On Bring-up, the sheet of the rack" },
{ DO_SNAPSHOT,	"snapshot",	{ 'w' },			"w",		ALL,		NULL,
  "Copy the recording, as far as it is written, to a file that opens by itself; on Fix, write the plan" },
{ DO_NEXT_MATCH, "next-match",	{ 'n' },			"n",		ON(PAGE),	NULL,
  "On a page: next match" },
{ DO_PREVIOUS_MATCH, "previous-match", { 'N' },			"N",		ON(PAGE),	NULL,
  "On a page: previous match" },
{ DO_SORT,	"sort",		{ 's', KEY_F(6) },		"s F6",		TABLES,		"sort",
  "Sort by the next column" },
{ DO_INVERT,	"invert",	{ 'I' },			"I",		TABLES,		NULL,
  "Reverse the sort order" },
{ DO_COLUMNS,	"columns",	{ 'c' },			"c",		TABLES | ON(HISTORY), "columns",
  "Choose the columns of the list: which, in what order, sorted by what" },
{ DO_FREEZE,	"freeze",	{ '|' },			"|",		TABLES | ON(HISTORY), NULL,
  "Freeze the columns left of the scroll position; press again to reset" },
{ DO_FOLLOW,	"follow",	{ 'F' },			"F",		TABLES | ON(HISTORY), NULL,
  "The cursor follows its row, or stays at its place" },
{ DO_PANE,	"pane",		{ 'i' },			"i",		ON(PORTS) | ON(FINDINGS) | ON(DEVICES) | ON(DETAIL), "pane",
  "Show or hide the pane below the list; on Detail, the unchanged counters" },
{ DO_ACK,	"acknowledge",	{ 'a' },			"a",		ON(OVERVIEW) | ON(FINDINGS) | ON(DIAGNOSE), "ack",
  "Acknowledge the finding: until when (2h, tomorrow, 14:30; else 8 hours) and why; a worse finding is never hidden. On Diagnose, "
  "answer the question" },
{ DO_UNDO,	"undo",		{ 'U' },			"U",		ON(OVERVIEW) | ON(FINDINGS) | ON(DIAGNOSE) | ON(FIX), NULL,
  "Withdraw the last acknowledgement; on Diagnose, the last answer; on Fix, roll the plan back" },
{ DO_DROP,	"drop-step",	{ 'D' },			"D",		ON(FIX),	"drop",
  "Fix: drop this step and the steps that depend on it; with the last one, the plan" },
{ DO_MANIFEST,	"manifest",	{ 'M' },			"M",		ON(FIX),	"manifest",
  "Fix: the manifest that makes this step persistent; apply it by hand" },
{ DO_DIAGNOSE,	"diagnose-this", { 'd', KEY_F(7) },		"d F7",		OBJECTS,	"diagnose",
  "Diagnose the row at the cursor: the decision tree and the causes" },
{ DO_ABOUT_ALL,	"about-all",	{ 'A' },			"A",		ON(DIAGNOSE),	"all",
  "Diagnose the whole fabric; press again to switch to the other decision tree" },
{ DO_FIX,	"fix-this",	{ 'f', KEY_F(8) },		"f F8",		OBJECTS,	"fix",
  "Plan a fix for this finding, link or device and show it on Fix; read-only" },
{ DO_ARM,	"arm",		{ 0 },				":arm",		SCREENS,	NULL,
  "Permit changes for 15 minutes, with a reason: :arm INC-42. Until then everything is read-only" },
{ DO_DISARM,	"disarm",	{ 0 },				":disarm",	SCREENS,	NULL,
  "Read-only again" },
{ DO_PLAY,	"play",		{ ' ' },			"Space",	ON(HISTORY),	"play",
  "Replay: play or stop" },
{ DO_MARK,	"mark",		{ ' ' },			"Space",	TABLES,		NULL,
  "Mark or unmark the row" },
{ DO_MARK_ALL,	"mark-all",	{ '*' },			"*",		TABLES,		NULL,
  "Mark all rows shown, or none" },
{ DO_COMPARE,	"compare",	{ '=' },			"=",		OBJECTS,	NULL,
  "Compare the marked rows, fact by fact; one link alone: with the policy" },
{ DO_HELP,	"help",		{ '?', KEY_F(1) },		"? F1",		ALL,		"help",
  "This help" },
{ DO_PROMPT,	"command",	{ ':' },			":",		ALL,		NULL,
  "Type a command by its name; Tab completes" },
{ DO_UP,	"up",		{ 'k', KEY_UP },		"k Up",		MOVES | ON(HISTORY),	NULL,	"Up", KEYS_MOVE },
{ DO_DOWN,	"down",		{ 'j', KEY_DOWN },		"j Down",	MOVES | ON(HISTORY),	NULL,	"Down", KEYS_MOVE },
{ DO_LEFT,	"left",		{ 'h', KEY_LEFT, '<' },	"h Left <",	TABLES | ON(OVERVIEW) | ON(BRINGUP) | ON(HISTORY) | ON(PAGE), NULL,
  "Columns to the left; on the Overview's map, signs; on Bring-up, NICs; on History, in time; on Fabric, fold", KEYS_MOVE },
{ DO_RIGHT,	"right",	{ 'l', KEY_RIGHT, '>' },	"l Right >",	TABLES | ON(OVERVIEW) | ON(BRINGUP) | ON(HISTORY) | ON(PAGE), NULL,
  "Columns to the right; on the Overview's map, signs; on Bring-up, NICs; on History, in time; on Fabric, unfold", KEYS_MOVE },
{ DO_PAGE_UP,	"page-up",	{ KEY_PPAGE, CTRL('u') },	"PgUp ^U",	MOVES | ON(HISTORY),	NULL,	"A page up", KEYS_MOVE },
{ DO_PAGE_DOWN,	"page-down",	{ KEY_NPAGE, CTRL('d') },	"PgDn ^D",	MOVES | ON(HISTORY),	NULL,	"A page down", KEYS_MOVE },
{ DO_TOP,	"top",		{ 'g', KEY_HOME },		"g Home",	MOVES | ON(HISTORY), NULL,	"To the top; of "
														"History, its "
														"beginning", KEYS_MOVE },
{ DO_BOTTOM,	"bottom",	{ 'G', KEY_END },		"G End",	MOVES | ON(HISTORY), NULL,	"To the bottom; of "
														"History, its end", KEYS_MOVE },
{ DO_NEXT_PANE,	"next-screen",	{ '\t' },			"Tab",		SCREENS,	NULL,
  "The next pane; after the last, the next screen" },
{ DO_PREVIOUS_PANE, "previous-screen", { KEY_BTAB },		"S-Tab",	SCREENS,	NULL,
  "The previous pane; before the first, the previous screen" },
SCREEN_LIST(GO)
{ DO_PAUSE,	"pause",	{ 'p' },			"p",		SCREENS,	"freeze",
  "Freeze the display; collection continues; p or L resumes. In replay: stop playing", KEYS_TIME },
{ DO_LIVE,	"live",		{ 'L' },			"L",		SCREENS,	NULL,
  "Resume live, or go to the end of the recording", KEYS_TIME },
{ DO_NEXT_SAMPLE, "next",	{ 't' },			"t",		SCREENS,	NULL,
  "Replay, History: one second forward, or to the next sample", KEYS_TIME },
{ DO_PREVIOUS_SAMPLE, "previous", { 'T' },			"T",		SCREENS,	NULL,
  "Replay, History: one second back", KEYS_TIME },
{ DO_NEXT_EVENT, "next-event",	{ '}' },			"}",		SCREENS,	NULL,
  "Replay, History: to the next event", KEYS_TIME },
{ DO_PREVIOUS_EVENT, "previous-event", { '{' },		"{",		SCREENS,	NULL,
  "Replay, History: to the previous event", KEYS_TIME },
{ DO_TIME,	"time",		{ 'b' },			"b",		SCREENS,	"go to time",
  "Replay, History: go to a time: 14:26, 14:26:02, -10m, +30s, 2026-09-12 14:26", KEYS_TIME },
{ DO_NOTE,	"note",		{ 'm' },			"m",		SCREENS,	NULL,
  "Write a note at this time into the recording; in replay, next to it" },
{ DO_NEXT_NOTE,	"next-note",	{ '\'' },			"'",		SCREENS,	NULL,
  "Replay, History: to the next note", KEYS_TIME },
{ DO_SPEED,	"speed",	{ 0 },				":speed",	SCREENS,	NULL,
  "Replay: playback speed: 1, 2, 10" },
{ DO_ZOOM_IN,	"zoom-in",	{ '+' },			"+",		ON(HISTORY) | ON(DETAIL), "zoom",
  "Show a shorter time span" },
{ DO_ZOOM_OUT,	"zoom-out",	{ '-' },			"-",		ON(HISTORY) | ON(DETAIL), NULL,
  "Show a longer time span" },
{ DO_MARK_A,	"mark-a",	{ '[' },			"[",		ON(HISTORY),	"A",
  "Mark this time as A; with B, the changes between are listed below" },
{ DO_MARK_B,	"mark-b",	{ ']' },			"]",		ON(HISTORY),	"B",
  "Mark this time as B" },
{ DO_BASELINE,	"baseline",	{ 0 },				":baseline",	SCREENS,	NULL,
  "Save current rates and settings as a baseline to compare against on Detail; :baseline off removes it" },
{ DO_ZERO,	"zero",		{ '0' },			"0",		ON(PORTS) | ON(DETAIL), NULL,
  "Count from here, in the console only; the device's counters are untouched" },
{ DO_UNZERO,	"unzero",	{ 0 },				":unzero",	ON(PORTS) | ON(DETAIL), NULL,
  "Show counters as the device reports them again" },
{ DO_REFRESH,	"refresh",	{ 'R', KEY_F(5) },		"R F5",		SCREENS & ~ON(BRINGUP),	NULL,
  "Poll the device again now (read-only); also retries a refused or backed-off device. On Fix, a dry run; for a started plan, its state" },
{ DO_FILL,	"ping-neighbors", { 'P' },			"P",		SCREENS,	NULL,
  "Fill the hosts' neighbor tables by one IPv6 ping on each port (ff02::1), and read them: hosts on the same segment" },
{ DO_KEEP_HOSTS, "keep-hosts",	{ 0 },				":keep-hosts",	SCREENS,	NULL,
  "Save the hosts of this session as the default inventory; never overwrites one" },
{ DO_SETTINGS,	"settings",	{ KEY_F(2) },			"F2",		ALL,		NULL,
  "Theme, signs, times and mouse: shown at once, Enter keeps, Esc cancels, w writes config.yaml" },
{ DO_THEME,	"theme",	{ 0 },				":theme",	SCREENS,	NULL,
  "The next theme; :theme NAME selects one" },
{ DO_MOUSE,	"mouse",	{ 0 },				":mouse",	ALL,		NULL,
  "The console takes the mouse: wheel, click, double click; again: the terminal, to select text" },
{ DO_CANCEL,	"cancel",	{ ESC },			"Esc",		ALL,		NULL,
  "Cancel, clear the filter, or one level up; never quits" },
{ DO_BACK,	"back",		{ 'q', KEY_F(10) },		"q F10",	ALL,		"back",
  "Close, or one level up; on the Overview, quit" },
{ DO_INTERRUPT,	"interrupt",	{ CTRL('c') },			"^C",		ALL,		NULL,
  "Cancel; twice quits" },
{ DO_SUSPEND,	"suspend",	{ CTRL('z') },			"^Z",		ALL,		NULL,
  "Suspend the console; fg resumes" },
{ DO_REDRAW,	"redraw",	{ CTRL('l') },			"^L",		ALL,		NULL,	"Draw everything again" },
{ DO_QUIT,	"quit",		{ 0 },				":quit",	ALL,		NULL,	"Quit" },
};
const size_t key_count = sizeof(key_table) / sizeof(*key_table);

const struct screen_name screen_names[SCREEN_COUNT] = { SCREEN_LIST(NAME) };

enum command key_command(int code, enum screen_id screen)
{
	for (size_t i = 0; i < key_count; i++)
		if (key_table[i].screens >> screen & 1 && key_has(&key_table[i], code))
			return key_table[i].command;
	return DO_NOTHING;
}

const struct key *key_of(enum command command, enum screen_id screen)
{
	for (size_t i = 0; i < key_count; i++)
		if (key_table[i].command == command && key_table[i].screens >> screen & 1)
			return &key_table[i];
	return NULL;
}

bool screen_named(struct span word, enum screen_id *id)
{
	for (unsigned i = 0; i < SCREEN_COUNT; i++) {
		const struct screen_name *n = &screen_names[i];

		*id = (enum screen_id)i;
		if (span_is_nocase(word, n->name) || span_is_nocase(word, n->title) || span_is_nocase(word, n->brief))
			return true;
	}
	return false;
}

const struct key *key_named(struct span name)
{
	enum screen_id screen;

	for (size_t i = 0; i < key_count; i++)
		if (span_is(name, key_table[i].name))
			return &key_table[i];
	return screen_named(name, &screen) ? key_to(screen) : NULL;
}

bool command_is(enum command command, enum key_group group)
{
	for (size_t i = 0; i < key_count; i++)
		if (key_table[i].command == command)
			return key_table[i].group == group;
	return false;
}

bool command_goes(enum command command, enum screen_id *to)
{
	for (size_t i = 0; i < key_count; i++) {
		if (key_table[i].command != command || key_table[i].group != KEYS_GO)
			continue;
		*to = key_table[i].to;
		return true;
	}
	return false;
}

const struct key *key_to(enum screen_id to)
{
	for (size_t i = 0; i < key_count; i++)
		if (key_table[i].group == KEYS_GO && key_table[i].to == to)
			return &key_table[i];
	return NULL;
}
