package app_test

import (
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// stringsIn lists the strings that p holds, by what begins them.
func stringsIn(p string) (list []string) {
	var parser ansi.Parser
	parser.Parse([]byte(p), &stringList{list: &list})
	return list
}

type stringList struct {
	ansi.NopHandler
	list *[]string
}

func (h *stringList) OSC(data []byte, _ bool) {
	code, _, _ := strings.Cut(string(data), ";")
	*h.list = append(*h.list, "OSC "+code)
}
func (h *stringList) Hook(*ansi.Sequence)   { *h.list = append(*h.list, "DCS") }
func (h *stringList) StringStart(kind byte) { *h.list = append(*h.list, string(kind)) }
func (h *stringList) Escape(s *ansi.Sequence) {
	if s.Final == 'k' {
		*h.list = append(*h.list, "ESC k")
	}
}

// answering returns step with a terminal that answers: ghostty's emulator, which tells its name.
func answering(step func(io.Writer, string) bool) func(io.Writer, string) bool {
	var (
		seen int
		term *vt.Terminal
	)
	return func(keys io.Writer, shown string) bool {
		if term == nil {
			term = vt.New(vt.Config{Cols: 80, Rows: 24, Reply: func(b []byte) { _, _ = keys.Write(slices.Clone(b)) }})
		}
		_, _ = term.Write([]byte(shown[seen:]))
		seen = len(shown)
		return step(keys, shown)
	}
}

// All front ends, and what each can send as a string: titles, links, colours, pictures, the
// clipboard, notifications. A title, a link and the clipboard are the controls.
func TestFrontEndsSendStringsOnlyToTerminalsThatReadThem(t *testing.T) {
	t.Parallel()
	const link = `{"say":"See [the page](https://h.example/page) and ` +
		"```" + `\ncode\n` + "```" + `.","delay_ms":0}`
	terminals := []struct {
		name    string
		env     []string
		answers bool
		want    []string // besides others; nil: none goes out
	}{
		{"linux", []string{"TERM=linux"}, false, nil},
		{"vt100", []string{"TERM=vt100"}, false, nil},
		{"vt220 in kitty's environment", []string{"TERM=vt220", "KITTY_WINDOW_ID=1"}, false, nil},
		{"ansi", []string{"TERM=ansi", "SCROLLKEEP_LINKS=1", "SCROLLKEEP_IMAGES=kitty"}, false, nil},
		{"cons25", []string{"TERM=cons25"}, false, nil},
		{"dumb", []string{"TERM=dumb"}, false, nil},
		{"emacs' term in tmux", []string{"TERM=eterm-color", "INSIDE_EMACS=28.2,term:0.96", "TMUX=/nowhere,1,0",
			"TERM_PROGRAM=tmux", "KITTY_WINDOW_ID=1"}, false, nil},
		{"xterm that is silent", nil, false, []string{"OSC 2", "OSC 52"}},
		{"xterm that answers", nil, true, []string{"OSC 2", "OSC 52", "OSC 8"}},
		{"vt100 that answers", []string{"TERM=vt100"}, true, []string{"OSC 2", "OSC 52", "OSC 8"}},
		{"kitty", []string{"TERM=xterm-kitty"}, false, []string{"OSC 2", "OSC 52", "OSC 8", "OSC 133"}},
		{"neovim", []string{"NVIM=/nowhere", "KITTY_WINDOW_ID=1"}, false, []string{"OSC 2", "OSC 52"}},
		{"vim", []string{"VIM_TERMINAL=900", "TERM_PROGRAM=ghostty"}, false, []string{"OSC 2", "OSC 52"}},
		{"screen", []string{"TERM=screen", "STY=1.x"}, false, []string{"ESC k", "OSC 52"}},
	}
	for _, term := range terminals {
		t.Run(term.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.env = append(p.env, term.env...)
			p.write("picture.png", onePixel)
			run := func(name string, args []string, d dialogue, want []string) {
				t.Helper()
				step := d.step()
				if term.answers {
					step = answering(step)
				}
				shown, _ := p.onTerminal(args, step)
				got := stringsIn(shown)
				if term.want == nil && len(got) > 0 {
					t.Errorf("%s: %q goes out: %q", name, got, shown)
				}
				for _, w := range want {
					if term.want != nil && slices.Contains(term.want, w) && !slices.Contains(got, w) {
						t.Errorf("%s: %s does not go out: %q", name, w, got)
					}
				}
				if !slices.Contains(term.want, "OSC 8") && slices.Contains(got, "OSC 8") {
					t.Errorf("%s: a link goes out where nobody knows what becomes of it: %q", name, got)
				}
			}
			talk := dialogue{
				{"Ctrl+D quits", "Look at picture.png\r", 0}, {"the page", "/copy\r", 300 * time.Millisecond},
				{"cop", "write\r", 0}, {"haiku.txt", "\x1b", 300 * time.Millisecond}, {"stopped", "\x04", 0},
			}
			demo := dialogue{{"Show me what you can do", "\r", 0}, {"I am a script", "\x1b", 0}, {"stopped", "\x04", 0}}
			if term.name == "dumb" {
				talk = dialogue{{"exits", "Look at picture.png\n", 0}, {"the page", "/quit\n", 0}}
				demo = dialogue{{"exits", "/quit\n", 0}}
			}
			run("shell", []string{"--script", p.script(link, haiku, hi)}, talk, term.want)
			run("demo", []string{"--demo"}, demo, []string{"OSC 2", "ESC k"})
			run("plain", []string{"--plain", "--script", p.script(link)},
				dialogue{{"exits", "go\n", 0}, {"page", "/quit\n", 0}}, nil)
			run("print", []string{"-p", "go", "--script", p.script(link)}, dialogue{{"page", "", 0}}, nil)
			run("doctor", []string{"doctor"}, dialogue{{"version", "", 0}}, nil)
		})
	}
}

// onePixel is a PNG of one pixel.
const onePixel = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4" +
	"\x89\x00\x00\x00\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\x00\x05\x00\x01\xff\xa6\xc2\xcc\x1b\x00\x00\x00\x00IEND\xaeB`\x82"
