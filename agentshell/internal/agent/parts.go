package agent

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// divided runs a call that is about several files: those parts that the person has to decide on are
// asked together, and each is made or not by itself. The result says what became of each. To
// everybody but the model the parts are calls; the first one has the id of
// the whole.
func (b *batch) divided(c provider.ToolCall, whole tool.Call) provider.ToolResult {
	results := make([]provider.Part, len(whole.Parts))
	var asked []member
	for n, p := range whole.Parts {
		sub := provider.ToolCall{ID: c.ID, Name: c.Name, Input: p.Input}
		if n > 0 {
			sub.ID = fmt.Sprintf("%s.%d", c.ID, n+1)
		}
		m := member{i: n, asked: sub, call: p.Call}
		b.begun(m)
		switch over := b.barred(sub, p.Call); {
		case over != nil:
			results[n] = *over
		case b.isOpen(sub, p.Call):
			asked = append(asked, m)
		default:
			results[n] = b.finish(sub, b.decide(sub, p.Call))
		}
	}
	_, desk := b.turn.agent.cfg.Approver.(approval.Desk)
	for len(asked) > 0 {
		group := asked[:min(len(asked), most)]
		asked = asked[len(group):]
		if desk && len(group) > 1 {
			b.askAll(group, results)
			continue
		}
		for _, m := range group {
			results[m.i] = b.finish(m.asked, b.decide(m.asked, m.call))
		}
	}
	return joined(c, whole.Parts, results)
}

// joined makes the result of a call of the results of its parts. It failed if all of them did.
func joined(c provider.ToolCall, parts []tool.Part, results []provider.Part) provider.ToolResult {
	all := provider.ToolResult{ID: c.ID, IsError: true}
	var texts []string
	made := 0
	for i, part := range results {
		r, _ := part.(provider.ToolResult)
		text := r.Text
		if r.IsError {
			text = parts[i].Call.Path + ": " + text
		} else {
			made++
			all.IsError = false
		}
		texts = append(texts, strings.TrimSuffix(text, "\n"))
	}
	if made > 0 && made < len(results) {
		texts = append(texts, fmt.Sprintf("%d of %d files were changed.", made, len(results)))
	}
	all.Text = strings.Join(texts, "\n\n")
	return all
}
