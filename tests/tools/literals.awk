# The string literals of C files, adjacent ones joined: FILE:LINE, a tab, the name of the member that it is given to (".why", or
# nothing), a tab, the text as it is written there, with its escapes.
function ends() {
	if (text != "")
		print place "\t" member "\t" text
	text = ""
}

# The rest of a line behind a literal or character that began before it; what it held is in "held".
function behind(line, quote,	i, c) {
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		if (c == "\\")
			i++
		else if (c == quote)
			break
	}
	held = substr(line, 1, i - 1)
	return substr(line, i + 1)
}

# Of code without literals: whether anything stands there, and the member that it assigns to at its end.
function passes(code) {
	if (code !~ /[^ \t]/)
		return
	ends()
	member = match(code, /\.[a-z_]+ *= *[({]*$/) ? substr(code, RSTART, RLENGTH) : ""
	sub(/ *=.*/, "", member)
}

FNR == 1 { ends(); member = ""; is_comment = 0 }

!is_comment && /^[ \t]*#[ \t]*include/ { next }

{
	line = $0
	while (line != "") {
		if (is_comment) {
			i = index(line, "*/")
			is_comment = !i
			line = i ? substr(line, i + 2) : ""
		} else if (!match(line, /["']|\/\*|\/\//)) {
			passes(line)
			line = ""
		} else {
			code = substr(line, 1, RSTART - 1)
			c = substr(line, RSTART, RLENGTH)
			line = substr(line, RSTART + RLENGTH)
			passes(code)
			if (c == "/*") {
				is_comment = 1
			} else if (c == "//") {
				line = ""
			} else if (c == "'") {
				line = behind(line, "'")
				ends()
			} else {
				line = behind(line, "\"")
				if (text == "")
					place = FILENAME ":" FNR
				text = text held
			}
		}
	}
}

END { ends() }
