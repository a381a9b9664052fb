package app

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// served returns tools of an MCP server.
func served(server string, names ...string) (list []tool.Tool) {
	for _, name := range names {
		list = append(list, &tool.Foreign{Server: server, Tool: name, Schema: json.RawMessage(`{"type":"object"}`),
			Do: func(context.Context, json.RawMessage, func(string)) (tool.Answer, error) {
				return tool.Answer{Text: "from " + server}, nil
			}})
	}
	return list
}

// An agent has the tools of servers that its kind names and that those above it have, also of those
// that a server gets later, and what it calls is asked about as its own.
func TestAnAgentHasTheToolsOfServersThatItsKindNames(t *testing.T) {
	t.Parallel()
	var c *conversation
	var mu sync.Mutex
	tools, asked := map[string]string{}, map[string][]string{}
	m := &cast{answer: func(who string, req provider.Request) []provider.Part {
		var names []string
		for _, s := range req.Tools {
			if strings.HasPrefix(s.Name, "mcp__") {
				names = append(names, s.Name)
			}
		}
		slices.Sort(names)
		mu.Lock()
		tools[who] = strings.Join(names, " ")
		mu.Unlock()
		first := len(heard(req)) == 1
		switch {
		case who == "Main" && first:
			return []provider.Part{use("1", "task", `{"agent":"log","assignment":"x","id":"Log"}`),
				use("2", "task", `{"agent":"git","assignment":"x","id":"Git"}`),
				use("3", "task", `{"agent":"no","assignment":"x","id":"No"}`),
				use("4", "task", `{"agent":"task","assignment":"x","id":"Any"}`),
				use("5", "task", `{"agent":"explore","assignment":"x","id":"Look"}`)}
		case who == "Main":
			return []provider.Part{provider.Text{Text: "end"}}
		case who == "Git" && first:
			return []provider.Part{use("1", "task", `{"agent":"task","assignment":"x","id":"In"}`)}
		case who == "Log" && first:
			if err := c.foreign.setTools("git", served("git", "log", "push", "blame")); err != nil {
				t.Error(err)
			}
			return []provider.Part{use("1", "mcp__git__log", `{}`), use("2", "mcp__git__blame", `{}`)}
		case who == "Log":
			asked[who] = heard(req)
		}
		return []provider.Part{use("9", "yield", `{"result":"done"}`)}
	}}
	c = crewed(t, 1, m)
	c.crew.SetKinds(append([]crew.Kind{{Name: "log", Tools: []string{"read_file", "mcp__git__log"}},
		{Name: "git", Tools: []string{"mcp__git"}, Spawns: []string{"task"}},
		{Name: "no", Tools: []string{"mcp__no*"}}}, crew.Bundled()...))
	for server, list := range map[string][]tool.Tool{"git": served("git", "log", "push"),
		"notes": served("notes", "put")} {
		if err := c.foreign.setTools(server, list); err != nil {
			t.Fatal(err)
		}
	}
	who := &person{say: func(p *approval.Proposal) approval.Answer { return approval.Yes{ID: p.ID} }}
	playMain(t, c, who)
	const git = "mcp__git__blame mcp__git__log mcp__git__push"
	for name, want := range map[string]string{"Main": git + " mcp__notes__put", "Log": "mcp__git__log", "Git": git,
		"Git.In": git, "No": "mcp__notes__put", "Any": git + " mcp__notes__put", "Look": ""} {
		if tools[name] != want && (name != "Any" && name != "Git" && name != "Git.In" ||
			tools[name] != strings.TrimPrefix(want, "mcp__git__blame ")) {
			t.Errorf("%s has %q, want %q", name, tools[name], want)
		}
	}
	if !slices.Equal(who.asked, []string{"Log: mcp__git__log "}) {
		t.Errorf("asked was %q", who.asked)
	}
	if got := strings.Join(asked["Log"], "\n"); !strings.Contains(got, "from git") ||
		!strings.Contains(got, `there is no tool "mcp__git__blame"`) {
		t.Errorf("it was told %s", got)
	}
}

// What was started in plan mode, or by a conversation without tools of servers, has none.
func TestAnAgentHasNoToolOfAServerThatItsStarterHasNot(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]conversationOptions{"plan": {NoLog: true},
		"few": {NoLog: true, Tools: []string{"task", "read_file"}}} {
		tools := toolsOf(t, func(m *cast) *conversation {
			p, r := opened(t)
			r.model, r.cfg.Agents.Max = m, 2
			c := conversationIn(t, p, r, o)
			if err := r.foreign.setTools("git", served("git", "log")); err != nil {
				t.Error(err)
			}
			if name == "plan" {
				if err := c.policy.SetMode(approval.ModePlan); err != nil {
					t.Error(err)
				}
			}
			return c
		}, tasksFor("task", 1), nil)
		if tools["A0"] == "" || strings.Contains(tools["A0"], "mcp__") {
			t.Errorf("%s: %q", name, tools)
		}
	}
}
