package markdown

import (
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// floods are texts without an end: n bytes of each shape.
var floods = map[string]func(n int) string{
	"paragraphs":        unit("some words of a paragraph\n\n"),
	"lines":             unit("a line\n"),
	"short lines":       unit("x\n"),
	"one line":          unit("words and "),
	"one word":          unit("x"),
	"one wide word":     unit("日本"),
	"wide words":        unit(strings.Repeat("日本", 40) + " "),
	"marks on one":      unit("e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301"),
	"joined":            unit("\U0001F468\u200d"),
	"blanks":            unit(" "),
	"tabs":              unit("\t"),
	"blank lines":       unit("\n"),
	"items":             unit("- an item\n"),
	"one item":          first("- ", unit("an item\n")),
	"numbers":           unit("1. x\n"),
	"item, blanks":      first("- item\n", unit("\n")),
	"item, indented":    first("- item\n\n", unit("  more of it\n\n")),
	"nested items":      nested("- "),
	"nested in a line":  unit("- "),
	"digits":            unit("1"),
	"quotes":            unit(">"),
	"quoted lines":      unit("> words\n"),
	"lazy quotes":       nested("> "),
	"quoted items":      unit("> - "),
	"table":             first("| a | b |\n|---|---|\n", unit("| c | d |\n")),
	"wide table":        first("|", unit("a|")),
	"rules of a table":  first("| a |\n|", unit("-|")),
	"emphasis":          unit("*"),
	"open emphasis":     unit("*a **b "),
	"mixed emphasis":    unit("*a_b "),
	"closed emphasis":   unit("a* b** "),
	"strikes":           unit("~a ~~b "),
	"brackets":          unit("["),
	"open brackets":     unit("[a"),
	"images":            unit("![a"),
	"closed brackets":   first(strings.Repeat("[", 200), unit("]")),
	"links":             unit("[a](b"),
	"nested links":      unit("[a]("),
	"definitions":       unit("[a]: b\n"),
	"references":        first("[a]: b\n\n", unit("[a] ")),
	"code":              unit("`"),
	"code spans":        unit("`a ``b "),
	"growing code":      growing("`"),
	"fences":            unit("```\n"),
	"a fence":           first("```\n", unit("code\n")),
	"a line of code":    first("```\n", unit("code ")),
	"coloured code":     first("```go\n", unit("func f() { return \"x\" } // 1\n")),
	"a line in colour":  first("```go\n", unit("func \"")),
	"code in items":     unit("- x\n  ```go\n  if x {\n  ```\n"),
	"fences in an item": first("- x\n", unit("  ```go\n  if x {\n  ```\n")),
	"an open string":    first("```python\n\"\"\"", unit("text\n")),
	"languages":         unit("```go\nx\n```\n"),
	"tildes":            unit("~"),
	"autolinks":         unit("<a"),
	"addresses":         unit("http://a.b/"),
	"mails":             unit("a@"),
	"www":               unit("www."),
	"html":              first("<div>\n", unit("<a b=\"c\" ")),
	"comment":           first("<!-- ", unit("-- ")),
	"processing":        unit("<?"),
	"dollars":           unit("$"),
	"open formulas":     unit("$a "),
	"formulas":          unit("$a$ "),
	"formula lines":     unit("$$ a\n"),
	"a formula":         first("$$\n", unit("a\n")),
	"open brackets \\(": unit(`\(a `),
	"open brackets \\[": unit(`\[a `),
	"footnotes":         unit("[^1]: a\n"),
	"underlines":        unit("===\n"),
	"underlined":        unit("a\n===\n"),
	"stars in paths":    unit("/**"),
	"dunders":           unit("__a"),
	"references of &":   unit("&a"),
	"folds":             unit("<details><summary>a\n"),
	"declarations":      unit("<!A "),
	"cdata":             unit("<![CDATA["),
	"entities":          unit("&amp;"),
	"open entities":     unit("&a"),
	"escapes":           unit("\\"),
	"headings":          unit("# h\n"),
	"hashes":            unit("#"),
	"setext":            unit("a\n===\n"),
	"rules":             unit("---\n"),
	"indented code":     unit("    code\n"),
	"controls":          unit("\x1b[31m"),
	"carriage returns":  unit("\r"),
}

// shapes returns the floods that are played: some, or all of them with SCROLLKEEP_FLOODS set.
func shapes() map[string]func(n int) string {
	if os.Getenv("SCROLLKEEP_FLOODS") != "" {
		return floods
	}
	some := map[string]func(n int) string{}
	for _, name := range []string{"paragraphs", "short lines", "one line", "wide words", "one item", "item, blanks",
		"nested items", "table", "lazy quotes", "mixed emphasis", "open brackets", "links", "a fence"} {
		some[name] = floods[name]
	}
	return some
}

func unit(s string) func(int) string {
	return func(n int) string { return strings.Repeat(s, n/len(s)+1)[:n] }
}

func first(s string, then func(int) string) func(int) string {
	return func(n int) string { return s + then(n-len(s)) }
}

// nested returns lines, each a level deeper than the last one.
func nested(mark string) func(int) string {
	return func(n int) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			if mark == "- " {
				b.WriteString(strings.Repeat("  ", i%2000))
			} else {
				b.WriteString(strings.Repeat(mark, i%2000))
			}
			b.WriteString("- x\n")
		}
		return b.String()[:n]
	}
}

