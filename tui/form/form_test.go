package form_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/form"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// plan is a choice with a look of its own.
type plan struct {
	name  string
	euros int
}

func (p plan) Item() widget.Item {
	return widget.Item{Text: p.name, Note: strconv.Itoa(p.euros) + " a month", Group: "monthly"}
}

// order is what the forms of these tests fill.
type order struct {
	name, secret string
	age          int
	plan         plan
	tags         []string
	sure         bool
}

var plans = []plan{{"free", 0}, {"team", 9}, {"company", 90}}

// fields returns one of each kind.
func (o *order) fields() []form.Question {
	return []form.Question{
		form.Text("Name", &o.name).Required().Placeholder("Ada"),
		form.Value("Age", &o.age, strconv.Atoi).Check(func(n int) error {
			if n < 18 {
				return errors.New("too young")
			}
			return nil
		}),
		form.Secret("Password", &o.secret).Help("At least 4 characters."),
		form.Choice("Plan", &o.plan, plans...),
		form.Choices("Tags", &o.tags, "red", "green", "blue"),
		form.Confirm("Shall we go on with all of this?", &o.sure),
	}
}

// ask runs an App that asks one form.
func ask(f *form.Form) *tui.App {
	app := &tui.App{Footer: &tui.Editor{}}
	app.Main = func(ctx context.Context) error { return f.Ask(ctx, app) }
	return app
}

func start(t *testing.T, f *form.Form, cols, rows int) *tuitest.Screen {
	t.Helper()
	return tuitest.Start(t, ask(f), tuitest.Config{Cols: cols, Rows: rows})
}

func TestAFormAtThreeWidths(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 10}, {20, 24}, {20, 6}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := &order{tags: []string{"green"}}
				var scenes strings.Builder
				f := &form.Form{Pages: []form.Page{{Title: "An order", Fields: o.fields()}}}
				s := start(t, f, size[0], size[1])
				scene := func(name string) { fmt.Fprintf(&scenes, "== %s\n%s\n", name, s.Visible()) }
				scene("at first")
				s.Press("enter")
				scene("an answer is needed")
				s.Type("Ada")
				s.Press("enter")
				s.Type("x")
				s.Press("tab")
				s.Type("secret")
				scene("what is wrong stays")
				s.Press("enter")
				s.Type("te")
				scene("a choice")
				s.Press("enter", "space")
				scene("choices")
				s.Press("enter")
				scene("the last")
				s.Press("y")
				scene("the first that is wrong")
				s.Press("backspace")
				s.Type("36")
				s.Press("enter")
				for range 4 {
					s.Press("tab")
				}
				s.Press("y")
				if err := s.Wait(); err != nil {
					t.Error(err)
				}
				scene("the answers")
				want := order{"Ada", "secret", 36, plans[1], []string{"red", "green"}, true}
				if fmt.Sprint(*o) != fmt.Sprint(want) {
					t.Errorf("%v", *o)
				}
				file := fmt.Sprintf("testdata/form%dx%d.txt", size[0], size[1])
				tuitest.Golden(t, file, []byte(scenes.String()))
			})
		})
	}
}

func TestTheSameFormIsAskedLineByLine(t *testing.T) {
	o := &order{age: 40, tags: []string{"green"}}
	f := &form.Form{Pages: []form.Page{{Title: "An order", Fields: o.fields()}}}
	out, err := lines(f, "\nAda\nforty\n12\n\nsecret\ncomp\n-\n\n")
	if err != nil {
		t.Error(err)
	}
	tuitest.Golden(t, "testdata/lines.txt", []byte(out))
	if want := (order{"Ada", "secret", 40, plans[2], nil, false}); fmt.Sprint(*o) != fmt.Sprint(want) {
		t.Errorf("%v", *o)
	}
	if strings.Contains(out, "secret\n") {
		t.Error("the secret is written")
	}
}

// lines runs a form without a terminal.
func lines(f *form.Form, in string) (out string, err error) {
	var b strings.Builder
	app := ask(f)
	app.Footer = nil // it would be given lines that come too early
	app.Input, app.Output = strings.NewReader(in), &b
	app.Terminal.Env = func(name string) string { return map[string]string{"TERM": "dumb"}[name] }
	err = app.Run(context.Background())
	return b.String(), err
}

