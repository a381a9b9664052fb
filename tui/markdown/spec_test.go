package markdown

import (
	"encoding/json"
	"flag"
	"html"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/scrollkeep/scrollkeep/tui"
)

// An example is a source and what CommonMark makes of it.
type example struct{ Markdown, HTML string }

// examples returns the examples of CommonMark 0.31.2 and of GFM's extensions. They are read from
// goldmark's module, which carries them for its own tests.
func examples(t *testing.T) []example {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := strings.TrimSpace(string(out))
	data, err := os.ReadFile(filepath.Join(dir, "_test", "spec.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []example
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"table", "strikethrough", "tasklist", "linkify", "footnote"} {
		data, err := os.ReadFile(filepath.Join(dir, "extension", "_test", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range strings.Split(string(data), "//= = =") {
			if parts := strings.Split(e, "//- - - - - - - - -//\n"); len(parts) == 3 {
				all = append(all, example{parts[1], parts[2]})
			}
		}
	}
	if len(all) < 673 {
		t.Fatalf("only %d examples", len(all))
	}
	return all
}

// Each example is written a byte at a time: the rows that are final behind each byte are those that
// the whole example has.
func TestAnExampleThatIsCutAnywhereEndsAsTheWhole(t *testing.T) {
	th := tui.NewTheme(tui.Caps{Color: 16, Unicode: true})
	widths := []int{17, 80}
	if *rounds > 200 {
		widths = []int{17, 40, 80, 120}
	}
	for _, e := range slices.Concat(examples(t), hardExamples) {
		for _, src := range []string{e.Markdown, strings.TrimRight(e.Markdown, "\n")} {
			for _, width := range widths {
				s := tui.Space{Width: width, Theme: th}
				all := &Document{}
				_, _ = all.Write([]byte(src))
				want := looks(all.View(s).Lines)
				d := &Document{}
				for i := range len(src) {
					_, _ = d.Write([]byte(src[i : i+1]))
					v := d.View(s)
					if i == len(src)-1 {
						v.Stable = len(v.Lines)
					}
					if got := looks(v.Lines[:v.Stable]); v.Stable > len(want) ||
						!reflect.DeepEqual(got, want[:v.Stable]) {
						t.Errorf("width %d, behind %q of %q final:\n%v, want\n%v", width, src[:i+1], src, got, want)
						break
					}
				}
			}
		}
	}
}

// hardExamples are shapes of Markdown that the examples of the specification have not got.
var hardExamples = []example{
	{"-     one two three four\n-     five\n", "one two three four five"},
	{"-     one two three four\n      more\n\n      and more\n", "one two three four more and more"},
	{"1.      one two\n2. three\n", "one two three"},
	{"-\t\tone two\n-\tthree\n", "one two three"},
	{"A heading that is short enough\n===\nwith text\n", "A heading that is short enough with text"},
	{"A heading of\ntwo lines of text\n===\n", "A heading of two lines of text"},
	{"A line that is too long to be a heading by its underline, as it has many words\n=====\n",
		"as it has many words"},
	{"- an item with some words\n  ====\n- b\n", "an item with some words b"},
	{"> a quote with some words\n> ====\n> b\n", "a quote with some words b"},
	{"> [!NOTE]\n> Useful text that goes on\n> and on\n>\n> more\n\n> [!odd]\n> text\n",
		"Note Useful text that goes on and on more text"},
	{"> [!WARNING]\n\ntext\n", "Warning text"},
	{"> [!TIP]\n> - one\n> - two\n", "Tip one two"},
	{"- [ ] a task of more words than fit\n- [x] another one of them\n  - [ ] and an inner one here\n1. [ ] c\n",
		"a task of more words than fit another one of them and an inner one here c"},
	{"See it[^1] and that[^note].\n\n[^1]: The first note of them all\n[^note]: word\n[^3]:\nx\n",
		"See it and that The first note of them all word"},
	{"<details>\n<summary>What <b>it</b> is</summary>\n\nIts body\n\n</details>\n\nend\n",
		"What it is Its body end"},
	{"The price is $5 and then $6, or $x_1 * y_2$ of them, and $a*b*c$ too\n",
		"The price is 5 and then 6 or x_1 y_2 of them and a b c too"},
	{"Let \\(a_b * c_d\\) and \\[x^2 * y*z\\] be, and \\[none\\] of \\*this\\*\n",
		"Let a_b c_d and x 2 y z be and none of this"},
	{"So:\n$$\na_b = c \\\\\n- d * e * f\n# g\n$$\nand $$x * y$$ or $$\nend * of * it\n",
		"So a_b c d e f g and x y or end of it"},
	{"\\[\n\\frac{a}{b}\n\\]\nthen\n\n\\[ a*b*c \\]\n\n$$ is the shell\n- item\n\n$$\nopen\n\nafter\n",
		"frac a b then a b c is the shell item open after"},
	{"> $$\n> a_b * c\n> $$\n> end\n\n- x\n  $$\n  y * z * q\n  $$\n  end\n", "a_b c end x y z q end"},
	{"Files **/*.go and **/*.ts, src/**/*.go and lib/** or *.go and *.ts here\n",
		"Files go and ts src go and lib or go and ts here"},
	{"Names __init__.py and __main__.py, a.__init__() and **bold** __bold__ too\n",
		"Names __init__ py and __main__ py a __init__ and bold bold too"},
	{"Ref &#38;lt; &amp;amp; \\&amp; end\n", "Ref lt amp amp end"},
}

var tags = regexp.MustCompile(`<[^<>]*>`)

func TestNoWordOfAnExampleIsLost(t *testing.T) {
	for _, e := range slices.Concat(examples(t), hardExamples) {
		d := &Document{}
		_, _ = d.Write([]byte(e.Markdown))
		shown := strings.Join(texts(d.View(tui.Space{Width: 120}).Lines), "")
		text := html.UnescapeString(tags.ReplaceAllString(e.HTML, " "))
		for _, word := range strings.FieldsFunc(text, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_'
		}) {
			if !strings.Contains(shown, word) && !strings.HasPrefix(e.Markdown, "<div></div>\n```") &&
				!strings.HasPrefix(e.Markdown, "<textarea>") { // a blank line and a fence end HTML here
				t.Errorf("%q is not shown of %q: %q", word, e.Markdown, shown)
			}
		}
	}
}

var rounds = flag.Int("rounds", 200, "how many random texts are streamed")

// Texts of random marks are streamed in random pieces: final rows stay, and the end is that of the
// whole.
func TestRandomMarksAreFinalOnceShown(t *testing.T) {
	marks := strings.Split("$ $$ \\( \\) \\[ \\] * ** *** _ __ a init words / . , 5 ( ) [ ] === --- ` ``` & &amp; "+
		"< > ~~ ! |"+
		" : https://a.b/c www.a.b \\\\ \\* [^1]: [!NOTE] <details> <summary> </summary> 日 é x y", " ")
	marks = append(marks, " ", " ", " ", " ", " ", "\n", "\n", "\n\n",
		"- ", "1. ", "> ", "# ", "    ", "\t", "  ", "[ ] ", "[x] ")
	for seed := range uint64(*rounds) {
		rnd := rand.New(rand.NewPCG(seed, 11))
		src := randomText(rnd, marks)
		if seed%2 == 0 {
			check(t, src, 24+rnd.IntN(60), seed) // a narrow window has no room for each mark
		} else {
			checkStream(t, src, 6+rnd.IntN(24), seed)
		}
	}
}

// randomText returns a text of marks and words.
func randomText(rnd *rand.Rand, marks []string) string {
	var src strings.Builder
	for range 5 + rnd.IntN(50) {
		src.WriteString(marks[rnd.IntN(len(marks))])
		if rnd.IntN(3) == 0 {
			src.WriteString("some words ")
		}
	}
	return src.String()
}
