package width

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
	"github.com/rivo/uniseg"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with a file in testdata, or writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	name = "testdata/" + name
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(g), len(w)) {
		a, b := "", ""
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			t.Fatalf("%s:%d\n got %s\nwant %s\n(-update rewrites the file)", name, i+1, a, b)
		}
	}
}

// testdata/widths.txt: cluster (Go syntax), columns with Wcwidth, with Grapheme, with Leading, "?"
// if doubtful or "-", and a note.
func TestClusterWidthsAreAsInTheGoldenTable(t *testing.T) {
	f, err := os.Open("testdata/widths.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out strings.Builder
	rows := 0
	for sc := bufio.NewScanner(f); sc.Scan(); {
		line := sc.Text()
		if line == "" || line[0] == '#' {
			fmt.Fprintln(&out, line)
			continue
		}
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		c, _ := strconv.Unquote(quoted)
		_, note, _ := strings.Cut(line, ";")
		doubt := "-"
		if (Model{}).Doubtful(c) {
			doubt = "?"
		}
		if (Model{}).Doubtful(c) != (Model{Method: Grapheme}).Doubtful(c) ||
			(Model{}).Doubtful(c) != (Model{Method: Leading}).Doubtful(c) {
			t.Errorf("%s: the doubt depends on the method", quoted)
		}
		fmt.Fprintf(&out, "%-46s %d %d %d %s ;%s\n", quoted, Model{}.String(c), Model{Method: Grapheme}.String(c),
			Model{Method: Leading}.String(c), doubt, note)
		rows++
	}
	if rows < 50 {
		t.Fatalf("only %d rows", rows)
	}
	golden(t, "widths.txt", out.String())
}

// testdata/runes.txt: all ranges of runes whose width is not 1, and of those that Ambiguous
// changes: a new version of a table shows as a diff.
func TestRuneWidthsAreAsInTheGoldenTable(t *testing.T) {
	var out strings.Builder
	first, last := rune(0), rune(0)
	state := func(r rune) string {
		a, b := Model{}.runeWidth(r), Model{Ambiguous: true}.runeWidth(r)
		doubt := ""
		if (Model{}).doubtfulRune(r) {
			doubt = " ?"
		}
		if a == b {
			return strconv.Itoa(a) + doubt
		}
		return fmt.Sprintf("%d, ambiguous %d%s", a, b, doubt)
	}
	was := state(0)
	for r := rune(1); r <= utf8.MaxRune+1; r++ {
		s := ""
		if r <= utf8.MaxRune {
			s = state(r)
		}
		if s == was {
			last = r
			continue
		}
		if was != "1" && was != "1 ?" {
			fmt.Fprintf(&out, "%04X..%04X %s\n", first, last, was)
		}
		first, last, was = r, r, s
	}
	golden(t, "runes.txt", out.String())
}

// Importing tcell sets uniseg's variable in an init, and go-runewidth reads the locale in its own:
// neither may reach a result.
func TestPackageVariablesOfTheLibrariesCannotReachUs(t *testing.T) {
	texts := []string{"§ a·b ①②③ ─│┌ “x” … ☆★ ■ α я", "❤️ ✂︎ 👍🏽 👩‍👩‍👧", "한국어 漢字 e\u0301"}
	measure := func() (n []int) {
		for _, m := range []Model{{}, {Method: Grapheme}, {Ambiguous: true}, {Method: Grapheme, Ambiguous: true}} {
			for _, s := range texts {
				n = append(n, m.String(s))
				for row := range m.Wrap(s, 7) {
					n = append(n, len(row))
				}
			}
		}
		return n
	}
	want := measure()
	defer func(u int, e bool, c runewidth.Condition) {
		uniseg.EastAsianAmbiguousWidth, runewidth.EastAsianWidth, *runewidth.DefaultCondition = u, e, c
	}(uniseg.EastAsianAmbiguousWidth, runewidth.EastAsianWidth, *runewidth.DefaultCondition)
	for _, w := range []int{1, 2} {
		uniseg.EastAsianAmbiguousWidth = w
		runewidth.EastAsianWidth = w == 2
		runewidth.DefaultCondition.EastAsianWidth = w == 2
		runewidth.DefaultCondition.StrictEmojiNeutral = w == 1
		if got := measure(); !slices.Equal(got, want) {
			t.Errorf("with ambiguous width %d: %v, want %v", w, got, want)
		}
	}
}

func TestAmbiguousCharactersFollowTheModel(t *testing.T) {
	for _, c := range []string{"─", "§", "①", "…", "★"} {
		if got := (Model{}).Cluster(c); got != 1 {
			t.Errorf("%s: %d columns", c, got)
		}
		if got := (Model{Ambiguous: true}).Cluster(c); got != 2 {
			t.Errorf("%s: %d columns where ambiguous is wide", c, got)
		}
		if !(Model{Ambiguous: true}).Doubtful(c) {
			t.Errorf("%s is not doubtful where ambiguous is wide", c)
		}
	}
	if (Model{}).Doubtful("─") || !(Model{}).Doubtful("①") {
		t.Error("a rule is doubtful, or a circled digit is not")
	}
}

// TestNoMeasuredWidthIsBeyondWidest holds what 20 terminals drew in November 2026
// (docs/terminals): the most columns of each text. Where they differ it has to be doubtful.
func TestNoMeasuredWidthIsBeyondWidest(t *testing.T) {
	for _, c := range []struct {
		text        string
		least, most int
	}{
		{"\U0001f468\u200d\U0001f469\u200d\U0001f467", 2, 8}, {"\u2764\ufe0f", 1, 2}, {"1\ufe0f\u20e3", 1, 2},
		{"\U0001f44d\U0001f3fd", 2, 4}, {"\u0915\u094d\u0937", 1, 2}, {"\u1780\u17d2\u1780", 1, 2},
		{"\u0e01\u0e33", 1, 2}, {"\uff76\uff9e", 1, 2}, {"\u0600\u0661", 1, 2}, {"\u0605\u0661", 1, 2},
		{"\u06dd\u0661", 1, 2}, {"\u08e2\u0661", 1, 2}, {"\u1112\u1161\u11ab", 2, 4}, {"\U0001fae9", 0, 2},
		{"\U0001fac8", 0, 2}, {"\u2630", 1, 2}, {"\u3164", 0, 2},
	} {
		widest := 0
		var m Model
		doubt := false
		for rest := c.text; rest != ""; {
			cluster, _, _ := m.Next(rest)
			widest += m.Widest(cluster)
			doubt = doubt || m.Doubtful(cluster)
			rest = rest[len(cluster):]
		}
		if widest < min(c.most, 6) || !doubt { // mlterm alone draws the joiners of a family
			t.Errorf("%q: %d columns at most, measured %d to %d; doubtful: %v", c.text, widest, c.least, c.most, doubt)
		}
	}
}

// No measure of a terminal, as far as its tables are known here, is wider than Widest.
func TestWidestIsNeverLessThanAnyMeasure(t *testing.T) {
	for c, want := range map[string]int{"a": 1, "漢": 2, "①": 2, "\u2764\ufe0f": 2, "1\ufe0f\u20e3": 2,
		"\U0001f1eb\U0001f1f7": 4, "\U0001f44d\U0001f3fd": 4, "\U0001f468\u200d\U0001f469\u200d\U0001f467": 6,
		"\ue0b0": 2, "e\u0301": 1} {
		if got := (Model{}).Widest(c); got != want {
			t.Errorf("%q: %d, want %d", c, got, want)
		}
	}
	for r := rune(0x20); r < 0x20000; r++ {
		for _, m := range []Model{{}, {Method: Grapheme}, {Ambiguous: true}} {
			if c := string(r); m.Widest(c) < m.Cluster(c) {
				t.Fatalf("%U: %d columns at most, and %d", r, m.Widest(c), m.Cluster(c))
			}
		}
	}
}

// Where marks wrap, a cluster that ends with one needs a column behind it, and at the edge it is
// drawn without.
func TestMarksThatWrapNeedAColumn(t *testing.T) {
	m := Model{MarksWrap: true}
	for _, tt := range []struct {
		c      string
		doubt  bool
		widest int
		atEdge string
	}{
		{"a", false, 1, "a"}, {"\u00e9", false, 1, "\u00e9"}, {"漢", false, 2, "漢"},
		{"e\u0301", true, 2, "e"}, {"e\u0323\u0300", true, 3, "e"}, {"漢\u0301", true, 3, "漢"},
		// VS16 stands in the second column of the heart that is counted as wide
		{"\u2764\ufe0f", true, 2, "\u2764\ufe0f"}, {"\U0001f680\ufe0f", true, 3, "\U0001f680"},
		{"\U0001f468\u200d\U0001f469", true, 4, "\U0001f468\u200d\U0001f469"},
	} {
		if d, w, e := m.Doubtful(tt.c), m.Widest(tt.c), m.AtEdge(tt.c); d != tt.doubt || w != tt.widest ||
			e != tt.atEdge {
			t.Errorf("%q: in doubt %v, %d columns at most, %q at the edge; want %v, %d, %q", tt.c, d, w, e, tt.doubt,
				tt.widest, tt.atEdge)
		}
		if e := (Model{}).AtEdge(tt.c); e != tt.c {
			t.Errorf("%q is %q at an edge where marks do not wrap", tt.c, e)
		}
	}
}

func TestTruncate(t *testing.T) {
	for _, c := range []struct {
		s    string
		cols int
		want string
	}{
		{"hello", 9, "hello"}, {"hello", 5, "hello"}, {"hello", 3, "hel"}, {"hello", 0, ""}, {"hello", -1, ""},
		{"", 3, ""},
		{"漢字", 3, "漢"}, {"漢字", 1, ""}, {"e\u0301a", 1, "e\u0301"}, {"ae\u0301", 1, "a"}, {"a\u0301b", 1, "a\u0301"},
	} {
		if got := (Model{}).Truncate(c.s, c.cols); got != c.want {
			t.Errorf("Truncate(%q, %d) = %q, want %q", c.s, c.cols, got, c.want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		s        string
		from, to int
		want     string
		lead     int
	}{
		{"hello", 1, 3, "el", 0}, {"hello", 0, 9, "hello", 0}, {"hello", 5, 9, "", 0}, {"hello", 3, 3, "", 0},
		{"hello", -2, 2, "he", 0},
		{"a漢字b", 1, 5, "漢字", 0}, {"a漢字b", 2, 5, "字", 1}, {"a漢字b", 1, 4, "漢", 0}, {"a漢字b", 2, 3, "", 1},
		{"a漢", 2, 9, "", 1},
		{"e\u0301a", 1, 2, "a", 0}, {"\u0301a", 0, 1, "\u0301a", 0},
	} {
		got, lead := (Model{}).Cut(c.s, c.from, c.to)
		if got != c.want || lead != c.lead {
			t.Errorf("Cut(%q, %d, %d) = %q, %d, want %q, %d", c.s, c.from, c.to, got, lead, c.want, c.lead)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		s    string
		cols int
		want []string
	}{
		{"", 5, []string{""}},
		{"one two three", 20, []string{"one two three"}},
		{"one two three", 7, []string{"one two", "three"}},
		{"one two three", 8, []string{"one two", "three"}},
		{"one   two", 3, []string{"one", "two"}},
		{"one   ", 3, []string{"one"}},
		{"  indented text", 10, []string{"  indented", "text"}},
		{"abcdefgh", 3, []string{"abc", "def", "gh"}},
		{"ab cdefghij", 4, []string{"ab", "cdef", "ghij"}},
		{"well-known", 6, []string{"well-", "known"}},
		{"hello, world", 6, []string{"hello,", "world"}},
		{"漢字漢字", 5, []string{"漢字", "漢字"}},
		{"漢字。漢", 4, []string{"漢", "字。", "漢"}}, // no row begins with a full stop
		{"漢", 1, []string{"漢"}},
		{"00 !", 2, []string{"00", "!"}}, // no break before "!", but it has to go somewhere
		{" abcdef", 5, []string{" abcd", "ef"}},
		{"a\nb\r\n\nc", 5, []string{"a", "b", "", "c"}},
		{"          x", 4, []string{"    ", "x"}},
		{"aé漢e\u0301e\u0301", 2, []string{"aé", "漢", "e\u0301e\u0301"}},
		{"x", 0, []string{"x"}},
		{"xy", -3, []string{"x", "y"}},
	} {
		got := slices.Collect(Model{}.Wrap(c.s, c.cols))
		if !slices.Equal(got, c.want) {
			t.Errorf("Wrap(%q, %d) = %q, want %q", c.s, c.cols, got, c.want)
		}
	}
	for range (Model{}).Wrap("a b c\nd", 1) { // breaking off is allowed
		break
	}
}

func TestMeasuringDoesNotAllocate(t *testing.T) {
	m := Model{Method: Grapheme}
	for _, s := range []string{strings.Repeat("func main() { } ", 6), "naïve … 漢字 👩‍👩‍👧 e\u0301", ""} {
		if n := testing.AllocsPerRun(20, func() {
			_ = m.String(s)
			_ = m.Truncate(s, 9)
			_, _ = m.Cut(s, 3, 9)
			for rest := s; rest != ""; {
				c, r, _ := m.Next(rest)
				_ = m.Doubtful(c)
				rest = r
			}
			for range m.Clusters(s) {
			}
		}); n != 0 {
			t.Errorf("%q: %v allocations", s, n)
		}
	}
}

var seeds = []string{"plain text", "a\u0301\u0302b", "👩‍👩‍👧 x", "漢字。", "\xff\xfe\xe6\xbc", "1️⃣\r\n\t", "한", "🇩🇪🇫",
	"a\u200db\u202e", "x \u00a0 y-z", "क्षि"}

func FuzzClustersRebuildTheTextAndTheirWidthsAddUp(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, m := range []Model{{}, {Method: Grapheme}, {Method: Leading}, {Ambiguous: true}} {
			var b strings.Builder
			n := 0
			for c, w := range m.Clusters(s) {
				if c == "" || w < 0 || m.Method != Wcwidth && w > 2 {
					t.Fatalf("%+v: cluster %q of %q: width %d", m, c, s, w)
				}
				if w != m.Cluster(c) {
					t.Fatalf("%+v: cluster %q: %d from Clusters, %d alone", m, c, w, m.Cluster(c))
				}
				b.WriteString(c)
				n += w
			}
			if b.String() != s || n != m.String(s) {
				t.Fatalf("%+v: %q: clusters make %q with %d columns, String says %d", m, s, b.String(), n, m.String(s))
			}
			// The fast path splits as uniseg does, which only takes conjuncts apart.
			g := uniseg.NewGraphemes(s)
			for c := range m.Clusters(s) {
				whole := ""
				for len(whole) < len(c) && g.Next() {
					if whole != "" && !conjoins(whole, g.Str()) {
						t.Fatalf("%q: cluster %q, uniseg says %q", s, c, whole)
					}
					whole += g.Str()
				}
				if whole != c {
					t.Fatalf("%q: cluster %q, uniseg says %q", s, c, whole)
				}
			}
		}
	})
}

func FuzzRowsFitAndLoseOnlySpaces(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, 4)
	}
	f.Fuzz(func(t *testing.T, s string, cols int) {
		cols = 1 + (cols%20+20)%20
		m := Model{Method: Method(cols % 3)}
		strip := func(s string) string {
			return strings.NewReplacer(" ", "", "\n", "").Replace(strings.ReplaceAll(s, "\r\n", "\n"))
		}
		var b strings.Builder
		for row := range m.Wrap(s, cols) {
			if w := m.String(row); w > cols {
				wide := 0
				for _, cw := range m.Clusters(row) {
					if cw > 0 {
						wide++
					}
				}
				if wide > 1 {
					t.Fatalf("Wrap(%q, %d): row %q has %d columns", s, cols, row, w)
				}
			}
			b.WriteString(row)
		}
		if strip(b.String()) != strip(s) {
			t.Fatalf("Wrap(%q, %d) rows make %q", s, cols, b.String())
		}
		head := m.Truncate(s, cols)
		if !strings.HasPrefix(s, head) || m.String(head) > cols {
			t.Fatalf("Truncate(%q, %d) = %q", s, cols, head)
		}
		from := cols / 3
		if part, lead := m.Cut(s, from, cols); m.String(part)+lead > cols-from {
			t.Fatalf("Cut(%q, %d, %d) = %q, %d", s, from, cols, part, lead)
		}
	})
}

