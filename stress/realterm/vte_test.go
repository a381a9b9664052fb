//go:build terminals

package realterm

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// widget is a window with one VTE terminal that takes orders, a line each.
const widget = `
import os, sys, gi
gi.require_version("Gtk", "3.0"); gi.require_version("Vte", "2.91")
from gi.repository import Gtk, Vte, GLib
t = Vte.Terminal()
t.set_size(80, 24); t.set_scrollback_lines(20000)
w = Gtk.Window(); w.set_wmclass("vte", "vte"); w.add(t); w.connect("destroy", Gtk.main_quit)
t.spawn_async(Vte.PtyFlags.DEFAULT, None, sys.argv[1:], None, GLib.SpawnFlags.DEFAULT, None, None, -1, None, None)
left = b""
def order(source, condition):
    global left
    data = os.read(0, 65536)
    if not data: Gtk.main_quit(); return False
    *lines, left = (left + data).split(b"\n")
    for line in lines: obey(line.decode().split())
    return True
def obey(a):
    if a[0] == "size":
        t.set_size(int(a[1]), int(a[2])); w.resize(*[n + 2 for n in (t.get_char_width() * int(a[1]), t.get_char_height() * int(a[2]))])
    elif a[0] == "tape":
        first = int(t.get_vadjustment().get_lower()); last = int(t.get_vadjustment().get_upper())
        # The alternate screen has no history, and its rows are numbered otherwise.
        alone = last - first <= t.get_row_count()
        text = t.get_text(None)[0] if alone else t.get_text_range(first, 0, last, t.get_column_count() - 1)[0]
        open(a[1] + ".new", "w").write(text); os.rename(a[1] + ".new", a[1])
    elif a[0] == "feed":
        t.feed_child(open(a[1], "rb").read())
    elif a[0] == "paste":
        t.paste_text(open(a[1]).read())
GLib.io_add_watch(0, GLib.IO_IN, order)
w.show_all(); t.grab_focus()
Gtk.main()
`

// vte is VTE in a window of its own (gir1.2-vte-2.91, gir1.2-gtk-3.0 and python3-gi).
type vte struct {
	orders io.Writer
	file   string
}

// vtePython returns a python that knows VTE, and VTE's version.
func vtePython(t *testing.T) (path, version string) {
	t.Helper()
	for _, p := range []string{"python3", "/usr/bin/python3"} {
		// Another python comes before that of the system in some places.
		out, err := exec.Command(p, "-c",
			`import gi; gi.require_version("Gtk", "3.0"); gi.require_version("Vte", "2.91"); from gi.repository `+
				`import Vte; print(Vte.MAJOR_VERSION, Vte.MINOR_VERSION, Vte.MICRO_VERSION, sep=".")`).Output()
		if err == nil {
			return p, strings.TrimSpace(string(out))
		}
	}
	need.Missing(t, "vte", "python3 has no gi with Vte 2.91 and Gtk 3.0")
	return "", ""
}

func (v *vte) open(t *testing.T, show string, command ...string) {
	t.Helper()
	python, _ := vtePython(t)
	v.file = filepath.Join(t.TempDir(), "tape")
	c := exec.Command(python, append([]string{"-u", "-c", widget}, command...)...)
	c.Env = append(os.Environ(), "DISPLAY="+show, "TMUX=", "STY=", "PS1=$ ", "NO_AT_BRIDGE=1", "GDK_BACKEND=x11",
		"WAYLAND_DISPLAY=")
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	v.orders = in
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
}

func (v *vte) order(t *testing.T, format string, args ...any) {
	if _, err := fmt.Fprintf(v.orders, format+"\n", args...); err != nil {
		t.Fatal(err)
	}
}

// give orders something to be done with text.
func (v *vte) give(t *testing.T, what, text string) {
	name := filepath.Join(t.TempDir(), what)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	v.order(t, "%s %s", what, name)
}

func (v *vte) start(t *testing.T, command string) {
	v.open(t, display(t), "sh")
	eventually(t, "VTE's shell", func() bool { return strings.Contains(v.tape(t), "$") })
	v.give(t, "feed", command+"\r")
}

func (v *vte) resize(t *testing.T, cols, rows int) { v.order(t, "size %d %d", cols, rows) }

func (v *vte) tape(t *testing.T) string {
	_ = os.Remove(v.file)
	v.order(t, "tape %s", v.file)
	var out []byte
	eventually(t, "VTE's tape", func() bool { var err error; out, err = os.ReadFile(v.file); return err == nil })
	return string(out)
}
