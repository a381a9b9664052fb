package diff

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// apply returns what patch does, written from the format alone.
func apply(t testing.TB, a []byte, d Diff) []byte {
	t.Helper()
	old := splitLines(a)
	var out []byte
	at := 0
	for _, h := range d.Hunks {
		start := h.OldStart - 1
		if h.OldLines == 0 {
			start = h.OldStart
		}
		for ; at < start; at++ {
			out = append(out, old[at]...)
		}
		for _, l := range h.Lines {
			text := l.Text + l.End
			switch l.Op {
			case Insert:
				out = append(out, text...)
			default:
				if at >= len(old) || old[at] != text || l.Old != at+1 {
					t.Fatalf("hunk %s does not fit at line %d: %q", h.Header(), at+1, text)
				}
				if l.Op == Equal {
					out = append(out, text...)
				}
				at++
			}
		}
	}
	for ; at < len(old); at++ {
		out = append(out, old[at]...)
	}
	return out
}

// texts makes a random pair: the second is the first with lines removed, added, changed and moved.
func texts(r *rand.Rand) (a, b []byte) {
	ends := []string{"\n", "\n", "\r\n"}
	words := strings.Fields("alpha beta gamma } { return x x y z")
	line := func() string {
		if r.IntN(6) == 0 {
			return ends[r.IntN(3)]
		}
		s := words[r.IntN(len(words))]
		switch r.IntN(8) {
		case 0:
			s += fmt.Sprint(r.IntN(1000))
		case 1:
			s = "\\ " + s + "\r\r"
		case 2:
			s = "-- " + s + "\t "
		case 3:
			s = "\ufeff" + s + "é"
		}
		return s + ends[r.IntN(3)]
	}
	var la, lb []string
	for range r.IntN(40) {
		la = append(la, line())
	}
	for _, l := range la {
		switch r.IntN(6) {
		case 0:
		case 1:
			lb = append(lb, line(), l)
		case 2:
			lb = append(lb, line())
		default:
			lb = append(lb, l)
		}
	}
	chop := func(ls []string) []byte {
		s := strings.Join(ls, "")
		if r.IntN(3) == 0 {
			s = strings.TrimSuffix(s, "\n")
		}
		return []byte(s)
	}
	return chop(la), chop(lb)
}

func TestApplyingTheDiffGivesTheNewText(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range 3000 {
		a, b := texts(r)
		d := Make(a, b, r.IntN(6))
		if got := apply(t, a, d); !bytes.Equal(got, b) {
			t.Fatalf("seed %d round %d:\n%q\n%q\ngot\n%q", seed, i, a, b, got)
		}
		if d.Identical() != bytes.Equal(a, b) {
			t.Fatalf("seed %d round %d: identical is %v", seed, i, d.Identical())
		}
	}
}

func TestGNUPatchAppliesTheUnifiedText(t *testing.T) {
	patch := need.Program(t, "patch")
	dir := t.TempDir()
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	// Every kind of ending against every other.
	ends := []string{"x", "x\n", "x\r\n", "x\r", "x\r\ny\n", "x\ny\r\n", "\n", "\r\n", "", "\ufeffx\n", "x\n\n"}
	for i := range len(ends)*len(ends) + 100 {
		var a, b []byte
		if i < len(ends)*len(ends) {
			a, b = []byte(ends[i/len(ends)]), []byte(ends[i%len(ends)])
		} else {
			a, b = texts(r)
		}
		labels := []Labels{ProposedLabels("a b.txt"), GitLabels("a b.txt"), PlainLabels("old\nname", "new name")}[i%3]
		if len(a) == 0 {
			labels = NewFileLabels("a b.txt")
		}
		text, cut := Make(a, b, r.IntN(4)).Unified(labels, 0)
		if cut || text == "" {
			continue
		}
		for name, data := range map[string][]byte{"a": a, "p": []byte(text)} {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		out, err := exec.Command(patch, "--binary", "-s", "-f", "-o", filepath.Join(dir, "b"), filepath.Join(dir, "a"),
			filepath.Join(dir, "p")).CombinedOutput()
		if err != nil {
			t.Fatalf("seed %d round %d: %v\n%s\n%s\n%q\n%q", seed, i, err, out, text, a, b)
		}
		got, err := os.ReadFile(filepath.Join(dir, "b"))
		if err != nil && len(b) > 0 || !bytes.Equal(got, b) {
			t.Fatalf("seed %d round %d: %v\n%s\ngot %q want %q", seed, i, err, text, got, b)
		}
	}
}

// patch takes the name of the file from the header, which it ends at a blank without a tab.
func TestGNUPatchFindsAFileWithABlankInItsName(t *testing.T) {
	patch := need.Program(t, "patch")
	for _, name := range []string{"a b.txt", "a", "two  blanks and ü.txt"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), []byte("old\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		for labels, strip := range map[Labels]string{GitLabels(name): "-p1", PlainLabels(name, name): "-p0"} {
			text, _ := Make([]byte("old\n"), []byte("new\n"), 3).Unified(labels, 0)
			cmd := exec.Command(patch, strip, "--dry-run", "-s", "-f")
			cmd.Dir, cmd.Stdin = dir, strings.NewReader(text)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%q: %v: %s\n%q", name, err, out, text)
			}
		}
	}
}

