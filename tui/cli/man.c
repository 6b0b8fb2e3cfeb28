/* Manual pages, made from the tables: what is not in a table is the text below. */
#include <stdlib.h>

#include "remote/fixer/device_undo.h"
#include "tui/args/exits.h"
#include "tui/cli/command_line.h"
#include "tui/commands/commands.h"
#include "tui/cli/guides.h"
#include "tui/cli/help.h"
#include "tui/session/config.h"
#include "tui/widgets/bind.h"
#include "tui/widgets/theme.h"

/* Text for roff: a leading dot or quote and every backslash and dash are made plain. */
static void roff(const char *text, FILE *out)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", out);
	for (const char *c = text; *c; c++) {
		if (*c == '\\')
			fputs("\\e", out);
		else if (*c == '-')
			fputs("\\-", out);
		else
			fputc(*c, out);
	}
}

static void item(const char *term, const char *text, FILE *out)
{
	fputs(".TP\n.B ", out);
	roff(term, out);
	fputc('\n', out);
	roff(text, out);
	fputc('\n', out);
}

static void man_commands(FILE *out)
{
	fputs(".SH COMMANDS\n", out);
	for (size_t i = 0; i < cli_count; i++) {
		const struct cli_command *c = &cli_table[i];
		char *term = xasprintf("%s %s", c->name, c->args);

		item(term, c->summary, out);
		if (c->details) {
			fputs(".br\n", out);
			roff(c->details, out);
			fputc('\n', out);
		}
		free(term);
	}
	fputs(".SH OPTIONS\n", out);
	for (size_t i = 0; i < option_count; i++) {
		const struct option_row *o = &option_table[i];
		char *term = o->letter ? xasprintf("-%c, --%s %s", o->letter, o->name, o->arg ? o->arg : "")
				       : xasprintf("--%s %s", o->name, o->arg ? o->arg : "");

		item(term, o->help, out);
		free(term);
	}
}

static void man_guides(FILE *out)
{
	fputs(".SH GUIDES\n", out);
	for (size_t g = 0; g < guide_count; g++) {
		const struct guide *guide = &guide_table[g];

		fputs(".SS ", out);
		roff(guide->title, out);
		fputc('\n', out);
		roff(guide->for_whom, out);
		fputc('\n', out);
		for (size_t i = 0; i < GUIDE_STEPS && guide->steps[i].what; i++)
			item(guide_types(&guide->steps[i]), guide->steps[i].what, out);
	}
}

/* "On Ports, Detail.", or nothing of a key that every screen has. */
static void add_screens(const struct key *k, struct buf *out)
{
	unsigned all = (1u << SCREEN_COUNT) - 1;
	const char *before = ". On ";

	if ((k->screens & all) == all)
		return;
	for (unsigned i = 0; i < SCREEN_COUNT; i++) {
		if (!(k->screens >> i & 1))
			continue;
		buf_printf(out, "%s%s", before, screen_names[i].title);
		before = ", ";
	}
	if (k->screens >> SCREEN_PAGE & 1)
		buf_printf(out, "%sa page over a screen", before);
	buf_str(out, ".");
}

static void man_keys(FILE *out)
{
	fputs(".SH KEYS\nWithout a screen's name, a key means the same on all of them.\n", out);
	for (size_t i = 0; i < key_count; i++) {
		struct buf text = { 0 };

		buf_str(&text, key_table[i].help);
		add_screens(&key_table[i], &text);
		item(key_show(&key_table[i]), text.text, out);
		buf_done(&text);
	}
}

/* What is sent when, and what of it stays when we are gone. */
static void man_fixing(FILE *out)
{
	struct buf sudoers = { 0 };
	struct span rest, line;

	device_undo_sudoers("LOGIN", &sudoers);
	fputs(".SH FIXING\n", out);
	item("plan", "writes what differs from the policy to a file: commands, how each is undone, what they disturb and what "
		     "verification expects. Nothing is sent.", out);
	item("apply", "reads each device; where it differs from the plan's base, nothing is sent. Under a lock in /run/fabcon, "
		      "fabcon stores the undo on the device, starts a rollback timer there (600 s, or --confirm-within) and checks "
		      "that it is listed; then sends the commands one by one, up to the first error; then reads everything again "
		      "over a new connection. If it holds, the timer is canceled and the setting saved; otherwise it is rolled "
		      "back. The first batch is a single unit.", out);
	item("what a plan must prove", "its lines are never trusted: each step is made again from its edits and the device as just read. "
	     "A plan with another line, undo, file, save or order is refused before anything is armed, with the first line that differs: "
	     "make the plan again.", out);
	item("who approves a plan", "a plan made by this user on this machine: its device's name or \"N devices\", typed at the terminal. "
	     "Any other: its whole hash (--approve, or pasted), or a signature (--signature) of the file that fabcon plan -O wrote: "
	     "ssh-keygen -Y sign -f KEY -n fabcon.plan FILE. approvers: FILE in config.yaml names the allowed signers, one name a line, "
	     "as ssh-keygen(1) describes them; approval: signature makes a hash alone insufficient. What one file sets of these "
	     "two, no later file, variable or option replaces. The audit records principal, key and that list. keep and undo "
	     "need the same for a plan that the audit does not know.", out);
	item("when fabcon, its machine or the network dies", "the timers keep running, and each device rolls back what was not "
							     "kept. The next start names the plan; fabcon verify PLAN reads its "
							     "state, undo or keep ends it. No end of a link is kept before "
							     "both are verified. Where one was kept and the other was not, "
							     "its state is half (exit 8), and fabcon verify --finish PLAN ends "
							     "it.", out);
	item("what is on record", "each command before it is sent and its answer afterwards, in the audit: ~/.local/share/fabcon/audit.db; "
	     "fabcon audit show, fabcon audit verify.", out);
	item("a login that is not root", "needs on a host, in /etc/sudoers.d:", out);
	rest = buf_span(&sudoers);
	for (fputs(".nf\n", out); span_line(&rest, &line); fputc('\n', out)) {
		char *text = xstrndup(line.p, line.n);

		roff(text, out);
		free(text);
	}
	fputs(".fi\n", out);
	buf_done(&sudoers);
	fputs(".PP\nThere is no atomicity across devices: each ends as before or as planned, and fabcon reports which. A device "
	      "whose\nread-back is wrong is caught by counters only. Root on this machine can rewrite the audit, unless the audit "
	      "hash was\nstored elsewhere.\n", out);
}

