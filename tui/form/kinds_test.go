package form_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/form"
)

// cities are the options of a choice that depends on another one.
var cities = map[string][]string{"France": {"Lyon", "Nantes"}, "Italy": {"Bari", "Como", "Pisa"}, "nowhere": nil}

// trip is what the newer kinds of fields fill.
type trip struct {
	start         time.Time
	notes, file   string
	country, city string
	stops         []string
}

// moreFields returns one of each of the kinds that order.fields has not.
func (o *order) moreFields() []form.Question {
	tr := &trip{country: "Italy"}
	return tr.fields()
}

func (tr *trip) fields() []form.Question {
	options := func() []string { return cities[tr.country] }
	return []form.Question{
		form.Date("Day", &tr.start),
		form.Time("Hour", &tr.start),
		form.Lines("Notes", &tr.notes),
		form.File("Ticket", &tr.file),
		form.Choice("Country", &tr.country, "France", "Italy", "nowhere"),
		form.ChoiceFrom("City", &tr.city, options),
		form.ChoicesFrom("Stops", &tr.stops, options),
	}
}

// inFolder begins a folder with files for a test that asks for one.
func inFolder(t *testing.T, files ...string) {
	t.Chdir(t.TempDir())
	for _, name := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDatesLinesFilesAndChoicesOfTheMoment(t *testing.T) {
	inFolder(t, "ticket.pdf", "tide/moon.txt", ".hidden")
	for _, size := range [][2]int{{80, 24}, {40, 14}, {20, 8}} {
		synctest.Test(t, func(t *testing.T) {
			tr := &trip{start: time.Date(2026, time.November, 28, 9, 30, 0, 0, time.UTC), country: "France"}
			f := &form.Form{Mouse: true, Pages: []form.Page{{Fields: tr.fields()}}}
			s := start(t, f, size[0], size[1])
			s.Press("right", "enter") // 29
			s.Press("ctrl+a", "ctrl+k")
			s.Type("25:00")
			s.Press("enter")
			if got := s.Visible(); size[0] == 80 && !strings.Contains(got, "! a time is written as in 15:04") {
				t.Errorf("a wrong time is not named:\n%s", got)
			}
			s.Press("ctrl+a", "ctrl+k")
			s.Type("17:05")
			s.Press("enter")
			s.Type("one")
			s.Press("ctrl+j")
			s.Type("two")
			s.Press("enter")
			s.Type("tick")
			s.Press("tab") // completes
			s.Type("x")
			s.Press("enter")
			if got := s.Visible(); size[0] == 80 && !strings.Contains(got, "! there is no such file") {
				t.Errorf("a missing file is not named:\n%s", got)
			}
			s.Press("backspace", "enter")
			s.Type("it")
			s.Press("enter", "down", "enter")
			got := s.Visible()
			if size[0] == 80 && (!strings.Contains(got, "[ ] Pisa") || strings.Contains(got, "Lyon")) {
				t.Errorf("the options are not those of Italy:\n%s", got)
			}
			s.Press("space", "down", "space", "enter")
			if err := s.Wait(); err != nil {
				t.Fatal(err)
			}
			want := trip{time.Date(2026, time.November, 29, 17, 5, 0, 0, time.UTC), "one\ntwo", "ticket.pdf",
				"Italy", "Como", []string{"Bari", "Como"}}
			if fmt.Sprint(*tr) != fmt.Sprint(want) {
				t.Errorf("at %v: %v, want %v", size, *tr, want)
			}
			all := s.Scrollback() + "\n" + s.Visible()
			for _, row := range []string{"Day: 2026-11-29", "Hour: 17:05", "Notes: one", "two", "Ticket: ticket.pdf",
				"City: Como"} {
				if strings.Count("\n"+all+"\n", "\n"+row+"\n") != 1 {
					t.Errorf("at %v %q does not stand there once:\n%s", size, row, all)
				}
			}
		})
	}
}

func TestAChoiceFollowsTheOtherAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := &trip{country: "Italy", city: "Pisa"}
		f := &form.Form{Pages: []form.Page{{Fields: tr.fields()[4:6]}}}
		s := start(t, f, 60, 12)
		s.Press("enter")
		if got := s.Visible(); !strings.Contains(got, "› Pisa") {
			t.Errorf("the answer to begin with is not chosen:\n%s", got)
		}
		s.Press("shift+tab")
		s.Type("now")
		s.Press("enter", "enter")
		if got := s.Visible(); !strings.Contains(got, "nothing to choose from") || tr.city != "Pisa" {
			t.Errorf("a choice of nothing is answered with %q:\n%s", tr.city, got)
		}
		s.Press("shift+tab")
		s.Type("ital")
		s.Press("enter", "enter")
		if err := s.Wait(); err != nil || tr.city != "Pisa" {
			t.Errorf("%v, %v", tr, err)
		}
	})
}

func TestMarkedTextOfAFieldIsCopied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		name := "Ada"
		s := start(t, &form.Form{Pages: []form.Page{{Fields: []form.Question{form.Text("Name", &name)}}}}, 40, 8)
		s.Press("shift+home")
		s.Bytes()
		s.Press("ctrl+c")
		if out := string(s.Bytes()); !strings.Contains(out, "\x1b]52;c;QWRh") {
			t.Errorf("nothing was copied: %q", out)
		}
		s.Press("ctrl+c")
		if err := s.Wait(); err != form.ErrCancelled {
			t.Errorf("then Ctrl+C does not cancel: %v", err)
		}
	})
}

