package shell

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/console"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// evils are texts that a terminal would obey, or that a reader would not see, by class.
var evils = []struct{ name, text string }{
	{"OSC 0, title", "\x1b]0;owned\a"},
	{"OSC 2 in C1", "\u009d2;owned\u009c"},
	{"OSC 7, directory", "\x1b]7;file:///owned\x1b\\"},
	{"OSC 8, link", "\x1b]8;;http://owned\x1b\\text\x1b]8;;\x1b\\"},
	{"OSC 52, clipboard", "\x1b]52;c;b3duZWQ=\a"},
	{"OSC 133, prompt mark", "\x1b]133;A\a"},
	{"OSC 10, colour", "\x1b]10;#ff0000\a"},
	{"CSI, erase and home", "\x1b[2J\x1b[3J\x1b[H"},
	{"CSI in C1", "\u009b2J\u009b?1049h"},
	{"modes", "\x1b[?25l\x1b[?1000h\x1b[?2004l\x1b[?1049h\x1b[4h"},
	{"keyboard", "\x1b[>31u\x1b=\x1b[>4;2m"},
	{"scroll region", "\x1b[2;3r\x1b[?6h"},
	{"pen", "\x1b[8m\x1b[7m"},
	{"reset", "\x1bc\x1b[!p"},
	{"reports", "\x1b[6n\x1b[c\x1b[>q\x1b]11;?\a"},
	{"DCS", "\x1bP+q544e\x1b\\\x1bPtmux;\x1b\x1b]0;owned\a\x1b\\"},
	{"APC, image", "\x1b_Ga=T,f=32,s=1,v=1;AAAAAA==\x1b\\"},
	{"PM and SOS", "\x1b^owned\x1b\\\x1bXowned\x1b\\"},
	{"NUL", "a\x00b"},
	{"C0", "a\bb\x0ed\x0fe\x05f\x7fg\x1a"},
	{"line ends", "a\vb\fc\u0085d\u2028e\u2029f"},
	{"bell", "\a\a"},
	{"bidi", "\u202eexe.gnp\u202c\u2066x\u2069\u200f"},
	{"zero width", "a\u200bb\u2060c\ufeffd\u00ade\u3164f\u115fg"},
	{"tags", "\U000e0041\U000e0042\U000e007f"},
	{"many marks", "a" + strings.Repeat("\u0301", 64)},
	{"joiners", "a\u200db\u200cc"},
	{"surrogate-like", "\ufffe\ufdd0"},
	{"nested", "\x1b\x1b[\x1b]0;\x1b[31mowned\u009d"},
}

// shownAs returns the tokens of a text, which must stand on the screen: without blanks, which may
// be wraps.
func shownAs(text string) []string {
	var tokens []string
	for p := range (visible.Options{Newline: true}).Pieces(text) {
		if p.Kind != visible.Text {
			tokens = append(tokens, p.Text)
		}
	}
	return tokens
}

// effects returns what of a terminal text may never change.
func effects(t *vt.Terminal) string {
	modes := t.Modes()
	slices.Sort(modes)
	links := 0
	each := func(r vt.Row) {
		for _, c := range r.Cells() {
			if c.Link != "" && !strings.HasPrefix(c.Link, "http://h/") { // the one that the answer has
				links++
			}
		}
	}
	_, rows := t.Size()
	for y := range rows {
		each(t.Row(y))
	}
	for i := range t.ScrollbackLen() {
		each(t.ScrollbackRow(i))
	}
	return fmt.Sprintf("modes %v, title %q, directory %q, clipboard %q, keyboard %d, bells %d, alternate %v, pen "+
		"%+v, images %d, %d cells with links, cursor %v",
		modes, t.Title(), t.Pwd(), t.Clipboard('c'), t.KittyKeyboard(), t.Bells(), t.AltScreen(), t.Pen(),
		len(t.Images())+len(t.Placements()), links, t.Cursor().Visible)
}

// hiddenRunes returns the characters on a tape that a reader does not see.
func hiddenRunes(tape []string) []string {
	var out []string
	for _, row := range tape {
		for p := range (visible.Options{}).Pieces(row) {
			if p.Kind != visible.Text {
				out = append(out, p.Text)
			}
		}
	}
	return out
}

// Whatever a text from outside is and wherever it is shown, the terminal obeys nothing of it, and
// the reader sees that it is there. One of 24 texts is played on each way, others on the
// next; SCROLLKEEP_CORPUS=all plays them all (`make fuzz`).
func TestNothingFromOutsideIsObeyedOrHidden(t *testing.T) {
	seed, all := rand.IntN(24), os.Getenv("SCROLLKEEP_CORPUS") == "all"
	t.Logf("seed %d", seed)
	for i, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			calm, tape := w.run(t, "plain", nil)
			if !strings.Contains(strings.Join(tape, ""), "plain") {
				t.Fatalf("a harmless text does not come this way:\n%s", strings.Join(tape, "\n"))
			}
			for j, e := range evils {
				if !all && (i+j+seed)%24 != 0 {
					continue
				}
				effect, tape := w.run(t, e.text, nil)
				if effect != calm {
					t.Errorf("%s: the terminal has\n%s\nwithout it\n%s", e.name, effect, calm)
				}
				if hidden := hiddenRunes(tape); len(hidden) > 0 {
					t.Errorf("%s: on the screen, unseen: %q", e.name, hidden)
				}
				if e.name == "NUL" && w.noNUL {
					continue
				}
				if token := missing(tape, w.left(e.text)); token != "" {
					t.Errorf("%s: %s does not stand on the screen:\n%s", e.name, token, strings.Join(tape, "\n"))
				}
			}
		})
	}
}