func BenchmarkString(b *testing.B) {
	for _, c := range []struct{ name, s string }{
		{"ascii", strings.Repeat("func main() { } ", 5)},
		{"latin", strings.Repeat("Größe naïve – ", 6)},
		{"cjk", strings.Repeat("漢字かな", 10)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Model{}.String(c.s)
			}
		})
	}
}

func BenchmarkWrap(b *testing.B) {
	s := strings.Repeat("The quick brown fox jumps over the lazy dog, and so on. ", 20)
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		for range (Model{}).Wrap(s, 80) {
		}
	}
}

// The fast path for plain runes is only a shorter way to the same result.
func TestPlainRunesAreWhatTheTablesSay(t *testing.T) {
	var all []rune
	for r := rune(0); r < 0x11000; r++ {
		if !isPlain(r) {
			continue
		}
		all = append(all, r)
		for _, m := range []Model{{}, {Ambiguous: true}} {
			if a, b := m.runeWidth(r), m.lookUpWidth(r); a != b {
				t.Errorf("%U: %d on the fast path, %d in the tables", r, a, b)
			}
			if a, b := m.doubtfulRune(r), m.lookUpDoubt(r); a != b {
				t.Errorf("%U: doubtful %v on the fast path, %v by search, %+v", r, a, b, m)
			}
		}
	}
	if len(all) < 20000 {
		t.Fatalf("only %d plain runes", len(all))
	}
	for i, r := range all {
		for _, next := range []rune{'a', '\r', 'é', '漢', '─', 'я', all[(i*7919)%len(all)]} {
			c, _, _, _ := uniseg.FirstGraphemeClusterInString(string(r)+string(next), -1)
			if c != string(r) {
				t.Fatalf("%U and %U are one cluster", r, next)
			}
		}
	}
}

