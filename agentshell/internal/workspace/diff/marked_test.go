package diff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestAMergeMarksWhatBothSidesChanged(t *testing.T) {
	t.Parallel()
	base := "a\nb\nc\nd\ne\nf\ng\n"
	for _, c := range []struct {
		mine, theirs, want string
		conflicts          []Conflict
	}{
		{base, "a\nB\nc\nd\ne\nf\ng\n", "a\nB\nc\nd\ne\nf\ng\n", nil},
		{"a\nB\nc\nd\ne\nf\ng\n", "a\nb\nc\nd\ne\nF\ng\n", "a\nB\nc\nd\ne\nF\ng\n", nil},
		{"a\nB\nc\nd\ne\nf\ng\n", "a\nB\nc\nd\ne\nf\ng\n", "a\nB\nc\nd\ne\nf\ng\n", nil},
		{"a\n1\nc\nd\ne\nf\ng\n", "a\n2\nc\nd\ne\nF\ng\n",
			"a\n<<<<<<< workspace\n1\n||||||| before\nb\n=======\n2\n>>>>>>> Lexer\nc\nd\ne\nF\ng\n",
			[]Conflict{{2, 8}}},
		{"a\nc\nd\ne\nf\ng\n", "a\n2\nc\nd\ne\nf\ng",
			"a\n<<<<<<< workspace\n||||||| before\nb\n=======\n2\n>>>>>>> Lexer\nc\nd\ne\nf\ng",
			[]Conflict{{2, 7}}},
	} {
		text, conflicts := MergeMarked([]byte(base), []byte(c.mine), []byte(c.theirs), "workspace", "Lexer")
		if string(text) != c.want || !slices.Equal(conflicts, c.conflicts) {
			t.Errorf("%q and %q: %q %v", c.mine, c.theirs, text, conflicts)
		}
	}
}

// Each side is found again in a merge with marks, and a merge without one is that of Merge.
func TestAMarkedMergeLosesNothing(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	edit := func(lines []string) []byte {
		out := slices.Clone(lines)
		for range r.IntN(3) {
			i := r.IntN(len(out) + 1)
			switch {
			case i == len(out) || r.IntN(3) == 0:
				out = slices.Insert(out, i, fmt.Sprintf("new %d\n", r.IntN(4)))
			case r.IntN(2) == 0:
				out = slices.Delete(out, i, i+1)
			default:
				out[i] = fmt.Sprintf("line %d\n", r.IntN(4))
			}
		}
		return []byte(strings.Join(out, ""))
	}
	marked := 0
	for range 5000 {
		var lines []string
		for i := range r.IntN(9) {
			lines = append(lines, fmt.Sprintf("%d\n", i))
		}
		base, mine, theirs := []byte(strings.Join(lines, "")), edit(lines), edit(lines)
		text, conflicts := MergeMarked(base, mine, theirs, "m", "t")
		if clean, ok := Merge(base, mine, theirs); ok != (len(conflicts) == 0) || ok && !bytes.Equal(clean, text) {
			t.Fatalf("%q, %q, %q: %q, Merge: %q %v", base, mine, theirs, text, clean, ok)
		}
		if len(conflicts) > 0 {
			marked++
		}
		for line := range strings.Lines(string(mine)) {
			if strings.HasPrefix(line, "new") && !strings.Contains(string(text), line) {
				t.Fatalf("%q, %q, %q: %q lost %q", base, mine, theirs, text, line)
			}
		}
		mineAlone, _ := MergeMarked(base, mine, base, "m", "t")
		theirsAlone, _ := MergeMarked(base, base, theirs, "m", "t")
		if !bytes.Equal(mineAlone, mine) || !bytes.Equal(theirsAlone, theirs) {
			t.Fatalf("%q: alone %q is %q, and %q is %q", base, mine, mineAlone, theirs, theirsAlone)
		}
	}
	if marked < 500 {
		t.Errorf("only %d merges had a conflict", marked)
	}
}
