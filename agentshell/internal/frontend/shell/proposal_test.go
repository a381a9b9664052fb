package shell

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// propose returns the proposal that a real tool makes of a call on a file that holds before (none
// if it is nil).
func propose(t *testing.T, before []byte, name string, input map[string]any) *approval.Proposal {
	t.Helper()
	dir := t.TempDir()
	if before != nil {
		if err := os.WriteFile(filepath.Join(dir, "file.txt"), before, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: dir}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	input["path"] = "file.txt"
	raw, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	call, err := tool.Builtin(tool.Env{Workspace: ws}).Prepare(t.Context(), name, "t1", raw)
	if err != nil {
		t.Fatal(err)
	}
	if call.Proposal == nil {
		t.Fatal("nothing to ask")
	}
	return call.Proposal
}

func write(t *testing.T, before []byte, after string) *approval.Proposal {
	return propose(t, before, "write_file", map[string]any{"content": after})
}

func TestPanesOfRealProposals(t *testing.T) {
	for _, c := range []struct {
		name string
		p    *approval.Proposal
		want string
	}{
		{"new file", write(t, nil, "river\nsea\n"), `

write file.txt  new file, 2 lines  1-2 of 2, 100%
1  + river
2  + sea
[y]es  [n]o  [r]eason  [f]ull  [?]`},
		{"empty new file", write(t, nil, ""), `

write file.txt  new file, 0 lines  1-1 of 1, 100%
empty file
[y]es  [n]o  [r]eason  [f]ull  [?]`},
		{"overwrite", write(t, []byte("a\nb\n"), "a\nc\nd\n"), `

write file.txt  +2 -1 in 1 hunk  1-5 of 5, 100%
This will overwrite existing file (was 2 lines, now 3 lines)
@@ -1,2 +1,3 @@
1  1    a
2     - b
   2  + c
   3  + d
[y]es  [n]o  [r]eason  [v]iew  [f]ull  [?]`},
		{"edit", propose(t, []byte("a\nteh end\n"), "edit_file",
			map[string]any{"old_string": "teh", "new_string": "the"}), `

edit file.txt:2  +1 -1 in 1 hunk  1-4 of 4, 100%
@@ -1,2 +1,2 @@
1  1    a
2     - teh end
   2  + the end
[y]es  [n]o  [r]eason  [v]iew  [f]ull  [?]`},
		{"final newline lost", write(t, []byte("a\n"), "a"), `

write file.txt  +1 -1 in 1 hunk  1-3 of 3, 100%
This will overwrite existing file (was 1 line, now 1 line)
@@ -1,1 +1,1 @@
1     - a
   1  + a [no newline at end]
[y]es  [n]o  [r]eason  [v]iew  [f]ull  [?]`},
		{"only blanks", write(t, []byte("a b\n"), "a  b\t\n"), `

write file.txt  +1 -1 in 1 hunk  1-3 of 3, 100%
This will overwrite existing file (was 1 line, now 1 line)
@@ -1,1 +1,1 @@
1     - a·b
   1  + a··b→   
[y]es  [n]o  [r]eason  [v]iew  [f]ull  [?]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := strings.Join(open(t, c.p, 80, 40).ready().rows(), "\n")
			if got != strings.TrimPrefix(c.want, "\n") {
				t.Errorf("got\n%s\nwant%s", got, c.want)
			}
		})
	}
}

func TestWhatMustBeSeenIsSaid(t *testing.T) {
	for _, c := range []struct {
		name string
		p    *approval.Proposal
		want []string
		yes  string
	}{
		{"binary", write(t, []byte("a\n"), "\x00\x01\x02"),
			[]string{"binary  ", "existing file\n", "sha256", "text/plain", "application/octet-stream",
				"3 bytes"}, "Y"},
		{"endings kept", write(t, []byte("a\r\nb\r\n"), "a\nc\n"), []string{"CRLF kept"}, "y"},
		{"endings of a new file", write(t, nil, "a\r\nb\r\n"), []string{"lines end with CRLF"}, "y"},
		{"endings mixed", propose(t, []byte("a\r\nb\nc\n"), "edit_file",
			map[string]any{"old_string": "b", "new_string": "x"}), []string{"a [CRLF]", "b [LF]"}, "y"},
		{"hidden characters", write(t, []byte("a\n"), "a\u202eb\u200b\n"),
			[]string{"2 hidden characters", "1 bidi", "<U+202E>", "<U+200B>"}, "Y"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := open(t, c.p, 100, 40).ready()
			got := strings.Join(d.rows(), "\n")
			for _, w := range c.want {
				if !strings.Contains(got, w) {
					t.Errorf("no %q in\n%s", w, got)
				}
			}
			d.press(c.yes)
			if !d.said(true) {
				t.Errorf("%s did not approve\n%s", c.yes, got)
			}
		})
	}
}

func TestTheOtherViewsShowTheWholeFiles(t *testing.T) {
	var before strings.Builder
	for range 100 {
		before.WriteString("line\n")
	}
	d := open(t, write(t, []byte(before.String()+"old end\n"), before.String()+"new end\n"), 80, 40).ready()
	d.press("vG")
	if got := strings.Join(d.rows(), "\n"); !strings.Contains(got, "new version") ||
		!strings.Contains(got, "101    new end") || strings.Contains(got, "old end") {
		t.Errorf("the new file is\n%s", got)
	}
	d.press("vG")
	if got := strings.Join(d.rows(), "\n"); !strings.Contains(got, "old version") ||
		!strings.Contains(got, "101    old end") {
		t.Errorf("the old file is\n%s", got)
	}
	if d.press('v'); !strings.Contains(strings.Join(d.rows(), "\n"), "- old end") {
		t.Error("v does not come back to the diff")
	}
}

func TestOtherPayloadsAreShown(t *testing.T) {
	base := approval.Base{Kind: "x", Description: "Read workspace/secrets/config.yaml",
		Path: "workspace/secrets/config.yaml"}
	for _, c := range []struct {
		p    *approval.Proposal
		want []string
	}{
		{&approval.Proposal{Payload: approval.Read{Base: base, FileLines: 12, FileBytes: 300, FileExists: true},
			Path: base.Path}, []string{"read secrets/config.yaml", "12 lines, 300 bytes; the model will see it"}},
		{&approval.Proposal{Payload: approval.Command{Base: base, Command: "make\n\tx\x1b", Opaque: "it uses eval",
			Note: "can change any file", TimeoutS: 60}, Tool: "bash"},
			[]string{"run", "make", "x␛", "it uses eval", "can change any file", "60 s"}},
		{&approval.Proposal{Payload: approval.Generic{Base: base, Detail: "{\"a\": 1}"}, Tool: "mcp__x__y"},
			[]string{"mcp__x__y", "no preview possible", "{\"a\": 1}"}},
		{&approval.Proposal{Payload: approval.Merge{Base: base, Branch: "agent/Lexer", Into: "main", Files: 3,
			UnifiedDiff: "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\x1b\n+new\n"}, Tool: "merge"},
			[]string{"merge agent/Lexer into main", "3 files", "+++ b/x", "- old␛", "+ new"}},
		{&approval.Proposal{Payload: approval.Publish{Base: approval.Base{Sandbox: "ghe.example.org"}, Verb: "push",
			What: "pr-7", Text: "pr-7 to rise\x1b of u\n\ncommit 1",
			UnifiedDiff: "diff --git a/x b/x\n@@ -1 +1 @@\n-old\n+new\n"}, Tool: "github"},
			[]string{"push pr-7", "on ghe.example.org", "pr-7 to rise␛ of u", "commit 1", "- old", "+ new"}},
		{&approval.Proposal{Payload: approval.Search{Query: "tides", Reach: "ghe.example.org"}, Tool: "github"},
			[]string{"search ghe.example.org", "tides", "a search of ghe.example.org"}},
		{&approval.Proposal{Payload: strange{base}, Tool: "strange"}, []string{"Read workspace/secrets/config.yaml"}},
	} {
		d := open(t, c.p, 80, 24).ready()
		got := strings.Join(d.rows(), "\n")
		for _, w := range c.want {
			if !strings.Contains(got, w) {
				t.Errorf("no %q in\n%s", w, got)
			}
		}
		if d.press('y'); !d.said(true) {
			t.Errorf("y did not approve\n%s", got)
		}
	}
}

// What is no diff is not drawn as one, whatever it begins with (HARN-14); the kinds of a diff's
// rows differ by their style.
func TestOnlyADiffHasTheColoursOfOne(t *testing.T) {
	const text = "--- a\n+++ b\n@@ -1,1 +1,1 @@\n- x\n+ y"
	look := tui.NewTheme(terminal.Caps{Color: 16, Unicode: true})
	styles := func(p *approval.Proposal) map[string]tui.Style {
		d := open(t, p, 80, 40)
		d.space.Theme = look
		d.ready()
		of := map[string]tui.Style{}
		for _, l := range d.paint().Lines {
			for _, s := range l.Spans {
				if text := strings.TrimSpace(s.Text); text != "" {
					of[text] = s.Style
				}
			}
		}
		return of
	}
	base := approval.Base{Kind: "x", Description: "x"}
	for name, p := range map[string]*approval.Proposal{
		"arguments": {Payload: approval.Generic{Base: base, Detail: text}, Tool: "mcp__x__y"},
		"a command": {Payload: approval.Command{Base: base, Command: text}, Tool: "bash"},
		"a plan":    {Payload: approval.Plan{Base: base, Plan: text}, Tool: "present_plan"},
	} {
		for text, style := range styles(p) {
			if style == look.Added || style == look.Removed || style == look.AddedLine || style == look.RemovedLine {
				t.Errorf("%s: %q looks like a row of a diff", name, text)
			}
		}
	}
	yaml := styles(write(t, nil, text+"\n"))
	edit := styles(write(t, []byte("one\n"), "two\n"))
	if yaml["+"] != edit["+"] || yaml["-"] != (tui.Style{}) {
		t.Errorf("a new file that looks like a diff has %v", yaml)
	}
	hunk := edit["@@ -1,1 +1,1 @@"]
	if edit["+"] == edit["-"] || edit["+"] == hunk || edit["-"] == hunk || hunk == (tui.Style{}) {
		t.Errorf("added %v, removed %v, hunk %v", edit["+"], edit["-"], hunk)
	}
}

// strange is a payload of a type that nobody knows (PAY-50).
type strange struct{ approval.Base }

func TestADecidedChangeLeavesACompactBlock(t *testing.T) {
	haiku := write(t, nil, "river under ice\na heron waits on one leg\nthe current goes on\n")
	typo := propose(t, []byte("a\nteh end\n"), "edit_file", map[string]any{"old_string": "teh", "new_string": "the"})
	long := write(t, nil, strings.Repeat("x\n", 500))
	for _, c := range []struct {
		name string
		end  agent.ToolEnd
		want string
	}{
		{"approved", agent.ToolEnd{OK: true, Proposal: haiku, Decision: approval.Decision{Allow: true, By: "person"}}, `
✓ write file.txt  new file, +3
1  + river under ice
2  + a heron waits on one leg
3  + the current goes on`},
		{"denied", agent.ToolEnd{Kind: agent.KindDenied, Proposal: typo,
			Decision: approval.Decision{By: "person", Reason: "keep it,\x1b it is a quote"}}, `
✗ edit file.txt  +1 -1, denied: keep it,␛ it is a quote
@@ -1,2 +1,2 @@
1  1    a
2     - teh end
   2  + the end`},
		{"allowed by a rule",
			agent.ToolEnd{OK: true, Proposal: typo, Decision: approval.Decision{Allow: true, By: "rule"}}, `
✓ edit file.txt  +1 -1, allowed by rule
@@ -1,2 +1,2 @@
1  1    a
2     - teh end
   2  + the end`},
		{"conflict", agent.ToolEnd{Kind: "conflict", Text: "file changed since last read: file.txt", Proposal: typo,
			Decision: approval.Decision{Allow: true, By: "person"}}, `
! edit file.txt  +1 -1, not done: file changed since last read: file.txt`},
		{"nobody was there", agent.ToolEnd{Title: "bash rm x", Kind: agent.KindDenied,
			Decision: approval.Decision{By: "no_terminal"}}, `
✗ bash rm x  denied by no terminal`},
		{"a failed call", agent.ToolEnd{Title: "read_file x", Kind: "not_found",
			Text: "file not found: x\nlook elsewhere"}, `
! read_file x  file not found: x
look elsewhere`},
		{"a call", agent.ToolEnd{Title: "list_dir .", OK: true, Result: tool.Result{Summary: "3 entries"}}, `
• list_dir .  3 entries`},
		{"output", agent.ToolEnd{Title: "bash seq 20", OK: true,
			Result: tool.Result{Summary: "exit 0",
				Detail:  "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\r21\n",
				Changed: []string{"a", "b"}}}, `
• bash seq 20  exit 0
1
2
3
4
5
6
7
8
… 4 rows not shown, /output shows all
13
14
15
16
17
18
19
21
changed: a, b`},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := endedCall(c.end).View(tui.Space{Width: 80})
			if got := "\n" + strings.Join(plainRows(v.Lines), "\n"); got != c.want {
				t.Errorf("got%s\nwant%s", got, c.want)
			}
			if v.Stable != len(v.Lines) {
				t.Error("not all rows are final")
			}
		})
	}
	ended := agent.ToolEnd{OK: true, Proposal: long}
	if got := plainRows(endedCallAs(ended, nil, 7).View(tui.Space{Width: 80}).Lines); len(
		got) != approvedRows+2 || got[len(got)-1] != "… 460 rows not shown, /diff 7 shows all" {
		t.Errorf("a long change leaves %d rows, the last is %q", len(got), got[len(got)-1])
	}
}

func TestALongLineIsShownWhereItDiffers(t *testing.T) {
	line := func(word string) []byte {
		return []byte(strings.Repeat("日", 1<<10) + word + strings.Repeat("本", 1<<10) + "\n")
	}
	rows := plainRows(endedCall(agent.ToolEnd{OK: true, Proposal: write(t, line("teh"), string(line("the")))}).
		View(tui.Space{Width: 80}).Lines)
	all := strings.Join(rows, "")
	for _, want := range []string{"-~日", "日teh本", "+~日", "日the本", " [2973 bytes before it and "} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in\n%s", want, strings.Join(rows, "\n"))
		}
	}
	short := endedCall(agent.ToolEnd{OK: true,
		Proposal: write(t, []byte("teh"+strings.Repeat("x", 5000)), "the"+strings.Repeat("x", 5000))})
	if all := strings.Join(plainRows(short.View(tui.Space{Width: 80}).Lines), ""); !strings.Contains(all, "- tehxx") ||
		!strings.Contains(all, "+ thexx") {
		t.Errorf("a line that differs at its beginning:\n%s", all)
	}
}

func TestWhatFailedIsToldInWholeWords(t *testing.T) {
	rows := plainRows(
		endedCall(agent.ToolEnd{Title: "edit_file a", Text: "what should be replaced stands nowhere in the file"}).
			View(tui.Space{Width: 30}).Lines)
	want := []string{"! edit_file a  what should be", "  replaced stands nowhere in", "  the file"}
	if !slices.Equal(rows, want) {
		t.Errorf("got %q", rows)
	}
}

func TestARunningCallSpinsInItsLastRow(t *testing.T) {
	c := &call{title: "bash make"}
	c.appendOutput("one\ntwo\n" + strings.Repeat("more\n", 20) + "50%\r60%")
	at := tui.Space{Width: 40, Now: start}
	c.View(at)
	at.Now = start.Add(12 * time.Second)
	v := c.View(at)
	got := plainRows(v.Lines)
	if v.Stable != 0 || v.RefreshAfter <= 0 || v.RefreshAfter > 80*time.Millisecond || len(got) != outputLive+2 {
		t.Errorf("stable %d, again %v, %d rows", v.Stable, v.RefreshAfter, len(got))
	}
	if got[0] != "• bash make" || got[outputLive] != "60%" || !strings.HasSuffix(got[outputLive+1], "running 12 s") {
		t.Errorf("rows are\n%s", strings.Join(got, "\n"))
	}
	for range 100 {
		c.appendOutput(strings.Repeat("y", 4000) + "\n")
	}
	if text, truncated := c.output.Text(); len(text) > maxLiveOutput || !truncated {
		t.Errorf("%d bytes are kept", len(text))
	}
}

func TestOneLongLineDoesNotFillTheHistory(t *testing.T) {
	line := strings.Repeat("日", 1<<18)
	s := tui.Space{Width: 80}
	for name, c := range map[string]staticBlock{
		"a change": endedCall(agent.ToolEnd{OK: true, Proposal: write(t, nil, line)}),
		"output":   endedCall(agent.ToolEnd{OK: true, Title: line, Result: tool.Result{Detail: line, Summary: line}}),
		"an error": endedCall(agent.ToolEnd{Title: "x", Text: line + "\n" + line}),
	} {
		if rows := c(s); len(rows) > 60 {
			t.Errorf("%s takes %d rows", name, len(rows))
		}
	}
	rows := plainRows(personBlock(line)(s))
	if len(rows) > 300 || rows[len(rows)-1] != "… 770 kB not shown" {
		t.Errorf("a long message takes %d rows, the last is %q", len(rows), rows[len(rows)-1])
	}
}
