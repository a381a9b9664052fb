package shell

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// /status shows the state of the session in one screen, and /cost what it has taken. What the rows
// say is that of the moment.
func TestStatusAndCostShowTheStateOfTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var looked []agent.Usage
		s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24}, func(cfg *Config) {
			cfg.Approval.Sandbox = &fakeSandbox{on: true}
			cfg.Models.IsWindowAssumed = func(name string) bool { return name == "test script" }
			cfg.Beside = func() []agent.Usage { return looked }
			cfg.Workspace.Further = func() []string { return []string{"/lib (read-only)", "/data"} }
			cfg.Programs.Helpers = func() []Helper {
				return []Helper{{"language server", helper.Status{Name: "gopls", State: helper.Ready}},
					{"debugger", helper.Status{Name: "dlv", State: helper.NotStarted}}}
			}
		}, `{"say":"Hello.","delay_ms":0,"usage":{"input":2100,"output":40}}`)
		s.line("/cost")
		s.holds("No model was asked since the shell was started.")
		s.lacks("since it began")
		s.sh.app.Do(func() { s.sh.gauge.addCost(agent.Usage{Cost: 0.5, Priced: true}) })
		s.line("/cost") // as after a resume
		s.holds("The session has cost $0.50 since it began. No model was asked since the shell was")
		s.sh.app.Do(func() { s.sh.gauge.cost = cost{} })
		s.line("go")
		s.sh.app.Do(func() {
			s.sh.agentBill.add(agent.Usage{Input: 900, Output: 100, CacheRead: 800, Cost: 0.25, Priced: true})
			s.sh.gauge.addCost(agent.Usage{Cost: 0.25, Priced: true})
		})
		s.line("/cost")
		s.holds("this conversation   1 request: 2.1k tokens in, 40 tokens out",
			"its agents          1 request: 900 tokens in (800 tokens from the cache), 100 tokens out, $0.25",
			"together            2 requests: 3.0k tokens in (800 tokens from the cache), 140 tokens out, $0.25+",
			"The price of some requests is not known")
		looked = []agent.Usage{{Input: 500, Output: 60, Cost: 0.01, Priced: true}}
		s.line("/cost")
		s.holds("looks at pictures   1 request: 500 tokens in, 60 tokens out, $0.01",
			"together            3 requests: 3.5k tokens in (800 tokens from the cache), 200 tokens out, $0.26+")
		s.sh.app.Do(func() { s.sh.contextUse = func() (int, int) { return 2100, 32000 } })
		before := strings.Count(s.tape(), "\n")
		s.line("/status")
		s.holds("version      agentshell 0.1", "model        test script", "mode         ask.", "workspace    /demo",
			"directories  /lib (read-only), /data", "sandbox      on: commands are confined", "session      x",
			"helpers      language server gopls ready", "context ",
			"The window is a guess: window", "cost         $0.25+")
		s.lacks("dlv")
		if rows := strings.Count(s.tape(), "\n") - before; rows > 18 {
			t.Errorf("/status takes %d rows", rows)
		}
		s.Press("ctrl+d")
		s.Wait()
	})
}

// /diff all shows each file that the session has changed, from what it was before to what it is
// now. It writes nothing.
func TestDiffAllShowsWhatTheSessionHasChanged(t *testing.T) {
	play(t, []string{oneEdit, `{"say":"One.","delay_ms":0}`,
		`{"tool_calls":[{"id":"e","name":"edit_file","input":{"path":"notes.md","old_string":"the end",` +
			`"new_string":"the very end"}},` +
			`{"id":"w","name":"write_file","input":{"path":"new.txt","content":"fresh\n"}}],"delay_ms":0}`,
		`{"say":"Two.","delay_ms":0}`}, func(s *session) {
		s.line("/diff all")
		s.holds("No file was changed in this session yet.")
		s.line("/diff some")
		s.holds("There is no /diff some.")
		s.line("go")
		s.Press("y")
		s.pass(3 * time.Second)
		s.line("on")
		s.Press("y")
		s.pass(3 * time.Second)
		s.Press("y")
		s.pass(3 * time.Second)
		s.holds("Two.")
		before := s.file("notes.md")
		was := s.tape()
		s.line("/diff all")
		got := strings.TrimPrefix(s.tape(), strings.TrimRight(was, "\n"))
		s.holds("changed notes.md  +1 -1", "3 - teh end", "3 + the very end", "new new.txt  +1", "1 + fresh",
			"2 files changed in this session")
		if strings.Contains(got, "3 + the end") {
			t.Errorf("a step between stands in\n%s", got)
		}
		if s.file("notes.md") != before {
			t.Error("a file was written")
		}
		s.line("/undo 3")
		s.Press("y")
		s.pass(3 * time.Second)
		s.line("/diff all")
		s.holds("1 file changed in this session")
	})
}
