package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal"
)

// piped runs app without a terminal on input, and returns what it has written.
func piped(t *testing.T, app *App, input string) (string, error) {
	t.Helper()
	var out strings.Builder
	app.Input, app.Output = strings.NewReader(input), &out
	app.openTerminal = func(context.Context) (device, error) { return nil, terminal.ErrNotTerminal }
	err := app.Run(t.Context())
	return out.String(), err
}

func TestOpenWriterHoldsTheEndOfAPipedProgram(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{}
		app.Footer = &Editor{OnSubmit: func(text string) {
			w := NewANSI(app.Transcript())
			go func() {
				defer w.Close()
				for _, word := range []string{"\x1b[31mfirst", " of " + text + "\nse", "cond", "\nthe end: \xc3"} {
					pass(time.Second)
					fmt.Fprint(w, word)
				}
			}()
		}}
		out, err := piped(t, app, "two\n")
		if want := "first of two\nsecond\nthe end: \ufffd\n"; err != nil || out != want {
			t.Errorf("%q, %v", out, err)
		}
	})
}

func TestUnfinishedLinesAreWrittenAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{}
		app.Main = func(context.Context) error {
			fmt.Fprint(app.Transcript().Stream(nil), "a stream")
			fmt.Fprint(NewANSI(app.Transcript()), "a writer")
			fmt.Fprint(app.Stderr(), "messages")
			fmt.Fprint(app.Transcript(), "plain text")
			return nil
		}
		out, err := piped(t, app, "")
		if want := "a stream\na writer\nmessages\nplain text\n"; err != nil || out != want {
			t.Errorf("%q, %v", out, err)
		}
	})
}

func TestMessagesAreHarmlessLinesOfTheTranscript(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("footer")}
		logger := log.New(app.Stderr(), "", 0)
		logger.Println("before Run")
		r := start(t, app, 30, 8)
		logger.Print("cleared\x1b[2J\x1b]0;title\a")
		fmt.Fprint(app.Stderr(), "half ")
		r.settle()
		r.want("before Run", "cleared", "half", "footer")
		fmt.Fprint(app.Stderr(), "\x1b[1mwhole\x1b[m\nunfinished")
		r.settle()
		if c := r.d.vt.Row(2).Cell(5); c.Text != "w" || c.Style.Attr&Bold == 0 {
			t.Errorf("%+v", c)
		}
		r.quit()
		r.want("before Run", "cleared", "half whole", "unfinished")
		if _, err := fmt.Fprint(app.Stderr(), "late"); !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	})
}

// choice asks for a key.
type choice struct{ Component }

func (choice) HandleEvent(Event, Space) bool { return false }

func TestOverlayThatAsksForKeysNeedsATerminal(t *testing.T) {
	for _, c := range []struct {
		name  string
		comp  Component
		foot  Component
		wants error
	}{
		{"keys", choice{NewText("yes or no?")}, nil, terminal.ErrNotTerminal},
		{"keys in a stack", NewStack(NewText("yes or no?"), choice{NewText("")}), nil, terminal.ErrNotTerminal},
		{"lines", &Editor{}, nil, io.ErrNoProgress},
		{"nothing", NewStack(NewText("working"), NewText("still")), nil, io.ErrNoProgress},
		{"keys, beside a footer", choice{NewText("help")}, &Editor{}, io.ErrNoProgress},
	} {
		synctest.Test(t, func(t *testing.T) {
			app := &App{Footer: c.foot}
			app.Main = func(ctx context.Context) error {
				app.Do(func() { app.Overlay(c.comp, Place{}) })
				select {
				case <-time.After(time.Minute):
					return io.ErrNoProgress
				case <-ctx.Done():
					return nil
				}
			}
			if _, err := piped(t, app, "a line\n"); !errors.Is(err, c.wants) {
				t.Errorf("%s: %v", c.name, err)
			}
		})
	}
}

// A program that needs a terminal says so at once, in its own words, and starts nothing.
func TestAProgramThatNeedsATerminalSaysSo(t *testing.T) {
	app := &App{NeedsTerminal: "pipe it through less", Main: func(context.Context) error {
		t.Error("Main was started")
		return nil
	}}
	out, err := piped(t, app, "a line\n")
	if !errors.Is(err, terminal.ErrNotTerminal) || out != "" ||
		err.Error() != "needs a terminal; pipe it through less" {
		t.Errorf("%q, %v", out, err)
	}
}