static void man_fabcon(FILE *out)
{
	fputs(".TH FABCON 1 \"\" \"fabcon " FABCON_VERSION "\" \"User Commands\"\n"
	      ".SH NAME\nfabcon \\- the lossless fabric console\n"
	      ".SH SYNOPSIS\n.B fabcon\n[\\fIOPTIONS\\fR] [\\fIHOST\\fR...] [\\fICOMMAND\\fR [\\fIARGUMENTS\\fR]]\n"
	      ".SH DESCRIPTION\n"
	      "Reaches GPU nodes and switches over SSH with nothing installed on them, joins both ends of every cable, and shows\n"
	      "whether application, NIC and switch agree on DSCP trust, PFC and ECN; live pause and CNP rates; and what is wrong,\n"
	      "with evidence. Records all of it in one sqlite file and replays it in the same screens.\n"
	      "It changes nothing on any device unless permitted with \\-\\-rw (on the screens: :arm REASON), and then rolls "
	      "back\nwhatever is not verified and kept.\n", out);
	man_commands(out);
	man_keys(out);
	man_guides(out);
	man_fixing(out);
	fputs(".SH EXIT STATUS\n", out);
	for (size_t i = 0; i < exit_count; i++)
		item(exit_table[i].codes, exit_table[i].words, out);
	fputs(".SH ENVIRONMENT\n", out);
	for (size_t i = 0; i < option_count; i++) {
		char name[64], *text = xasprintf("as --%s%s", option_table[i].name, option_table[i].arg ? "" : ": yes or no");

		config_variable(option_table[i].name, name);
		if (!option_table[i].each_time)
			item(name, text, out);
		free(text);
	}
	item("FABCON_SITE", "the folder of the site's config.yaml, where /etc/fabcon has none", out);
	item("NO_COLOR, SSH_AUTH_SOCK, XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME", "as everywhere", out);
	fputs(".SH FILES\n", out);
	item("~/.config/fabcon/config.yaml", "options by their long names, a line each (theme: light), and keys:, commands with the keys "
	     "they are to have (explain: [e, F7]); fabcon config check reports its errors", out);
	item("~/.config/fabcon/themes/NAME.theme", "your own themes, fabcon-theme(5)", out);
	item("/etc/fabcon/config.yaml", "the site's, read before it", out);
	item("~/.local/state/fabcon/FABRIC.live, FABRIC.replay", "the console's state per fabric: screen, lists, software zeros; "
								 "--fresh ignores it", out);
	item("~/.local/share/fabcon/audit.db", "the audit: every plan and command sent from here, kept forever", out);
	item("~/.config/fabcon/inventory.yml", "the usual inventory", out);
	item("~/.ssh/config, /etc/ssh/ssh_config", "are followed as in OpenSSH 9.2, with Include, Match and jump hosts; Match exec "
						   "programs run only with --allow match-exec or after a prompt. fabcon doctor and "
						   "fabcon inventory list -o json list what is not followed, with file and line", out);
	item("~/.ssh/known_hosts", "holds the trusted host keys, unless ssh_config or fabcon_known_hosts names other files", out);
	fputs(".SH SEE ALSO\nfabcon\\-policy(5), fabcon\\-theme(5), fabcon\\-lab(1)\n", out);
}

static const char *const kinds[] = {
	[KIND_BOOL] = "yes or no", [KIND_INT] = "number", [KIND_ENUM] = "one of:", [KIND_TEXT] = "text in double quotes",
	[KIND_COUNTER] = "counter", [KIND_GAUGE] = "gauge",
};

