package widget_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// pane shows c in the place of the footer.
func pane(t *testing.T, c tui.Component, cols, rows int) *tuitest.Screen {
	app := &tui.App{Footer: tui.NewText("footer")}
	app.Overlay(c, tui.Place{Replace: true})
	return tuitest.Start(t, app, tuitest.Config{Cols: cols, Rows: rows})
}

// plain returns c as text, for a line that answers.
func plain(c tui.Component) string {
	var b strings.Builder
	v := c.View(tui.Space{Width: 80})
	for i, line := range v.Lines {
		if v.Cursor != nil && i >= v.Cursor.Row {
			break
		}
		for _, sp := range line.Spans {
			b.WriteString(sp.Text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestAnInputIsEditedInOneLine(t *testing.T) {
	for _, c := range []struct{ name, keys, paste, want string }{
		{"typed", "a b", "", "a b"},
		{"a paste of lines is one line", "x", "one\ntwo\nthree\n", "xone two three"},
		{"a paste of a line end is nothing", "x", "\n", "x"},
		{"moves and kills are those of the editor", "one two|ctrl+w|ctrl+a|>|ctrl+e", ">", ">one >"},
		{"what begins a line elsewhere begins none", "a|shift+enter|alt+enter|ctrl+j|b", "", "ab"},
	} {
		synctest.Test(t, func(t *testing.T) {
			in := &widget.Input{}
			s := pane(t, in, 40, 10)
			for _, k := range strings.Split(c.keys, "|") {
				if strings.Contains(k, "+") {
					s.Press(k)
				} else {
					s.Type(k)
				}
			}
			if c.paste != "" {
				s.Paste(c.paste)
			}
			s.Want("› " + c.want)
			if in.Text() != c.want {
				t.Errorf("%s: %q", c.name, in.Text())
			}
		})
	}
}

func TestAnInputKeepsTheCaretInSight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := pane(t, &widget.Input{}, 20, 10)
		at := func(row string, col int) {
			t.Helper()
			s.Want(row)
			if c, _, shown := s.Cursor(); c != col || !shown {
				t.Errorf("the caret stands at column %d of %q", c, row)
			}
		}
		s.Type("0123456789abcdef")
		at("› 0123456789abcdef", 18)
		s.Type("ghi")
		at("… 23456789abcdefghi", 19)
		s.Press("ctrl+a")
		at("› 0123456789abcdefg…", 2)
		s.Press("ctrl+e")
		s.Press("left")
		at("… 23456789abcdefghi", 18)
		s.Press("ctrl+u")
		s.Type("日本語日本語日本語")
		at("… 本語日本語日本語i", 18)
		s.Resize(30, 10)
		at("› 日本語日本語日本語i", 20)
	})
}

func TestASecretIsNotShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := &widget.Input{Title: "Password", Secret: true}
		s := pane(t, in, 20, 10)
		s.Type("hunter2")
		s.Paste("é日")
		s.Want("Password", "› •••••••••")
		if out := string(s.Bytes()); strings.Contains(out, "hunter") || in.Text() != "hunter2é日" {
			t.Errorf("%q, written %q", in.Text(), out)
		}
	})
}

func TestAnInputSaysWhatIsWrongUntilItIsRight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []string
		in := &widget.Input{Title: "Port", OnSubmit: func(text string) { got = append(got, text) },
			Validate: func(text string) error {
				if strings.Trim(text, "0123456789") != "" {
					return errors.New("only digits make a number")
				}
				return nil
			}}
		s := pane(t, in, 40, 10)
		s.Type("80x")
		s.Want("Port", "› 80x")
		s.Press("enter")
		s.Want("Port", "› 80x", "! only digits make a number")
		s.Press("backspace")
		s.Want("Port", "› 80")
		s.Press("enter")
		s.Paste("81\n")
		s.Send([]byte("\x1b[200~2\x1b[201~\r")) // an Enter that came with a paste is part of it
		s.Settle()
		if !slices.Equal(got, []string{"80"}) {
			t.Errorf("submitted: %q", got)
		}
		in.Submit("x")
		in.Submit("443")
		if !slices.Equal(got, []string{"80", "443"}) || plain(in) != "Port\n" {
			t.Errorf("lines submit %q, after %q", got, plain(in))
		}
	})
}

func TestTabCompletesAnInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := &widget.Input{Complete: func(prefix string) (all []string) {
			for _, name := range []string{"main", "master", "feature/tabs", "feature/tables\x1b[2J"} {
				if strings.HasPrefix(name, prefix) {
					all = append(all, name)
				}
			}
			return all
		}}
		s := pane(t, in, 40, 10)
		s.Type("f")
		s.Press("tab")
		s.Want("› feature/tab", "feature/tabs  feature/tables␛[2J")
		s.Press("tab")
		s.Want("› feature/tabs", "feature/tabs  feature/tables␛[2J")
		s.Press("tab")
		s.Want("› feature/tables␛[2J", "feature/tabs  feature/tables␛[2J")
		s.Press("ctrl+u")
		s.Type("mas")
		s.Want("› mas")
		s.Press("tab")
		s.Want("› master")
		s.Press("tab") // there is nothing more
		s.Type("!")
		s.Press("tab")
		s.Want("› master!")
	})
}

