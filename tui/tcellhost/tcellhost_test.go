package tcellhost

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/gdamore/tcell/v2"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// draw fills the screen with the marker.
func draw(s tcell.Screen, marker string) {
	s.Clear()
	_, rows := s.Size()
	for y := range rows {
		for x, r := range []rune(fmt.Sprint(marker, " ", y)) {
			s.SetContent(x, y, r, nil, tcell.StyleDefault.Reverse(true))
		}
	}
	s.Show()
}

func TestTheTranscriptIsAsItWas(t *testing.T) {
	for _, term := range []string{"xterm-256color", "xterm-ghostty", "xterm-kitty", "tmux-256color", "nonesuch"} {
		for _, mouse := range []bool{false, true} {
			t.Run(fmt.Sprint(term, mouse), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					app := &tui.App{Footer: &tui.Editor{Placeholder: "draft"}}
					screen := tuitest.Start(t, app,
						tuitest.Config{Cols: 40, Rows: 10, Before: "$ before\n", Env: map[string]string{"TERM": term}})
					for i := range 25 {
						fmt.Fprintf(app.Transcript(), "row %d\n", i)
					}
					screen.Settle()
					history, grid := screen.Scrollback(), screen.Visible()
					var keys []string
					done := make(chan error, 1)
					go func() {
						done <- Run(t.Context(), app, func(s tcell.Screen) error {
							s.EnablePaste()
							s.EnableFocus()
							if mouse {
								s.EnableMouse()
							}
							for {
								draw(s, "HOSTED")
								switch ev := s.PollEvent().(type) {
								case *tcell.EventKey:
									if keys = append(keys, ev.Name()); ev.Rune() == 'q' {
										return errors.New("it has ended")
									}
								case nil:
									return errors.New("no more events")
								}
							}
						})
					}()
					screen.Settle()
					if got := screen.Visible(); !strings.Contains(got, "HOSTED 9") || strings.Contains(got, "row") {
						t.Fatalf("it shows\n%s", got)
					}
					fmt.Fprintln(app.Transcript(), "written meanwhile")
					screen.Press("up")
					screen.Type("aq")
					if err := <-done; err == nil || err.Error() != "it has ended" {
						t.Error(err)
					}
					screen.Settle()
					if got := strings.Join(keys, " "); got != "Up Rune[a] Rune[q]" {
						t.Errorf("keys %q", got)
					}
					before := strings.Split(strings.TrimRight(history+"\n"+grid, "\n"), "\n")
					after := strings.Split(strings.TrimRight(screen.Scrollback()+"\n"+screen.Visible(), "\n"), "\n")
					n := len(before) - 1 // without the editor's row
					want := append(before[:n:n], "written meanwhile", before[n])
					if strings.Join(after, "\n") != strings.Join(want, "\n") {
						t.Errorf("the tape is\n%s\nwant\n%s", strings.Join(after, "\n"), strings.Join(want, "\n"))
					}
					screen.Type("typed")
					if !strings.Contains(screen.Visible(), "typed") {
						t.Errorf("after it nobody types:\n%s", screen.Visible())
					}
				})
			})
		}
	}
}

func TestTheEndOfTheContextEndsTheScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{Footer: &tui.Editor{Placeholder: "draft"}}
		screen := tuitest.Start(t, app, tuitest.Config{Cols: 40, Rows: 10})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			done <- Run(ctx, app, func(s tcell.Screen) error {
				for s.PollEvent() != nil {
				}
				return ctx.Err()
			})
		}()
		screen.Settle()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		screen.Settle()
		if !strings.Contains(screen.Visible(), "draft") {
			t.Errorf("%s", screen.Visible())
		}
	})
}

func TestNoDrawingOnTheTranscript(t *testing.T) {
	app := &tui.App{}
	never := func(tcell.Screen) error { t.Error("called"); return nil }
	t.Setenv("TCELL_ALTSCREEN", "disable")
	if err := Run(t.Context(), app, never); !errors.Is(err, ErrNoAltScreen) {
		t.Errorf("with TCELL_ALTSCREEN=disable: %v", err)
	}
	t.Setenv("TCELL_ALTSCREEN", "")
	app.Terminal = terminal.Config{Env: func(k string) string { return map[string]string{"TERM": "vt100"}[k] }}
	if err := Run(t.Context(), app, never); !errors.Is(err, ErrNoAltScreen) {
		t.Errorf("on a vt100: %v", err)
	}
}

// device is one that notes what is written and has something to read.
type device struct {
	out bytes.Buffer
	in  chan []byte
}

func (d *device) Read(p []byte) (int, error) {
	b, ok := <-d.in
	if !ok {
		return 0, io.EOF
	}
	return copy(p, b), nil
}
func (d *device) Write(p []byte) (int, error) { return d.out.Write(p) }
func (d *device) Start() error                { return nil }
func (d *device) Stop() error                 { close(d.in); return nil }
func (d *device) Size() (int, int, error)     { return 80, 24, nil }
func (d *device) NotifyResize(func())         {}

func TestAnErasureOutsideOfTheAlternateScreenIsKeptBack(t *testing.T) {
	for _, c := range []struct {
		writes []string
		out    string
		fault  bool
	}{
		{[]string{"\x1b[?1049h\x1b[H\x1b[2J", "x", "\x1b[2J\x1b[?1049l", "after"},
			"\x1b[?1049h\x1b[H\x1b[2Jx\x1b[2J\x1b[?1049lafter", false},
		{[]string{"\x1b[?25l", "\x1b[H\x1b[2J"}, "\x1b[?25l", true},
		{[]string{"\x1b[2J\x1b[?1049h"}, "", true},
		{[]string{"\x1b[?1049h", "\x1b[?1049l\x1b[2J"}, "\x1b[?1049h", true},
	} {
		d := &device{in: make(chan []byte)}
		x := newTTY(&terminal.Lent{TTY: d}, "\x1b[2J")
		for _, w := range c.writes {
			_, _ = x.Write([]byte(w))
		}
		if d.out.String() != c.out || (x.fault != nil) != c.fault {
			t.Errorf("%q: %q, %v", c.writes, d.out.String(), x.fault)
		}
	}
}

func TestWhatIsTypedBehindTheEndIsOurs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{Footer: &tui.Editor{Placeholder: "draft"}}
		screen := tuitest.Start(t, app, tuitest.Config{Cols: 40, Rows: 10})
		typed, done := make(chan struct{}), make(chan error, 1)
		go func() {
			done <- app.Lend(t.Context(), func(l *terminal.Lent) error {
				x := newTTY(l, "\x1b[2J")
				if err := x.Start(); err != nil {
					return err
				}
				<-typed
				p := make([]byte, 2) // of a read of five
				if n, err := x.Read(p); n != 2 || err != nil {
					return fmt.Errorf("%q, %v", p[:n], err)
				}
				return errors.Join(x.Drain(), x.Stop())
			})
		}()
		screen.Settle()
		screen.Paste("abcde") // no brackets are asked for: five bytes in one read
		screen.Type("fg")
		close(typed)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		screen.Settle()
		if !strings.Contains(screen.Visible(), "cdefg") || strings.Contains(screen.Visible(), "abcde") {
			t.Errorf("%s", screen.Visible())
		}
	})
}
