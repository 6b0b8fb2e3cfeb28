#!/bin/sh
# layers_test.sh BUILD: layers.sh must pass a small tree, and must find each mistake that is made below in copies of it. The
# objects are real: CC compiles them.
tools=$(cd "${0%/*}" && pwd)
work=$1/layers-test
failed=0 n=0
: "${CC:=cc}"

compile() {	# FILE.c...
	for file; do
		mkdir -p "build/${file%/*}"
		$CC -I. -Ibuild/db/tape -MMD -c "$file" -o "build/${file%.c}.o" || exit 1
	done
}

plant() {
	mkdir -p core/base core/model remote/os10 db/tape tui/cli tests/core build/db/tape
	echo 'int base(void);' >core/base/base.h
	echo 'int base(void) { return 1; }' >core/base/base.c
	echo 'int model(void); int model_tested(void);' >core/model/model.h
	cat >core/model/model.c <<-'END'
		#include "core/base/base.h"
		int model(void) { return base(); }
		int model_tested(void) { return base(); }
	END
	echo 'extern const int os10_platform;' >remote/os10/os10.h
	echo 'const int os10_platform = 1;' >remote/os10/os10.c
	cat >remote/platforms.c <<-'END'
		#include "remote/os10/os10.h"
		const int *const platforms[] = { &os10_platform };
	END
	echo '/* nothing */' >build/db/tape/schema.inc
	cat >db/tape/tape.c <<-'END'
		#include "schema.inc"
		#include "core/model/model.h"
		int tape(void) { return model(); }
	END
	cat >tui/cli/main.c <<-'END'
		#include <stdlib.h>
		#include "core/base/base.h"
		#include "core/model/model.h"
		extern const int *const platforms[];
		int tape(void);
		int main(void) { return tape() + *platforms[0] + model(); }
	END
	cat >tests/core/test_model.c <<-'END'
		#include "core/model/model.h"
		int main(void) { return model_tested(); }
	END
	cat >tests/layers <<-'END'
		remote/+	= remote/platforms +_platform
		*:	core/base
		core/base:
		core/model:
		remote/+:
		remote:	remote/+
		db/tape:	core/model
		tui/cli:	core/* db/tape \
			remote
	END
	compile */*.c */*/*.c
}

copy_plain() { rm -rf "$copy" && cp -Rp "$plain" "$copy" && cd "$copy" || exit 1; }

judge() { said=$(sh "$tools/layers.sh" build 2>&1); }

says() { case $said in *"$1"*) true ;; *) false ;; esac; }

wrong() { echo "layers_test.sh: $1"; echo "$said"; failed=1; }

# Standard input: messages of layers.sh, all of which this copy must get; each makes it fail.
finds() {
	judge && wrong "layers.sh passes a tree with mistakes"
	while read -r message; do
		n=$((n + 1))
		says "layers: $message" || wrong "layers.sh does not say: $message"
	done
}

rm -rf "$work" && mkdir -p "$work/plain" && cd "$work" || exit 1
plain=$PWD/plain copy=$PWD/copy
cd "$plain" && plant
judge || wrong "layers.sh fails where nothing is wrong"
says 'tests alone, by the symbols of 1 built tests: 1' || wrong "layers.sh does not count the test's symbol"

for change in 'rm build/tests/core/test_model.o' 'touch -t 209901010000 tests/core/test_model.c'; do
	copy_plain
	$change
	judge || wrong "layers.sh fails where a test is not built: $change"
	says 'a mere word in 1 tests that are not built: 1' || wrong "layers.sh does not tell that a test is not built: $change"
done

# ---- includes, in whatever way they are written ----

copy_plain
mkdir core/foo
touch tests/x.h core/foo/foo.h db/tape/rows.def tui/cli/rows.inc
cat >>core/model/model.c <<'END'
#include "db/tape/rows.def"
 # /* */ include	"tui/cli/rows.inc"
#include "../../tui/x.h"
#  include <tui/cli/x.h>
#include "tests/x.h"
#include <tests/x.h>
#include "model.h"
#include <../base/base.h>
%:include MODEL
END
echo '#include <schema.inc>' >>db/tape/tape.c
echo '#include "core/model/model.h"' >>core/model/model.h
echo '#include "core/model/b.h"' >core/model/a.h
echo '#include "core/model/a.h"' >core/model/b.h
finds <<'END'
core/model -> db/tape is not in tests/layers: core/model/model.c:4 includes db/tape/rows.def
core/model -> tui/cli is not in tests/layers: core/model/model.c:5 includes tui/cli/rows.inc
core/model/model.c:6: "../../tui/x.h": write the path from the root
core/model/model.c:7: <tui/cli/x.h> is our own file
core/model/model.c:8: "tests/x.h" is not a file of core
core/model/model.c:9: <tests/x.h> is our own file
core/model/model.c:10: "model.h" is not a file of core
core/model/model.c:11: "../base/base.h": write the path from the root
core/model/model.c:12: an #include needs a name in quotes or angle brackets here: MODEL
db/tape/tape.c:4: <schema.inc> is our own file
core/model/model.h:2: core/model/model.h includes itself
a circle of includes: core/model/
no row of tests/layers names core/foo
END

# ---- symbols, and what the compiler read ----

copy_plain
mkdir -p remote/foo
echo 'int foo(void) { return 0; }' >remote/foo/foo.c
echo 'int foo(void); int tape_foo(void) { return foo(); }' >>db/tape/tape.c
echo 'int tape(void); int model_tape(void) { return tape(); }' >>core/model/model.c
printf '#\\\ninclude "remote/os10/os10.h"\n' >>core/model/model.c
echo '/* model_tested */ int main(void) { return 0; }' >tests/core/test_model.c
compile remote/foo/foo.c db/tape/tape.c core/model/model.c tests/core/test_model.c
for i in 1 2 3 4 5 6; do
	echo "int c$((i % 6 + 1))(void); int c$i(void) { return c$((i % 6 + 1))(); }" >core/base/c$i.c
	compile core/base/c$i.c
done
rm build/core/base/base.[od]
finds <<'END'
no row of tests/layers names remote/foo
core/model -> db/tape is not in tests/layers: core/model/model.c calls tape
a circle of folders:
a circle of files in two folders:
a circle of 6 files; at most five are allowed: core/base/c
core/model/model.c: the compiler read remote/os10/os10.h, and no #include line names it
model_tested of core/model/model.c is used by no other file and no test
core/base/base.c: nm shows no symbol of its object
core/base/base.c: its .d file does not name it
END

# ---- rows of tests/layers: the last copy's remote/foo has one now, which does not make it right that db uses it ----

mkdir core/spare
touch core/spare/spare.h
cat >tests/layers <<'END'
remote/+	= remote/platforms +_platform
tui/+		= tui/cli/main +_main
*:		core/base core/spare remote
core/base:
core/spare:
core/ghost:
remote/+:
remote/lab/+:
remote/foo:
remote:		remote/+ db/tape
db/tape:	core/base core/model core/ghost remote/foo
db/tape:	core/*
tui/cli:	core/* db/tape remote
core/model:	tui/*
db/none		core/base
END
finds <<'END'
tests/layers: a row begins with a folder and a colon, not with: db/none core/base
tests/layers: there is no folder core/ghost
tests/layers: there is no folder remote/lab/+
tests/layers: tui/+ has no row
tests/layers: db/tape has two rows
tests/layers: db/tape -> core/base is allowed, and nothing needs it
tests/layers: db/tape -> core/ghost is allowed, and nothing needs it
tests/layers: db/tape -> core/* is allowed, and nothing needs it
tests/layers: remote -> db/tape is allowed, and nothing needs it
tests/layers: * -> core/spare is allowed, and nothing needs it
tests/layers: db/tape -> remote/foo: db must not use remote
tests/layers: remote -> db/tape: remote must not use db
tests/layers: core/model -> tui/*: core must not use tui
tests/layers: * -> remote: * must not use remote
tests/layers: db/tape -> core/model: the row of core/model must be above
tests/layers: tui/cli -> core/*: the row of core/model must be above
END

copy_plain
cat >>core/model/model.c <<'END'
#include <stdlib.h>
#include <time.h>
int model_late(void) { return (int)time(NULL) + system("true"); }
int base2(void) { return 2; }
END
echo 'int base2(void) { return 2; }' >>core/base/base.c
compile core/model/model.c core/base/base.c
finds <<'END'
core/model/model calls time: core has no clock
core/model/model calls system: core has no clock
base2 is defined twice: in
END

[ $failed -ne 0 ] || echo "layers.sh finds each of $n planted mistakes"
exit $failed
