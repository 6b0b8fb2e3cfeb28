#!/bin/sh
# Writes NN-name.expect beside each NN-name.conf here: what "ssh -G" says of the destinations that the file asks for. With
# names of this machine as @DIR@, @HOME@ and @USER@. Run it from the root of the tree after a change, and read the difference.
set -eu
LC_ALL=C
export LC_ALL
here=tests/routes
dir=$(mktemp -d /tmp/fabcon-route-XXXXXX)
trap 'rm -r "$dir"' EXIT
home=$(getent passwd "$(id -u)" | cut -d: -f6)
user=$(id -un)
keys='user hostname port identitiesonly proxycommand proxyjump hostkeyalias certificatefile identityfile globalknownhostsfile
userknownhostsfile'

mkdir -m 700 "$dir/inc"
for file in "$here"/*.conf "$here"/inc/*; do
	sed "s|@DIR@|$dir|g" "$file" >"$dir/${file#"$here"/}"
	chmod 600 "$dir/${file#"$here"/}"
done
for file in "$here"/*.conf; do
	name=$(basename "$file")
	sed -n 's/^# ask: //p' "$file" | while IFS= read -r words; do
		printf '== %s\n' "$words"
		if eval "ssh -G -F '$dir/$name' $words" >"$dir/said" 2>/dev/null </dev/null; then
			for key in $keys; do
				grep "^$key " "$dir/said" || :
			done
		else
			echo refused
		fi
	done | sed "s|$dir|@DIR@|g; s|$home/|@HOME@/|g; s|\\b$user\\b|@USER@|g" >"$here/${name%.conf}.expect"
done