func TestWhoCancelsLeavesTheVariablesAsTheyWere(t *testing.T) {
	for _, key := range []string{"esc", "ctrl+c", "ctrl+d"} {
		synctest.Test(t, func(t *testing.T) {
			o := &order{name: "old", age: 50, tags: []string{"red"}}
			s := start(t, &form.Form{Pages: []form.Page{{Fields: o.fields()}}}, 60, 20)
			s.Press("ctrl+u")
			s.Type("new")
			s.Press("enter", "tab", "tab", "down", "enter", "space", "enter", key)
			if err := s.Wait(); err != form.ErrCancelled || !errors.Is(err, tui.ErrInterrupted) {
				t.Errorf("%s: %v", key, err)
			}
			if o.name != "old" || !slices.Equal(o.tags, []string{"red"}) || o.plan != (plan{}) {
				t.Errorf("%s: %v", key, *o)
			}
			s.Want()
		})
	}
	synctest.Test(t, func(t *testing.T) { // the end of the context, while nobody answers
		o := &order{name: "old"}
		ctx, cancel := context.WithCancel(t.Context())
		app := &tui.App{}
		app.Main = func(context.Context) error { return form.Ask(ctx, app, o.fields()...) }
		s := tuitest.Start(t, app, tuitest.Config{})
		s.Type("er")
		s.Press("tab")
		if o.name != "older" {
			t.Errorf("while it is asked: %q", o.name)
		}
		cancel()
		if err := s.Wait(); !errors.Is(err, context.Canceled) || o.name != "old" {
			t.Errorf("%v, %q", err, o.name)
		}
	})
	o := &order{name: "old"}
	_, err := lines(&form.Form{Pages: []form.Page{{Fields: o.fields()}}}, "new\n")
	if !errors.Is(err, io.EOF) || !strings.Contains(fmt.Sprint(err), `"Age"`) || o.name != "old" {
		t.Errorf("after the last line: %v, %q", err, o.name)
	}
}

func TestPagesFollowOneAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var name, street string
		abroad, country := false, "France"
		f := &form.Form{Pages: []form.Page{
			{Title: "You", Fields: []form.Question{form.Text("Name", &name), form.Confirm("Abroad?", &abroad)}},
			{}, // nothing to ask
			{Title: "Country", Fields: []form.Question{
				form.Choice("Country", &country, "Spain", "France").When(func() bool { return abroad })}},
			{Title: "Place", Fields: []form.Question{form.Text("Street", &street)}},
		}}
		s := start(t, f, 60, 20)
		s.Want("", "You  1 of 4", "› Name", "  Abroad?  no", "Enter goes on, Tab moves, Esc cancels")
		s.Type("Ada")
		s.Press("enter", "n")
		s.Want("", "Place  4 of 4", "› Street", "Enter finishes, Tab moves, Esc cancels")
		s.Press("shift+tab", "y")
		s.Want("", "Country  3 of 4", "› Country    Spain", "           › France",
			"Enter goes on, typing searches, Tab moves, Esc cancels")
		s.Press("enter", "shift+tab", "up", "enter", "enter")
		if err := s.Wait(); err != nil {
			t.Error(err)
		}
		s.Want("Name: Ada", "Abroad? yes", "Country: Spain", "Street: none")
	})
}

func TestStepsAppearOneAfterTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var name, size string
		app := &tui.App{}
		app.Main = func(ctx context.Context) error {
			return form.Steps(ctx, app, form.Text("Name", &name).Required(), form.Choice("Size", &size, "s", "m"))
		}
		s := tuitest.Start(t, app, tuitest.Config{Cols: 50, Rows: 20})
		s.Want("", "1 of 2", "› Name", "Enter goes on, Tab moves, Esc cancels")
		s.Press("tab")
		s.Want("", "1 of 2", "› Name", "  ! an answer is needed", "Enter goes on, Tab moves, Esc cancels")
		s.Type("x")
		s.Press("down")
		s.Want("", "2 of 2", "  Name  x", "› Size  › s", "          m",
			"Enter finishes, typing searches, Tab moves, Esc…")
		s.Press("shift+tab")
		s.Type("y")
		s.Want("", "1 of 2", "› Name  xy", "  Size  s", "Enter goes on, Tab moves, Esc cancels")
		s.Press("enter", "down", "enter")
		s.Wait()
		s.Want("Name: xy", "Size: m")
	})
}

func TestAQuietFormLeavesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var name string
		f := &form.Form{NoSummary: true, Pages: []form.Page{{Fields: []form.Question{form.Text("Name", &name)}}}}
		s := start(t, f, 40, 10)
		s.Type("Ada")
		s.Press("enter")
		s.Wait()
		s.Want()
		if name != "Ada" {
			t.Errorf("%q", name)
		}
	})
}

func TestAFormWithNothingToAskIsAnswered(t *testing.T) {
	for _, f := range []*form.Form{{}, {Pages: []form.Page{{}, {}}}, {Pages: []form.Page{{Fields: []form.Question{
		form.Text("Never", new(string)).When(func() bool { return false })}}}}} {
		synctest.Test(t, func(t *testing.T) {
			if err := start(t, f, 40, 10).Wait(); err != nil {
				t.Error(err)
			}
		})
		if out, err := lines(f, ""); err != nil || out != "" {
			t.Errorf("%q, %v", out, err)
		}
	}
	var size string
	f := &form.Form{Pages: []form.Page{{Fields: []form.Question{form.Choice("Size", &size)}}}}
	if _, err := lines(f, "1\n"); err == nil || !strings.Contains(err.Error(), `"Size"`) {
		t.Errorf("a choice of nothing: %v", err)
	}
}

