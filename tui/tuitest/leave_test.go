package tuitest_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// tmux 3.3a puts rows of an alternate screen that has grown among those of the other one.
func TestAFullScreenOfAnotherSizeIsBlankWhenItIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{Footer: &tui.Editor{}}
		closeFull := app.Overlay(tui.ComponentFunc(func(s tui.Space) tui.View {
			return tui.View{Lines: s.Wrap(tui.Span{Text: strings.Repeat("full ", 300)})}
		}), tui.Place{Full: true})
		s := tuitest.Start(t, app, tuitest.Config{Cols: 40, Rows: 8})
		s.Settle()
		s.Resize(60, 20)
		s.Settle()
		app.Do(closeFull)
		s.Settle()
		written, _, left := bytes.Cut(s.Bytes(), []byte("\x1b[?1049l"))
		if !left {
			t.Fatal("the full screen is not left")
		}
		v := vt.New(vt.Config{Cols: 60, Rows: 20})
		_, _ = v.Write(written)
		if text := strings.TrimSpace(v.String()); !v.AltScreen() || text != "" {
			t.Errorf("it is left with\n%s", text)
		}
	})
}
