package tool

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// The first line that differs is named as it stands, and how it differs (EDIT-9).
func TestAnEditThatMissesIsToldTheFirstLineThatDiffersAndHow(t *testing.T) {
	file := "func one() {\n\treturn 1\n}\n\nfunc two() {\n\tif x {\n\t\treturn \u201ctwo\u201d  \n\t}\n" +
		"\treturn 2\n}\na := 1\nlast  :=\u00a03\n"
	lines := strings.Split(file, "\n")
	const oneAbove, twoAbove = "The line above it matches. ", "The 2 lines above it match. "
	for _, c := range []struct {
		name, old string
		line      int
		how       string
	}{
		{"an indentation", "func two() {\n    if x {\n", 6, oneAbove + "It begins with a tab, you sent 4 spaces."},
		{"an indentation below lines that match", "func two() {\n\tif x {\n\t    return \u201ctwo\u201d  \n\t}\n", 7,
			twoAbove + "It begins with 2 tabs, you sent a tab and 4 spaces."},
		{"quotation marks", "\t\treturn \"two\"  \n", 7, "It has \"\u201ctwo\u201d\", you sent \"\\\"two\\\"\"."},
		{"blanks at the end", "\t\treturn \u201ctwo\u201d\n\t}", 7, "It ends with 2 spaces, you sent no blanks."},
		{"a part of a line", "last :=", 12, `It has after "last" 2 spaces, you sent a space.`},
		{"a no-break space", "last  := 3", 12,
			`It has after "last  :=" a no-break space (U+00A0), you sent a space.`},
		{"a line left out", "func two() {\n\tif x {\n\t}\n", 7, twoAbove + "You left it out."},
		{"a line too many", "func one() {\n\tx := 0\n\treturn 1\n", 2,
			oneAbove + `Above it you sent "\tx := 0", which is not there.`},
		{"another line", "func one() {\n\tpanic(\"no\")\n}\n", 2, oneAbove + `You sent "\tpanic(\"no\")".`},
		{"another word", "func one() {\n\treturn 17\n}\n", 2, oneAbove + `It does not have "7".`},
		{"behind the end", "a := 1\nlast  :=\u00a03\nmore\n", 12,
			oneAbove + `The file ends there, and you sent "more" below it.`},
		{"the right one of two", "\treturn 2\n}\na := 2\n", 11, twoAbove + `It has "1", you sent "2".`},
	} {
		want := fmt.Sprintf("old_string not found in f. File contains 12 lines. Did you mean: line %d: %s? %s",
			c.line, lines[c.line-1], c.how)
		if got := notFound("f", file, c.old).Error(); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, want)
		}
	}
}

// Whatever line of a copied block is changed in its blanks, that one is named.
func TestTheFirstChangedLineOfABlockIsNamed(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	blanks := []string{"", " ", "\t", "    ", "\t\t", " \t", "\u00a0"}
	for round := range 500 {
		var lines []string
		for i := range 40 {
			lines = append(lines, blanks[r.IntN(len(blanks))]+fmt.Sprintf("word%d = é(%d)", r.IntN(8), i)+
				blanks[r.IntN(3)])
		}
		from := r.IntN(30)
		block := append([]string(nil), lines[from:from+2+r.IntN(8)]...)
		at := r.IntN(len(block))
		block[at] = strings.Replace(block[at], " =", blanks[r.IntN(len(blanks)-1)]+"\u2003=", 1)
		for later := at + 1; later < len(block); later++ {
			block[later] = strings.TrimSpace(block[later])
		}
		err := notFound("f", strings.Join(lines, "\n"), strings.Join(block, "\n")).Error()
		want := fmt.Sprintf("Did you mean: line %d: %s? ", from+at+1, lines[from+at])
		if !strings.Contains(err, want) || !strings.Contains(err, "U+2003") {
			t.Fatalf("seed %d, round %d: %s\nwant %s\nfor\n%q", seed, round, err, want, block)
		}
	}
}

func FuzzHintsForEdits(f *testing.F) {
	f.Add("a\n\tb\r\n", "a\n b")
	f.Add("\xff\u00a0x“", "x\"")
	f.Fuzz(func(t *testing.T, text, old string) {
		if old != "" && !strings.Contains(text, old) {
			_ = notFound("f", text, old).Error()
		}
	})
}
