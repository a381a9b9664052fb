package approval

import (
	"strings"
	"testing"
)

func TestWhatALineNamesAsWritten(t *testing.T) {
	for _, c := range []struct{ command, want string }{
		{"make", ""},
		{"make > log 2>&1", "log"},
		{"echo $(date) > Makefile", "Makefile"},
		{"eval true; echo y >> Makefile", "Makefile"},
		{"case x in x) echo y >| package.json;; esac", "package.json"},
		{"f() { echo y &> AGENTS.md; }; f", "AGENTS.md"},
		{"echo y >& Makefile; make >&2 2>&-", "Makefile"},
		{"exec 3<> Makefile", "Makefile"},
		{"echo y | tee -a Makefile; timeout 5 tee a; env B=1 tee b", "Makefile a b"},
		{"cp x Makefile; mv y d/; ln -sf z w", "Makefile Makefile/x d d/y w w/z"},
		{"cp a/Makefile $out; cp Makefile -t $out", "Makefile"},
		{"cp -t .github x; install -t.github y; cp --target-directory=.github z", ".github/x .github/y .github/z"},
		{"dd if=x of=Makefile; sed -i s/a/b/ Makefile", "Makefile"},
		{"sed -i s/a/b/ *.mk", "*.mk?"},
		{"echo > Make*; echo > 'Make*'", "Make*? Make*"},
		{"echo y > $PWD/.github/workflows/x.yml", ".github/workflows/x.yml"},
		{`echo y > "$(pwd)/Makefile"; echo > ~/Makefile`, "Makefile"},
		{"echo y > $'Make\\x66ile'; echo > 'Dock'er\"file\"; echo > M\\akefile2", "Makefile Dockerfile Makefile2"},
		{"tee {Makefile,x}", "Makefile x"},
		{"cd .github && echo y > x.yml", "x.yml .github/x.yml"},
		{"(cd a; cd b; echo > c)", "c a/c b/c a/b/c"},
		{"cd /etc; echo > x", "x /etc/x"},
		{"cd $x; make", ""},
		{"cd $x; echo > y", "y + it writes a file in a directory whose name is computed"},
		{"cd -P a; echo > y", "y + it writes a file in a directory whose name is computed"},
		{"sh -c 'echo > Makefile'; eval 'echo > b'; trap 'echo > c' EXIT", "Makefile b c"},
		{`find . -exec sh -c 'echo > Makefile' \; -ok tee x \;`, "Makefile x"},
		{"ls | xargs tee Makefile", "Makefile"},
		{"bash <<E\necho > Makefile\nE\n", "Makefile"},
		{"sh <<< 'echo > Makefile'", "Makefile"},
		{"cat <<E\necho > Makefile\nE\n", ""},
		{"cat > >(tee Makefile)", "Makefile + it writes a file whose name is computed"},
		{"echo > $f", " + it writes a file whose name is computed"},
		{"echo | tee $f.out", " + it writes a file whose name is computed"},
		{"for f in *.c; do cp $f $f.bak; sed -i s/a/b/ $f; done", ""},
		{"echo > Makefile\nif", " + the line cannot be parsed, so it may write any file"},
		{"# a comment \\\necho > Makefile", "Makefile"},
		{"make \\\n > log", "log"},
		{"echo > /dev/null 2> /dev/stderr", ""},
		{"grep tee Makefile; git commit -m cp a b", ""},
		{"command tee a; exec tee b; \\tee c; /usr/bin/tee d", "a b c d"},
	} {
		var got []string
		w := WrittenBy(c.command)
		for _, f := range w.Files {
			if f.Pattern {
				f.File += "?"
			}
			got = append(got, f.File)
		}
		text := strings.Join(got, " ")
		if w.Why != "" {
			text += " + " + w.Why
		}
		if text != c.want {
			t.Errorf("%q\n%q, want\n%q", c.command, text, c.want)
		}
	}
	if w := WrittenBy("env" + strings.Repeat(" tee", 20_000)); w.Why == "" { // it would take for ever
		t.Error("all of them are looked at")
	}
	w := WrittenBy("tee" + strings.Repeat(" a", maxPlaces) + " b")
	if len(w.Files) != 2 || w.Why != "" {
		t.Errorf("%+v", w)
	}
	long := "tee"
	for i := range maxPlaces + 1 {
		long += " a" + strings.Repeat("b", i)
	}
	if w := WrittenBy(long); len(w.Files) != maxPlaces || w.Why == "" {
		t.Errorf("%d files, %q", len(w.Files), w.Why)
	}
}
