package soak

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/markdown"
)

// whole returns a tape on which all is as it should be, as a shell leaves it: words wrapped at 40
// columns.
func whole(t Text, pane bool) []string {
	rows := append([]string{"$ sh run"}, Greeting()...)
	rows = append(rows, "agentshell 0.1 · model: script", "", "› go", "")
	for i, r := range t {
		if pane && i == len(t)/2 {
			rows = append(rows, "✓ write "+ChangeFile+"  new file, +34")
			for _, d := range strings.Split(strings.TrimSpace(Change()), "\n") {
				rows = append(rows, "+ "+d)
			}
			rows = append(rows, "")
		}
		line := "- "
		for _, w := range strings.Fields(r.Plain) {
			if len(line)+1+len(w) > 40 {
				rows = append(rows, line)
				line = "  "
			}
			line += w + " "
		}
		rows = append(rows, line)
		if i%5 == 4 {
			rows = append(rows, "")
		}
	}
	return append(rows, "Resume this session with: agentshell --resume 1", End, "$ ")
}

// row returns the row of the tape on which the first word of a row of the text stands.
func row(tape []string, r Row) int {
	return slices.IndexFunc(tape, func(s string) bool { return strings.Contains(s, fmt.Sprintf("w%05d", r.Words[0])) })
}

