package app

import (
	"strings"
	"testing"
)

// A resumed session shows its changes as diffs, at another width, too, and not what the model was
// told of them.
func TestAResumedSessionShowsItsChangesAsDiffs(t *testing.T) {
	t.Parallel()
	p := newPane(t, 80, 24)
	p.write("notes.md", "# Notes\n\nteh river\n")
	f := &film{pane: p}
	f.begin("go", "--mode edits --deny 'write_file(no.txt)'", poem, typo,
		`{"say":"Again.","delay_ms":0,"tool_calls":[{"id":"e","name":"edit_file","input":{`+
			`"path":"notes.md","old_string":"river","new_string":"stream"}}]}`,
		`{"say":"And.","delay_ms":0,"tool_calls":[{"id":"n","name":"write_file","input":{`+
			`"path":"no.txt","content":"`+strings.Repeat(`row\n`, 20)+`last"}}]}`, done)
	p.sees("Done.")
	p.line("/quit")
	p.wait("the end of the shell", func() bool { return strings.HasSuffix(p.history(), "$") })
	p.tmux("resize-window", "-x", "60", "-y", "30")
	p.line("clear")
	p.line("./agentshell --script script --workspace w --continue")
	p.wait("the resumed session", func() bool {
		_, after, resumed := strings.Cut(p.history(), "Resumed session")
		return resumed && strings.Contains(after, "Done.")
	})
	p.line("/diff 4")
	p.sees("21  + last")
	for _, want := range []string{"✓ write haiku.txt  new file, +3\n1  + river under ice\n",
		"✓ edit notes.md  +1 -1\n", "3     - teh river\n   3  + the river\n", "   3  + the stream\n",
		"✗ write no.txt  new file, +21, denied", "… 9 rows not shown, /diff 4 shows all"} {
		if !strings.Contains(p.history(), want) {
			t.Errorf("%q is not in the history:\n%s", want, p.history())
		}
	}
	if strings.Contains(p.history(), "Replaced") || strings.Contains(p.history(), "Wrote") {
		t.Errorf("the screen has what the model was told:\n%s", p.history())
	}
}