static void man_policy(FILE *out)
{
	fputs(".TH FABCON\\-POLICY 5 \"\" \"fabcon " FABCON_VERSION "\" \"File Formats\"\n"
	      ".SH NAME\nfabcon\\-policy \\- required facts and limits\n"
	      ".SH DESCRIPTION\n"
	      "A policy is a text file, a line each:\n.nf\n"
	      "# comment\n"
	      "name roce\\-lossless\n"
	      "* * dscp.prio[24,26] = 3\n"
	      "switch * ecn.kmin[3] = 150 KB\n"
	      "limit pause.share.warn = 1 %\n"
	      "read\\-only change freeze until Monday\n.fi\n"
	      ".PP\nA fact line is DEVICE PORT FIELD[INDICES] = VALUE. DEVICE is *, host, switch, @group, or a name with * and ?.\n"
	      "PORT is * or a name with * and ?; of a firmware also part:NAME, the NIC's part (ethtool \\-i, in brackets), or driver:NAME:\n"
	      "host part:MT_0000000838 firmware = \"28.39.1002\".\n"
	      "Facts of a device have no PORT. INDICES are numbers, ranges and lists: 0\\-2,5.\n"
	      "A later line wins over an earlier one.\n"
	      ".PP\nread\\-only REASON: with this policy no device can be changed; attempts are refused with the reason.\n"
	      ".SH FIELDS\n", out);
	for (unsigned f = 0; f < FIELD_COUNT; f++) {
		const struct field_info *info = &field_table[f];
		char *text;

		if (!field_is_setting((enum field)f))
			continue;
		text = xasprintf("%s. %s%s%s%s%s.", info->help, kinds[info->kind], info->words ? " " : "",
				 info->words ? info->words : "", info->unit ? " in " : "", unit_name(info->unit));
		item(info->name, text, out);
		free(text);
	}
	fputs(".SH LIMITS\n", out);
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		char number[LIMIT_TEXT];
		char *text = xasprintf("%s by default (%s). Source: %s.", limit_text(number, limit_table[i].normal), limit_table[i].unit,
				       limit_table[i].source);

		item(limit_table[i].name, text, out);
		free(text);
	}
	fputs(".SH CHECKS\n", out);
	for (size_t i = 0; i < check_count; i++) {
		char *text = xasprintf("%s. %s", check_table[i].title, check_table[i].why);

		item(check_table[i].id, text, out);
		free(text);
	}
}

static void man_theme(FILE *out)
{
	fputs(".TH FABCON\\-THEME 5 \"\" \"fabcon " FABCON_VERSION "\" \"File Formats\"\n"
	      ".SH NAME\nfabcon\\-theme \\- the appearance of the console\n"
	      ".SH DESCRIPTION\n"
	      "A theme NAME is a file NAME.theme in ~/.config/fabcon/themes, in share/fabcon/themes of the installation, or part of\n"
	      "the program; the first of these that has it. A line each:\n.nf\n"
	      "# comment\n"
	      "ground = dark\n"
	      "crit   = bright\\-red default bold\n"
	      "cursor = default default reverse\n.fi\n"
	      ".PP\nA role line is ROLE = FOREGROUND BACKGROUND ATTRIBUTES. Colors: default, black red green yellow blue magenta\n"
	      "cyan white, the same with bright\\- before, or 0 to 255 of the 256\\-color palette. Attributes: bold dim underline\n"
	      "reverse italic. Roles not named are the terminal's own text. The ground that a theme is made for is dark, light or any.\n"
	      ".PP\nOn a terminal of 8 or 16 colors each color gives way to the nearest by hue, bright ones on a dark ground; what\n"
	      "would be too dark or too pale for the ground to be read becomes the terminal's own text. Without colors, and where\n"
	      "NO_COLOR is set, mono takes the place of any theme. Meaning is never in a color alone: a sign always goes with it.\n"
	      ".PP\nThe theme auto is light where COLORFGBG describes a light background, else dark.\n"
	      ".SH ROLES\n", out);
	for (unsigned r = 0; r < ROLE_COUNT; r++)
		item(role_name((enum role)r), role_help((enum role)r), out);
	fputs(".SH THEMES OF THE PROGRAM\n", out);
	for (size_t i = 0; theme_name(i); i++) {
		struct span text = theme_text(i), line;

		/* The first line of each is a remark that says what it is for. */
		span_line(&text, &line);
		span_skip(&line, "# ");
		char *about = xstrndup(line.p, line.n);

		item(theme_name(i), about, out);
		free(about);
	}
}

/* page: "fabcon.1", "fabcon-policy.5", "fabcon-lab.1"; false when there is none of that name. */
static bool man_print(const char *page, FILE *out)
{
	static const struct {
		const char *name;
		void (*print)(FILE *out);
	} pages[] = { { "fabcon.1", man_fabcon }, { "fabcon-policy.5", man_policy },
		    { "fabcon-theme.5", man_theme } };

	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
		if (strcmp(pages[i].name, page) == 0) {
			pages[i].print(out);
			return true;
		}
	}
	return false;
}

int cmd_man(struct cli *cli)
{
	if (man_print(cli->args[0], stdout))
		return EXIT_DONE;
	return complain(EXIT_USAGE, "pages: fabcon.1, fabcon-policy.5, fabcon-theme.5 (fabcon-lab prints its own: fabcon-lab --man)");
}
