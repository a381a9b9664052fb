package headless_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
)

func TestACommandOfAnExtensionIsALineInPlainMode(t *testing.T) {
	var out bytes.Buffer
	p := headless.Plain{Stdin: strings.NewReader("/do this\n/say\n/other\n"), Stdout: &out, Stderr: io.Discard,
		Person: true,
		Extension: func(_ context.Context, name, args string) ([]string, string, bool) {
			switch name {
			case "do":
				return []string{"did\x1b " + args}, "", true
			case "say":
				return nil, "a message", true
			}
			return nil, "", false
		}}
	p.Run(t.Context(), agent.New(agent.Config{Model: model(t, saysHi), Tools: tools{}}))
	for _, want := range []string{"> did␛ this\n", "> a message\nhi", "! There is no command /other"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
}
