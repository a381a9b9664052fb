package tool

import (
	"strings"
	"testing"
)

// A title is one harmless line that reads as it was written: a backslash is one.
func TestATitleReadsAsItWasWritten(t *testing.T) {
	b := newBench(t, nil)
	b.env.Checkpoints = true
	b.reg = Builtin(b.env)
	for _, c := range []struct {
		tool string
		args args
		want string
	}{
		{"bash", args{"command": `printf 'a\n' | sed 's/\(x\)/\1/'`}, `bash printf 'a\n' | sed 's/\(x\)/\1/'`},
		{"search", args{"pattern": `\bfoo\.go`}, `search "\bfoo\.go" in workspace`},
		{"find", args{"paths": []string{`**/a\*b`}}, `find **/a\*b`},
		{"checkpoint", args{"goal": `why C:\x leaks`}, `checkpoint why C:\x leaks`},
	} {
		if got := b.must(c.tool, c.args).Title; got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	hostile := "a\x1b[2J\u202e\u200b\nb\r" + strings.Repeat("x", 999)
	for tool, name := range map[string]string{"bash": "command", "checkpoint": "goal"} {
		got := b.must(tool, args{name: hostile}).Title
		if strings.ContainsAny(got, "\x1b\u202e\u200b\n\r") || len(got) > 400 || !strings.HasPrefix(got, tool+" a") {
			t.Errorf("%q", got)
		}
	}
}
