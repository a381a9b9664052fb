package main

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

func TestPanesGoByKeysAndClicks(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 10}, {20, 10}} {
		synctest.Test(t, func(t *testing.T) {
			app, err := panes([]string{"quit=ctrl+q"})
			if err != nil {
				t.Fatal(err)
			}
			s := tuitest.Start(t, app, tuitest.Config{Cols: size[0], Rows: size[1]})
			s.Press("down", "s", "tab", "down", "q", "s")
			for i, row := range strings.Split(s.Visible(), "\n") {
				if strings.Contains(row, "HUP") && strings.HasPrefix(row, "│") {
					s.Click(5, i)
				}
			}
			s.Press("down", "down", "s")
			s.Resize(size[0]+20, size[1]+5)
			s.Press("ctrl+q")
			if err := s.Wait(); err != nil {
				t.Fatal(err)
			}
			want := "INT Ctrl+C was pressed.|INT Ctrl+C was pressed.|" +
				"TERM Somebody asks the process to end."
			if got := strings.Join(s.Lines(), "|"); got != want && size[0] > 20 {
				t.Errorf("%v: %q", size, got)
			}
			if s.MouseOn() {
				t.Error("the mouse is still on")
			}
		})
	}
}

func TestMistakenArgumentsAreTold(t *testing.T) {
	_, err := panes([]string{"quit=s"})
	if err == nil || err.Error() != `keys: s is both "quit" and "say"` {
		t.Error(err)
	}
	if _, err := panes([]string{"leave=x"}); err == nil || !strings.Contains(err.Error(), "there are quit, say") {
		t.Error(err)
	}
}

func TestWithoutATerminalItSaysWhatToDo(t *testing.T) {
	app, err := panes(nil)
	if err != nil {
		t.Fatal(err)
	}
	app.Terminal.Env = func(name string) string { return map[string]string{"TERM": "dumb"}[name] }
	if err := app.Run(t.Context()); err == nil || err.Error() != "needs a terminal; man 7 signal is text" {
		t.Error(err)
	}
}
