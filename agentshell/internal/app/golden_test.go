package app

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// film is a session in a real tmux. Some of its frames are compared with
// testdata/screens/<session>_<size>.txt, which holds them as a user sees them. The test waits for
// each frame, and never for a certain time.
type film struct {
	*pane
	want map[string]string
	got  strings.Builder
}

// frames returns the frames in the text of a golden file, by name.
func frames(text string) map[string]string {
	all := map[string]string{}
	for _, part := range strings.Split("\n"+text, "\n==== ")[1:] {
		name, body, _ := strings.Cut(part, "\n")
		all[name] = strings.Trim(body, "\n")
	}
	return all
}

// frame keeps what is on the grid once one of the texts stands there and nothing moves, or waits
// until it is what was kept.
func (f *film) frame(name string, texts ...string) {
	f.t.Helper()
	now, last := f.shown, ""
	if *update {
		calm := 0
		f.wait(name, func() bool {
			was := last
			last = now()
			if last != was || !slices.ContainsFunc(texts, func(text string) bool {
				return strings.Contains(last, text)
			}) {
				calm = 0
			}
			calm++
			return calm > 80 // longer than keys of a pane that approve take to work
		})
		fmt.Fprintf(&f.got, "==== %s\n%s\n\n", name, last)
		return
	}
	want, ok := f.want[name]
	if !ok {
		f.t.Fatalf("no frame %q is kept: -update writes it", name)
	}
	defer func() {
		if f.t.Failed() {
			f.t.Logf("the grid holds\n%s", last)
		}
	}()
	f.wait(fmt.Sprintf("the frame %q:\n%s\n", name, want), func() bool {
		last = now()
		return last == want || f.ends(want)
	})
}

// ends reports whether the pane's rows end with those of want, to the letter: on the grid, and
// above it as far as the grid has scrolled further than want's had. How far that is depends on
// whether the status row of a turn was seen in between; no row does.
func (f *film) ends(want string) bool {
	all := "\n" + steady(f.history())
	return strings.HasSuffix(all, "\n"+want) && strings.HasSuffix(all, "\n"+f.shown())
}

// shown returns the rows of the screen in the format of golden files.
func (f *film) shown() string {
	return strings.Trim(steady(f.screen()), "\n")
}

// steady returns a screen without what another run has otherwise: the version, the ids of sessions,
// how long ago something was, and tokens of texts that name the place and the day.
func steady(screen string) string {
	screen = strings.ReplaceAll(screen, Version(), "VERSION")
	screen = anySession.ReplaceAllString(screen, "SESSION")
	screen = anyAge.ReplaceAllString(screen, "  now,")
	return anyCount.ReplaceAllString(screen, "      N  $1")
}

var (
	anySession = regexp.MustCompile(`20\d{6}-[0-9a-f-]*…?`)
	anyAge     = regexp.MustCompile(`  (?:now|\d+ [a-z]+ ago),`)
	anyCount   = regexp.MustCompile(`(?m)^ +\d+  (how to work|date and|tree|instruc|\d+ tools|convers|all$)`)
)

// bright waits until one of the keys in an approval question works.
func (f *film) bright(labels ...string) {
	f.t.Helper()
	f.wait(fmt.Sprintf("a bright %q", labels), func() bool {
		for row := range strings.SplitSeq(f.tmux("capture-pane", "-p", "-e"), "\n") {
			for _, label := range labels {
				if i := strings.Index(row, label); i >= 0 && bold.MatchString(row[:i]) {
					return true
				}
			}
		}
		return false
	})
}

// bold matches the escape sequences before a bold text.
var bold = regexp.MustCompile(`\x1b\[(0;)?1(;\d+)*m(\x1b\[[\d;]*m)*$`)

// rests waits until no turn runs in mode ask. The mode alone is shown while one does, too.
func (f *film) rests() {
	f.t.Helper()
	f.wait("the end of the turn", func() bool {
		s := f.screen()
		return strings.Contains(s, "ask ·") && !strings.Contains(s, "Esc stops")
	})
}

// undo sends a command that asks, and waits until its pane can be answered.
func (f *film) undo(command string) {
	f.t.Helper()
	f.line(command)
	f.wait("the pane", func() bool { return strings.Contains(f.screen(), "[n]o") })
	f.bright("[y]es")
}

// told waits until the screen or the scrollback shows text, however it is wrapped.
func (f *film) told(text string) {
	f.t.Helper()
	f.wait(fmt.Sprintf("%q", text), func() bool {
		return strings.Contains(strings.Join(strings.Fields(f.history()), " "), text)
	})
}

