# Judges the tree by its symbols and its includes, against the rows of tests/layers. Input, from tests/tools/layers.sh:
#   row FOLDER : FOLDER...      a row of tests/layers: the first folder may call and include the others
#   row FOLDER = FILE PATTERN   a row of tests/layers: which folders the name "FOLDER/+" stands for
#   top NAME                    a file or folder at the top of the tree
#   file PATH                   a file below core, remote, db or tui
#   made PATH                   an .inc file that the Makefile has made, at the place of its source
#   include PATH:LINE:TEXT      a line with an #include
#   def FILE SYMBOL             FILE.c defines an external symbol
#   use FILE SYMBOL             FILE.c refers to one that it does not define
#   read TEXT                   a line of a .d file: which headers the compiler read
#   tested SYMBOL               the object of a test refers to it
#   tests N M                   there are N tests; M of them are not built
#   word WORD                   occurs in the source of a test that is not built

function fail(text) { print "layers: " text; failed = 1 }

function folder_of(path) { sub(/\/[^\/]*$/, "", path); return path }

function last_part(path) { sub(/.*\//, "", path); return path }

# core, remote, db or tui.
function layer_of(folder) { sub(/\/.*/, "", folder); return folder }

# "remote/+" of remote/os10.
function plus_of(folder) { sub(/[^\/]*$/, "+", folder); return folder }

# ---- input ----

BEGIN {
	may_use["*"] = may_use["core"] = " core "
	may_use["remote"] = " core remote "
	may_use["db"] = " core db "
	may_use["tui"] = " core remote db tui "
}

function read_row(	i)
{
	if ($3 == "=") {
		table_file[$2] = $4
		table_pattern[$2] = $5
		return
	}
	if ($3 != ":")
		return fail("tests/layers: a row begins with a folder and a colon, not with: " $2 " " $3)
	if ($2 in row)
		fail("tests/layers: " $2 " has two rows")
	row[$2] = ++n_rows
	for (i = 4; i <= NF; i++)
		allowed[$2, $i]
}

# Collects the files that the compiler read for each .c. "X.o: X.c A.h \" goes on in the next line; "A.h:" is a rule of its own.
function read_dependencies(	i)
{
	for (i = 2; i <= NF; i++)
		if ($i ~ /\.o:$/)
			compiled = substr($i, 1, length($i) - 3) ".c"
		else if ($i !~ /:$/ && $i !~ /^[\/\\]/)
			was_read[compiled, $i]
}

$1 == "row" { read_row() }
$1 == "top" { at_top[$2] }
$1 == "file" { is_file[$2]; if ($2 ~ /\.[ch]$/) is_folder[folder_of($2)] }
$1 == "made" { is_made[$2] }
$1 == "include" { include_line[++n_includes] = substr($0, length("include ") + 1) }
$1 == "def" && ($3 in file_of) && file_of[$3] != $2 && $3 != "main" { fail($3 " is defined twice: in " file_of[$3] " and in " $2) }
$1 == "def" { file_of[$3] = $2; n_files += !($2 in defines_any); defines_any[$2] }
$1 == "def" || $1 == "use" { has_symbols[$2] }
$1 == "use" { uses[$2, $3] }
$1 == "read" { read_dependencies() }
$1 == "tested" { is_tested[$2] }
$1 == "tests" { n_tests = $2; n_unbuilt = $3 }
$1 == "word" { is_word[$2] }

# ---- what core must not call: it has no clock, opens nothing, starts nothing, and draws nothing ----

BEGIN {
	never_in_core = "^(time|clock|clock_gettime|gettimeofday|localtime(_r)?|nanosleep|usleep|sleep|f?open(at|64)?|popen|creat|read|write|" \
		"p?select|poll|ppoll|ioctl|socket|connect|bind|listen|send(to|msg)?|recv(from|msg)?|getaddrinfo|system|fork|vfork|exec.*|" \
		"posix_spawn.*|getenv|setenv|opendir|readdir|stat|lstat|fstat|unlink|rename|mkdir|printf|puts|putchar|uv_.*|ssh_.*|" \
		"sqlite3_.*|initscr|newterm|w?(add|ins).*str|ibv_.*|nl_.*)$"
}

function check_core(	key, pair)
{
	for (key in uses) {
		split(key, pair, SUBSEP)
		if (layer_of(pair[1]) == "core" && !(pair[2] in file_of) && pair[2] ~ never_in_core)
			fail(pair[1] " calls " pair[2] ": core has no clock, opens nothing and starts nothing")
	}
}

# ---- folders and the rows of tests/layers ----

# The name of a folder in tests/layers: its own, or "remote/+" if the table has a row of it. "": it has none.
function row_of(folder,		plus, symbol)
{
	if (folder in row)
		return folder
	plus = plus_of(folder)
	if (!(plus in row) || !(plus in table_file))
		return ""
	symbol = table_pattern[plus]
	sub(/\+/, last_part(folder), symbol)
	return (table_file[plus], symbol) in uses && folder_of(file_of[symbol]) == folder ? plus : ""
}

function check_folders(		folder)
{
	for (folder in is_folder) {
		if (row_of(folder) != "")
			has_folder[row_of(folder)]
		else
			fail("no row of tests/layers names " folder)
	}
}

# Each row: it stands for a folder, uses only layers that it may use, and only folders of rows above it.
function check_rows(	name, key, pair, other)
{
	for (name in row)
		if (name != "*" && !(name in has_folder))
			fail("tests/layers: there is no folder " name)
	for (name in table_file)
		if (!(name in row))
			fail("tests/layers: " name " has no row")
	for (key in allowed) {
		split(key, pair, SUBSEP)
		if (!index(may_use[layer_of(pair[1])], " " layer_of(pair[2]) " "))
			fail("tests/layers: " pair[1] " -> " pair[2] ": " layer_of(pair[1]) " must not use " layer_of(pair[2]))
		for (other in row)
			if (pair[1] != "*" && row[other] > row[pair[1]] && (other == pair[2] || layer_of(other) "/*" == pair[2]))
				fail("tests/layers: " pair[1] " -> " pair[2] ": the row of " other " must be above that of " pair[1])
	}
}

# One use or include between two folders: allowed to all ("*"), by name, or by "core/*".
function check_arrow(from, to, why,	a, b, any)
{
	a = row_of(from)
	b = row_of(to)
	any = layer_of(to) "/*"
	if (from == to || a == "" || b == "")
		return
	if (("*", b) in allowed)
		is_needed["*", b]
	else if ((a, b) in allowed)
		is_needed[a, b]
	else if ((a, any) in allowed)
		is_needed[a, any]
	else if (!((from, to) in is_told))
		fail(from " -> " to " is not in tests/layers: " why)
	is_told[from, to]
}

function check_needed(	key, pair)
{
	for (key in allowed) {
		split(key, pair, SUBSEP)
		if (!(key in is_needed))
			fail("tests/layers: " pair[1] " -> " pair[2] " is allowed, and nothing needs it")
	}
}

# ---- circles, by Tarjan's algorithm, in three graphs: "folders", "files" (by symbols), "includes" ----

function add_arrow(graph, from, to)
{
	if (from == to || (graph, from, to) in has_arrow)
		return
	has_arrow[graph, from, to]
	next_of[graph, from] = next_of[graph, from] " " to
	is_node[graph, from]
	is_node[graph, to]
}

# Adds the circles that are found from this node to circle[] and circle_size[].
function visit(graph, node,	nodes, n, i, to, line, size)
{
	order[graph, node] = lowest[graph, node] = ++clock
	stack[++depth] = node
	on_stack[node] = 1
	n = split(next_of[graph, node], nodes, " ")
	for (i = 1; i <= n; i++) {
		to = nodes[i]
		if (!((graph, to) in order)) {
			visit(graph, to)
			if (lowest[graph, to] < lowest[graph, node])
				lowest[graph, node] = lowest[graph, to]
		} else if (on_stack[to] && order[graph, to] < lowest[graph, node]) {
			lowest[graph, node] = order[graph, to]
		}
	}
	if (lowest[graph, node] != order[graph, node])
		return
	do {
		to = stack[depth--]
		on_stack[to] = 0
		line = line " " to
		size++
	} while (to != node)
	if (size > 1) {
		circle[++n_circles] = line
		circle_size[n_circles] = size
	}
}

function find_circles(graph,	key, pair)
{
	n_circles = clock = depth = 0
	for (key in is_node) {
		split(key, pair, SUBSEP)
		if (pair[1] == graph && !((graph, pair[2]) in order))
			visit(graph, pair[2])
	}
}

function sort_circles(	i, j, line, size)
{
	for (i = 2; i <= n_circles; i++)
		for (j = i; j > 1 && circle_size[j] > circle_size[j - 1]; j--) {
			line = circle[j]; circle[j] = circle[j - 1]; circle[j - 1] = line
			size = circle_size[j]; circle_size[j] = circle_size[j - 1]; circle_size[j - 1] = size
		}
}

function check_no_circle(graph, what,	i)
{
	find_circles(graph)
	for (i = 1; i <= n_circles; i++)
		fail("a circle of " what ":" circle[i])
}

# Circles of files are printed; at most five files, all of one folder.
function check_file_circles(	i, j, n, files)
{
	find_circles("files")
	sort_circles()
	print n_files " files that define symbols; circles of files:"
	for (i = 1; i <= n_circles; i++) {
		print "  " circle_size[i] ":" circle[i]
		if (circle_size[i] > 5)
			fail("a circle of " circle_size[i] " files; at most five are allowed:" circle[i])
		n = split(circle[i], files, " ")
		for (j = 2; j <= n && folder_of(files[j]) == folder_of(files[1]); j++)
			;
		if (j <= n)
			fail("a circle of files in two folders:" circle[i])
	}
}

# ---- includes ----

# Includes of our own files are written "folder/file.h", from the root, or "file.inc" if the Makefile makes it beside its source.
function check_include(line,	at, place, file, name, ours)
{
	match(line, /^[^:]*:[0-9]+/)
	place = substr(line, 1, RLENGTH)
	file = place
	sub(/:.*/, "", file)
	name = substr(line, RLENGTH + 2)
	sub(/^.*(include_next|include|import)[ \t]*/, "", name)
	if (!match(name, /^("[^"]*"|<[^>]*>)/))
		return fail(place ": an #include needs a name in quotes or angle brackets here: " name)
	ours = name ~ /^"/
	name = substr(name, 2, RLENGTH - 2)
	if (name ~ /^\/|(^|\/)\.\.?(\/|$)/)
		return fail(place ": \"" name "\": write the path from the root, without . and ..")
	if (!ours && ((layer_of(name) in at_top) || (folder_of(file) "/" name) in is_made))
		return fail(place ": <" name "> is our own file: write it in quotes")
	if (!ours || (folder_of(file) "/" name) in is_made)
		return
	if (!(name in is_file))
		return fail(place ": \"" name "\" is not a file of core, remote, db or tui, from the root")
	if (name == file)
		fail(place ": " file " includes itself")
	includes[file] = includes[file] " " name
	add_arrow("includes", file, name)
	add_arrow("folders", folder_of(file), folder_of(name))
	check_arrow(folder_of(file), folder_of(name), place " includes " name)
}

function reach(source, file,	names, n, i)
{
	if ((source, file) in is_reached)
		return
	is_reached[source, file]
	n = split(includes[file], names, " ")
	for (i = 1; i <= n; i++)
		reach(source, names[i])
}

# The compiler must not have read a file of ours by an #include that was not seen here (by a macro, an -I, a line break).
function check_read(	key, pair)
{
	for (key in was_read) {
		split(key, pair, SUBSEP)
		reach(pair[1], pair[1])
		if (!(key in is_reached) && !(pair[2] in is_made))
			fail(pair[1] ": the compiler read " pair[2] ", and no #include line names it")
	}
}

# ---- symbols ----

function check_uses(	key, use, to)
{
	for (key in uses) {
		split(key, use, SUBSEP)
		if (!(use[2] in file_of) || file_of[use[2]] == use[1])
			continue
		to = file_of[use[2]]
		is_used[use[2]]
		add_arrow("files", use[1], to)
		add_arrow("folders", folder_of(use[1]), folder_of(to))
		check_arrow(folder_of(use[1]), folder_of(to), use[1] ".c calls " use[2])
	}
}

# nm must have read each source's object, and the compiler's .d file must be there.
function check_objects(		file, name)
{
	for (file in is_file) {
		if (file !~ /\.c$/)
			continue
		name = substr(file, 1, length(file) - 2)
		if (!(name in has_symbols))
			fail(file ": nm shows no symbol of its object")
		if (!((file, file) in was_read))
			fail(file ": its .d file does not name it")
	}
}

function print_sorted(title, list, n,	i)
{
	print title n + 0
	for (i = 1; i <= n; i++)
		print "  " list[i] | "sort"
	close("sort")
}

function check_symbols(		symbol, n_symbols, n_tested, n_unsure, tested, unsure)
{
	for (symbol in file_of) {
		n_symbols++
		if (symbol in is_used || symbol == "main")
			continue
		if (symbol in is_tested)
			tested[++n_tested] = symbol " (" file_of[symbol] ")"
		else if (symbol in is_word)
			unsure[++n_unsure] = symbol " (" file_of[symbol] ")"
		else
			fail(symbol " of " file_of[symbol] ".c is used by no other file and no test: make it static or remove it")
	}
	print n_symbols " external symbols"
	print_sorted("used by tests alone, by the symbols of " n_tests - n_unbuilt " built tests: ", tested, n_tested)
	if (n_unbuilt)
		print_sorted("a mere word in " n_unbuilt " tests that are not built: ", unsure, n_unsure)
}

END {
	check_objects()
	check_core()
	check_folders()
	check_rows()
	for (i = 1; i <= n_includes; i++)
		check_include(include_line[i])
	check_read()
	check_uses()
	check_needed()
	check_no_circle("folders", "folders")
	check_no_circle("includes", "includes")
	check_file_circles()
	check_symbols()
	print failed ? "layers: not as they should be" : "layers: as they should be"
	exit failed
}
