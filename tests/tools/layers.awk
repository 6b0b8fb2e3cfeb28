# The tree by its symbols and its includes, held against tests/layers. Lines on input, by tests/tools/layers.sh:
#   allow FOLDER FOLDER...      may be called and included by the first ("*": by all; "remote/+": what has no row in remote)
#   def FILE SYMBOL             FILE, without suffix, defines an external symbol
#   use FILE SYMBOL             FILE refers to one
#   inc FILE FILE               the first includes the second's header
#   word SYMBOL                 occurs in a test

function folder(file) { sub(/\/[^\/]*$/, "", file); return file }

# "core/*" of "core/model".
function any_of(room) { sub(/\/.*/, "/*", room); return room }

# As tests/layers calls it: "remote/+" of remote/os10, which has no row of its own.
function named(room,		plus)
{
	plus = room
	sub(/[^\/]*$/, "+", plus)
	return !(room in has_row) && plus in has_row ? plus : room
}

function fail(text) { print "layers: " text; failed = 1 }

# Between two things once: graph "folders" or "files".
function arrow(graph, from, to,		key)
{
	key = graph SUBSEP from SUBSEP to
	if (from == to || key in known)
		return
	known[key] = 1
	out[graph, from] = out[graph, from] " " to
	nodes[graph, from]; nodes[graph, to]
}

# Tarjan's circles: each as a line of names in circle[1..n_circles], its length in circle_length.
function visit(graph, node,		next_nodes, n, i, to, line, length_)
{
	order[graph, node] = low[graph, node] = ++clock
	stack[++top] = node
	on_stack[node] = 1
	n = split(out[graph, node], next_nodes, " ")
	for (i = 1; i <= n; i++) {
		to = next_nodes[i]
		if (!((graph, to) in order)) {
			visit(graph, to)
			if (low[graph, to] < low[graph, node])
				low[graph, node] = low[graph, to]
		} else if (on_stack[to] && order[graph, to] < low[graph, node]) {
			low[graph, node] = order[graph, to]
		}
	}
	if (low[graph, node] != order[graph, node])
		return
	do {
		to = stack[top--]
		on_stack[to] = 0
		line = line " " to
		length_++
	} while (to != node)
	if (length_ > 1) {
		circle[++n_circles] = line
		circle_length[n_circles] = length_
	}
}

function circles(graph,		key, parts)
{
	n_circles = clock = top = 0
	for (key in nodes) {
		split(key, parts, SUBSEP)
		if (parts[1] == graph && !((graph, parts[2]) in order))
			visit(graph, parts[2])
	}
}

function longest_first(i, j, line, length_)
{
	for (i = 2; i <= n_circles; i++)
		for (j = i; j > 1 && circle_length[j] > circle_length[j - 1]; j--) {
			line = circle[j]; circle[j] = circle[j - 1]; circle[j - 1] = line
			length_ = circle_length[j]; circle_length[j] = circle_length[j - 1]; circle_length[j - 1] = length_
		}
}

function check_file_circle(line, length_,	files, n, i)
{
	print "  " length_ ":" line
	if (length_ > 5)
		fail("a circle of " length_ " files; at most five may stand in one:" line)
	n = split(line, files, " ")
	for (i = 2; i <= n; i++)
		if (folder(files[i]) != folder(files[1]))
			return fail("a circle of files in two folders:" line)
}

function check_arrow(from, to, why,		a, b)
{
	a = named(from)
	b = named(to)
	seen[a, b]
	if (from == to || (a, b) in allowed || (a, any_of(to)) in allowed || ("*", to) in allowed || (from, to) in told)
		return
	told[from, to] = 1
	fail(from " -> " to " is not in tests/layers: " why)
}

$1 == "allow" { has_row[$2] }
$1 == "allow" { for (i = 3; i <= NF; i++) { allowed[$2, $i] = 1; unseen[$2, $i] = 1 } }
$1 == "def" { file_of[$3] = $2; n_files += !($2 in files_seen); files_seen[$2] }
$1 == "use" { uses[$2, $3] }
$1 == "word" { in_tests[$2] }
$1 == "inc" {
	arrow("folders", folder($2), folder($3))
	check_arrow(folder($2), folder($3), $2 " includes " $3 ".h")
}

END {
	for (key in uses) {
		split(key, use, SUBSEP)
		if (!(use[2] in file_of) || file_of[use[2]] == use[1])
			continue
		is_used[use[2]]
		arrow("files", use[1], file_of[use[2]])
		arrow("folders", folder(use[1]), folder(file_of[use[2]]))
		check_arrow(folder(use[1]), folder(file_of[use[2]]), use[1] ".c calls " use[2])
	}
	circles("folders")
	for (i = 1; i <= n_circles; i++)
		fail("a circle of folders:" circle[i])
	circles("files")
	longest_first()
	print n_files " files that define symbols; circles of files:"
	for (i = 1; i <= n_circles; i++)
		check_file_circle(circle[i], circle_length[i])
	for (symbol in file_of) {
		n_symbols++
		if (symbol in is_used || symbol == "main")
			continue
		if (symbol in in_tests)
			by_tests[++n_by_tests] = symbol " (" file_of[symbol] ")"
		else
			fail(symbol " of " file_of[symbol] ".c is used by no other file and no test: static, or gone")
	}
	print n_symbols " external symbols; used by tests alone: " n_by_tests + 0
	for (i = 1; i <= n_by_tests; i++)
		print "  " by_tests[i] | "sort"
	close("sort")
	for (key in unseen) {
		split(key, use, SUBSEP)
		if (use[1] != "*" && use[2] !~ /\*$/ && !(key in seen))
			fail(use[1] " -> " use[2] " is allowed by tests/layers and not there")
	}
	print failed ? "layers: not as they should be" : "layers: as they should be"
	exit failed
}
