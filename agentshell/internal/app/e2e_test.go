package app

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const notes = "# Notes\n\nteh river\n"

// rivers is the session of the tests: two reads, a write that is approved, an edit that is denied
// with a reason.
var rivers = []string{
	`{"say":"I look at the folder ` +
		`first.","delay_ms":2,"tool_calls":[{"id":"a","name":"list_dir","input":{"path":"."}},{"id":"b",` +
		`"name":"read_file","input":{"path":"notes.md"}}]}`,
	`{"say":"The typo is \"teh\" in line 3. The haiku ` +
		`first.","delay_ms":2,"tool_calls":[{"id":"c","name":"write_file","input":{"path":"haiku.txt",` +
		`"content":"river under ice\na heron waits on one leg\nthe current goes on\n"}}]}`,
	`{"tool_calls":[{"id":"d","name":"edit_file","input":{"path":"notes.md","old_string":"teh","new_string":"the"}}]}`,
	`{"expect":"user denied this tool call\nkeep it, it is a quote","say":"Understood, I leave notes.md as it ` +
		`is.","delay_ms":2}`,
}

// play plays the session rivers from the first key to the shell's next prompt.
func play(p *pane) {
	p.write("notes.md", notes)
	p.start(rivers...)
	before := p.tree()
	p.line("put a haiku about rivers into haiku.txt and fix the typo in notes.md")
	p.armed()
	if p.tree() != before {
		p.t.Error("the workspace changed before the answer")
	}
	p.keys("y")
	p.sees("teh river")
	p.armed()
	if got := p.read("haiku.txt"); got != "river under ice\na heron waits on one leg\nthe current goes on\n" {
		p.t.Errorf("haiku.txt is %q", got)
	}
	between := p.tree()
	p.keys("r")
	p.sees("reason:")
	p.text("keep it, it is a quote")
	p.sees("it is a quote")
	p.keys("Enter") // alone: a line end that came with text is no answer
	p.sees("Understood")
	p.wait("the end of the turn", func() bool { return !strings.Contains(p.screen(), "Esc stops") })
	if p.tree() != between {
		p.t.Error("the workspace changed after a denial")
	}
	p.keys("C-d")
	p.wait("the shell's prompt", func() bool { return strings.HasSuffix(p.history(), "\n$") })
}

// told is the text that the terminal must show after play, as logical lines.
const told = `1
2
3
$ ./agentshell --script script --workspace w
agentshell %s · model: script script · workspace: w
Type a message and press Enter. /help lists commands, Ctrl+D quits. Nothing is written without your yes.

› put a haiku about rivers into haiku.txt and fix the typo in notes.md

I look at the folder first.

• list_dir .  1 entry
• read_file notes.md  3 lines

The typo is "teh" in line 3. The haiku first.

✓ write haiku.txt  new file, +3
1  + river under ice
2  + a heron waits on one leg
3  + the current goes on

✗ edit notes.md  +1 -1, denied: keep it, it is a quote
@@ -1,3 +1,3 @@
1  1    # Notes
2  2
3     - teh river
   3  + the river

Understood, I leave notes.md as it is.
Resume this session with: agentshell --resume ID
$`

// anyID matches the id of a session in a command, which differs in each run.
var anyID = regexp.MustCompile(`--resume [0-9a-z-]{8,40}`)

var oneColumn = strings.NewReplacer("1  1    # Notes\n2  2\n3     - teh river\n   3  + the river",
	"1   # Notes\n2\n3 - teh river\n3 + the river")

