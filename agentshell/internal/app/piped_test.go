package app_test

import (
	"strings"
	"testing"
)

func TestWhatIsPipedGoesWithThePrompt(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("notes.md", "the notes\n")
	for _, c := range []struct{ name, prompt, stdin, expect, says string }{
		{"both", "explain", "one\ntwo\n", `explain\n\nThe standard input:\n\none\ntwo\n`, ""},
		{"nothing piped", "explain", "", "explain", ""},
		{"a file that the prompt names", "explain @notes.md", "x", "the notes", "notes.md  1 line, attached"},
		{"the input alone", "-", "explain @notes.md", "explain @notes.md", "notes.md  1 line, attached"},
	} {
		script := p.script(`{"expect":"` + c.expect + `","say":"Seen.","delay_ms":0}`)
		got := p.run(c.stdin, "-p", c.prompt, "--script", script)
		if got.code != 0 || !strings.Contains(got.stdout, "Seen.") || !strings.Contains(got.stderr, c.says) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	script := p.script(`{"say":"Seen.","delay_ms":0}`)
	got := p.run("a line with @notes.md", "-p", "explain", "--script", script)
	if got.code != 0 || strings.Contains(got.stderr, "attached") {
		t.Errorf("what is piped attaches a file: %+v", got)
	}
}
