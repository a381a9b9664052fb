package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// foreignTexts are files as they come from outside, each of few lines, so that a pane holds it.
var foreignTexts = []string{
	"plain\n\ttab\tinside\n[a link](https://h.example/) here\n",
	"\u65e5\u672c\u8a9e text\n\u65e5\tand a tab\n\uff21\uff22 wide\n",
	"e\u0301a\u0308 marks\n\U0001F468\u200d\U0001F469\u200d\U0001F467 family\n\u2764\ufe0f heart\n",
	"\U0001F1E9\U0001F1EA flag 1\ufe0f\u20e3 key\n\u1112\u1161\u11ab \u1100\u1173\u11af jamo\n\u0600\u0661 number\n",
	"long " + strings.Repeat("abcdefghi ", 9) + "end\n",
	strings.Repeat("\u65e5\u672c\u8a9e", 20) + "\nlast\n",
}

// moreForeignTexts are played, too, if SCROLLKEEP_FOREIGN is all.
var moreForeignTexts = []string{
	"\u0915\u094d\u0937\u093f \u0928\u092e\u0938\u094d\u0924\u0947\nkhmer \u1781\u17d2\u1798\u17c2\u179a\n",
	"\u0645\u0631\u062d\u0628\u0627 right to left\n\u05e9\u05dc\u05d5\u05dd\n",
	"\u0e19\u0e33\u0e17\u0e35\u0e48 thai\nlao \u0e99\u0eb3\n",
	"a\u0323\u0300\u0302 many marks\n\u0436\u0306\u0323 two\n",
	strings.Repeat("e\u0301", 60) + " marks to the edge\nlast\n",
	"x" + strings.Repeat("\u65e5", 30) + " odd\n" + strings.Repeat("\u65e5", 40) + "\n",
	strings.Repeat("\U0001F468\u200d\U0001F469\u200d\U0001F467", 9) + "\nfamilies\n",
	strings.Repeat("\U0001F1E9\U0001F1EA\U0001F1EB\U0001F1F7", 8) + "\nflags\n",
	"\U0001F44D\U0001F3FD tone\n\u26a0\ufe0f sign\n\u2705 mark\n",
	"\u2192\u00b1\u00a7\u2026 signs\n\u2500\u2502\u2588 boxes\n",
	"1. item\n\t- nested\n\t\t- \u65e5\ttab\n",
	"`code` **bold** [\u65e5\u672c](https://h.example/\u65e5)\n| a | \u65e5 |\n",
	"\u2630 \u4dc0 hexagram\n\u2764\ufe0f\u2764\ufe0f\u2764\ufe0f hearts\n",
	"\uff76\uff9e half\n" + strings.Repeat("w", 100) + "\n",
}

// startEditor runs the program in a terminal of an editor, which is command in the pane. The
// workspace is w, and the files are written one after the other.
func startEditor(p *pane, command string) {
	p.t.Helper()
	var script []string
	if os.Getenv("SCROLLKEEP_FOREIGN") == "all" && len(foreignTexts) == 6 {
		foreignTexts = append(foreignTexts, moreForeignTexts...)
	}
	for i, text := range foreignTexts {
		input, err := json.Marshal(map[string]string{"path": fmt.Sprintf("f%d.txt", i), "content": text})
		if err != nil {
			p.t.Fatal(err)
		}
		script = append(script, fmt.Sprintf(`{"tool_calls":[{"id":"%d","name":"write_file","input":%s}],"delay_ms":0}`,
			i, input))
	}
	script = append(script, `{"say":"That was all.","delay_ms":0}`)
	run := "#!/bin/sh\ncd " + p.dir + "\nexec ./agentshell --script script --workspace w --mode ask\n"
	if err := errors.Join(os.WriteFile(p.path("script"), []byte(strings.Join(script, "\n")+"\n"), 0o644),
		os.WriteFile(p.path("run"), []byte(run), 0o755)); err != nil {
		p.t.Fatal(err)
	}
	p.line(command)
}

// emacs is a terminal (term) in Emacs. What it shows is read from Emacs itself.
type emacs struct{ *pane }

func (e emacs) buffer() string {
	b, _ := os.ReadFile(e.path("buffer"))
	return string(b)
}

const initEmacs = `(setq inhibit-startup-screen t) (menu-bar-mode -1) (set-language-environment "UTF-8")
(setq native-comp-deferred-compilation nil native-comp-jit-compilation nil) ; it goes on behind the end of Emacs
(require 'term)
(defun tell ()
  (let ((b (get-buffer "*ansi-term*")) (coding-system-for-write 'utf-8-unix))
    (when b (with-current-buffer b
      (write-region (buffer-substring-no-properties (point-min) (point-max)) nil "DIR/buffer.new" nil 'silent)
      (rename-file "DIR/buffer.new" "DIR/buffer" t)))))
(run-with-timer 0.1 0.1 #'tell)
(ansi-term "DIR/run")`

// startEmacs starts Emacs in a window of cols by rows, including Emacs' own last row.
func startEmacs(t *testing.T, cols, rows int) emacs {
	t.Helper()
	need.Time(t)
	need.Program(t, "emacs")
	p := newPane(t, cols, rows+2)
	init := strings.ReplaceAll(initEmacs, "DIR", p.dir)
	if err := os.WriteFile(p.path("init.el"), []byte(init), 0o644); err != nil {
		t.Fatal(err)
	}
	startEditor(p, "emacs -nw -Q -l init.el")
	e := emacs{p}
	e.wait("the prompt in Emacs", func() bool { return strings.Contains(e.buffer(), "Type a message") })
	return e
}