func TestATapeIsJudgedByWhatIsWrongOnIt(t *testing.T) {
	const seed = 7
	text := Plain(seed, 60)
	at := func(tape []string, n int) int { return row(tape, text[n]) }
	const long = 9 // a row of 20 words, of which the first five stand on a row of the tape, then the next five
	for _, c := range []struct {
		name string
		pane bool
		harm func(tape []string) []string
		want Count
	}{
		{name: "nothing", harm: func(tape []string) []string { return tape }},
		{name: "nothing, with a change", pane: true, harm: func(tape []string) []string { return tape }},
		{name: "a terminal that breaks words", harm: func(tape []string) []string {
			i := at(tape, long) + 1
			n := strings.LastIndex(tape[i], "w") + 3
			return slices.Replace(tape, i, i+1, tape[i][:n], tape[i][n:])
		}},
		{name: "a word is lost", harm: func(tape []string) []string {
			i := at(tape, long)
			tape[i] = strings.Replace(tape[i], fmt.Sprintf("w%05d", text[long].Words[1]), "", 1)
			return tape
		}, want: Count{Lost: 1}},
		{name: "a row is cut in a word", harm: func(tape []string) []string {
			i := at(tape, long)
			tape[i] = tape[i][:strings.Index(tape[i], fmt.Sprintf("w%05d", text[long].Words[2]))+3]
			return tape
		}, want: Count{Lost: 3, Torn: 1}},
		{name: "the first words of a row are lost", harm: func(tape []string) []string {
			return slices.Delete(tape, at(tape, long), at(tape, long)+1)
		}, want: Count{Lost: 5, Heads: 1}},
		{name: "a row stands twice", harm: func(tape []string) []string {
			from, to := at(tape, 10), at(tape, 11)
			return slices.Insert(tape, to, slices.Clone(tape[from:to])...)
		}, want: Count{Whole: 1}},
		{name: "a piece of a row stands twice", harm: func(tape []string) []string {
			i := at(tape, long)
			return slices.Insert(tape, i, tape[i])
		}, want: Count{Pieces: 1}},
		{name: "a piece that ends in a word stands twice", harm: func(tape []string) []string {
			i := at(tape, long)
			return slices.Insert(tape, i, strings.TrimRight(tape[i], " ")[:20])
		}, want: Count{Pieces: 1, Torn: 1}},
		{name: "the rest of a torn word is left", harm: func(tape []string) []string {
			return slices.Insert(tape, at(tape, long), "012")
		}, want: Count{Torn: 1}},
		{name: "rows are in the wrong order", harm: func(tape []string) []string {
			i := at(tape, long)
			tape[i], tape[i+1] = tape[i+1], tape[i]
			return tape
		}, want: Count{Disorder: 5}},
		{name: "a status row is left", harm: func(tape []string) []string {
			return slices.Insert(tape, at(tape, 20), "⠇ working 0 s · Esc stops")
		}, want: Count{Residue: 1}},
		{name: "a prompt is left", harm: func(tape []string) []string {
			return slices.Insert(tape, at(tape, 20), "›")
		}, want: Count{Residue: 1}},
		{name: "a prompt is left at the end", harm: func(tape []string) []string {
			return slices.Insert(tape, slices.Index(tape, End), ">", "  model peer-1")
		}, want: Count{Residue: 2}},
		{name: "a footer row is joined to a row", harm: func(tape []string) []string {
			tape[at(tape, 20)] += "  ask · script"
			return tape
		}, want: Count{Residue: 1}},
		{name: "the rest of a word that the terminal has joined to a row", harm: func(tape []string) []string {
			i := at(tape, 20)
			tape[i] = "0091 " + tape[i]
			return tape
		}, want: Count{Torn: 1}},
		{name: "a row is written over", harm: func(tape []string) []string {
			i := at(tape, long)
			tape[i] = strings.Replace(tape[i], fmt.Sprintf("w%05d", text[long].Words[1]), "king10", 1)
			return tape
		}, want: Count{Lost: 1, Residue: 1}},
		{name: "a row of the shell is lost", harm: func(tape []string) []string {
			return slices.Delete(tape, 5, 6)
		}, want: Count{Shell: 1}},
		{name: "the head of a pane and a row of its change are left", pane: true, harm: func(tape []string) []string {
			left := []string{ChangeFile + " +34  12%", " 1  + d00000 d00001", "[y]es [n]o [?]"}
			return slices.Insert(tape, at(tape, len(text)/2), left...)
		}, want: Count{Pane: 3}},
		{name: "a row of a pane that wraps is left", pane: true, harm: func(tape []string) []string {
			return slices.Insert(tape, at(tape, len(text)/2), "+~02")
		}, want: Count{Pane: 1}},
		{name: "the outcome of a change stands twice", pane: true, harm: func(tape []string) []string {
			i := slices.IndexFunc(tape, decided.MatchString)
			return slices.Insert(tape, i, tape[i])
		}, want: Count{Pane: 1}},
		{name: "the outcome of a change is lost", pane: true, harm: func(tape []string) []string {
			i := slices.IndexFunc(tape, decided.MatchString)
			return slices.Delete(tape, i, i+1)
		}, want: Count{Lost: 1}},
		{name: "a row of a change is lost", pane: true, harm: func(tape []string) []string {
			i := slices.IndexFunc(tape, decided.MatchString)
			return slices.Delete(tape, i+3, i+4)
		}, want: Count{Lost: 2}},
		{name: "the text is not there", harm: func(tape []string) []string { return tape[:at(tape, 0)] },
			want: Count{Lost: len(text.words()), Heads: len(text)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tape := c.harm(whole(text, c.pane))
			if got := Check(text, strings.Join(tape, "\n"), c.pane); got != c.want {
				t.Errorf("seed %d: %v, want %v; the tape is\n%s", seed, got, c.want, strings.Join(tape, "\n"))
			}
		})
	}
}

// A terminal without history shows the end of a text: what begins on its screen counts.
func TestAScreenIsJudgedFromTheFirstWholeRow(t *testing.T) {
	text := Plain(7, 60)
	tape := whole(text, false)
	screen := tape[row(tape, text[30])+1:] // row 29 has gone, and with it row 30's beginning
	shown := text.On(strings.Join(screen, "\n"))
	if len(shown) == 0 || len(shown) > 29 || shown[len(shown)-1].Words[0] != text[59].Words[0] {
		t.Fatalf("%d rows are judged", len(shown))
	}
	if got := Check(shown, strings.Join(screen, "\n"), false); got.Lost > 0 || got.Whole+got.Pieces > 0 {
		t.Errorf("%v", got)
	}
	screen = append(screen[:5:5], screen[6:]...)
	if got := Check(shown, strings.Join(screen, "\n"), false); got.Lost == 0 {
		t.Error("a row that is missing is not missed")
	}
	if all := text.On("nothing of it"); len(all) != len(text) {
		t.Errorf("%d rows are judged on a screen without text", len(all))
	}
}

// words returns all words of t.
func (t Text) words() (all []int) {
	for _, r := range t {
		all = append(all, r.Words...)
	}
	return all
}

