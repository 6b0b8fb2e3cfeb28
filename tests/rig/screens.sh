# screens.sh, read by rig.sh: what the screens say in sentences and numbers. The fabric is recorded, each screen is printed into the
# work directory for people to read (screen.*), and of the links' rows and the findings of both nodes all that speaks of a setting
# is held against the two kernels.
rm -f "$work/screens.db"
HOME=$work/home "$build/fabcon" -i "$work/root.yml" --no-input -q record --for 60s "$work/screens.db" >"$work/screens.out" 2>&1
for n in 1 2; do
	kernel_says "$work/screens.kernel$n" $n
done
of_screens() { HOME=$work/home "$build/fabcon" replay "$work/screens.db" "$@" 2>&1 </dev/null; }
for screen in status ports findings diagnose map report "show gpu-node-01" --plain; do
	name=${screen%% *}
	of_screens $screen >"$work/screen.${name#--}"
done
of_screens ports -o jsonl >"$work/screens.ports"
of_screens findings -v -o jsonl >"$work/screens.findings"
of_screens status -o jsonl >"$work/screens.status"
awk -f "$here/screens.awk" "$work/screens.kernel1" "$work/screens.kernel2" "$work/screens.ports" "$work/screens.findings" \
	"$work/screens.status" >"$work/screens.said"
[ $? -eq 0 ] || failed=$((failed + 1))
printf '%-14s %-6s %s\n' screens root "$(tail -n 1 "$work/screens.said")"
grep -E '^(WRONG|not held)' "$work/screens.said" | sed 's/^/    /'
