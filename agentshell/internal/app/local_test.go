package app

import (
	"strings"
	"sync"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// Each conversation of a session reads files that another one has written to local://.
func TestAgentsShareTheTextsOfTheirSession(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	last := map[string]string{}
	m := &cast{answer: func(who string, req provider.Request) []provider.Part {
		h := heard(req)
		mu.Lock()
		last[who] = strings.Join(h, "\n")
		mu.Unlock()
		switch {
		case who == "Main" && len(h) == 1:
			return []provider.Part{use("1", "write_file", `{"path":"local://ctx.md","content":"the weir leaks\n"}`)}
		case who == "Main" && len(h) == 2:
			return []provider.Part{use("2", "task", `{"agent":"task","assignment":"see local://ctx.md","id":"A"}`)}
		case who == "Main" && len(h) == 3:
			return []provider.Part{use("3", "read_file", `{"path":"local://found.md"}`)}
		case who == "Main":
			return []provider.Part{provider.Text{Text: "end"}}
		case who == "A" && len(h) == 1:
			return []provider.Part{use("1", "task", `{"agent":"explore","assignment":"see local://ctx.md","id":"In"}`),
				use("2", "write_file", `{"path":"local://found.md","content":"at the sill\n"}`)}
		case who == "A.In" && len(h) == 1:
			return []provider.Part{use("1", "read_file", `{"path":"local://ctx.md"}`)}
		}
		return []provider.Part{use("9", "yield", `{"result":"done"}`)}
	}}
	who := &person{}
	playMain(t, crewed(t, 2, m), who)
	if !strings.Contains(last["A.In"], "the weir leaks") || !strings.Contains(last["Main"], "at the sill") {
		t.Errorf("they have read %q", last)
	}
	if len(who.asked) > 0 {
		t.Errorf("asked was %q", who.asked)
	}
}

// Agents are told of the plan that the person has approved, and not while another one is made.
func TestAgentsAreToldOfTheApprovedPlan(t *testing.T) {
	t.Parallel()
	for mode, want := range map[string]bool{approval.ModeEdits: true, approval.ModePlan: false} {
		var mu sync.Mutex
		system, read := "", ""
		var c *conversation
		m := &cast{answer: func(who string, req provider.Request) []provider.Part {
			h, said := heard(req), 0
			for _, m := range req.Messages {
				if m.Role == provider.Assistant {
					said++
				}
			}
			switch {
			case who == "Main" && said == 0:
				return []provider.Part{use("1", "propose_plan", `{"plan":"# Mend the weir\n"}`)}
			case who == "Main" && said == 1:
				if err := c.policy.SetMode(mode); err != nil {
					t.Error(err)
				}
				return []provider.Part{use("2", "task", tasksFor("explore", 1))}
			case who == "Main":
				return []provider.Part{provider.Text{Text: "end"}}
			case said == 0:
				return []provider.Part{use("1", "read_file", `{"path":"local://approved-plan.md"}`)}
			}
			mu.Lock()
			system, read = req.System, h[len(h)-1]
			mu.Unlock()
			return []provider.Part{use("9", "yield", `{"result":"done"}`)}
		}}
		c = crewed(t, 1, m)
		if err := c.policy.SetMode(approval.ModePlan); err != nil {
			t.Fatal(err)
		}
		who := &person{say: func(p *approval.Proposal) approval.Answer {
			return approval.Yes{ID: p.ID, Mode: approval.ModeEdits}
		}}
		playMain(t, c, who)
		if got := strings.Contains(system, "local://approved-plan.md"); got != want ||
			!strings.Contains(read, "Mend the weir") {
			t.Errorf("%s: it is told %v and reads %q", mode, got, read)
		}
	}
}