// left returns what of a text is to be shown on a way.
func (w way) left(text string) string {
	if !w.print {
		return text
	}
	tail := console.Tail{Limit: 1 << 20}
	_, _ = tail.Write([]byte("x" + text + "y\n"))
	left, _ := tail.Text()
	return left
}

// missing returns a token of a text that does not stand on the screen, or "".
func missing(tape []string, text string) string {
	all := strings.Join(strings.Fields(strings.Join(tape, "")), "")
	for _, token := range shownAs(text) {
		if !strings.Contains(all, token) {
			return token
		}
	}
	return ""
}

// The same judge with the tokens taken back on the wire, as if nobody made them for this way: it
// finds every text on every way. A 36th of the texts on each is played; SCROLLKEEP_CORPUS=all
// plays them all (`make fuzz`).
func TestWithoutTokensEveryWayIsFound(t *testing.T) {
	seed, all := rand.Uint64(), os.Getenv("SCROLLKEEP_CORPUS") == "all"
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			calm, _ := w.run(t, "plain", nil)
			for _, e := range evils {
				if !all && r.IntN(36) > 0 || len(shownAs(w.left(e.text))) == 0 {
					continue
				}
				if e.name == "NUL" && w.noNUL {
					continue
				}
				var pairs []string
				for p := range (visible.Options{Newline: true}).Pieces(e.text) {
					if p.Kind != visible.Text {
						pairs = append(pairs, p.Text, p.Raw)
					}
				}
				raw := strings.NewReplacer(pairs...)
				effect, tape := w.run(t, e.text, func(p []byte) []byte { return []byte(raw.Replace(string(p))) })
				if effect == calm && len(hiddenRunes(tape)) == 0 && missing(tape, e.text) == "" {
					t.Errorf("%s is not found", e.name)
				}
			}
		})
	}
}

// The judge itself: each of the texts, written to a terminal as it is, is found.
func TestWithoutTokensEachOfThemIsFound(t *testing.T) {
	for _, e := range evils {
		fresh := func() *vt.Terminal { return vt.New(vt.Config{Cols: 80, Rows: 10, Now: time.Now}) }
		calm, term := fresh(), fresh()
		calm.WriteString("above\r\nxplainy")
		term.WriteString("above\r\nx" + e.text + "y")
		lost := false // a token that is not on the screen
		all := strings.Join(term.Tape(), "")
		for _, token := range shownAs(e.text) {
			lost = lost || !strings.Contains(all, token)
		}
		if effects(term) == effects(calm) && len(hiddenRunes(term.Tape())) == 0 && !lost {
			t.Errorf("%s is not found", e.name)
		}
	}
}

// Names from the disk and from the configuration. A harmless one stands on the screen as it is.
func TestNamesFromOutsideAreTokens(t *testing.T) {
	for _, e := range append(evils, struct{ name, text string }{"harmless", " größe 漢字"}) {
		synctest.Test(t, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "w")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			sh := New(Config{Version: "0.1" + e.text, Models: Models{Name: "m" + e.text, Note: e.text},
				Workspace: Workspace{Name: "w" + e.text, Dir: dir + e.text}, Approval: Approval{Mode: "ask"},
				Session: Session{Path: "l" + e.text},
				Start:   Start{Notes: []string{e.text}, SuggestedMessage: "try" + e.text}})
			s := tuitest.Start(t, &sh.app, tuitest.Config{})
			s.Type("/workspace")
			s.Press("enter")
			s.Type("/model")
			s.Press("enter")
			s.Settle()
			s.Inspect(func(vt *vt.Terminal) {
				if hidden := hiddenRunes(vt.Tape()); len(hidden) > 0 ||
					strings.Contains(vt.Title()+vt.Pwd(), "owned") || vt.Clipboard('c') != nil || vt.AltScreen() {
					t.Errorf("%s: unseen %q, %s", e.name, hidden, effects(vt))
				}
				all := strings.Join(vt.Tape(), "")
				token := missing(vt.Tape(), e.text)
				if token != "" || e.name == "harmless" && !strings.Contains(all, "m"+e.text) {
					t.Errorf("%s: %q is not on the screen:\n%s", e.name, token+e.text, strings.Join(vt.Tape(), "\n"))
				}
			})
		})
	}
}