// licences returns options in groups.
func licences() *widget.Select[string] {
	return &widget.Select[string]{Title: "Which licence?", Options: []string{"MIT", "BSD-3-Clause", "Apache-2.0",
		"GPL-3.0", "AGPL-3.0", "MPL-2.0"},
		Show: func(name string) widget.Item {
			item := widget.Item{Text: name, Group: "permissive"}
			if strings.Contains(name, "PL-") {
				item.Group = "copyleft"
			}
			if name == "MIT" {
				item.Note = "short and well known"
			}
			return item
		}}
}

func TestWidgetsOfAQuestionAtThreeWidths(t *testing.T) {
	for _, c := range []struct {
		name string
		show tui.Component
	}{
		{"input", &widget.Input{Title: "What is the project called?", Placeholder: "a name of letters and digits"}},
		{"select", licences()},
		{"multiselect", &widget.MultiSelect[int]{Title: "Which sizes?", Options: []int{16, 32, 64, 128},
			Marked: []bool{false, true}}},
		{"confirm", &widget.Confirm{Title: "Shall the folder be made now?", Yes: true}},
	} {
		for _, cols := range []int{20, 40, 80} {
			t.Run(fmt.Sprint(c.name, cols), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { pane(t, c.show, cols, 24).Golden() })
			})
		}
	}
}

func TestASelectPagesThroughGroups(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := licences()
		var chosen string
		q.OnChoose = func(name string) { chosen = name }
		s := pane(t, q, 40, 8)
		s.Want("", "Which licence?  1-3 of 6", "permissive", "› MIT  short and well known", "  BSD-3-Clause",
			"  Apache-2.0", "Enter chooses, typing searches, Esc l…")
		for range 4 {
			s.Press("down")
		}
		s.Press("enter")
		if chosen != "AGPL-3.0" {
			t.Errorf("chosen: %q in\n%s", chosen, s.Visible())
		}
		if v := s.Visible(); !strings.Contains(v, "› AGPL-3.0") {
			t.Errorf("the chosen option is in sight:\n%s", v)
		}
	})
}

func TestALetterApartIsEnoughAndTheBestComesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		files := []string{"doc/map.txt", "tui/app.go", "app/main.go", "tool.go"}
		q := &widget.Select[string]{Title: "File", Options: files}
		s := pane(t, q, 40, 20)
		s.Type("app")
		s.Want("", "File  /app", "› app/main.go", "  tui/app.go", "Enter chooses, Esc clears the search")
		s.Press("esc")
		s.Paste("m\ngo\n")
		s.Want("", "File  /m go", "› app/main.go", "Enter chooses, Esc clears the search")
		q.OnChoose = func(name string) { t.Errorf("%s is chosen by a paste", name) }
		s.Press("esc")
		s.Send([]byte("\x1b[200~app\x1b[201~\r")) // this Enter is part of it
		s.Settle()
		s.Type("x")
		s.Want("", "File  /appx", "  nothing matches", "Enter chooses, Esc clears the search")
		s.Type(" go  ")
		s.Press("ctrl+w")
		s.Want("", "File  /appx", "  nothing matches", "Enter chooses, Esc clears the search")
		s.Press("ctrl+w", "ctrl+w")
		s.Type("tool go")
		s.Press("ctrl+u")
		s.Type("tool")
		s.Want("", "File  /tool", "› tool.go", "Enter chooses, Esc clears the search")
	})
}

func TestAnEmptyListSaysThatItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := &widget.Select[string]{Title: "File"}
		s := pane(t, q, 40, 20)
		s.Press("enter", "down", "pagedown", "end")
		s.Want("", "File", "  nothing to choose from", "Enter chooses, typing searches, Esc l…")
		if got := plain(q); !strings.Contains(got, "nothing to choose from") {
			t.Errorf("as text:\n%s", got)
		}
		if _, err := q.Find("1"); err == nil {
			t.Error("a line chooses from nothing")
		}
	})
}

func TestALineChooses(t *testing.T) {
	q := licences()
	q.At = 1
	want := "\nWhich licence?\npermissive\n1 MIT  short and well known\n2 BSD-3-Clause\n3 Apache-2.0\ncopyleft\n" +
		"4 GPL-3.0\n5 AGPL-3.0\n6 MPL-2.0\nA number or the words of one:\n"
	if got := plain(q); got != want {
		t.Errorf("it is asked as\n%s", got)
	}
	for _, c := range []struct {
		line string
		at   int
		err  string
	}{
		{"", 1, ""}, {"3", 2, ""}, {"gpl-3.0", 3, ""}, {" agpl ", 4, ""}, {"gpl", -1, `"gpl" fits several of them`},
		{"9", -1, `"9" is none of them`}, {"0", -1, `"0" fits several of them`}, {"", 1, ""},
	} {
		at, err := q.Find(c.line)
		if at != c.at || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("%q: %d, %v", c.line, at, err)
		}
	}
	var chosen []string
	q.OnChoose = func(name string) { chosen = append(chosen, name) }
	q.Submit("nonsense")
	q.Submit("6")
	if !slices.Equal(chosen, []string{"MPL-2.0"}) {
		t.Errorf("chosen: %q", chosen)
	}
}

