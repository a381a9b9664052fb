// Package nested runs terminals that are programs in a terminal, for tests: those of editors, mosh,
// and multiplexers in one another. A tmux is the terminal around them.
package nested

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
	"github.com/scrollkeep/scrollkeep/internal/tmux"
)

// Program is a program with a terminal in it.
type Program struct {
	Name       string
	Needs      []string // programs that have to be installed
	ScreenOnly bool     // it keeps no history
	// It may stop at a wide character that it has to wrap by itself (eat 0.9.4), so that rows which
	// are longer than the window cannot be played in it.
	StopsAtWraps bool
	cols, rows   int                      // of its own, beside the terminal
	files        map[string]string        // by name; HERE stands for the folder they are in
	late         bool                     // it writes HERE/ready when its size is final
	command      string                   // HERE/run is the program in the terminal
	version      string                   // the command that tells the version
	tape         func(t *Terminal) string // nil: the file HERE/tape
	missing      func(t *Terminal) error  // why it cannot run although its programs are there; nil: it can
}

// Terminal is a running terminal. Its methods end the test if it does not do what it should.
type Terminal struct {
	Program
	Outer *tmux.Tmux // the terminal around

	tb  testing.TB
	dir string
}

// Other versions of the editors than those installed can be named.
const (
	nvim   = "${SCROLLKEEP_NVIM:-nvim}"
	editor = "${SCROLLKEEP_EMACS:-emacs}"
)

// Programs returns all programs, by name.
func Programs() []Program {
	eat := emacs("eat", 2, `(require 'eat) (setq eat-term-scrollback-size nil)`, `(eat "HERE/run")`, "*eat*")
	eat.StopsAtWraps = true
	return []Program{
		{Name: "vim", Needs: []string{"vim"}, rows: 1, files: map[string]string{"init": vimInit},
			command: "vim -u NONE -N -S HERE/init", version: "vim --version"},
		{Name: "nvim", Needs: []string{"nvim"}, rows: 1, files: map[string]string{"init": nvimInit},
			command: nvim + " -u NONE -S HERE/init", version: nvim + " --version"},
		emacs("term", 1, `(require 'term) (setq term-buffer-maximum-size 100000)`, `(ansi-term "HERE/run" "inner")`,
			"*inner*"),
		emacs("vterm", 1, `(require 'vterm) (setq vterm-shell "HERE/run" vterm-max-scrollback 100000)`, `(vterm)`,
			"*vterm*"),
		eat,
		{Name: "mosh", Needs: []string{"mosh-server", "mosh-client"}, ScreenOnly: true,
			files: map[string]string{"start": moshStart}, command: "sh HERE/start", version: "mosh-server --version",
			tape: func(t *Terminal) string { return t.Outer.Screen() }},
		{Name: "screen-in-tmux", Needs: []string{"screen"},
			files:   map[string]string{"rc": "defscrollback 20000\nstartup_message off\n"},
			command: "env SCREENDIR=HERE screen -c HERE/rc -S inner HERE/run", version: "screen --version",
			tape: copiedByScreen},
		{Name: "tmux-in-tmux", Needs: []string{"tmux"},
			files:   map[string]string{"conf": "set -g history-limit 20000\nset -g status off\n"},
			command: "env TMUX= tmux -S HERE/inner -f HERE/conf new-session HERE/run", version: "tmux -V",
			tape: func(t *Terminal) string {
				out, _ := exec.Command("tmux", "-S", t.path("inner"), "capture-pane", "-p", "-J", "-S", "-").Output()
				return string(out)
			}},
	}
}

