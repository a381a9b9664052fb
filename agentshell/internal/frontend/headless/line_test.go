package headless_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// timed records what is written, with the number of seconds since the start.
type timed struct {
	began time.Time
	texts []string
	after []int
}

func (w *timed) Write(b []byte) (int, error) {
	w.texts, w.after = append(w.texts, string(b)), append(w.after, int(time.Since(w.began).Seconds()))
	return len(b), nil
}

// Each line of the answer is written once it is whole, and no piece of it before. No letter of a
// secret is in it, wherever the pieces are cut.
func TestTheAnswerComesLineByLine(t *testing.T) {
	const key = "sk-test-0123456789abcdef"
	line := `{"say":"one\ntwo ` + key + `\nthree","chunk_runes":1,"delay_ms":1000}`
	for _, terminal := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			out, errs := &timed{began: time.Now()}, &strings.Builder{}
			code := headless.Print{Agent: agent.New(agent.Config{Model: model(t, line), HoldSecrets: true,
				Secrets: secret.New(key)}), Terminal: terminal, Stdout: out, Stderr: errs}.Run(t.Context(), "x")
			want := []string{"one\n", "two " + secret.Hidden + "\n", "three\n"}
			if code != 0 || !slices.Equal(out.texts, want) || errs.Len() > 0 {
				t.Errorf("terminal %v: code %d, %q, %q", terminal, code, out.texts, errs)
			}
			if first, last := out.after[0], out.after[2]; first < 3 || first > 5 || last < 30 {
				t.Errorf("terminal %v: written after %v seconds", terminal, out.after)
			}
		})
	}
}
