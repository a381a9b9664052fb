package agent

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// runParts runs a call that is about several files. The parts on which the person has to decide are
// asked together, and each is run or not. The result tells what became of each part. For everybody
// but the model, each part is a call; the first one has the id of the whole call.
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

// joinResults makes the result of a call from the results of its parts. The call failed if all
// parts failed.
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