func TestCellOfAPictureIsOneColumnAndNotDoubtful(t *testing.T) {
	for _, m := range []Model{{}, {Method: Grapheme}, {Ambiguous: true}, {Method: Grapheme, Ambiguous: true}} {
		for _, c := range []string{"\U0010eeee", "\U0010eeee\u0305", "\U0010eeee\u07f3\u0305"} {
			got, rest, w := m.Next(c + "x")
			if got != c || rest != "x" || w != 1 || m.Doubtful(c) {
				t.Errorf("%+v: %+q has %d columns, doubtful %v, rest %q", m, got, w, m.Doubtful(c), rest)
			}
		}
		if !m.Doubtful("\U0010eeed") {
			t.Error("other private characters are not doubtful any more")
		}
	}
}

func TestWhatATerminalMayDrop(t *testing.T) {
	for text, want := range map[string]bool{
		"a": false, "世": false, "❤\ufe0f": false, "👍🏽": false, "한": false, "\u0928\u093e": false, "☰": false,
		"\U0010eeee": false,
		"\U0001fae8": true, "\U0001fae8\ufe0f": true, "\U000a0000": true, "\ue0b0": true, "\u00ad": true, "🏽": true,
		"\u0e33": true, "\u0903": true, "\ufdd0": true,
		"\U0001fae8\u200d❤": false,
	} {
		if got := (Model{}).MayVanish(text); got != want {
			t.Errorf("%+q: %v, want %v", text, got, want)
		}
	}
}
