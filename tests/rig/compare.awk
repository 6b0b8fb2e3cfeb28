# compare.awk BEFORE AFTER FACTS: every fact of FACTS (csv of `fabcon show`) beside what the kernel said before and after it was
# read. A counter may have grown in between; all else is to be equal. What the console calls unknown has to say why.
# Ends with "right N, unknown N, missing N, wrong N, of no kernel row N"; status 1 when one is wrong or missing.
# left_out: ports that are not the console's to judge, and why, are written by who calls.

function cell(text) { gsub(/^"|"$/, "", text); return text }

function fits(said, before, after) {
	return said == before || said == after || (before ~ /^[0-9]+$/ && after ~ /^[0-9]+$/ && said ~ /^[0-9]+$/ &&
						   said + 0 >= before + 0 && said + 0 <= after + 0)
}

FILENAME == ARGV[1] { before[$1 " " $2] = substr($0, length($1 $2) + 3); next }
FILENAME == ARGV[2] { after[$1 " " $2] = substr($0, length($1 $2) + 3); next }
FNR == 1 { next }
{
	n = split($0, c, "\",\"")
	port = cell(c[2]); at = (port == "" ? "-" : port) " " cell(c[3])
	said[at] = cell(c[4]); why[at] = cell(c[10])
	has[port == "" ? "-" : port] = 1
}

END {
	split(left_out, words, " ")
	for (i in words)
		left[words[i]] = 1
	for (at in after) {
		split(at, w, " ")
		if (!(at in before))
			continue	# came while it was read
		if (w[2] ~ /\/stack$/) {	# where the driver counts too, that may be said as well
			plain = w[1] " " substr(w[2], 1, length(w[2]) - 6)
			if (plain in after)
				continue
			said[at] = said[plain]; why[at] = why[plain]
			if (!(plain in said))
				delete said[at]
		}
		if (w[1] in left && !(w[1] in has)) {
			n_left++
			continue
		}
		if (!(at in said)) {
			print "missing " at ": the kernel says " after[at]
			n_missing++
		} else if (said[at] == "" && why[at] != "") {
			by_reason[why[at]]++
			n_unknown++
		} else if (said[at] == "") {
			print "missing " at ": neither a value nor a reason; the kernel says " after[at]
			n_missing++
		} else if (fits(said[at], before[at], after[at]) ||
			   ((at "/stack") in after && fits(said[at], before[at "/stack"], after[at "/stack"]))) {
			n_right++
		} else {
			print "WRONG " at ": " said[at] "; the kernel says " before[at] (after[at] == before[at] ? "" : " … " after[at])
			n_wrong++
		}
	}
	for (at in said)
		if (!(at in after) && !((at "/stack") in after) && at !~ /\/stack$/ && said[at] != "") {
			split(at, w, " ")
			sub(/\[.*/, "", w[2])
			n_alone += 1
			alone[w[2]] = 1
		}
	for (reason in by_reason)
		print "unknown " by_reason[reason] ": " reason
	list = ""
	for (field in alone)
		list = list " " field
	if (verbose)
		print "of no kernel row:" list
	printf "right %d, unknown %d, missing %d, wrong %d, of ports left out %d, of no kernel row %d\n", n_right, n_unknown, n_missing, n_wrong, n_left, n_alone
	exit n_wrong + n_missing > 0
}
