package app

import (
	"slices"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap"
)

// An agent debugs, and runs cells, only if its kind and the one that started it may.
func TestAnAgentHasTheDebuggerOnlyOfItsStarter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		kind  string
		tools []string // of Main; nil: all
		want  bool
	}{
		{"all tools", "task", nil, true},
		{"a kind that only looks", "explore", nil, false},
		{"a starter without it", "task", []string{"task", "read_file"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			has, cells, worked := false, false, false
			m := &cast{answer: func(who string, req provider.Request) []provider.Part {
				if who == "Main" {
					return wantsTask(req, `{"agent":"`+c.kind+`","assignment":"x","id":"T"}`)
				}
				worked = true
				has = slices.ContainsFunc(req.Tools, func(s provider.Tool) bool { return s.Name == tool.DebugName })
				cells = slices.ContainsFunc(req.Tools, func(s provider.Tool) bool { return s.Name == tool.CellsOwner })
				return []provider.Part{use("9", "yield", `{"result":"done"}`)}
			}}
			p, r := opened(t)
			r.model, r.cfg.Agents.Max = m, 1
			r.cfg.Eval.Enabled = true
			r.helpers.debugger = dap.NewService(dap.Config{Dir: r.dir})
			talk := conversationIn(t, p, r, conversationOptions{NoLog: true, Tools: c.tools})
			playMain(t, talk, nil)
			if !worked || has != c.want || cells != c.want {
				t.Errorf("it has worked: %v, and has the tools: %v, %v, want %v", worked, has, cells, c.want)
			}
		})
	}
}
