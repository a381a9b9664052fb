package headless

import (
	"bytes"
	"strings"
	"testing"
)

// A command that does not exist is answered by the one that it may mean.
func TestPlainModeNamesTheCommandThatWasMeant(t *testing.T) {
	for line, want := range map[string]string{"/rule": " Did you mean /rules?", "/qit": " Did you mean /quit?",
		"/nothing": ""} {
		var b bytes.Buffer
		p := &Plain{out: transcript{w: &b}}
		if p.runCommand(line); !strings.Contains(b.String(), "in plain mode."+want+" Nothing was sent") {
			t.Errorf("%s: %q", line, b.String())
		}
	}
}