// begin starts agentshell with a script, and sends a message.
func (f *film) begin(message string, flags string, lines ...string) {
	f.t.Helper()
	if err := os.WriteFile(f.path("script"), []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		f.t.Fatal(err)
	}
	f.tmux("set-buffer", "./agentshell --script script --workspace w "+flags+"\n")
	f.tmux("paste-buffer")
	f.wait("the first screen", func() bool {
		return strings.Contains(f.history(), "quits.") &&
			slices.ContainsFunc([]string{" · s", "% left", "[n]o"}, func(s string) bool {
				return strings.Contains(f.screen(), s)
			})
	})
	if message != "" {
		f.line(message)
	}
}

const (
	poem = `{"say":"A haiku.","delay_ms":0,"tool_calls":[{"id":"c","name":"write_file","input":{"path":"haiku.txt",` +
		`"content":"river under ice\na heron waits on one leg\nthe current goes on\n"}}]}`
	typo = `{"say":"The typo.",` +
		`"delay_ms":0,"tool_calls":[{"id":"d","name":"edit_file","input":{"path":"notes.md",` +
		`"old_string":"teh","new_string":"the"}}]}`
	done = `{"say":"Done.","delay_ms":0}`
)

// configure writes the user's configuration file.
func (f *film) configure(text string) {
	f.t.Helper()
	f.config(text)
}

// theme writes a theme file of the user.
func (f *film) theme(name, text string) {
	f.t.Helper()
	dir := filepath.Join(f.path("config"), "agentshell", "themes")
	if err := errors.Join(os.MkdirAll(dir, 0o700),
		os.WriteFile(filepath.Join(dir, name+".toml"), []byte(text), 0o600)); err != nil {
		f.t.Fatal(err)
	}
}

// scene is a session with its name.
type scene struct {
	name string
	play func(f *film)
}