func FuzzApplyingTheDiffGivesTheNewText(f *testing.F) {
	f.Add("a\nb\n", "a\r\nc", 3)
	f.Fuzz(func(t *testing.T, a, b string, context int) {
		d := Make([]byte(a), []byte(b), max(0, context%20))
		if got := apply(t, []byte(a), d); string(got) != b {
			t.Fatalf("got %q", got)
		}
	})
}

func TestUnifiedText(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		labels     Labels
		want       string
	}{
		{"a line is added at the end of a short file", "import os\nimport sys\n",
			"import os\nimport sys\nimport json\n", GitLabels("src/utils.py"),
			"--- a/src/utils.py\n+++ b/src/utils.py\n@@ -1,2 +1,3 @@\n import os\n import sys\n+import json\n"},
		{"a new file begins with the null device", "", "one\ntwo", NewFileLabels("x.txt"),
			"--- /dev/null\n+++ x.txt (new file)\n@@ -0,0 +1,2 @@\n+one\n+two\n\\ No newline at end of file\n"},
		{"a newline is added", "a", "a\n", ProposedLabels("f"),
			"--- f (current)\n+++ f (proposed)\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"a file is emptied", "a\nb\n", "", PlainLabels("a", "b"), "--- a\n+++ b\n@@ -1,2 +0,0 @@\n-a\n-b\n"},
		{"an ending changes", "a\r\nb\r\n", "a\nb\r\n", PlainLabels("a", "b"),
			"--- a\n+++ b\n@@ -1,2 +1,2 @@\n-a\r\n+a\n b\r\n"},
		{"a label cannot forge a line", "a\n", "b\n", PlainLabels("x\n+++ y", "z\x1b[31m\u202e\xff\t"),
			"--- x\\n+++ y\t\n+++ z\\x1b[31m\\u202e\\xff\\t\n@@ -1 +1 @@\n-a\n+b\n"},
		{"equal texts give nothing", "a\n", "a\n", PlainLabels("a", "b"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, cut := Make([]byte(c.a), []byte(c.b), 3).Unified(c.labels, MaxText)
			if got != c.want || cut {
				t.Errorf("got\n%q\nwant\n%q", got, c.want)
			}
		})
	}
}

func TestALongDiffIsCutAtALineAndSaysWhere(t *testing.T) {
	a := []byte(strings.Repeat("some line of text\n", 1000))
	b := []byte(strings.Repeat("another line of text\n", 1000))
	d := Make(a, b, 3)
	whole, cut := d.Unified(PlainLabels("a", "b"), 0)
	if cut {
		t.Fatal("cut without a limit")
	}
	if same, cut := d.Unified(PlainLabels("a", "b"), len(whole)); cut || same != whole {
		t.Error("a diff of exactly the limit is cut")
	}
	got, cut := d.Unified(PlainLabels("a", "b"), 10_000)
	if !cut || len(got) > 10_000 {
		t.Fatalf("%d bytes, cut %v", len(got), cut)
	}
	i := strings.LastIndex(got, "\n[")
	if want := fmt.Sprintf("[diff truncated at %d bytes]\n", i+1); got[i+1:] != want {
		t.Errorf("ends with %q, want %q", got[i+1:], want)
	}
	if !strings.HasPrefix(whole, got[:i+1]) {
		t.Error("what is kept is not the beginning")
	}
	if d.Stats.Removed != 1000 || d.Stats.Added != 1000 {
		t.Errorf("totals are of the cut text: %+v", d.Stats)
	}
}

