//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// script is a program that goes on for a moment, so that the window changes meanwhile.
const script = `seq 1 15; sleep 0.4; seq 16 30
printf 'work 10%%\r'; sleep 0.1; printf 'work 99%%\r'; printf 'done\033[K'`

// rows returns what stays of it.
func rows() (all []string) {
	for i := range 30 {
		all = append(all, fmt.Sprint(i+1))
	}
	return append(all, "done")
}

func sh(script string) *exec.Cmd { return exec.Command("sh", "-c", script) }

// restored fails the test if the terminal is not as it was.
func restored(t *testing.T, s *tuitest.Screen) {
	t.Helper()
	s.Inspect(func(v *vt.Terminal) {
		if was := vt.New(vt.Config{}).Modes(); !slices.Equal(v.Modes(), was) || !v.Cursor().Visible ||
			v.KittyKeyboard() != 0 {
			t.Errorf("modes %v, cursor %+v, keyboard %d", v.Modes(), v.Cursor(), v.KittyKeyboard())
		}
	})
}

func TestScreenOfAProgramStaysWhateverTheWindowDoes(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 10}} {
		for _, resizes := range []int{0, 3} {
			for _, noColor := range []string{"", "1"} {
				t.Run(fmt.Sprint(size, resizes, noColor), func(t *testing.T) {
					s := tuitest.Start(t, run(sh(script)), tuitest.Config{Cols: size[0], Rows: size[1],
						Before: "$ exec\n", Env: map[string]string{"NO_COLOR": noColor}})
					for i := range resizes {
						s.Resize(size[0]-7*(i%2+1), size[1]-2*(i%2))
					}
					if err := s.Wait(); err != nil {
						t.Error(err)
					}
					want, lines := append([]string{"$ exec"}, rows()...), s.Lines()
					if resizes > 0 { // what was live may stand in history
						lines = slices.DeleteFunc(lines, func(l string) bool { return !slices.Contains(want, l) })
					}
					if !slices.Equal(lines, want) {
						t.Errorf("got\n%s", strings.Join(s.Lines(), "\n"))
					}
					restored(t, s)
				})
			}
		}
	}
}

func TestProgramWithoutATerminalIsText(t *testing.T) {
	var out strings.Builder
	app := run(sh(script))
	app.Input, app.Output = strings.NewReader(""), &out
	app.Terminal.Env = func(name string) string { return map[string]string{"TERM": "dumb"}[name] }
	if err := app.Run(t.Context()); err != nil {
		t.Error(err)
	}
	if want := strings.Join(rows(), "\n") + "\n"; out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
}

func TestInterruptEndsTheProgram(t *testing.T) {
	s := tuitest.Start(t, run(sh("echo begun; sleep 1000")), tuitest.Config{})
	begin := time.Now()
	s.Press("ctrl+c")
	if err := s.Wait(); !errors.Is(err, tui.ErrInterrupted) {
		t.Error(err)
	}
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	restored(t, s)
}

func TestPanicGivesTheTerminalBackWhileAProgramRuns(t *testing.T) {
	for name, wound := range map[string]func(*tui.App){
		"a goroutine": func(app *tui.App) { app.Go(func(context.Context) error { panic("ouch") }) },
		"View": func(app *tui.App) {
			app.Do(func() { app.Overlay(tui.ComponentFunc(func(tui.Space) tui.View { panic("ouch") }), tui.Place{}) })
		},
		"OnEvent": func(app *tui.App) { app.OnEvent = func(tui.Event) bool { panic("ouch") } },
		"Do":      func(app *tui.App) { app.Do(func() { panic("ouch") }) },
	} {
		t.Run(name, func(t *testing.T) {
			app := run(sh("echo begun; sleep 5"))
			wound(app)
			s := tuitest.Start(t, app, tuitest.Config{Recover: true})
			s.Send([]byte("x"))
			if err := s.Wait(); err == nil || !strings.Contains(err.Error(), "ouch") {
				t.Error(err)
			}
			restored(t, s)
		})
	}
}