// emacs returns a terminal of Emacs. load loads it, and start starts it in a buffer. cols are those
// that Emacs keeps for itself.
func emacs(name string, cols int, load, start, buffer string) Program {
	init := strings.NewReplacer("LOAD", load, "START", start, "BUFFER", buffer).Replace(emacsInit)
	return Program{Name: "emacs-" + name, Needs: []string{"emacs"}, cols: cols, rows: 2,
		files:   map[string]string{"init.el": init},
		late:    true,
		command: editor + " -nw -q -l HERE/init.el", version: editor + " --version",
		missing: func(t *Terminal) error {
			out, err := exec.Command("sh", "-c", editor+" -batch -q -f package-initialize -l "+name).CombinedOutput()
			if err != nil {
				return fmt.Errorf("emacs has no %s: %s", name, out)
			}
			return nil
		}}
}

// The files that editors begin with. A timer writes history and screen to HERE/tape.
const (
	vimInit = `set encoding=utf-8 laststatus=0 noruler noshowmode
terminal ++curwin ++close HERE/run
let b = bufnr('%')
call term_setsize(b, 0, 0)
function! Tell(timer)
  let rows = getbufline(g:b, 1, term_getscrolled(g:b))
  for row in range(1, term_getsize(g:b)[0])
    call add(rows, term_getline(g:b, row))
  endfor
  call writefile(rows, 'HERE/tape.new')
  call rename('HERE/tape.new', 'HERE/tape')
endfunction
call timer_start(200, function('Tell'), {'repeat': -1})
`
	nvimInit = `set laststatus=0 noruler noshowmode scrollback=100000
terminal HERE/run
set scrollback=100000
let b = bufnr('%')
function! Tell(timer)
  call writefile(getbufline(g:b, 1, '$'), 'HERE/tape.new')
  call rename('HERE/tape.new', 'HERE/tape')
endfunction
call timer_start(200, function('Tell'), {'repeat': -1})
startinsert
`
	emacsInit = `(setq inhibit-startup-screen t) (menu-bar-mode -1) (set-language-environment "UTF-8")
(setq native-comp-deferred-compilation nil native-comp-jit-compilation nil) ; it goes on after the end of Emacs
(package-initialize)
LOAD
(defun tell ()
  (let ((b (get-buffer "BUFFER")) (coding-system-for-write 'utf-8-unix))
    (when b (with-current-buffer b
      (write-region (buffer-substring-no-properties (point-min) (point-max)) nil "HERE/tape.new" nil 'silent)
      (rename-file "HERE/tape.new" "HERE/tape" t)))))
(run-with-timer 0.2 0.2 #'tell)
START
(delete-other-windows)
(run-with-timer 0.3 nil (lambda () ; vterm finds its size then
  (split-window) (sit-for 0.1) (delete-other-windows) (sit-for 0.1) (write-region "" nil "HERE/ready" nil 'silent)))
`
	// The program begins in a terminal of its size, which Emacs finds late. The terminal stays when
	// the program has ended.
	runScript = `#!/bin/sh
echo $$ >%[1]s/pid
while [ ! -e %[1]s/ready ] || [ "$(stty size)" != "%[2]d %[3]d" ]; do sleep 0.1; done
%[4]s
exec cat
`
	// mosh-server prints the port and the key.
	moshStart = `set -- $(mosh-server new -i 127.0.0.1 -c 256 -l LC_ALL=C.UTF-8 -- HERE/run 2>HERE/errors |
	grep '^MOSH CONNECT')
MOSH_KEY=$4 exec mosh-client 127.0.0.1 "$3"
`
)

// New returns a terminal that is not started yet. The test is skipped if a program is missing, or
// only short tests are wanted.
func New(tb testing.TB, p Program) *Terminal {
	tb.Helper()
	for _, name := range p.Needs {
		need.Program(tb, name)
	}
	t := &Terminal{Program: p, Outer: tmux.New(tb), tb: tb}
	t.dir = filepath.Dir(t.Outer.Socket)
	if p.missing != nil {
		if err := p.missing(t); err != nil {
			need.Missing(tb, p.Name, err)
		}
	}
	return t
}

func (t *Terminal) path(name string) string { return filepath.Join(t.dir, name) }

