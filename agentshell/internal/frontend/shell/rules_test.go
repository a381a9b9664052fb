package shell

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/streamrule"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

func noSudo(t *testing.T) []streamrule.Rule {
	t.Helper()
	r, err := streamrule.Parse("no-sudo", "---\ncondition: sudo\n---\nNever use sudo.")
	if err != nil {
		t.Fatal(err)
	}
	return []streamrule.Rule{r}
}

// What a rule retracts was live, so nothing of it stays: not on the screen, not in history, not for
// /copy. What had become history before stays, and the row below says that it does not count.
func TestWhatARuleRetractsIsNotOnTheTape(t *testing.T) {
	for name, before := range map[string]int{"a short answer": 0, "a long one": 40} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var say strings.Builder
				for i := range before {
					fmt.Fprintf(&say, "Paragraph %d of it.\\n\\n", i)
				}
				s := beginRuled(t, tuitest.Config{Cols: 80, Rows: 24}, noSudo(t),
					`{"say":"`+say.String()+`A word: use su`+`do for it.","chunk_runes":4,"delay_ms":2}`,
					`{"say":"I ask you instead.","delay_ms":0}`)
				s.Type("go")
				s.Press("enter")
				s.pass(20 * time.Second)
				s.holds("! Retracted by the rule no-sudo: the answer so far does not count.", "I ask you instead.")
				s.lacks("sudo for it", "A word", "(written again)")
				if got := s.sh.copies.answer; got != "I ask you instead." {
					t.Errorf("/copy has %q", got)
				}
				if before > 0 {
					s.holds("Paragraph 0 of it.")
					if n := strings.Count(s.tape(), "Paragraph 39 of it."); n > 1 {
						t.Errorf("a row stands there %d times", n)
					}
				}
			})
		})
	}
}

func TestHowARetractionLooks(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := beginRuled(t, tuitest.Config{Cols: size[0], Rows: size[1]}, noSudo(t),
					`{"say":"Well, I use su`+`do.","delay_ms":0}`, `{"say":"I ask you instead.","delay_ms":0}`)
				s.line("go")
				s.Golden()
			})
		})
	}
}