// What a person pastes or answers is shown, and never obeyed.
func TestNothingOfAnAnswerIsObeyed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var name string
		s := start(t, &form.Form{Pages: []form.Page{{Fields: []form.Question{
			form.Text("Name", &name).Check(func(text string) error { return errors.New("not " + text) })}}}}, 60, 10)
		s.Send([]byte("\x1b[200~a\x1b]0;title\x07b\nc\x1b[201~"))
		s.Settle()
		s.Press("enter")
		s.Want("", "› Name  a␛]0;title␇b c", "  ! not a␛]0;title␇b c", "Enter finishes, Esc cancels")
	})
}

// The footer behind a form gets none of the keys.
func TestNoKeyOfAFormGoesToTheFooter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sure bool
		ed := &tui.Editor{}
		app := &tui.App{Footer: ed}
		app.Main = func(ctx context.Context) error {
			err := form.Ask(ctx, app, form.Confirm("Sure?", &sure))
			<-ctx.Done()
			return err
		}
		s := tuitest.Start(t, app, tuitest.Config{})
		s.Type("x")
		s.Press("pageup", "f1", "alt+x", "y")
		s.Want("Sure? yes", "›")
		if ed.Text() != "" {
			t.Errorf("the footer has %q", ed.Text())
		}
		s.Press("ctrl+d")
	})
}

func TestAFormStandsInAFooterAndOnTheAlternateScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var name string
		app := &tui.App{}
		f := &form.Form{Pages: []form.Page{{Title: "Sign in", Fields: []form.Question{form.Text("Name", &name)}}}}
		f.OnDone = func() { app.Quit(nil) }
		app.Footer = f
		s := tuitest.Start(t, app, tuitest.Config{Cols: 40, Rows: 10})
		s.Want("", "Sign in", "› Name", "Enter finishes, Esc cancels")
		s.Type("Ada")
		s.Press("enter")
		if err := s.Wait(); err != nil || name != "Ada" {
			t.Errorf("%v, %q", err, name)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		o := &order{}
		s := start(t, &form.Form{Place: tui.Place{Full: true}, Pages: []form.Page{{Fields: o.fields()}}}, 40, 20)
		if v := s.Visible(); !strings.Contains(v, "› Name      Ada") {
			t.Errorf("got\n%s", v)
		}
		s.Press("esc")
		if err := s.Wait(); err != form.ErrCancelled {
			t.Error(err)
		}
		s.Want()
	})
}

// item is a choice whose look panics once it is shown.
type item struct{ broken *bool }

func (i item) Item() widget.Item {
	if *i.broken {
		panic("ouch")
	}
	return widget.Item{Text: "one"}
}

func TestAPanicInACallbackOfAFieldRestoresTheTerminal(t *testing.T) {
	var text string
	var one item
	broken := true
	for name, q := range map[string]form.Question{
		"Check":    form.Text("Name", &text).Check(func(string) error { panic("ouch") }),
		"Complete": form.Text("Name", &text).Complete(func(string) []string { panic("ouch") }),
		"When":     form.Text("Name", &text).When(func() bool { panic("ouch") }),
		"parse":    form.Value("Name", &text, func(string) (string, error) { panic("ouch") }),
		"Item":     form.Choice("Name", &one, item{&broken}),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				app := &tui.App{}
				app.Main = func(ctx context.Context) error {
					_ = app.WaitShown(ctx)
					return form.Ask(ctx, app, q)
				}
				s := tuitest.Start(t, app, tuitest.Config{Recover: true})
				s.Send([]byte("x\t"))
				s.Send([]byte("\r"))
				if err := s.Wait(); err == nil || !strings.Contains(err.Error(), "ouch") {
					t.Errorf("Run: %v", err)
				}
				if _, _, shown := s.Cursor(); !shown {
					t.Error("the cursor is hidden")
				}
			})
		})
	}
}

func TestAClickGoesToAFieldAndChoosesInIt(t *testing.T) {
	for _, rows := range []int{24, 6} { // in the small window the fields are scrolled
		synctest.Test(t, func(t *testing.T) { clicks(t, rows) })
	}
}

// clicks answers a form with the mouse where it can.
func clicks(t *testing.T, rows int) {
	o := &order{}
	s := start(t, &form.Form{Mouse: true, Pages: []form.Page{{Title: "An order", Fields: o.fields()}}}, 60, rows)
	if !s.MouseOn() {
		t.Fatal("the form does not get the mouse")
	}
	click := func(text string) {
		t.Helper()
		for row, line := range strings.Split(s.Visible(), "\n") {
			if i := strings.Index(line, text); i >= 0 {
				s.Click(len([]rune(line[:i])), row)
				return
			}
		}
		t.Fatalf("there is no %q in\n%s", text, s.Visible())
	}
	click("Plan")
	s.Press("end")
	click("company") // the chosen one: it goes on to the tags
	click("blue")
	click("red")
	click("blue")
	for range 4 {
		s.Press("shift+tab")
	}
	s.Type("Ada")
	for range 4 {
		s.Press("tab")
	}
	click("Tags")
	s.Press("tab")
	click("yes")
	if err := s.Wait(); err != nil {
		t.Error(err)
	}
	want := order{name: "Ada", plan: plans[2], tags: []string{"red"}, sure: true}
	if fmt.Sprint(*o) != fmt.Sprint(want) {
		t.Errorf("%v", *o)
	}
}