var (
	paneRow    = regexp.MustCompile(`^ *\d* *\+[ ~](.*)$`)
	paneBottom = regexp.MustCompile(`(?m)^\[y\]es .*$`)
	message    = regexp.MustCompile(`(?m)^› go *$`)
	question   = regexp.MustCompile(`(?m)^Write this file\? \[y/n/v\(iew all\)\] *$`)
)

// asks returns what is asked about f<i>.txt, as the rows of a pane or as plain text; "" while
// nothing is. Blanks are left out: a tab is shown as some.
func (e emacs) asks(i int) (shown string, plain bool) {
	text := e.buffer()
	name := fmt.Sprintf("f%d.txt", i)
	at := strings.LastIndex(text, name)
	if at < 0 {
		return "", false
	}
	text = text[at:]
	var b strings.Builder
	if end := question.FindStringIndex(text); end != nil {
		_, body, _ := strings.Cut(text[:end[0]], "@@\n")
		return noBlanks(body), true
	}
	end := paneBottom.FindStringIndex(text)
	if end == nil {
		return "", false
	}
	for _, row := range strings.Split(strings.TrimSpace(text[:end[0]]), "\n")[1:] {
		m := paneRow.FindStringSubmatch(row)
		if m == nil {
			return "no row of a file: " + row, false
		}
		b.WriteString(m[1])
	}
	return noBlanks(b.String()), false
}

// noBlanks returns s without what a terminal may show otherwise: blanks, and row ends.
func noBlanks(s string) string { return strings.NewReplacer(" ", "", "\n", "", "\t", "").Replace(s) }

// In Emacs' term a pane shows the file, or it is asked as plain text; what was seen is written.
func TestInEmacsWhatIsSeenIsWritten(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {50, 15}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			e := startEmacs(t, size[0], size[1])
			e.text("g") // each letter has a frame of its own
			e.text("o")
			e.keys("Enter")
			panes := 0
			for i, text := range foreignTexts {
				var got string
				var plain bool
				e.wait(fmt.Sprintf("question %d", i), func() bool {
					got, plain = e.asks(i)
					return got != ""
				})
				want := noBlanks(text)
				if plain {
					want = noBlanks("+" + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n+"))
				}
				if got != want {
					t.Errorf("text %d, plain %v, is shown as\n%s\nand is\n%s\n%s", i, plain, got, want, e.buffer())
				}
				file := filepath.Join(e.path("w"), fmt.Sprintf("f%d.txt", i))
				e.answer(i, func() bool { _, err := os.Stat(file); return err == nil })
				if b, _ := os.ReadFile(file); string(b) != text {
					t.Errorf("text %d is written as %q", i, b)
				}
				if !plain {
					panes++
				}
			}
			if !message.MatchString(e.buffer()) {
				t.Errorf("the message is not shown as it was typed:\n%s", e.buffer())
			}
			if panes == 0 {
				t.Error("no pane was proven: Emacs draws ASCII and CJK as others do")
			}
			e.wait("the end", func() bool { return strings.Contains(e.buffer(), "That was all.") })
			if text := e.buffer(); strings.ContainsAny(text, "\x1b\a") || strings.Contains(text, "]8;;") ||
				strings.Contains(text, "]2;") {
				t.Errorf("a sequence is printed:\n%q", text)
			}
		})
	}
}

// answer says yes to question i until done: a key that comes before it has stood counts for
// nothing.
func (e emacs) answer(i int, done func() bool) {
	e.t.Helper()
	for range 5 {
		<-time.After(1300 * time.Millisecond) // it has stood long enough, then
		shown, plain := e.asks(i)
		switch {
		case shown != "" && plain:
			e.line("y")
		case shown != "":
			e.text("y")
		}
		for range 30 {
			if done() {
				return
			}
			<-time.After(50 * time.Millisecond)
		}
	}
	e.t.Fatalf("question %d is not answered:\n%s", i, e.buffer())
}

// In the terminals of vim and neovim, too, nothing is printed that should be obeyed, and a text is
// written as it was seen.
func TestInVimAndNeovimNothingIsPrinted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ program, command string }{
		{"vim", "vim -u NONE -N -c 'set encoding=utf-8' -c 'terminal ++curwin ./run'"},
		{"nvim", "nvim -u NONE -i NONE -c 'terminal ./run' -c startinsert"},
	} {
		t.Run(c.program, func(t *testing.T) {
			t.Parallel()
			need.Time(t)
			need.Program(t, c.program)
			p := newPane(t, 80, 26)
			startEditor(p, c.command)
			p.sees("Type a message")
			p.line("go")
			for _, row := range []string{"+ plain", "+ [a link](https://h.example/) here"} {
				p.wait(row, func() bool { return strings.Contains(withoutGaps(p.screen()), withoutGaps(row)) })
			}
			for tries := 0; p.read("f0.txt") != foreignTexts[0]; tries++ {
				if tries == 8 {
					t.Fatalf("it is not written:\n%s", p.screen())
				}
				<-time.After(1300 * time.Millisecond) // it has stood long enough, then
				if strings.Contains(p.screen(), "Write this file?") {
					p.line("y") // the proof took too long
				} else {
					p.text("y")
				}
			}
			for _, printed := range []string{"]2;", "]8;", "]11;", "[?u", "$p", "[6n"} {
				if screen := p.screen(); strings.Contains(screen, printed) {
					t.Errorf("%q is printed:\n%s", printed, screen)
				}
			}
		})
	}
}

// withoutGaps returns s without blanks: a pane has one behind the sign, plain text has none.
func withoutGaps(s string) string { return strings.ReplaceAll(s, " ", "") }
