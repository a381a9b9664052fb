package app_test

import (
	"strings"
	"testing"
)

// Instructions of a directory come when a file below is read; what nobody sees in them the person
// is told then.
func TestThePersonIsToldOfWhatIsHiddenInNestedInstructions(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("sub/AGENTS.md", "Use tabs.\u200b\u2060\n")
	p.write("sub/a.txt", "text\n")
	read := `{"tool_calls":[{"id":"1","name":"read_file","input":{"path":"sub/a.txt"}}],"delay_ms":0}`
	for _, flags := range [][]string{nil, {"--no-log"}} {
		script := p.script(read, `{"expect":"Use tabs.","say":"ok"}`)
		got := p.run("go\n", append([]string{"--plain", "--script", script}, flags...)...)
		n := strings.Count(got.stdout, "! sub/AGENTS.md holds 2 hidden characters; the model gets them as visible")
		if n != 1 || got.code != 0 {
			t.Errorf("told %d times, code %d, %s%s", n, got.code, got.stdout, got.stderr)
		}
	}
}