// growing returns runs of a mark, each longer than the last one.
func growing(mark string) func(int) string {
	return func(n int) string {
		var b strings.Builder
		for i := 1; b.Len() < n; i++ {
			b.WriteString(strings.Repeat(mark, i) + " ")
		}
		return b.String()[:n]
	}
}

// chunks cuts src into pieces of about n bytes, between characters.
func chunks(src string, n func() int) []string {
	var list []string
	for src != "" {
		k := min(n(), len(src))
		for k < len(src) && !utf8.RuneStart(src[k]) {
			k++
		}
		list, src = append(list, src[:k]), src[k:]
	}
	return list
}

// pour writes src in pieces, looks after each, and lets the document forget rows as the engine
// does. It tells how many bytes all Views together and the largest one allocated.
func pour(src string, piece int) (all, most uint64) {
	d := &Document{Breaks: true}
	s := tui.Space{Width: 80}
	var before, after runtime.MemStats
	for _, part := range chunks(src, func() int { return piece }) {
		_, _ = d.Write([]byte(part))
		runtime.ReadMemStats(&before)
		v := d.View(s)
		runtime.ReadMemStats(&after)
		n := after.TotalAlloc - before.TotalAlloc
		all += n
		most = max(most, n)
		if v.Stable >= 256 {
			s.From = v.Lines[v.Stable-1].End
		}
	}
	return all, most
}

// Work is counted in bytes allocated, which a busy machine does not change. The bounds are twice
// what was measured.
func TestAFloodOfAnyShapeCostsTheSameForEachByte(t *testing.T) {
	const n, piece = 32 << 10, 8 << 10
	for name, flood := range shapes() {
		once, _ := pour(flood(n), piece)
		twice, most := pour(flood(2*n), piece)
		if a, b := float64(once)/n, float64(twice)/(2*n); b > 2000 || b > 1.3*a+16 {
			t.Errorf("%s: %.0f bytes of work for each byte, %.0f for twice as many", name, a, b)
		}
		if most > 32<<20 {
			t.Errorf("%s: one View allocated %d MiB", name, most>>20)
		}
	}
}

// A paragraph, a list item or a table without an end is cut behind a line as long as its lines are
// short, so that no line is parsed in two parts.
func TestAPieceThatIsTooLongEndsBehindALine(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 7))
		var b strings.Builder
		b.WriteString([]string{"", "- ", "| a | b |\n|---|---|\n", "> "}[r.IntN(4)])
		mark := []string{"", "  ", "| ", "> "}[r.IntN(4)]
		for b.Len() < 200<<10 {
			b.WriteString(mark + strings.Repeat("word ", 1+r.IntN((maxLineBytes-maxPieceBytes)/5-10)) + "end\n")
		}
		d, src, cut := &Document{}, []byte(b.String()), 0
		for {
			n := d.pieceLength(src)
			if n == 0 {
				break
			}
			if src[n-1] != '\n' || n > maxLineBytes {
				t.Fatalf("seed %d: a piece of %d bytes ends with %q", seed, n, src[max(n-20, 0):n])
			}
			src = src[n:]
			cut++
		}
		if cut < 5 || len(src) > maxLineBytes {
			t.Errorf("seed %d: %d pieces, %d bytes are left", seed, cut, len(src))
		}
	}
}

