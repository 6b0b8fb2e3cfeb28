# bond-mtu.sh, read by rig.sh: the MTU of a bond on a real kernel. The members are set to 9000 by hand and the bond stays at 1500,
# for the kernel hands an MTU down and never up; the console has to say so of the bond, to plan one line for it, to carry it out,
# and to bring all three back.

mtus() { "$vm" ssh 1 'for n in bond0 rf0 ens9f1np1; do read -r m </sys/class/net/$n/mtu; printf "%s " "$m"; done'; }

expect() {	# WHAT WANTED FOUND
	if [ "$2" = "$3" ]; then
		held=$((held + 1))
	else
		echo "    WRONG bond-mtu $1: wanted '$2', found '$3'"
		broken=$((broken + 1))
	fi
}

has() {	# WHAT PATTERN FILE
	grep -q -- "$2" "$3" && expect "$1" yes yes || { expect "$1" "$2" "$(tail -n 2 "$3" | tr '\n' ' ')"; }
}

of_fabcon() { HOME=$work/home "$build/fabcon" -i "$work/root.yml" -p "$here/wanted.policy" --timeout 2m --no-input "$@"; }

held=0 broken=0
"$vm" ssh 1 'ip link set bond0 mtu 1500; ip link set rf0 mtu 9000; ip link set ens9f1np1 mtu 9000'
expect "nothing is handed up by the kernel" "1500 9000 9000 " "$(mtus)"
of_fabcon findings -o jsonl >"$work/mtu.findings" 2>"$work/mtu.findings.err"
grep 'mtu-as-wanted.*gpu-node-01' "$work/mtu.findings" >"$work/mtu.finding" || cp "$work/mtu.findings.err" "$work/mtu.finding"
has "finding" "the MTU of its bond bond0 is 1500, wanted 9000" "$work/mtu.finding"
expect "findings of bond and members" 1 "$(grep -c 'gpu-node-01:\(bond0\|rf0\|ens9\)' "$work/mtu.finding")"
of_fabcon plan mtu-as-wanted@gpu-node-01:ens9f1np1 -O "$work/mtu.plan" >"$work/mtu.planned" 2>&1
has "plan" "bond0 mtu = 9000" "$work/mtu.planned"
expect "members in the plan" 0 "$(grep -c 'mtu [0-9]* dev \(rf0\|ens9\)' "$work/mtu.planned")"
hash=$(sed -n 's/.*"hash": *"\([0-9a-f]*\)".*/\1/p' "$work/mtu.plan" | head -n 1)
of_fabcon apply "$work/mtu.plan" --rw --reason rig --approve "$hash" >"$work/mtu.applied" 2>&1
expect "status of apply" 0 $?
expect "the kernel after apply" "9000 9000 9000 " "$(mtus)"
plan=$(sed -n 's/.*\(P-[0-9]*-[0-9a-f]*\).*/\1/p' "$work/mtu.applied" | head -n 1)
of_fabcon undo "$plan" --rw --reason rig >"$work/mtu.undone" 2>&1
expect "status of undo" 0 $?
expect "the kernel after undo" "1500 9000 9000 " "$(mtus)"
[ $broken -eq 0 ] || failed=$((failed + 1))
printf '%-14s %-4s right %d, wrong %d: found, planned, applied, undone\n' bond-mtu root $held $broken
