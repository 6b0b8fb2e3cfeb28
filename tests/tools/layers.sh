#!/bin/sh
# Includes go one way: core includes core; remote and db include core and themselves; tui includes all three.
bad=$(
	grep -rnE '#include "(remote|db|tui)/' core
	grep -rnE '#include "(db|tui)/' remote
	grep -rnE '#include "(remote|tui)/' db
)
[ -z "$bad" ] && exit 0
echo "includes against the layers:"
echo "$bad"
exit 1
