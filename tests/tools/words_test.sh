#!/bin/sh
# words_test.sh BUILD: words.sh must pass a small tree whose texts are right, and must report each violation that is planted in
# another. Both use the real data, but for the exceptions.
tools=$(cd "${0%/*}" && pwd)
build=$(cd "$1" && pwd)
data=$PWD/tests/words
work=$1/words-test
failed=0 n=0

wrong() { echo "words_test.sh: $1"; failed=1; }

judge() { said=$(WORDS_DATA=$PWD/data sh "$tools/words.sh" "$build" 2>&1); }

# Standard input: reports that this tree must get; each makes it fail.
finds() {
	judge && wrong "words.sh passes a tree with violations"
	while read -r report; do
		n=$((n + 1))
		case $said in *"$report"*) ;; *) wrong "words.sh does not report: $report" ;; esac
	done
	case $said in *", $n violations") ;; *) wrong "words.sh reports others than the $n that are planted" ;; esac
}

begin() {
	rm -rf "$work/tree" && mkdir -p "$work/tree" && cd "$work/tree" || exit 1
	mkdir -p core/remedy tui remote/lab remote/fixer db themes && cp -R "$data" data && : >data/exceptions.txt
	echo '# fabcon' >README.md
	echo '# Plain colors' >themes/plain.theme
	echo 'fc_say "lock $ours"' >remote/fixer/undo.sh
}

top=$PWD
begin
cat >tui/right.c <<'END'
#include "nobody says.h"
/* What nobody says is not told: a comment is not a text. */
{ .id = "trust-as-wanted", .after = "link-up trust-same", .why = "The port reports 5 % \"lost\" packets\n", 'n', '"' },
"wanted", "as_wanted", "SELECT who FROM entry WHERE it is told", "explain trust-same: see fabcon explain trust-same, or fabcon explain ID",
"v=$(cat file); nobody\nsaid=1; if [ $said ]; then\n", "id who wanted! kind", "%.3f of it", "%s%u",
END
cat >core/remedy/remedies.c <<'END'
{ "X9 mtu-fits", "linux", "sudo -n ip link show dev {port} | grep -E 'a;b|c' && ethtool -a {port}", "then look at MTU" },
{ "X9 mtu-fits", MLX5, "sudo cat /x", .save = "config save -y" },
END
echo '"nobody said it was wanted"' >remote/lab/lab.c
judge || wrong "words.sh fails where nothing is wrong"

cd "$top" && begin
printf 'taken back by itself\tit is needed here\nan exception of nothing\tit is not needed\nno reason\n' >data/exceptions.txt
printf '[a-z\n' >>data/terms.txt
cat >tui/wrong.c <<'END'
"the priority is as"
	" wanted", "a neighbour port", "the change is taken back by itself", "the change is taken back",
"if [ -n \"$x\" ]; then\n# nobody reads it\nfi\n",
"The time-out of it", "see fabcon explain no-such-check.",
{ .after = "link-up no-such-check" },
"%.2e of the bits", "about %g %%", "from DOMAIN 10", "by S004 of it", 'x',
END
cat >core/remedy/remedies.c <<'END'
{ "X9 mtu-fitted", "linux", "ip link show dev {port}" },
{ "X9", "linux/mlx5_core", "mlxqos -i {port}" },
{ "X9", MLX5, "ip link show dev {netdev} | gerp 'a|b'" },
{ "X9", "os10", "show mtu <port>", "sudo" },
END
echo 'The fabric wants it' >README.md
echo '# Grey on grey' >themes/plain.theme
echo 'fc_say "error nobody waits"' >remote/fixer/undo.sh
finds <<'END'
data/exceptions.txt:2: data: no text needs the exception: an exception of nothing
data/exceptions.txt:3: data: a row is a piece
data/terms.txt:9: data: a row is a pattern
tui/wrong.c:1: house: "want(s|ed|ing)?"
tui/wrong.c:1: house: "as wanted"
tui/wrong.c:2: house: "neighbours?
tui/wrong.c:2: house: "tak(e|es|en|ing)
tui/wrong.c:3: house: "nobody"
tui/wrong.c:4: terms: "time-outs?"
tui/wrong.c:4: id: fabcon explain does not know no-such-check
tui/wrong.c:5: id: fabcon explain does not know no-such-check
tui/wrong.c:6: figure: %e and %g print 1e-05: %.2e
tui/wrong.c:6: figure: %e and %g print 1e-05: about %g
tui/wrong.c:6: tag: no reader has that document: from DOMAIN
tui/wrong.c:6: tag: no reader has that document: by S004
core/remedy/remedies.c:1: id: fabcon explain does not know mtu-fitted
core/remedy/remedies.c:2: command: "mlxqos" is no tool
core/remedy/remedies.c:3: command: {netdev} is no slot
core/remedy/remedies.c:3: command: "gerp" is no tool
core/remedy/remedies.c:4: command: <port> is no slot
README.md:1: house: "want(s|ed|ing)?"
themes/plain.theme:1: house: "centre
remote/fixer/undo.sh:1: house: "nobody"
END

[ $failed -eq 0 ] && echo "words.sh reports each of $n planted violations" || printf '%s\n' "$said"
exit $failed
