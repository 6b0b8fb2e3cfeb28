# The rules of `make words`, over the texts of literals.awk. usage: awk -f words.awk KIND=FILE..., the data first:
# house, terms (a regular expression of what is not to be read, a tab, what is said instead), tools (first words of commands), slots,
# ids (what `fabcon explain` knows), except (a piece of a text that is right as it is, a tab, the reason), then texts.
BEGIN { FS = "\t" }

function report(rule, what) {
	printf "%s: %s: %s: %.300s\n", place, rule, what, shown
	violations++
}

function mistake(what) {
	printf "%s:%d: data: %s\n", FILENAME, FNR, what
	violations++
}

# As it is read: escapes are blanks, so that each word stands between characters that are of no word.
function plain(s) {
	gsub(/\\\\f[BIRP]/, "", s)
	gsub(/\\\\-/, "-", s)
	gsub(/\\[nt"\\]/, " ", s)
	return " " s " "
}

# Of a script that a device runs, a person reads the comments alone.
function is_script(s) { return s ~ /\\n|; / && s ~ /; then|; do|\$\(|case \$|printf '|\\"\$/ }

function comments(s,	part, n, i, read) {
	n = split(s, part, /\\n/)
	for (i = 1; i <= n; i++)
		if (part[i] ~ /^(\\t)*#[^!]/)
			read = read " " part[i]
	return read
}

# A sentence, or words of one: not SQL, and not a list of names as tables and parsers have it.
function is_read(s,	word, n, i) {
	if (s !~ /[A-Za-z,.:;%)] +[A-Za-z(%]/ || s ~ /^ *(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|ALTER|DROP|WITH|ORDER|WHERE|FROM) /)
		return 0
	n = split(s, word, / +/)
	for (i = 1; i <= n; i++)
		if (word[i] ~ /^[a-z]+[!_][a-z_!]*$/)
			return 0
	return 1
}

# Takes away what the exceptions hold, which is nothing for most texts.
function allowed(s,	i, at) {
	for (i = 1; i <= n_except; i++)
		while (at = index(s, fragment[i])) {
			s = substr(s, 1, at - 1) " " substr(s, at + length(fragment[i]))
			used[i] = 1
		}
	return s
}

function finds_row(s, kind,	i) {
	for (i = 1; i <= n_rows[kind]; i++)
		if (s ~ pattern[kind, i])
			report(kind, "\"" row[kind, i] "\": say " instead[kind, i])
}

function words_of(s) {
	if (tolower(s) ~ any["house"] && tolower(s = allowed(s)) ~ any["house"])
		finds_row(tolower(s), "house")
	if (tolower(s) ~ any["terms"] && tolower(s = allowed(s)) ~ any["terms"])
		finds_row(tolower(s), "terms")
	if (s ~ tags && allowed(s) ~ tags)
		report("tag", "no reader has that document")
}

function figures_of(s) {
	if (s ~ scientific && allowed(s) ~ scientific)
		report("figure", "%e and %g print 1e-05")
}

# ---- ids ----

function is_id(word) { return word in ids || word ~ /^(checks|causes|questions|fields|limits)$/ }

function cites(list,	word, n, i) {
	n = split(list, word, / +/)
	for (i = 1; i <= n; i++)
		if (word[i] != "" && !is_id(word[i]))
			report("id", "fabcon explain does not know " word[i])
}

# What is in capital letters alone stands for a name, unless it is one: "fabcon explain ID".
function told(s,	word) {
	while (match(s, /fabcon explain [A-Za-z0-9.-]+/)) {
		word = substr(s, RSTART + 15, RLENGTH - 15)
		s = substr(s, RSTART + RLENGTH)
		sub(/\.$/, "", word)
		if (!is_id(word) && word !~ /^(ID|NAME|CHECK|CAUSE|FIELD)$/)
			report("id", "fabcon explain does not know " word)
	}
}

# ---- commands: of a remedy's texts, in whatever order its row has them ----

function is_ids(s,	word, n, i, known) {
	n = split(s, word, / +/)
	for (i = 1; i <= n; i++) {
		if (word[i] !~ /^([A-Z][A-Z0-9]*|[a-z0-9]+(-[a-z0-9]+)*)$/)
			return 0
		known += word[i] in ids
	}
	return known > 0 && !(word[1] in tools)
}

function first_of(command,	word) {
	sub(/^[ (]+/, "", command)
	sub(/^sudo +(-[a-z]+ +)*/, "", command)
	split(command, word, / +/)
	return word[1]
}

# Quotes hold no pipes and semicolons of the shell.
function command_of(s,	part, n, i, bare) {
	bare = s
	gsub(/\\"/, "", bare)
	gsub(/'[^']*'/, "x", bare)
	n = split(bare, part, /[|][|]|&&|[|;]/)
	for (i = 1; i <= n; i++)
		if (!(first_of(part[i]) in tools))
			report("command", "\"" first_of(part[i]) "\" is no tool of tests/words/tools.txt")
}

function slots_of(s,	slot) {
	while (match(s, /[{<][^ {}<>]*[}>]/)) {
		slot = substr(s, RSTART, RLENGTH)
		s = substr(s, RSTART + RLENGTH)
		if (!(slot in slots))
			report("command", slot " is no slot that is filled")
	}
}

function remedy_of(s) {
	if (is_ids(s)) {
		cites(s)
		is_command_next = 1
	} else if (s !~ /^(linux|os10|sonic)(\/[a-z0-9_]+)?$/) {
		slots_of(s)
		if (is_command_next || first_of(s) in tools)
			command_of(s)
		is_command_next = 0
	}
}

FNR == 1 && kind ~ /house|terms/ { n_rows[kind] = 0 }
kind != "texts" && (/^#/ || /^$/) { next }
kind == "house" || kind == "terms" {
	if ($1 == "" || $2 == "") {
		mistake("a row is a pattern, a tab, and what is said instead: " $0)
		next
	}
	row[kind, ++n_rows[kind]] = $1
	instead[kind, n_rows[kind]] = $2
	pattern[kind, n_rows[kind]] = "[^a-z_-](" $1 ")[^a-z_-]"
	any[kind] = any[kind] (any[kind] == "" ? "" : "|") $1
}
kind == "tools" { tools[$1] }
kind == "slots" { slots[$1] }
kind == "ids" { ids[$1] }
kind == "except" {
	if ($1 == "" || $2 == "") {
		mistake("a row is a piece of a text, a tab, and the reason: " $0)
		next
	}
	fragment[++n_except] = $1
	except_at[n_except] = FILENAME ":" FNR
}
kind != "texts" { next }

!is_begun {
	is_begun = 1
	any["house"] = "[^a-z_-](" any["house"] ")[^a-z_-]"
	any["terms"] = "[^a-z_-](" any["terms"] ")[^a-z_-]"
	tags = "[^A-Za-z_](DOMAIN|NODES|SWITCHES|REALITY|WORDS|S0[0-9][0-9]|DOMAIN-[A-Z])[^A-Za-z_]|X[0-9]+ of the house|bounds: house"
	scientific = "%[-+ #0-9.*]*[geGE][^a-z0-9]"
}

{
	n_texts++
	place = $1
	shown = $3
	read = plain(is_script(shown) ? comments(shown) : shown)
	if (is_read(read))
		words_of(read)
	figures_of(shown " ")
	told(read)
	if ($2 ~ /^\.(after|checks|limits)$/)
		cites(shown)
	if (place ~ /remedies\.c:/)
		remedy_of(shown)
}

END {
	for (i = 1; i <= n_except; i++)
		if (!used[i]) {
			printf "%s: data: no text needs the exception: %s\n", except_at[i], fragment[i]
			violations++
		}
	printf "words: %d texts, %d violations\n", n_texts, violations
	exit violations > 0 || n_texts == 0
}
