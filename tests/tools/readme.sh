#!/bin/sh
# readme.sh [FILE]: README.md against the tree. Every path that it names exists (a component in capitals stands for any name),
# each `NAME` in `PATH` occurs in that file, and each line of its C examples is in the sources. Prints what is not so, and fails.
file=${1:-README.md}

# Lines "LINE path CANDIDATE...", "LINE name PATH NAME" and "LINE code TEXT". A path begins with a folder of the tree; a shorter
# name in backticks is below a folder that stands before it in its line.
claims() {
	awk '
	BEGIN { top = "(core|remote|db|tui|tests|themes)/" }
	function folder_of(path) {
		sub(/[^\/]*$/, "", path)
		return path
	}
	function below(folder, name,    i) {
		printf "%d path", NR
		for (i = 1; i <= n_folders; i++)
			printf " %s%s", folder ? folder : folders[i], name
		print ""
	}
	/^```/ { is_code = $0 == "```c"; next }
	is_code { sub(/^[ \t]+/, ""); print NR, "code", $0; next }
	{
		for (rest = $0; match(rest, top "[A-Za-z0-9_.*/]*"); rest = substr(rest, RSTART + RLENGTH)) {
			path = substr(rest, RSTART, RLENGTH)
			sub(/[.]$/, "", path)
			gsub(/[A-Z][A-Z]+/, "*", path)
			print NR, "path", path
		}
		is_row = /^\|/
		n_folders = 0
		n = split($0, words, "`")
		for (i = 2; i <= n; i += 2) {
			if (words[i] ~ "^" top) {
				folders[++n_folders] = folder_of(words[i])
				parent = folder_of(substr(words[i], 1, length(words[i]) - 1))
			} else if (words[i] ~ /^[A-Z_]+$/ && words[i + 1] == " in ")
				print NR, "name", words[i + 2], words[i]
			else if (!n_folders)
				continue
			else if (words[i] ~ /^[a-z0-9_]+\/$/) {
				below(parent, words[i])
				folders[++n_folders] = parent words[i]
			} else if (words[i] ~ /^[a-z0-9_\/]+\.(c|h|sh|sql)$/ || (is_row && words[i] ~ /^[a-z0-9_]+$/))
				below("", words[i])
		}
	}' "$file"
}

claims | {
	failed=0
	while read -r line kind first rest; do
		case $kind in
		path) ls -d $first $rest 2>/dev/null | grep -q . ;;	# unquoted: they may hold *
		name) grep -qw -e "$rest" "$first" ;;
		code) grep -rqF --include='*.[ch]' -e "${first:-}${rest:+ $rest}" core remote db tui ;;
		esac || { echo "$file:$line: $kind: $first $rest"; failed=1; }
	done
	exit $failed
}
