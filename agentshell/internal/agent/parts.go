package agent

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// runParts runs a call that changes several files. Each file is a part, which is decided and run by
// itself; the user is asked about all undecided parts together. The result for the model says what
// happened to each file. In events, each part is a call, and the first one has the id of the whole
// call.
func (b *batch) runParts(c provider.ToolCall, ready tool.Call) provider.ToolResult {
	results := make([]provider.Part, len(ready.Parts))
	var open []groupCall
	for index, p := range ready.Parts {
		part := provider.ToolCall{ID: c.ID, Name: c.Name, Input: p.Input}
		if index > 0 {
			part.ID = fmt.Sprintf("%s.%d", c.ID, index+1)
		}
		member := groupCall{index: index, toolCall: part, ready: p.Call}
		b.emitStart(member)
		if ended := b.preventedResult(part, p.Call); ended != nil {
			results[index] = *ended
			continue
		}
		why, needed := b.needsPerson(part, p.Call)
		if needed {
			member.why = why
			open = append(open, member)
		} else {
			results[index] = b.runDecided(part, b.decide(part, p.Call))
		}
	}
	_, desk := b.turn.agent.cfg.Approver.(approval.Desk)
	for len(open) > 0 {
		group := open[:min(len(open), maxAskedTogether)]
		open = open[len(group):]
		if desk && len(group) > 1 {
			b.askGroup(group, results)
			continue
		}
		for _, member := range group {
			results[member.index] = b.runDecided(member.toolCall, b.decide(member.toolCall, member.ready))
		}
	}
	return joinResults(c, ready.Parts, results)
}

// joinResults combines the results of the parts of a call into one result. It is an error only if
// all parts failed.
func joinResults(c provider.ToolCall, parts []tool.Part, results []provider.Part) provider.ToolResult {
	all := provider.ToolResult{ID: c.ID, IsError: true}
	var texts []string
	succeeded := 0
	for i, part := range results {
		r, _ := part.(provider.ToolResult)
		text := r.Text
		if r.IsError {
			text = parts[i].Call.Path + ": " + text
		} else {
			succeeded++
			all.IsError = false
		}
		texts = append(texts, strings.TrimSuffix(text, "\n"))
	}
	if succeeded > 0 && succeeded < len(results) {
		texts = append(texts, fmt.Sprintf("%d of %d files were changed.", succeeded, len(results)))
	}
	all.Text = strings.Join(texts, "\n\n")
	return all
}
