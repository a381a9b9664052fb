package hashline

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// sample is the file of the examples.
const sample = "const X = \"a\";\nconst Y = X;\n\nconsole.log(X);\nconsole.log(Y);\nexport { X, Y };\n"

// apply applies a patch for one file to a text and gives what comes of it, or the error.
func apply(text, patch string, blocks Blocks) string {
	p, err := Parse(patch)
	if err != nil {
		return "error: " + err.Error()
	}
	after, _, err := Apply(text, p.Sections[0].Hunks, blocks)
	if err != nil {
		return "error: " + err.Error()
	}
	for _, w := range p.Warnings {
		after += "warning: " + w
	}
	return after
}

// lines returns a text of lines, for expected ones.
func lines(list ...string) string { return strings.Join(list, "\n") + "\n" }

func TestEachFormChangesWhatItNames(t *testing.T) {
	for _, c := range []struct{ name, patch, want string }{
		{"replace", "replace 2..3:\n+x\n+y", "1 x y 4 5"},
		{"replace by more", "replace 2..2:\n+x\n+\n+y", "1 x  y 3 4 5"},
		{"replace all", "replace 1..5:\n+x", "x"},
		{"delete", "delete 2..4", "1 5"},
		{"before", "insert before 1:\n+x", "x 1 2 3 4 5"},
		{"after", "insert after 5:\n+x", "1 2 3 4 5 x"},
		{"head and tail", "insert tail:\n+z\ninsert head:\n+a", "a 1 2 3 4 5 z"},
		{"one line", "replace 2:\n+x", "1 x 3 4 5"},
		{"delete one line", "delete 2", "1 3 4 5"},
		{"no colon", "replace 2..3\n+x\ninsert after 4\n+y\ninsert head\n+z", "z 1 x 4 y 5"},
		{"a hyphen", "replace 2-3:\n+x", "1 x 4 5"},
		{"an ellipsis", "replace 2…3:\n+x", "1 x 4 5"},
		{"a blank", "replace 2 3:\n+x", "1 x 4 5"},
		{"blanks", "replace  2 .. 3 :\n+x", "1 x 4 5"},
		{"signs in rows", "replace 1:\n+-a\n++b", "-a +b 2 3 4 5"},
		{"numbers are those of the old text", "delete 1\ninsert after 3:\n+x\nreplace 5:\n+y", "2 3 x 4 y"},
		{"beside a range", "replace 2..3:\n+x\ninsert before 2:\n+b\ninsert after 3:\n+a", "1 b x a 4 5"},
		{"in one place in their order", "insert after 2:\n+x\ninsert before 3:\n+y\ninsert after 2:\n+z",
			"1 2 x y z 3 4 5"},
		{"an envelope", "delete 1\n*** End Patch", "2 3 4 5"},
		{"abort", "delete 1\n*** Abort\nnonsense", "2 3 4 5"},
		{"blank lines between hunks", "replace 1:\n+x\n\n\ndelete 2\n\n", "x 3 4 5"},
		{"lines end as Windows has it", "replace 1:\r\n+x\r\n", "x 2 3 4 5"},
	} {
		got := apply(lines("1", "2", "3", "4", "5"), "¶f#0A3B\n"+c.patch, nil)
		if want := lines(strings.Split(c.want, " ")...); got != want {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
	}
}

func TestTheExamplesOfTheDocument(t *testing.T) {
	const x, y = "console.log(X);\n", "console.log(Y);\n"
	for patch, want := range map[string]string{
		"replace 1..1:\n+const X = \"b\";\n+export const Y = X;": "const X = \"b\";\nexport const Y = X;\n" +
			strings.SplitN(sample, "\n", 2)[1],
		"insert after 5:\n+console.log(X + Y);":               strings.Replace(sample, y, y+"console.log(X + Y);\n", 1),
		"insert before 5:\n+console.log(X + Y);":              strings.Replace(sample, x, x+"console.log(X + Y);\n", 1),
		"delete 4..5":                                         strings.Replace(sample, x+y, "", 1),
		"insert head:\n+// header\ninsert tail:\n+// trailer": "// header\n" + sample + "// trailer\n",
	} {
		if got := apply(sample, "¶a.ts#0A3B\n"+patch, nil); got != want {
			t.Errorf("%s: %q", patch, got)
		}
	}
	p, err := Parse("¶src/a.ts#0A3B\nreplace 4..4:\n+const enabled = true;\n¶src/b.ts#1f7c\ndelete 20\n")
	if err != nil || len(p.Sections) != 2 || p.Sections[1].Path != "src/b.ts" || p.Sections[1].Tag != "1F7C" ||
		Header(p.Sections[0].Path, p.Sections[0].Tag) != "¶src/a.ts#0A3B" {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestARowWithoutItsSignIsTakenWithAWarning(t *testing.T) {
	want := "if x {\n\n\tdelete(m, k)\n}\n2\nwarning: " + bareBodyWarning
	if got := apply("1\n2\n", "¶f#0A3B\nreplace 1:\nif x {\n\n\tdelete(m, k)\n}\n", nil); got != want {
		t.Errorf("%q", got)
	}
}

func TestHeadersAreRecovered(t *testing.T) {
	for header, want := range map[string]string{
		"¶ a b.go#00ff ": "a b.go#00FF", "¶Update File: a.go#0A3B": "a.go#0A3B",
		"¶*** Add File: a.go#0A3B": "a.go#0A3B",
		"¶a#b.go#0A3B":             "a#b.go#0A3B", "¶a.go": "a.go#", "¶a.go#XYZ": "a.go#", "¶a.go#0A3B7": "a.go#",
	} {
		p, err := Parse("\n\n" + header + "\ndelete 1")
		if err != nil || p.Sections[0].Path+"#"+p.Sections[0].Tag != want {
			t.Errorf("%q: %+v, %v", header, p, err)
		}
	}
	p, err := Parse("*** Begin Patch\n¶a.go#0A3B\ndelete 1\n*** End Patch\n")
	if err != nil || len(p.Sections) != 1 || len(p.Warnings) > 0 {
		t.Errorf("an envelope: %+v, %v", p, err)
	}
	if got := MissingTagError("a.go").Error(); got != "Missing hashline snapshot tag for anchored edit to a.go; "+
		"use ¶a.go#tag from your latest read/search output." {
		t.Error(got)
	}
}

func TestEachMistakeIsNamed(t *testing.T) {
	text, err := os.ReadFile("testdata/mistakes.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n== ")
	if len(cases) < 23 {
		t.Fatalf("%d mistakes", len(cases))
	}
	for _, c := range cases {
		name, rest, _ := strings.Cut(c, "\n")
		t.Run(name, func(t *testing.T) {
			patch, want, ok := strings.Cut(rest, "\n-- \n")
			got := strings.TrimRight(apply(lines("1", "2", "3", "4", "5"), patch, nil), "\n")
			if !ok || got != "error: "+strings.TrimRight(want, "\n") {
				t.Errorf("%s\nwant\n%s", got, want)
			}
		})
	}
	if _, err := Parse("x"); !errors.As(err, new(Error)) {
		t.Errorf("%T", err)
	}
}

func TestABlockIsWhatTheLanguageSays(t *testing.T) {
	two := func(text string, line int) (int, bool) { return line + 1, line%2 == 0 }
	for patch, want := range map[string]string{
		"replace block 2:\n+x":                      "1 x 4 5",
		"delete block 4":                            "1 2 3",
		"insert after block 2:\n+x":                 "1 2 3 x 4 5",
		"delete block 2\ninsert after block 2:\n+x": "1 x 4 5",
	} {
		got := apply(lines("1", "2", "3", "4", "5"), "¶f#0A3B\n"+patch, two)
		if got != lines(strings.Split(want, " ")...) {
			t.Errorf("%s: %q", patch, got)
		}
	}
	p, err := Parse("¶f#0A3B\ndelete block 2")
	if err != nil {
		t.Fatal(err)
	}
	_, h, err := Apply(lines("1", "2", "3"), p.Sections[0].Hunks, two)
	if err != nil || h[0].From != 2 || h[0].To != 3 {
		t.Errorf("%+v, %v", h, err)
	}
	got := apply("1\n2\n", "¶f#0A3B\ndelete block 2", two)
	if !strings.Contains(got, "`delete block 2` could not resolve") {
		t.Errorf("a block behind the end: %s", got)
	}
}

func TestTheEndsOfLinesStay(t *testing.T) {
	for _, c := range []struct{ text, patch, want string }{
		{"a\r\nb\r\n", "replace 1:\n+x\n+y", "x\r\ny\r\nb\r\n"},
		{"a\nb\r\n", "insert after 1:\n+x", "a\nx\r\nb\r\n"},
		{"a\nb", "replace 2:\n+x", "a\nx"},
		{"a\nb", "insert tail:\n+x", "a\nb\nx"},
		{"a\nb", "delete 2", "a\n"},
		{"\n0", "delete 2", "\n"},
		{"a\nb", "replace 2:\n+", "a\n\n"},
		{"a", "insert after 1:\n+x", "a\nx"},
		{"a\r\nb", "insert tail:\n+x", "a\r\nb\r\nx"},
		{"", "insert head:\n+x", "x\n"},
		{"", "insert tail:\n+x\n+y", "x\ny\n"},
		{"a\n", "delete 1", ""},
		{"\n\n", "replace 2:\n+x", "\nx\n"},
		{"a\rb\n", "insert head:\n+x", "x\na\rb\n"},
	} {
		if got := apply(c.text, "¶f#0A3B\n"+c.patch, nil); got != c.want {
			t.Errorf("%q, %s: %q, want %q", c.text, c.patch, got, c.want)
		}
	}
}

// reference applies hunks to lines in a way of its own: line by line of the old text.
func reference(old []string, hunks []Hunk) (after []string, ok bool) {
	taken, gaps, first := make([]int, len(old)+2), make([][]string, len(old)+1), map[int][]string{}
	for i, h := range hunks {
		switch h.Verb {
		case Replace, Delete:
			for n := h.From; n <= h.To; n++ {
				if taken[n] != 0 {
					return nil, false
				}
				taken[n] = i + 1
			}
			first[h.From] = h.Body
		case Before:
			gaps[h.From-1] = append(gaps[h.From-1], h.Body...)
		case After:
			gaps[h.From] = append(gaps[h.From], h.Body...)
		case Head:
			gaps[0] = append(gaps[0], h.Body...)
		case Tail:
			gaps[len(old)] = append(gaps[len(old)], h.Body...)
		}
	}
	for g := range gaps {
		if len(gaps[g]) > 0 && g > 0 && taken[g] != 0 && taken[g] == taken[g+1] {
			return nil, false
		}
	}
	after = append(after, gaps[0]...)
	for n := 1; n <= len(old); n++ {
		after = append(after, first[n]...)
		if taken[n] == 0 {
			after = append(after, old[n-1])
		}
		after = append(after, gaps[n]...)
	}
	return after, true
}

// written returns a hunk as a model writes it.
func written(h Hunk) string {
	body := ""
	for _, l := range h.Body {
		body += "+" + l + "\n"
	}
	switch h.Verb {
	case Replace:
		return fmt.Sprintf("replace %d..%d:\n%s", h.From, h.To, body)
	case Delete:
		return fmt.Sprintf("delete %d..%d\n", h.From, h.To)
	case Before:
		return fmt.Sprintf("insert before %d:\n%s", h.From, body)
	case After:
		return fmt.Sprintf("insert after %d:\n%s", h.From, body)
	case Head:
		return "insert head:\n" + body
	}
	return "insert tail:\n" + body
}

func TestRandomEditsAreThoseOfTheReference(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	refused := 0
	for round := range 100_000 {
		old := make([]string, 1+rng.IntN(12))
		for i := range old {
			old[i] = fmt.Sprintf("old %d", i+1)
		}
		var hunks []Hunk
		patch := "¶f#0A3B\n"
		for i := range 1 + rng.IntN(4) {
			h := Hunk{Verb: Verb(rng.IntN(6)), From: 1 + rng.IntN(len(old))}
			h.To = h.From
			if h.Verb == Replace || h.Verb == Delete {
				h.To += rng.IntN(min(4, len(old)-h.From+1))
			}
			for j := range 1 + rng.IntN(3) {
				if h.Verb != Delete {
					h.Body = append(h.Body, []string{"", "-", "+x", "5", "delete 3"}[rng.IntN(5)]+fmt.Sprint(i, j))
				}
			}
			hunks = append(hunks, h)
			patch += written(h)
		}
		want, ok := reference(old, hunks)
		got := apply(lines(old...), patch, nil)
		switch {
		case !ok:
			refused++
			if !strings.Contains(got, "is already targeted by another hunk") {
				t.Fatalf("seed %d, round %d: %s\nis not refused: %q", seed, round, patch, got)
			}
		case len(want) == 0 && got == "":
		case got != lines(want...):
			t.Fatalf("seed %d, round %d: %s\n%q, want %q", seed, round, patch, got, lines(want...))
		}
	}
	if refused < 1000 || refused > 90_000 {
		t.Errorf("%d of 100000 patches were refused", refused)
	}
}

// FuzzAPatchTakesOnlyWhatItSays: whatever a patch is, each line afterwards is one of the text or of
// a body, and each line that no hunk names is still there.
func FuzzAPatchTakesOnlyWhatItSays(f *testing.F) {
	f.Add(sample, "¶a.ts#0A3B\nreplace 1..2:\n+x\ninsert after 4:\ny\n")
	f.Add("a\r\nb", "¶a#0a3b\r\ndelete 2\r\ninsert tail\n+\n")
	f.Fuzz(func(t *testing.T, text, patch string) {
		p, err := Parse(patch)
		if err != nil {
			return
		}
		for _, s := range p.Sections {
			after, hunks, err := Apply(text, s.Hunks, nil)
			if err != nil {
				continue
			}
			var may []string
			old := splitLines(text)
			gone := map[int]bool{}
			for _, l := range old {
				may = append(may, l.text)
			}
			for _, h := range hunks {
				may = append(may, h.Body...)
				for n := h.From; n <= h.To && h.takesLines(); n++ {
					gone[n] = true
				}
			}
			var left []string
			// A \r at the very end becomes a part of an end when a line follows.
			name := func(l textLine) string { return strings.TrimRight(l.text, "\r") }
			for _, l := range splitLines(after) {
				left = append(left, name(l))
				if !slices.ContainsFunc(may, func(m string) bool { return strings.Contains(m+"\r", l.text) }) {
					t.Fatalf("%q comes from nowhere", l.text)
				}
			}
			at := 0
			for n, l := range old {
				if gone[n+1] {
					continue
				}
				i := slices.Index(left[at:], name(l))
				if i < 0 {
					t.Fatalf("line %d, %q, is gone", n+1, l.text)
				}
				at += i + 1
			}
		}
	})
}
