# What defects.sh and points.sh share: defects that are put back into a copy of the tree, one at a time. Before: build, work.
tree=$work/tree
make=${MAKE:-make}
unseen=0
tried=0
edited=

copy_tree() {
	rm -rf "$work"
	mkdir -p "$tree"
	git ls-files -co --exclude-standard | while read -r file; do
		[ ! -f "$file" ] || echo "$file"
	done | tar -cf - -T - | tar -xf - -C "$tree"
	find "$build" .build/*.mk \( -name '*.[oad]' -o -name '*.inc' -o -name '*.mk' -o -name 'fabcon*' \) |
		tar -cf - -T - | tar -xf - -C "$tree"
}

# put FILE TEXT OTHER: OTHER (-: nothing) for TEXT in the only line that holds it.
put() {
	[ "$(grep -cF -- "$2" "$1")" = 1 ] || return 1
	TEXT=$2 OTHER=${3#-} awk '
		(at = index($0, ENVIRON["TEXT"])) {
			print substr($0, 1, at - 1) ENVIRON["OTHER"] substr($0, at + length(ENVIRON["TEXT"]))
			next
		}
		{ print }' "$1" >"$work/edited"
}

# edit NAME FILE TEXT OTHER: the copy has this place as it was; with DEFECTS_ONLY=apply it is only looked for in the tree.
edit() {
	from=$2
	case " $edited " in *" $2 "*) from=$tree/$2 ;; esac
	put "$from" "$3" "$4" || { echo "$1: $2 has not one line with: $3"; unseen=$((unseen + 1)); return 1; }
	[ "$DEFECTS_ONLY" != apply ] || return 1
	cp "$work/edited" "$tree/$2"
	edited="$edited $2"
}

put_back() {
	for file in $edited; do
		cp "$file" "$tree/$file"
		touch "$tree/$file"
	done
	edited=
}

# Ends as the script does.
tell_unseen() {
	echo "$tried defects put back, one at a time: $unseen not seen"
	[ "$tried" -gt 0 ] && [ "$unseen" = 0 ]
}