// films lists the sessions. They press a key only when a user could know that the key works.
var films = []scene{
	{"checkpoint", func(f *film) {
		f.configure("[checkpoint]\nenabled = true\n")
		f.write("weir.txt", strings.Repeat("a row of stones\n", 50))
		mark := `{"say":"I mark this place.","delay_ms":0,"tool_calls":[{"id":"1","name":"checkpoint","input":` +
			`{"goal":"find out why the weir leaks"}}]}`
		f.begin("Why does it leak?", "", mark,
			`{"say":"I look.","delay_ms":0,"tool_calls":[{"id":"2","name":"read_file","input":{"path":"weir.txt"}}]}`,
			`{"say":"I have it.","delay_ms":0,"tool_calls":[{"id":"3","name":"rewind","input":{"report":`+
				`"A stone is loose at the left bank: weir.txt, line 17.\nThe gate is tight."}}]}`,
			`{"expect":"> The gate is tight.","say":"A stone is loose.","delay_ms":0}`,
			mark, `{"say":"One.","delay_ms":0}`, `{"expect":"call rewind","say":"Two.","delay_ms":0}`,
			`{"say":"Three.","delay_ms":0}`, `{"say":"Four.","delay_ms":0}`)
		f.told("A stone is loose.")
		f.rests()
		f.frame("back with the report", "ask ·")
		f.line("/tree")
		f.frame("the tree", "This session", "you are")
		f.keys("Escape")
		f.rests()
		f.line("And the gate?")
		f.told("Four.")
		f.rests()
		f.frame("reminded", "ask ·")
	}},
	{"approve-deny-reason", func(f *film) {
		f.begin("go", "", poem, strings.Replace(typo, "The typo.", "First.", 1),
			strings.Replace(typo, `"the"`, `"The"`, 1), done)
		f.bright("[y]es")
		f.frame("a new file", "[y]es")
		f.keys("y")
		f.told("First.")
		f.bright("[y]es")
		f.frame("approved, and an edit", "[y]es")
		f.keys("n")
		f.told("denied")
		f.bright("[y]es")
		f.keys("r")
		f.frame("the reason field", "reason:")
		f.text("keep it")
		f.frame("a reason", "keep it")
		f.keys("Enter")
		f.frame("denied with the reason", "Done.")
	}},
	{"always", func(f *film) {
		f.begin("go", "", typo, strings.Replace(typo, `"teh","new_string":"the"`, `"river","new_string":"sea"`, 1),
			done)
		f.bright("[y]es")
		f.keys("a")
		f.frame("the rules that a offers", "1-2", "Always")
		f.keys("1")
		f.frame("one is chosen", "rule 1", "[y]es: 1")
		f.keys("w")
		f.frame("it is to stay", "workspace", "here")
		f.bright("[y]es")
		f.keys("y")
		f.frame("the next edit is allowed by it", "Done.")
		f.line("/rules")
		f.told("/rules keep N")
		f.frame("the rules", "›")
	}},
	{"views", func(f *film) {
		var before, after strings.Builder
		for i := range 40 {
			// So that it is seen at every size whether rows are cut.
			long := strings.Repeat(fmt.Sprintf(" case%d", i), 30)
			fmt.Fprintf(&before, "func f%d() int { return %d } //%s\n", i, i, long)
			n := i
			if i == 5 || i == 30 {
				n = i * 100
			}
			fmt.Fprintf(&after, `func f%d() int { return %d } //%s\n`, i, n, long)
		}
		f.write("code.go", before.String())
		f.begin("go", "",
			`{"say":"Two places.",`+
				`"delay_ms":0,"tool_calls":[{"id":"c","name":"write_file","input":{"path":"code.go",`+
				`"content":"`+after.String()+`"}}]}`, done)
		f.bright("[y]es")
		f.frame("the diff", "[y]es")
		f.keys("]", "]") // keys that only move work together
		f.frame("the second hunk", "f30", "@@ -28")
		f.keys("v")
		f.frame("the new version", "new version", "func f0()")
		f.keys("v")
		f.frame("the old version", "old version", "func f0()")
		f.keys("v")
		f.bright("[y]es")
		f.frame("the diff again", "+2 -2", "[y]es")
		f.keys("/")
		f.frame("the search field", "[n]o", "/")
		f.text("3000")
		f.frame("searching", "/3000")
		f.keys("Enter")
		f.bright("[y]es")
		f.frame("found", "match 1 of 1", "3000")
		f.keys("/") // Escape closes it, too, but with the next key behind it, it would be Alt
		f.frame("the field again", "/")
		f.keys("Enter")
		f.frame("the search is closed", "[y]es")
		f.keys("w")
		f.frame("rows are cut", "[y]es")
		f.keys("?")
		f.frame("the keys", "[?] back")
		f.keys("?")
		f.frame("rows are still cut", "[y]es")
		f.keys("f")
		f.wait("the alternate screen", func() bool {
			return strings.TrimSpace(f.tmux("display-message", "-p", "#{alternate_on}")) == "1"
		})
		f.frame("full screen", "[y]es")
		f.keys("f")
		f.wait("the normal screen", func() bool {
			return strings.TrimSpace(f.tmux("display-message", "-p", "#{alternate_on}")) == "0"
		})
		f.keys("s")
		f.frame("hunks", "all of t", "2/2")
		f.keys("]")
		f.frame("the second one", "all of t", "2/2")
		f.keys("Space")
		f.frame("one hunk is left out", "1 of 2", "1/2")
		f.keys("s")
		f.told("+1 -1")
		f.bright("[y]es")
		f.frame("the new proposal", "[y]es")
		f.keys("y")
		f.frame("some hunks were applied", "Done.")
	}},
	{"editor", func(f *film) {
		f.line("export EDITOR='sed -i s/heron/crane/'")
		f.wait("the shell", func() bool { return strings.HasSuffix(f.history(), "/'\n$") })
		f.begin("go", "", poem, done)
		f.bright("[y]es")
		f.keys("e")
		f.wait("the edited text", func() bool { return strings.Contains(f.screen(), "edited by") })
		f.bright("[y]es")
		f.frame("edited", "[y]es")
		f.keys("y")
		f.frame("written as edited", "Done.")
	}},
	{"undo", func(f *film) {
		f.begin("go", "", poem, typo, done)
		f.bright("[y]es")
		f.keys("y")
		f.told("The typo.")
		f.bright("[y]es")
		f.keys("y")
		f.sees("Done.")
		f.rests()
		f.undo("/undo")
		f.frame("the reverse of the edit", "[y]es")
		f.keys("n")
		f.rests()
		f.undo("/undo 1")
		f.frame("a file that was created goes", "[y]es")
		f.keys("y")
		f.rests()
		f.frame("it is gone", "ask ·")
		f.undo("/undo 3")
		f.frame("and comes back", "[y]es")
		f.keys("y")
		f.wait("the file", func() bool {
			return f.read("haiku.txt") == "river under ice\na heron waits on one leg\nthe current goes on\n"
		})
	}},
	{"several", func(f *film) {
		f.begin("go", "", `{"say":"Three.","delay_ms":0,"tool_calls":[`+
			`{"id":"a","name":"write_file","input":{"path":"a.txt","content":"aa\n"}},`+
			`{"id":"b","name":"edit_file","input":{"path":"notes.md","old_string":"teh","new_string":"the"}},`+
			`{"id":"c","name":"write_file","input":{"path":".envrc","content":"export A=1\n"}}]}`, done)
		f.bright("[y]es")
		f.frame("the first of three", "1/3")
		f.keys("}")
		f.sees("2/3")
		f.bright("[y]es")
		f.frame("the second", "2/3")
		f.keys("A")
		f.frame("one answer for both", "[y]es to 2", "[y]es: 2")
		f.bright("[y]es")
		f.keys("y")
		f.frame("the third is flagged", "3/3")
		f.bright("press Y", "[Y]es!")
		f.keys("Escape")
		f.frame("stopped", "stopped")
	}},
	{"stale", func(f *film) {
		f.begin("go", "", typo, done)
		f.bright("[y]es")
		f.write("notes.md", "# Somebody else\n\nteh river\n")
		f.sees("! The file changed")
		f.bright("[y]es")
		f.frame("the fresh diff", "[y]es")
		f.keys("y")
		f.frame("written onto the other's change", "Done.")
	}},
	{"type-ahead-and-paste", func(f *film) {
		f.begin("", "", strings.Replace(typo, `"delay_ms":0`, `"delay_ms":400`, 1), done)
		// At once: never after the pane has the keys.
		f.tmux("send-keys", "-l", "go", ";", "send-keys", "Enter", ";", "send-keys", "-l", "yes y")
		f.frame("typed before the question", "Tab: a")
		f.wait("the keys to move", func() bool { // one that comes before the pane counts as painted is the prompt's
			f.keys("Tab")
			return strings.Contains(f.screen(), "[n]o")
		})
		f.bright("[y]es")
		f.frame("Tab moves the keys to the pane", "[y]es")
		f.tmux("set-buffer", "y\ny\n")
		f.tmux("paste-buffer", "-p")
		f.frame("a paste is no answer", "[n]o")
		if !strings.Contains(f.screen(), "yes yy") {
			// A key that is read together with another, or with a paste, is no answer: only what is
			// seen was read.
			f.keys("j")
			f.frame("a row further down", "[n]o")
		}
		f.keys("n")
		f.told("denied")
		f.frame("denied, and the draft is kept", "Done.")
	}},
	{"flagged", func(f *film) {
		f.begin("go", "",
			`{"say":"A file that is run.",`+
				`"delay_ms":0,"tool_calls":[{"id":"c","name":"write_file","input":{"path":".envrc",`+
				`"content":"export A=\"\u202egnp.exe\" # \u001b[8m\u200bhidden\u001b[0m\n"}}]}`, done)
		f.bright("press Y", "[Y]es!")
		f.frame("flagged", "press Y", "[Y]es!")
		f.keys("y")
		f.frame("y is not enough", "press Y", "[Y]es!")
		looks := 0
		f.wait("the pane's end", func() bool {
			// Read together with the y, a Y is no answer, and is said again.
			if looks++; looks%20 == 1 && strings.Contains(f.screen(), "[n]o") {
				f.keys("Y")
			}
			return !strings.Contains(f.screen(), "[n]o")
		})
		f.frame("approved by Y", "Done.")
	}},
	{"modes", func(f *film) {
		edit := func(old, now string) string {
			return strings.Replace(typo, `"teh","new_string":"the"`, `"`+old+`","new_string":"`+now+`"`, 1)
		}
		f.begin("one", "", edit("teh", "the"), done, edit("teh", "the"), done, edit("the", "a"), done)
		f.bright("[y]es")
		f.frame("mode ask", "[y]es")
		f.keys("n")
		f.sees("Done.")
		f.rests()
		f.keys("BTab")
		f.sees("edits ·")
		f.line("two")
		f.told("allowed by mode")
		f.frame("mode edits: not asked", "Done.")
		f.keys("BTab")
		f.sees("plan ·")
		f.line("three")
		f.told("blocked by")
		f.frame("mode plan: refused", "Done.")
	}},
	{"compact", func(f *film) {
		f.configure("[models.\"script script\"]\nwindow = 20000\n")
		f.write("long.txt", strings.Repeat("a heron stands by the river\n", 300))
		f.begin("read it", "", `{"say":"I read it.","delay_ms":0,"usage":{"input":4000,"output":40},"tool_calls":[`+
			`{"id":"r","name":"read_file","input":{"path":"long.txt"}}]}`,
			`{"say":"Done.","delay_ms":0,"usage":{"input":9000,"output":40}}`,
			`{"say":"The file was read.","delay_ms":0,"usage":{"input":5000,"output":90}}`,
			`{"say":"I go on.","delay_ms":0,"usage":{"input":4100,"output":40}}`)
		f.frame("what is left", "Done.")
		f.line("/compact the herons")
		f.told("compacted: ")
		f.rests()
		f.frame("compacted", "% left")
		f.line("go on")
		f.frame("it goes on", "I go on.")
	}},
	{"trusted", func(f *film) {
		f.begin("go", "--mode trusted", poem,
			`{"say":"A command.","delay_ms":0,"tool_calls":[{"id":"c","name":"bash","input":{"command":"cat `+
				`haiku.txt"}}]}`, done)
		f.frame("mode trusted: not asked", "Done.")
	}},
	{"theme", func(f *film) {
		f.theme("dusk", "base = \"dark\"\naccent = \"#d7af5f\"\n")
		f.begin("go", "", typo, done)
		f.bright("[y]es")
		f.keys("y")
		f.sees("Done.")
		f.rests()
		f.line("/theme")
		f.frame("the themes", "› * auto")
		f.keys("Down")
		f.frame("another one", "›   dark")
		f.keys("Up", "Up")
		f.frame("the person's own", "›   dusk")
		f.keys("Enter")
		f.frame("it is kept", "in config.toml", "config.toml.")
		f.line("/theme blue-orange")
		f.frame("by its name", "theme: blue-orange", "orange\" in")
	}},
	{"pager", func(f *film) {
		var text strings.Builder
		for i := range 300 {
			fmt.Fprintf(&text, "%d a heron stands by the river\n", i+1)
		}
		f.write("long.txt", text.String())
		f.begin("read them", "", `{"say":"Two files.","delay_ms":0,"tool_calls":[`+
			`{"id":"a","name":"read_file","input":{"path":"notes.md"}},`+
			`{"id":"b","name":"read_file","input":{"path":"long.txt"}}]}`, done)
		f.sees("Done.")
		f.rests()
		f.keys("C-o")
		f.frame("all of the last output", "call 2 of 2", "1 a heron")
		f.keys("End")
		f.frame("its end", "300")
		f.keys("/")
		f.text("150 a")
		f.frame("searching", "/150 a")
		f.keys("Enter")
		f.frame("found", "match 1 of 1", "match 1")
		f.keys("[")
		f.frame("the call before", "call 1 of 2", "# Notes")
		f.keys("q")
		f.wait("the normal screen", func() bool {
			return strings.TrimSpace(f.tmux("display-message", "-p", "#{alternate_on}")) == "0"
		})
		f.frame("closed", "Done.")
	}},
	{"ask-command", func(f *film) {
		f.begin("go", "", `{"say":"A command.","delay_ms":0,"tool_calls":[{"id":"c","name":"bash",`+
			`"input":{"command":"cat notes.md | tr a-z A-Z > loud.md"}}]}`, done)
		f.bright("[n]o")
		f.frame("a command", "[n]o")
		f.keys("n")
		f.frame("denied", "Done.")
	}},
}

