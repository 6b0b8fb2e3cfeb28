# rates.sh, read by rig.sh: two counters move for a minute and are recorded, one moved evenly by the NIC's module, one by packets
# between the nodes. A loop on the node reads both with the kernel's own clock. Of each frame of the recording, the console shows
# a value and a rate; the mean of these rates, each for as long as it stands for, is to be what the kernel's counter did from the
# first value to the last, within 1 %. In the end every counter of the recording is to be what the kernel says.
"$vm" ssh 1 'cat >/run/move.sh; setsid bash /run/move.sh >/run/moved 2>/run/move.err </dev/null &' <<'END'
mkfifo /run/never
exec 9<>/run/never
second=rf1
[ -e /sys/class/net/rf1 ] || second=ens9f1np1
read up _ </proc/uptime
end=$((${up/./} + 6000)) now=0
ping -i 0.1 -s 1400 -w 60 192.0.2.66 >/dev/null 2>&1 &
while read up _ </proc/uptime && now=${up/./} && [ "$now" -lt $end ]; do	# 10 000 bytes each centisecond
	echo "rx_prio3_bytes $((now * 10000))" >/sys/kernel/debug/rocefake/rf0
	read -r -t 0.05 -u 9
done &
while read up _ </proc/uptime && [ "${up/./}" -lt $end ]; do
	for n in rf0 $second; do
		read was _ </proc/uptime
		text=$(ethtool -S $n)
		read is _ </proc/uptime
		[[ $n = rf0 && $text =~ rx_prio3_bytes:\ ([0-9]+) ]] && echo "$n $was $is ${BASH_REMATCH[1]}"
		[[ $n = $second && $text =~ tx_bytes_phy:\ ([0-9]+) ]] && echo "$n $was $is ${BASH_REMATCH[1]}"
	done
	read -r -t 0.4 -u 9
done
wait
END
sleep 2
began=$(date +%s)
rm -f "$work/rates.db"
HOME=$work/home "$build/fabcon" -i "$work/root.yml" --no-input -q record --for 75s "$work/rates.db" >"$work/rates.out" 2>&1 &
recorder=$!
sleep 64
kernel_says "$work/rates.before"
wait $recorder || echo "    rates: record: $(tail -n 1 "$work/rates.out")"
kernel_says "$work/rates.after"
"$vm" ssh 1 'cat /run/moved' >"$work/rates.kernel"
for s in $(seq 14 54); do	# what is read by programs has the rates unrounded
	HOME=$work/home "$build/fabcon" replay "$work/rates.db" --at "$(date -u -d "@$((began + s))" '+%Y-%m-%d %H:%M:%S')" \
		show gpu-node-01 -o jsonl 2>/dev/null |
		sed -n -e 's/.*"port":"\([^"]*\)","field":"\([^"]*\)","value":\([0-9]*\),.*"rate_per_s":\([^,]*\),"age_ms":\([0-9]*\),.*/\1 \2 \5 \3 \4/' \
			-e '/^rf0 rx\.bytes\[3\] /p' -e '/^\(rf1\|ens9f1np1\) tx\.total /p' |
		while read -r port _ age value rate; do
			echo "$port $((s * 1000 - age)) $value $rate"
		done
done >"$work/rates.shown"
awk -f "$here/rates.awk" "$work/rates.kernel" "$work/rates.shown" >"$work/rates.text"
rates_status=$?
HOME=$work/home "$build/fabcon" replay "$work/rates.db" show gpu-node-01 -o csv >"$work/rates.csv" 2>/dev/null
awk -v left_out="mgmt0 rdma0 rdma1" -f "$here/compare.awk" "$work/rates.before" "$work/rates.after" "$work/rates.csv" >"$work/rates.said"
[ $? -eq 0 ] && [ $rates_status -eq 0 ] || failed=$((failed + 1))
printf '%-14s %-6s %s; in the last frame\n' rates root "$(tail -n 1 "$work/rates.said")"
cat "$work/rates.text"
grep -E '^(WRONG|missing|unknown)' "$work/rates.said" | sed 's/^/    /'