func ExampleDate() {
	start := time.Date(2026, time.November, 28, 9, 0, 0, 0, time.UTC)
	answer("2026-12-24\n", func(ctx context.Context, app *tui.App) error {
		return form.Ask(ctx, app, form.Date("Day", &start))
	})
	fmt.Println(start)
	// Output:
	// Day [2026-11-28]:
	// Day: 2026-12-24
	// 2026-12-24 09:00:00 +0000 UTC
}

func ExampleTime() {
	var alarm time.Time
	answer("half past\n6:30\n", func(ctx context.Context, app *tui.App) error {
		return form.Ask(ctx, app, form.Time("Wake me at", &alarm))
	})
	fmt.Println(alarm.Hour(), alarm.Minute())
	// Output:
	// Wake me at:
	// ! a time is written as in 15:04
	// Wake me at:
	// Wake me at: 06:30
	// 6 30
}

func ExampleLines() {
	var message string
	answer("Tides are late.\nAsk the moon.\n\n", func(ctx context.Context, app *tui.App) error {
		return (&form.Form{NoSummary: true, Pages: []form.Page{{Fields: []form.Question{
			form.Lines("Message", &message)}}}}).Ask(ctx, app)
	})
	fmt.Printf("%q\n", message)
	// Output:
	// Message:
	// An empty line ends the text.
	// "Tides are late.\nAsk the moon."
}

func ExampleFile() {
	var path string
	answer("no-such-file\nform.go\n", func(ctx context.Context, app *tui.App) error {
		return form.Ask(ctx, app, form.File("Source", &path))
	})
	// Output:
	// Source:
	// ! there is no such file
	// Source:
	// Source: form.go
}

func ExampleChoiceFrom() {
	var country, city string
	options := map[string][]string{"France": {"Lyon", "Nantes"}, "Italy": {"Bari", "Como"}}
	answer("Italy\nComo\n", func(ctx context.Context, app *tui.App) error {
		return form.Ask(ctx, app,
			form.Choice("Country", &country, "France", "Italy"),
			form.ChoiceFrom("City", &city, func() []string { return options[country] }))
	})
	// Output:
	// Country
	// 1 France
	// 2 Italy
	// A number or the words of one [France]:
	// City
	// 1 Bari
	// 2 Como
	// A number or the words of one [Bari]:
	// Country: Italy
	// City: Como
}

func ExampleChoicesFrom() {
	var all bool
	var days []string
	answer("y\n1, 3\n", func(ctx context.Context, app *tui.App) error {
		return form.Ask(ctx, app, form.Confirm("The weekend, too?", &all),
			form.ChoicesFrom("Days", &days, func() []string {
				if all {
					return []string{"fri", "sat", "sun"}
				}
				return []string{"fri"}
			}))
	})
	fmt.Println(days)
	// Output:
	// The weekend, too? [y/N]
	// Days
	// 1 [ ] fri
	// 2 [ ] sat
	// 3 [ ] sun
	// Numbers or words, commas between them; - for none:
	// The weekend, too? yes
	// Days: fri, sun
	// [fri sun]
}

func TestAChoiceOrTextTakesWhatIsTyped(t *testing.T) {
	for _, c := range []struct {
		keys         []string
		value, typed string
	}{
		{[]string{"enter"}, "red", ""},
		{[]string{"down", "down", "enter"}, "other", ""},
		{[]string{"light", "space", "blue", "enter"}, "other", "light blue"},
		{[]string{"gre", "enter"}, "green", ""},
		{[]string{"gre", "down", "enter"}, "other", "gre"},
		{[]string{"blue", "enter", "shift+tab", "up", "enter"}, "green", ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			value, typed, last := "", "before", ""
			fields := []form.Question{form.ChoiceOrText("Colour", &value, &typed, "other", "red", "green"),
				form.Text("Last", &last)}
			s := start(t, &form.Form{Pages: []form.Page{{Fields: fields}}}, 40, 8)
			for _, k := range c.keys {
				if strings.Contains("enter down up space shift+tab", k) {
					s.Press(k)
				} else {
					s.Type(k)
				}
			}
			s.Press("enter")
			if err := s.Wait(); err != nil || value != c.value || typed != c.typed {
				t.Errorf("%v: %v, %q, typed %q", c.keys, err, value, typed)
			}
		})
	}
}

func ExampleChoiceOrText() {
	var colour, own string
	answer("9\nlight blue\n", func(ctx context.Context, app *tui.App) error {
		err := form.Ask(ctx, app, form.ChoiceOrText("Colour", &colour, &own, "other", "red", "green"))
		fmt.Fprintf(app.Transcript(), "%s, %s\n", colour, own)
		return err
	})
	// Output:
	// Colour
	// 1 red
	// 2 green
	// 3 other
	// A number or the words of one [red]:
	// ! "9" is none of them
	// Colour
	// 1 red
	// 2 green
	// 3 other
	// A number or the words of one [red]:
	// Colour: light blue
	// other, light blue
}