func TestALargeEditedFileIsNotCoarse(t *testing.T) {
	var a, b []byte
	for i := range 100_000 {
		l := fmt.Sprintf("line %d\n", i)
		if i%3 == 0 {
			l = "}\n"
		}
		a = append(a, l...)
		if i%50 == 0 {
			b = append(b, "changed\n"...)
		} else if i%70 != 0 {
			b = append(b, l...)
		}
	}
	d := Make(a, b, 3)
	if d.Coarse || !bytes.Equal(apply(t, a, d), b) {
		t.Errorf("coarse %v", d.Coarse)
	}
	if d.Stats.Removed > 3700 {
		t.Errorf("%+v", d.Stats)
	}
}

func TestWordsMarksWhatChanged(t *testing.T) {
	mark := func(s string, sp []Span) string {
		var b strings.Builder
		at := 0
		for _, x := range sp {
			b.WriteString(s[at:x.From] + "[" + s[x.From:x.To] + "]")
			at = x.To
		}
		return b.String() + s[at:]
	}
	for _, c := range []struct{ a, b, wantA, wantB string }{
		{"    total = 0", "    total = Decimal('0')", "    total = 0", "    total = [Decimal(']0[')]"},
		{"return a+b", "return a-b", "return a[+]b", "return a[-]b"},
		{"naïve café", "naïve cafés", "naïve [café]", "naïve [cafés]"},
		{"completely", "different", "completely", "different"},
		{"x", "x ", "x", "x[ ]"},
	} {
		a, b := ChangedWords(c.a, c.b)
		if mark(c.a, a) != c.wantA || mark(c.b, b) != c.wantB {
			t.Errorf("%q %q: %s | %s", c.a, c.b, mark(c.a, a), mark(c.b, b))
		}
	}
}

func TestCostlyLinesHaveNoWords(t *testing.T) {
	a, b := ChangedWords(strings.Repeat("a ", 150), strings.Repeat(" a", 150)+"x")
	if a != nil || b != nil {
		t.Error("a costly line was compared")
	}
	if a, _ := ChangedWords(strings.Repeat("x", 3000), strings.Repeat("x", 3001)); a != nil {
		t.Error("a long line was compared")
	}
}

func TestSpansAlignWithLines(t *testing.T) {
	d := Make([]byte("a\nfoo(1)\nbar(1)\nz\n"), []byte("a\nfoo(2)\nbar(3)\nnew\nz\n"), 3)
	h := d.Hunks[0]
	spans := h.ChangedSpans()
	for i, l := range h.Lines {
		marked := ""
		for _, s := range spans[i] {
			marked += l.Text[s.From:s.To]
		}
		want := map[string]string{"foo(1)": "1", "foo(2)": "2", "bar(1)": "1", "bar(3)": "3"}[l.Text]
		if marked != want {
			t.Errorf("line %q marks %q, want %q", l.Text, marked, want)
		}
	}
}

func TestAlikeIsNeverLessThanSimilar(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	word := func() string {
		b := make([]byte, r.IntN(30))
		for i := range b {
			b[i] = "abc def(1)"[r.IntN(10)]
		}
		return string(b)
	}
	for range 2000 {
		a, b := word(), word()
		if s, k := Similarity(a, b), SimilarityBound(a, b); s > k+1e-9 || s < 0 || k > 1 {
			t.Fatalf("seed %d: %q %q: similar %v, alike %v", seed, a, b, s, k)
		}
	}
	if Similarity("total = 0", "total = 0") != 1 || Similarity("abc", "xyz") != 0 {
		t.Error("equal lines are not alike, or different ones are")
	}
}
