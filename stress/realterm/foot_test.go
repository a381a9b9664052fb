//go:build terminals

package realterm

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// foot in a sway without a screen: a key of the test's own writes history and screen to a file,
// another the screen alone. It joins soft wraps.
type foot struct {
	dir, file string
	env       []string
	alone     bool // the alternate screen is shown: there foot has no history to write, and crashes as below
}

const footConfig = `font=DejaVu Sans Mono:pixelsize=10
pad=0x0
resize-delay-ms=0
dpi-aware=no
[scrollback]
lines=20000
[csd]
preferred=none
[key-bindings]
pipe-scrollback=[sh -c "cat >%[1]s.new; mv %[1]s.new %[1]s"] F12
pipe-visible=[sh -c "cat>%[1]s.new; mv %[1]s.new %[1]s"] F11
`

// A floating window has the size that it is given.
const swayConfig = `output * resolution 1600x1200
for_window [app_id=".*"] floating enable, border none, move absolute position 0 0
floating_maximum_size -1 x -1
floating_minimum_size 1 x 1
`

// footCell is the size of a cell in that font.
var footCell = [2]int{6, 13}

// full fills all rows that foot has for history: its tape is read from the row below the screen,
// and there a row that was scrolled off downwards stands, before rows that do not exist yet. At
// those foot 1.13 crashes (printf '\033[H\033M', then pipe-scrollback).
const full = "yes - | head -n 33000; printf '%s\\n' " + footFirst + "\n"

// footFirst is the row above the tape.
const footFirst = "the-tape-begins"

// nobody is who sway runs as where we are root, which it refuses.
const nobody = 65534

func (f *foot) start(t *testing.T, command string) {
	run, err := os.MkdirTemp("", "scrollkeep-sway-") // not in the directory of the test, where nobody else gets in
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(run) })
	f.file = filepath.Join(t.TempDir(), "tape")
	f.dir = home(t, map[string]string{"foot.ini": fmt.Sprintf(footConfig, f.file)})
	config := filepath.Join(run, "config")
	write(t, config, func(f *os.File) error { _, err := f.WriteString(swayConfig); return err })
	f.env = environ(f.dir, "XDG_RUNTIME_DIR="+run, "SWAYSOCK="+run+"/sway", "WLR_BACKENDS=headless",
		"WLR_RENDERER=pixman", "WLR_LIBINPUT_NO_DEVICES=1")
	c := exec.Command("sway", "-c", config)
	c.Env = f.env
	if os.Getuid() == 0 {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		for _, name := range []string{run, config} {
			if err := os.Chown(name, nobody, nobody); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	var sockets []string
	eventually(t, "sway", func() bool {
		sockets, _ = filepath.Glob(filepath.Join(run, "wayland-*[0-9]"))
		_, err := os.Stat(filepath.Join(run, "sway"))
		return err == nil && len(sockets) == 1
	})
	f.env = append(f.env, "WAYLAND_DISPLAY="+filepath.Base(sockets[0]))
	// A keyboard that stays: a window that has none loses the focus.
	keyboard := exec.Command("wtype", "-s", "100000000")
	keyboard.Env = f.env
	if err := keyboard.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = keyboard.Process.Kill(); _ = keyboard.Wait() })
	opened(t, f.env, "foot", "-c", filepath.Join(f.dir, "foot.ini"), "-W", "80x24", "sh", script(t, full+command))
	eventually(t, "foot's window", func() bool {
		out, err := f.run("swaymsg", "-t", "get_tree")
		return err == nil && strings.Contains(out, `"app_id": "foot"`)
	})
}

func (f *foot) run(name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Env = f.env
	out, err := c.Output()
	return string(out), err
}

func (f *foot) do(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := f.run(name, args...); err != nil {
		t.Fatalf("%s %v: %v: %s", name, args, err, out)
	}
}

func (f *foot) resize(t *testing.T, cols, rows int) {
	f.do(t, "swaymsg", fmt.Sprintf("[app_id=foot] resize set width %d px height %d px", cols*footCell[0],
		rows*footCell[1]))
}

// send types: each call is a keyboard of its own, that foot must have heard of before the first
// key. It takes the focus away and gives it back, and a pane wants to have been seen for a second
// before it takes a key.
func (f *foot) send(t *testing.T, keys string) {
	typed(func(args ...string) {
		switch args[len(args)-1] {
		case "ctrl+z":
			f.do(t, "wtype", "-s", "300", "-M", "ctrl", "z", "-m", "ctrl")
		case "Return":
			f.do(t, "wtype", "-s", "300", "-k", "Return")
		default:
			f.do(t, "wtype", "-s", "1500", "-d", "10", "--", args[len(args)-1])
		}
	}, keys)
}

func (f *foot) tape(t *testing.T) string {
	_ = os.Remove(f.file)
	key := "F12"
	if f.alone {
		key = "F11"
	}
	var out []byte
	eventually(t, "foot's tape", func() bool {
		f.do(t, "wtype", "-s", "100", "-k", key)
		var err error
		out, err = os.ReadFile(f.file)
		return err == nil
	})
	if _, below, ok := strings.Cut(string(out), footFirst+"\n"); ok { // not so in the alternate screen
		return apart.Replace(below)
	}
	return apart.Replace(string(out))
}
