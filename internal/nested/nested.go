// Package nested runs terminals inside of other programs, for tests: the terminals of editors,
// mosh, and multiplexers within each other. Each of these programs runs in a tmux.
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

// Program is a program that contains a terminal: an editor, mosh, or a multiplexer within tmux.
type Program struct {
	Name       string
	Needs      []string // The programs that must be installed.
	ScreenOnly bool     // The terminal has no scrollback.
	// The terminal may hang at a wide character that it has to wrap (eat 0.9.4). It cannot show
	// rows that are wider than the window.
	StopsAtWraps bool
	cols, rows   int // The columns and rows of the window that the program keeps for itself.
	// The contents of files in the test's folder, by name. HERE stands for the path of that folder.
	files map[string]string
	// The program writes the file HERE/ready as soon as its terminal has its final size.
	late bool
	// The shell command that starts the program. The program then runs HERE/run in its terminal.
	command string
	version string // The shell command that prints the program's version.
	// Returns the text of scrollback and screen; nil: the program writes it to HERE/tape.
	tape func(t *Terminal) string
	// Returns why the program cannot be used although it is installed. It returns nil, or the field
	// is nil, if it can.
	missing func(t *Terminal) error
}

// Terminal is a running terminal in a program. Its methods end the test if the program does not do
// what they need.
type Terminal struct {
	Program
	Outer *tmux.Tmux // The tmux that the program runs in.

	tb  testing.TB
	dir string
}

// The commands of the editors. The environment can name other versions than the installed ones.
const (
	nvim   = "${SCROLLKEEP_NVIM:-nvim}"
	editor = "${SCROLLKEEP_EMACS:-emacs}"
)

// Programs returns all supported programs.
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

// emacs returns a terminal of Emacs. The Lisp code load loads its package, and start starts it in
// the named buffer. cols is the number of columns that Emacs keeps for itself.
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

// The files with which the programs start. In the editors, a timer writes scrollback and screen to
// HERE/tape.
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
	// runScript is the shell script that runs in the terminal. It waits until the terminal has its
	// size, which Emacs sets late, runs the tested command, and then keeps the terminal open.
	runScript = `#!/bin/sh
echo $$ >%[1]s/pid
while [ ! -e %[1]s/ready ] || [ "$(stty size)" != "%[2]d %[3]d" ]; do sleep 0.1; done
%[4]s
exec cat
`
	// moshStart starts a mosh server, which prints its port and key, and a client for it.
	moshStart = `set -- $(mosh-server new -i 127.0.0.1 -c 256 -l LC_ALL=C.UTF-8 -- HERE/run 2>HERE/errors |
	grep '^MOSH CONNECT')
MOSH_KEY=$4 exec mosh-client 127.0.0.1 "$3"
`
)

// New returns a terminal of program p that is not started yet. It skips the test if a program is
// missing, or in short mode (go test -short).
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

// path returns the path of a file in the test's folder.
func (t *Terminal) path(name string) string { return filepath.Join(t.dir, name) }

// Start starts the program and runs a shell command in its terminal, which has cols columns and
// rows rows.
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

// end kills the process in the terminal, so that servers end that would outlive their windows.
func (t *Terminal) end() {
	b, err := os.ReadFile(t.path("pid"))
	if pid, _ := strconv.Atoi(strings.TrimSpace(string(b))); err == nil && pid > 1 {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// Version returns the first line that the program prints about its version.
func (p Program) Version() string {
	out, _ := exec.Command("sh", "-c", p.version).CombinedOutput()
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return line
}

// Resize gives the program's terminal another size, by resizing the tmux window.
func (t *Terminal) Resize(cols, rows int) {
	t.tb.Helper()
	t.Outer.Run("resize-window", "-x", strconv.Itoa(cols+t.cols), "-y", strconv.Itoa(rows+t.rows))
}

// Send types keys. A CR is the Enter key.
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

// Wait waits until the screen shows text. It fails the test after a minute.
func (t *Terminal) Wait(text string) {
	t.tb.Helper()
	for end := time.Now().Add(time.Minute); !strings.Contains(t.Screen(), text); <-time.After(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.tb.Fatalf("%q does not come in %s; the screen is\n%s", text, t.Name, t.Screen())
		}
	}
}

// Screen returns the text on the screen of the tmux that the program runs in.
func (t *Terminal) Screen() string { return t.Outer.Screen() }

// Tape returns the text of the terminal's scrollback and screen. If the terminal has no scrollback,
// it returns the screen.
func (t *Terminal) Tape() string {
	if t.tape != nil {
		return t.tape(t)
	}
	b, _ := os.ReadFile(t.path("tape"))
	return string(b)
}

// copiedByScreen returns the scrollback and screen of GNU screen, by its copy mode. The simpler
// command hardcopy keeps only the low byte of each character, and may omit the oldest rows.
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