func TestATextWithClustersIsFoundWhole(t *testing.T) {
	for seed := range uint64(20) {
		text := Markdown(seed, 100)
		for _, pane := range []bool{false, true} {
			if got := Check(text, strings.Join(whole(text, pane), "\n"), pane); got != (Count{}) {
				t.Errorf("seed %d, pane %v: %v", seed, pane, got)
			}
		}
	}
}

func TestALimitIsOverWhereMoreIsWrong(t *testing.T) {
	for _, c := range []struct {
		name           string
		limit          Limit
		count, control Count
		over           string
	}{
		{name: "nothing is wrong"},
		{name: "a lost word", count: Count{Lost: 1}, over: "words lost: 1, at most 0"},
		{name: "the control loses words, too", count: Count{Lost: 1}, control: Count{Lost: 5},
			over: "words lost: 1, at most 0"},
		{name: "a terminal that loses and tears by itself", limit: Limit{AsControl: true},
			count: Count{Lost: 5, Torn: 2, Disorder: 1}, control: Count{Lost: 5, Torn: 2, Disorder: 1}},
		{name: "and more than it does by itself", limit: Limit{AsControl: true},
			count: Count{Lost: 6, Torn: 3, Disorder: 2}, control: Count{Lost: 5, Torn: 2, Disorder: 1},
			over: "words lost: 6, at most 5; words torn: 3, at most 2; words out of order: 2, at most 1"},
		{name: "a terminal that cuts rows", limit: Limit{Cuts: true},
			count: Count{Lost: 9, Torn: 4, Disorder: 2}, control: Count{Lost: 2}},
		{name: "a row lost by a terminal that cuts", limit: Limit{Cuts: true},
			count: Count{Lost: 9, Heads: 1}, over: "rows lost: 1, at most 0"},
		{name: "a doubled row", count: Count{Whole: 1},
			over: "rows doubled whole: 1, at most 0; rows doubled: 1, at most 0"},
		{name: "one row, whole or in pieces", limit: Limit{Whole: 1, Doubled: 1}, count: Count{Whole: 1}},
		{name: "two rows, one of them in pieces", limit: Limit{Whole: 1, Doubled: 1},
			count: Count{Whole: 1, Pieces: 1}, over: "rows doubled: 2, at most 1"},
		{name: "a row doubled by the terminal", count: Count{Whole: 1}, control: Count{Whole: 1}},
		{name: "pieces up to the limit", limit: Limit{Doubled: 3}, count: Count{Pieces: 3, Torn: 2}},
		{name: "pieces over the limit", limit: Limit{Doubled: 3}, count: Count{Pieces: 4},
			over: "rows doubled: 4, at most 3"},
		{name: "a torn word without a copy", count: Count{Torn: 1}, over: "words torn: 1, at most 0"},
		{name: "residue", count: Count{Residue: 1}, over: "rows of footer or pane: 1, at most 0"},
		{name: "a pane row", count: Count{Pane: 2}, over: "rows of footer or pane: 2, at most 0"},
		{name: "the shell's rows", count: Count{Shell: 1}, over: "rows of the shell: 1, at most 0"},
		{name: "rows out of order", count: Count{Disorder: 1}, over: "words out of order: 1, at most 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.limit.Exceeds(c.count, c.control); got != c.over {
				t.Errorf("%q, want %q", got, c.over)
			}
		})
	}
}

func TestMarkdownIsFoundWholeAtEveryWidth(t *testing.T) {
	for seed := range uint64(3) {
		text := Markdown(seed, 300)
		for cols := minCols; cols <= maxCols; cols += 15 {
			d := &markdown.Document{}
			if _, err := d.Write([]byte(text.Source())); err != nil {
				t.Fatal(err)
			}
			rows := Greeting()
			for _, l := range d.View(tui.Space{Width: cols, Height: 1 << 20}).Lines {
				row := ""
				for _, s := range l.Spans {
					row += s.Text
				}
				rows = append(rows, row)
			}
			if got := Check(text, strings.Join(append(rows, End), "\n"), false); got != (Count{}) {
				t.Errorf("seed %d, %d columns: %v", seed, cols, got)
			}
		}
	}
}