// A flood is cut into pieces where it says so itself, not where it was written; rows that were
// forgotten are not missing, and no row that is final changes.
func TestAFloodIsTheSameHoweverItIsWritten(t *testing.T) {
	for name, flood := range shapes() {
		seed := uint64(len(name))
		rnd := rand.New(rand.NewPCG(seed, 5))
		src := flood(30 << 10)
		whole := &Document{Breaks: seed%2 == 0}
		_, _ = whole.Write([]byte(strings.ToValidUTF8(src, "?")))
		s := tui.Space{Width: 30 + rnd.IntN(90)}
		all := whole.View(s).Lines
		at := func(d *Document, width, from int) []tui.Line {
			s := s
			s.Width, s.From = width, from
			return d.View(s).Lines
		}
		d := &Document{Breaks: whole.Breaks}
		var final []tui.Line                        // in history
		var last []tui.Line                         // the final rows of the View before, behind those
		n := maxLineBytes - rnd.IntN(maxSlackBytes) // text that is final before the cut stays final
		for _, part := range chunks(string(whole.source), func() int { k := n; n = 1 + rnd.IntN(6<<10); return k }) {
			_, _ = d.Write([]byte(part))
			v := d.View(s)
			if v.Stable < len(last) || !reflect.DeepEqual(looks(v.Lines[:len(last)]), looks(last)) {
				t.Fatalf("%s: final rows have changed behind row %d", name, len(final))
			}
			last = kept(v.Lines[:v.Stable])
			if n := len(last); n > 0 && rnd.IntN(2) == 0 {
				final, last = append(final, last...), nil
				s.From = final[len(final)-1].End
			}
		}
		if got, want := looks(append(final, d.View(s).Lines...)), looks(all); !reflect.DeepEqual(got, want) {
			k := 0
			for k < min(len(got), len(want)) && reflect.DeepEqual(got[k], want[k]) {
				k++
			}
			t.Fatalf("%s: in pieces there are %d rows, at once %d; row %d is\n%.200v, want\n%.200v", name, len(got),
				len(want), k, got[k:min(k+1, len(got))], want[k:min(k+1, len(want))])
		}
		for range 3 { // at another width, behind any row
			width, from := 30+rnd.IntN(90), 0
			if len(all) > 0 {
				from = all[rnd.IntN(len(all))].End
			}
			fresh := &Document{Breaks: whole.Breaks, source: d.source}
			if got, want := looks(at(d, width, from)), looks(at(fresh, width, from)); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: at %d columns from %d there are %d rows, want %d", name, width, from, len(got), len(want))
			}
		}
	}
}

// kept returns rows with spans of their own.
func kept(rows []tui.Line) []tui.Line {
	rows = slices.Clone(rows)
	for i := range rows {
		rows[i].Spans = slices.Clone(rows[i].Spans)
	}
	return rows
}

func TestAWidthThatIsNewIsNotWorkForWhatIsInHistory(t *testing.T) {
	d := &Document{}
	_, _ = d.Write([]byte(floods["paragraphs"](1 << 20)))
	rows := d.View(tui.Space{Width: 80}).Lines
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d.View(tui.Space{Width: 60, From: rows[len(rows)-10].End})
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 2<<20 {
		t.Errorf("the last ten rows of a megabyte took %d kB at another width", n>>10)
	}
}

func TestLinksWhoseTargetDoesNotEndAreShownAsTheyAre(t *testing.T) {
	for _, c := range []struct {
		src   string
		plain bool
	}{
		{strings.Repeat("[a](b", 4000), true},
		{strings.Repeat("[a](b(", 4000), true},
		{strings.Repeat("[a](<b ", 4000), true},
		{strings.Repeat("[a](b) ", 4000), false},
		{strings.Repeat("[a](<b c>) ", 4000), false},
		{strings.Repeat("[a](b\n", 4000), false},
		{"[a](data:" + strings.Repeat("x", 8000) + ")", false},
	} {
		at, n := findMarkFlood([]byte(c.src))
		if plain := at < 1000 && n > 0; plain != c.plain {
			t.Errorf("%.20q: as it is are %d bytes from %d", c.src, n, at)
		}
	}
}

// What is written at the pace of frames is in the tape once and in order, also when the window
// changes; of rows that are in history none is kept.
func TestAFloodIsInTheTapeOnceAndItsRowsAreForgotten(t *testing.T) {
	var b strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&b, "word %d of a flood\n\n", i)
	}
	src := b.String()
	for seed := range uint64(4) {
		synctest.Test(t, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 9))
			app := &tui.App{Footer: tui.NewText("f")}
			s := tuitest.Start(t, app, tuitest.Config{Cols: 40, Rows: 12})
			d := &Document{}
			block := app.Transcript().Append(d)
			most := 0
			for _, part := range chunks(src, func() int { return 1 + rnd.IntN(4<<10) }) {
				block.Update(func() {
					_, _ = d.Write([]byte(part))
					most = max(most, len(d.rows))
				})
				if err := app.WaitShown(t.Context()); err != nil {
					t.Fatal(err)
				}
				if seed > 1 && rnd.IntN(4) == 0 {
					s.Resize(30+rnd.IntN(50), 12)
				}
			}
			block.Done()
			s.Settle()
			app.Quit(nil)
			s.Wait()
			if got, want := inLetters(s.Lines()),
				letters([]tui.Line{{Spans: []tui.Span{{Text: strings.ReplaceAll(src, "\n", "")}}}}); !strings.Contains(
				got, want) {
				t.Errorf("seed %d: the tape is not the text, once", seed)
			}
			if most > 1000 {
				t.Errorf("seed %d: %d rows were kept", seed, most)
			}
		})
	}
}