func TestOptionsAreMarked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got [][]string
		q := &widget.MultiSelect[string]{Title: "Parts", Options: []string{"api", "docs", "tests"},
			OnChoose: func(marked []string) { got = append(got, marked) },
			Validate: func(marked []string) error {
				if len(marked) == 0 {
					return errors.New("at least one")
				}
				return nil
			}}
		s := pane(t, q, 80, 20)
		hint := "Space marks, Enter takes the marked, typing searches, Esc leaves"
		s.Press("enter")
		s.Want("", "Parts", "› [ ] api", "  [ ] docs", "  [ ] tests", hint, "! at least one")
		s.Press("space", "down", "space", "space")
		s.Want("", "Parts", "  [x] api", "› [ ] docs", "  [ ] tests", hint)
		s.Type("ts")
		s.Press("ctrl+a")
		s.Want("", "Parts  /ts", "› [x] tests", "Space marks, Enter takes the marked, Esc clears the search")
		s.Press("enter")
		s.Type("zz")
		s.Press("enter") // what is marked is taken though it is not in sight
		if len(got) != 2 || !slices.Equal(got[0], []string{"api", "tests"}) || !slices.Equal(got[0], got[1]) {
			t.Errorf("%q", got)
		}
	})
}

func TestALineMarks(t *testing.T) {
	q := &widget.MultiSelect[string]{Title: "Parts", Options: []string{"api", "docs", "tests"}, Marked: []bool{true}}
	if got, want := plain(q), "\nParts\n1 [x] api\n2 [ ] docs\n3 [ ] tests\n"+
		"Numbers or words, commas between them; - for none:\n"; got != want {
		t.Errorf("it is asked as\n%s", got)
	}
	for _, c := range []struct{ line, want string }{
		{"", "[true false false]"}, {"-", "[false false false]"}, {"2, test", "[false true true]"}, {"4", "[]"},
		{"api,,", "[true false false]"},
	} {
		if got, err := q.Find(c.line); fmt.Sprint(got) != c.want || (err == nil) != (c.want != "[]") {
			t.Errorf("%q: %v, %v", c.line, got, err)
		}
	}
}

func TestAYesOrANoIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []bool
		left := 0
		c := &widget.Confirm{Title: "Sure?", OnAnswer: func(yes bool) { got = append(got, yes) },
			OnLeave: func() { left++ }}
		s := pane(t, c, 40, 10)
		s.Want("Sure?", "  yes  › no", "y or n answers, Esc leaves")
		s.Press("enter", "left", "enter", "n", "Y", "space", "enter", "x", "esc", "ctrl+c")
		if !slices.Equal(got, []bool{false, true, false, true, false}) || left != 2 {
			t.Errorf("answers %v, left %d times", got, left)
		}
		if plain(c) != "Sure? [y/N]\n" {
			t.Errorf("as text: %q", plain(c))
		}
		for line, want := range map[string]string{"": "false", "YES": "true", "n": "false", "maybe": "error"} {
			yes, err := c.Find(line)
			if res := fmt.Sprint(yes); err == nil && res != want || err != nil && want != "error" {
				t.Errorf("%q: %v, %v", line, yes, err)
			}
		}
	})
}

func TestClicksChooseAndTheWheelMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := licences()
		var chosen []string
		q.Mouse, q.OnChoose = true, func(name string) { chosen = append(chosen, name) }
		s := pane(t, q, 60, 24)
		s.Click(3, 8) // below the names of two groups
		s.Settle()
		if v := s.Visible(); !strings.Contains(v, "› AGPL-3.0") || len(chosen) > 0 {
			t.Errorf("chosen %q in\n%s", chosen, v)
		}
		s.Click(3, 8)
		s.Click(3, 6) // the name of a group
		s.Click(3, 1) // the title
		s.Wheel(3, 4, -1)
		s.Settle()
		if v := s.Visible(); !strings.Contains(v, "› BSD-3-Clause") || !slices.Equal(chosen, []string{"AGPL-3.0"}) {
			t.Errorf("chosen %q in\n%s", chosen, v)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		var got []bool
		c := &widget.Confirm{Title: "Sure?", Mouse: true, OnAnswer: func(yes bool) { got = append(got, yes) }}
		s := pane(t, c, 40, 10)
		s.Click(3, 1)
		s.Click(9, 1)
		s.Click(9, 0)
		s.Click(30, 1)
		s.Settle()
		if !slices.Equal(got, []bool{true, false}) {
			t.Errorf("answers %v", got)
		}
	})
}