// Start runs a shell command in the terminal, whose grid has cols by rows cells.
func (t *Terminal) Start(command string, cols, rows int) {
	t.tb.Helper()
	in := strings.NewReplacer("HERE", t.dir).Replace
	var errs []error
	for name, text := range t.files {
		errs = append(errs, os.WriteFile(t.path(name), []byte(in(text)), 0o600))
	}
	errs = append(errs, os.WriteFile(t.path("run"), []byte(fmt.Sprintf(runScript, t.dir, rows, cols, command)), 0o700))
	if !t.late {
		errs = append(errs, os.WriteFile(t.path("ready"), nil, 0o600))
	}
	if err := errors.Join(errs...); err != nil {
		t.tb.Fatal(err)
	}
	t.tb.Cleanup(t.end)
	t.Outer.Run("set-option", "-g", "history-limit", "20000", ";", "set-option", "-g", "status", "off", ";",
		"set-option", "-s", "escape-time", "10", ";",
		"new-session", "-d", "-x", strconv.Itoa(cols+t.cols), "-y", strconv.Itoa(rows+t.rows),
		"env", "TERM=tmux-256color", "LC_ALL=C.UTF-8", "sh", "-c", in(t.command))
}

// end ends the program in the terminal, and with it servers that live longer than their windows.
func (t *Terminal) end() {
	b, err := os.ReadFile(t.path("pid"))
	if pid, _ := strconv.Atoi(strings.TrimSpace(string(b))); err == nil && pid > 1 {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// Version returns the first line in which the program tells its version.
func (p Program) Version() string {
	out, _ := exec.Command("sh", "-c", p.version).CombinedOutput()
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return line
}

// Resize gives the grid of the terminal another size.
func (t *Terminal) Resize(cols, rows int) {
	t.tb.Helper()
	t.Outer.Run("resize-window", "-x", strconv.Itoa(cols+t.cols), "-y", strconv.Itoa(rows+t.rows))
}

// Send types keys.
func (t *Terminal) Send(keys string) {
	t.tb.Helper()
	for text := range strings.SplitAfterSeq(keys, "\r") {
		line, enter := strings.CutSuffix(text, "\r")
		if line != "" {
			t.Outer.Run("send-keys", "-l", line)
		}
		if enter {
			t.Outer.Run("send-keys", "Enter")
		}
	}
}

// Wait waits until text is on the screen.
func (t *Terminal) Wait(text string) {
	t.tb.Helper()
	for end := time.Now().Add(time.Minute); !strings.Contains(t.Screen(), text); <-time.After(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.tb.Fatalf("%q does not come in %s; the screen is\n%s", text, t.Name, t.Screen())
		}
	}
}

// Screen returns what the terminal around shows.
func (t *Terminal) Screen() string { return t.Outer.Screen() }

// Tape returns history and screen of the terminal, its screen alone if it keeps no history.
func (t *Terminal) Tape() string {
	if t.tape != nil {
		return t.tape(t)
	}
	b, _ := os.ReadFile(t.path("tape"))
	return string(b)
}

// copiedByScreen returns what copy mode of GNU screen copies: a hardcopy has only the low bytes of
// characters, and not always the oldest rows.
func copiedByScreen(t *Terminal) string {
	file := t.path("copy")
	do := func(args ...string) {
		c := exec.Command("screen", append([]string{"-S", "inner", "-p", "0", "-X"}, args...)...)
		c.Env = append(os.Environ(), "SCREENDIR="+t.dir)
		_ = c.Run()
	}
	written := func() string {
		b, _ := os.ReadFile(file)
		return string(b)
	}
	t.Outer.Until("screen's copy", func() bool {
		do("register", ".", "none")
		t.Outer.Run("send-keys", "C-a", "[", "g", "0", "Space", "G", "$", "Space")
		for range 5 { // the keys take another way than the command
			_ = os.Remove(file)
			do("writebuf", file)
			t.Outer.Until("what screen writes", func() bool { return written() != "" })
			if written() != "none" {
				return true
			}
		}
		return false
	})
	return strings.TrimLeft(written(), "\n")
}
