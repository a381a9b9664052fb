package tui

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/terminal"
)

func TestNotificationsComeOnlyToWhoLooksElsewhere(t *testing.T) {
	for _, c := range []struct {
		name string
		caps Caps
		want string
	}{
		{"a bell where there is nothing else", Caps{}, "\a"},
		{"OSC 9", Caps{Notify: terminal.NotifyOSC9}, "\x1b]9;shell: it waits\x1b\\"},
		{"OSC 777", Caps{Notify: terminal.NotifyOSC777}, "\x1b]777;notify;shell;it waits\x1b\\"},
		{"through tmux, with a bell", Caps{Notify: terminal.NotifyOSC99, Mux: "tmux"}, "\x1bPtmux;\x1b\x1b]99;;shell: it waits\x1b\x1b\\\x1b\\\a"},
		{"screen has a bell", Caps{Notify: terminal.NotifyOSC9, Mux: "screen"}, "\a"},
		{"off", Caps{Notify: terminal.NotifyOff}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				app := &App{Footer: NewText("f")}
				r := start(t, app, 20, 4, func(d *fakeDevice) { d.caps = c.caps })
				r.bytes()
				app.Notify("shell", "it waits")
				r.settle()
				if got := string(r.bytes()); got != c.want {
					t.Errorf("not known who looks: %q, want %q", got, c.want)
				}
				r.d.events <- Focus{In: true}
				r.settle()
				app.Notify("shell", "it waits")
				r.settle()
				if got := string(r.bytes()); got != "" {
					t.Errorf("to a person who looks: %q", got)
				}
				r.d.events <- Focus{In: false}
				r.settle()
				app.Notify("shell", "it waits")
				r.settle()
				if got := string(r.bytes()); got != c.want {
					t.Errorf("to a person who has left: %q, want %q", got, c.want)
				}
				r.quit()
				app.Notify("shell", "late")
			})
		})
	}
}

func TestCopyGoesToTheClipboard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{}
		r := start(t, app, 20, 4)
		r.bytes()
		if !app.Copy("hi\x1b") || app.Copy(strings.Repeat("x", maxClipboard+1)) {
			t.Error("what fits is refused, or what does not fit is taken")
		}
		r.settle()
		if got := string(r.bytes()); got != "\x1b]52;c;aGkb\x1b\\" {
			t.Errorf("got %q", got)
		}
		r.quit()
	})
}