// A frame is a golden file that can be read: testdata/screens. -update writes them anew.
func TestScreens(t *testing.T) {
	t.Parallel()
	needTmux(t)
	var (
		group sync.WaitGroup
		slots = make(chan struct{}, 6) // most of the time they wait for a pane to be armed
	)
	for _, size := range [][2]int{{80, 24}, {20, 6}, {200, 60}, {120, 40}} {
		scenes := films
		if size[0] == 80 || size[0] == 120 { // the others show what a pane becomes where there is little room, and much
			scenes = slices.Concat(films, surfaces)
		}
		for _, c := range scenes {
			group.Go(func() {
				slots <- struct{}{}
				defer func() { <-slots }()
				name := fmt.Sprintf("%s_%dx%d", c.name, size[0], size[1])
				t.Run(name, func(t *testing.T) {
					f := &film{pane: newPane(t, size[0], size[1])}
					file := filepath.Join("testdata", "screens", name+".txt")
					if b, err := os.ReadFile(file); err == nil {
						f.want = frames(string(b))
					} else if !*update {
						t.Fatal(err)
					}
					f.write("notes.md", notes)
					c.play(f)
					if !*update {
						return
					}
					text := append(bytes.TrimRight([]byte(f.got.String()), "\n"), '\n')
					if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(file, text, 0o644); err != nil {
						t.Fatal(err)
					}
				})
			})
		}
	}
	group.Wait()
}