func TestThePaneHistoryIsTheTranscript(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {120, 40}, {50, 15}, {132, 10}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			p := newPane(t, size[0], size[1])
			play(p)
			text := fmt.Sprintf(told, Version())
			if size[0] < 60 { // little room: one column of line numbers
				text = oneColumn.Replace(text)
			}
			want := wrapped(text, size[0])
			if got := anyID.ReplaceAllString(p.joined(), "--resume ID"); got != want {
				t.Errorf("the pane holds\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// wrapped breaks the prose of a transcript at words, as the shell does; all other lines are broken
// by the terminal, which joins them again.
func wrapped(s string, cols int) string {
	var out []string
	for _, line := range strings.Split(s, "\n") {
		if strings.HasPrefix(line, "agentshell ") && len([]rune(line)) > cols { // facts go to the next row as a whole
			i := strings.LastIndex(line, " · ")
			out, line = append(out, line[:i]), line[i+len(" · "):]
		}
		title := strings.HasPrefix(line, "✗ ")
		prose := title || strings.HasPrefix(line, "Type ") || strings.HasPrefix(line, "› ")
		for prose && len([]rune(line)) > cols {
			r := []rune(line)
			at := cols
			for r[at] != ' ' {
				at--
			}
			out, line = append(out, strings.TrimRight(string(r[:at]), " ")), string(r[at+1:])
			if title {
				line = "  " + line
			}
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func TestNothingIsWrittenByAnythingButY(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		do   func(p *pane)
	}{
		{"n", func(p *pane) { p.keys("n"); p.sees("denied") }},
		{"Escape", func(p *pane) { p.keys("Escape"); p.sees("denied") }},
		{"Ctrl+C", func(p *pane) { p.keys("C-c"); p.sees("denied") }},
		{"Enter, Space, a paste and unknown keys", func(p *pane) {
			p.keys("Enter", "Space", "x", "Y", "1", "Tab")
			p.tmux("set-buffer", "y")
			p.tmux("paste-buffer", "-p")
			p.sees("› y")
			p.keys("n")
			p.sees("denied")
		}},
		{"kill -9", func(p *pane) {
			p.kill()
			p.wait("the shell", func() bool { return strings.Contains(p.history(), "Killed") })
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPane(t, 80, 24)
			p.write("notes.md", notes)
			p.start(`{"say":"Now.","delay_ms":0,"tool_calls":[{"id":"c","name":"write_file",`+
				`"input":{"path":"new/dir/haiku.txt","content":"x\n"}}]}`, `{"say":"Well."}`)
			before := p.tree()
			p.line("go")
			p.armed()
			c.do(p)
			if p.tree() != before {
				t.Errorf("the workspace changed\n%s", p.history())
			}
		})
	}
}

func TestAForeignChangeUnderTheOpenPaneIsNotOverwritten(t *testing.T) {
	t.Parallel()
	p := newPane(t, 80, 24)
	p.write("notes.md", notes)
	p.start(`{"say":"Now.","delay_ms":0,"tool_calls":[{"id":"c","name":"edit_file","input":{"path":"notes.md",`+
		`"old_string":"teh","new_string":"the"}}]}`, `{"say":"Well done."}`)
	p.line("go")
	p.armed()
	p.write("notes.md", "# Somebody else was here\n\nteh river\n")
	p.sees("this is the new diff")
	p.sees("# Somebody else was here")
	if got := p.read("notes.md"); !strings.Contains(got, "teh river") {
		t.Errorf("before the answer notes.md is %q", got)
	}
	p.armed()
	p.keys("y")
	p.sees("Well done")
	if got := p.read("notes.md"); got != "# Somebody else was here\n\nthe river\n" {
		t.Errorf("notes.md is %q", got)
	}
}

// river returns a long answer in which each word occurs only once.
func river(words int) string {
	var b strings.Builder
	for i := range words {
		fmt.Fprintf(&b, "w%04d", i)
		switch {
		case i%40 == 39:
			b.WriteString("\\n\\n")
		case i%13 == 12:
			b.WriteString("\\n")
		default:
			b.WriteString(" ")
		}
	}
	return b.String()
}

func TestResizesWhileTheAnswerStreamsLoseAndDoubleNothing(t *testing.T) {
	t.Parallel()
	const words = 600
	p := newPane(t, 80, 24)
	p.start(`{"say":"` + river(words) + `","delay_ms":3,"chunk_runes":5}`)
	p.line("go")
	for _, size := range [][2]int{{100, 24}, {60, 24}, {60, 12}, {120, 30}, {80, 24}, {79, 23}, {40, 24}, {80, 24}} {
		n := strings.Count(p.history(), "w0")
		p.wait("more of the answer", func() bool {
			return strings.Count(p.history(), "w0") > n+20 ||
				strings.Contains(p.history(), fmt.Sprintf("w%04d", words-1))
		})
		p.tmux("resize-window", "-x", fmt.Sprint(size[0]), "-y", fmt.Sprint(size[1]))
	}
	last := fmt.Sprintf("w%04d", words-1)
	p.wait("the end of the turn", func() bool {
		s := p.screen()
		return strings.Contains(s, last) && !strings.Contains(s, "Esc stops")
	})
	p.keys("C-d")
	p.wait("the shell's prompt", func() bool { return strings.HasSuffix(p.history(), "\n$") })
	all := strings.Join(strings.Fields(strings.ReplaceAll(p.joined(), "\n", " ")), " ")
	at := 0
	for i := range words {
		word := fmt.Sprintf("w%04d", i)
		if n := strings.Count(all, word); n != 1 {
			t.Errorf("%s stands %d times in the history", word, n)
		}
		if j := strings.Index(all[at:], word); j < 0 {
			t.Errorf("%s is out of order", word)
		} else {
			at += j
		}
	}
	for _, bad := range []string{"Esc stops", "working", "ask ·"} {
		if strings.Contains(all, bad) {
			t.Errorf("%q is in the history", bad)
		}
	}
	if !strings.HasPrefix(all, "1 2 3 $ ./agentshell") {
		t.Errorf("the rows of the shell are\n%.200s", all)
	}
	if t.Failed() {
		t.Log("\n" + p.history())
	}
}

func TestOutputLeavesAReaderInCopyModeWhereItIs(t *testing.T) {
	t.Parallel()
	const words = 1500
	p := newPane(t, 80, 24)
	p.start(`{"say":"` + river(words) + `","delay_ms":3,"chunk_runes":7}`)
	p.line("go")
	p.wait("some history", func() bool { return strings.Contains(p.history(), "w0400") })
	p.tmux("copy-mode")
	p.tmux("send-keys", "-X", "-N", "20", "scroll-up")
	view := func() string { // the rows in sight, read through the copy cursor
		var rows []string
		p.tmux("send-keys", "-X", "top-line")
		for range 10 {
			rows = append(rows, p.tmux("display-message", "-p", "#{copy_cursor_line}"))
			p.tmux("send-keys", "-X", "cursor-down")
		}
		return strings.Join(rows, "") + p.tmux("display-message", "-p", "#{scroll_position}")
	}
	before := view()
	if !strings.Contains(before, "w0") {
		t.Fatalf("copy mode shows\n%s", before)
	}
	size := func() string { return p.tmux("display-message", "-p", "#{history_size}") }
	for old := size(); ; {
		p.wait("more history", func() bool {
			return size() != old || strings.Contains(p.history(), fmt.Sprintf("w%04d", words-1))
		})
		if got := view(); got != before {
			t.Fatalf("the reader was moved: in sight is\n%s\nwas\n%s", got, before)
		}
		if strings.Contains(p.history(), fmt.Sprintf("w%04d", words-1)) {
			break
		}
		old = size()
	}
	p.tmux("send-keys", "-X", "cancel")
}

func TestNoFileIsLeftInTheWorkspaceByAKill(t *testing.T) {
	t.Parallel()
	p := newPane(t, 80, 24)
	p.start(`{"say":"Now.","delay_ms":0,"tool_calls":[{"id":"c","name":"write_file","input":{"path":"a/b/c.txt",` +
		`"content":"x\n"}}]}`)
	p.line("go")
	p.armed()
	p.kill()
	entries, err := os.ReadDir(filepath.Join(p.dir, "w"))
	if err != nil || len(entries) > 0 {
		t.Errorf("the workspace holds %v, %v", entries, err)
	}
}

func TestFullScreenAndTheEditorLeaveTheHistoryAlone(t *testing.T) {
	t.Parallel()
	p := newPane(t, 80, 24)
	p.write("notes.md", notes)
	p.line("export EDITOR='sed -i s/the/THE/'")
	p.start(`{"say":"Now.","delay_ms":0,"tool_calls":[{"id":"c","name":"edit_file","input":{"path":"notes.md",`+
		`"old_string":"teh","new_string":"the"}}]}`, `{"expect":"edited","say":"Well done."}`)
	p.line("go")
	p.armed()
	before := p.history()
	p.keys("f")
	p.sees("[f] small")
	p.wait("the alternate screen", func() bool {
		return strings.TrimSpace(p.tmux("display-message", "-p", "#{alternate_on}")) == "1"
	})
	p.keys("f")
	p.wait("the pane as it was", func() bool { return p.history() == before })
	p.keys("e")
	p.sees("+ THE river")
	if got := p.read("notes.md"); got != notes {
		t.Errorf("the editor's return wrote %q", got)
	}
	p.armed()
	p.keys("y")
	p.sees("Well done")
	if got := p.read("notes.md"); got != "# Notes\n\nTHE river\n" {
		t.Errorf("notes.md is %q", got)
	}
	p.wait("the end of the turn", func() bool { return !strings.Contains(p.screen(), "Esc stops") })
	p.keys("C-d")
	p.wait("the shell's prompt", func() bool { return strings.HasSuffix(p.history(), "\n$") })
	if all := p.history(); strings.Contains(all, "[y]es") || strings.Count(all, "Now.") != 1 {
		t.Errorf("the history holds\n%s", all)
	}
}
