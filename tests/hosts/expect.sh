#!/bin/sh
# What Ansible would use for each host of an inventory, a line each, tabs between:
#	name  address  port  user  key  ssh-args
# "-" is unset, "!" cannot be known without running the site's lookups, a last column not-ssh names another connection.
# FAILED: ansible-inventory refuses the file. Of the names of one variable the last wins, as in the ssh plugin's option list.
#
# expect.sh FILE         prints it
# expect.sh --write      writes FILE.expect beside every input that `inputs` lists for ansible
here=$(cd "$(dirname "$0")" && pwd)
export ANSIBLE_NOCOLOR=1 ANSIBLE_INVENTORY_UNPARSED_FAILED=1 ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED=1 LC_ALL=C.UTF-8

one() {
	cd "$here/in" || exit 1
	dir=$(dirname "$1")
	[ -f "$dir/ansible.cfg" ] && export ANSIBLE_CONFIG="$here/in/$dir/ansible.cfg"
	list=$(ansible-inventory -i "$1" --list 2>/dev/null </dev/null) || { echo FAILED; return; }
	case $list in
	*'{{'*) debug=$(for name in ansible_host ansible_user ansible_port ansible_ssh_private_key_file ansible_ssh_common_args; do
			ansible all -o -i "$1" -m debug -a "var=$name" 2>/dev/null </dev/null
		done) ;;
	*) debug= ;;
	esac
	LIST=$list DEBUG=$debug CONFIG=$ANSIBLE_CONFIG python3 "$here/expect.py"
}

if [ "$1" = --write ]; then
	while read -r oracle path rest; do
		[ "$oracle" = ansible ] || continue
		(one "$path") >"$here/in/$path.expect"
	done <"$here/inputs"
else
	one "$1"
fi
