package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/streamrule"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/hashline"
)

// structureTime is the longest time for which an answer waits for the search of ast-grep patterns
// in one call.
const structureTime = 2 * time.Second

// editors returns the names of the tools that write files and whose calls contain the new text.
func editors() []string { return []string{"write_file", "edit_file", "edit"} }

// patchPaths returns the paths in the patch of a call of the tool edit.
func patchPaths(call provider.ToolCall) []string {
	var args struct {
		Input string `json:"input"`
	}
	if call.Name != "edit" || json.Unmarshal(call.Input, &args) != nil {
		return nil
	}
	return hashline.Paths(args.Input)
}

// findStructures returns the rules whose ast-grep patterns match the text that a call would write
// into a file. It prepares the call to get that text, which changes nothing. If a rule could not be
// applied, the user is told why, once.
func (t *turn) findStructures(watch *streamrule.Watch, call provider.ToolCall) (matched []streamrule.Rule) {
	rules := watch.Structural(call.Name)
	if len(rules) == 0 || !slices.Contains(editors(), call.Name) || t.agent.cfg.Tools == nil {
		return nil
	}
	ctx, stop := context.WithTimeout(t.ctx, structureTime)
	defer stop()
	prepared, err := t.agent.cfg.Tools.Prepare(ctx, call.Name, call.ID, call.Input)
	if err != nil { // it has no text: the call itself says why
		return nil
	}
	texts := textsOf(prepared)
	for _, r := range rules {
		found, err := false, errors.New("nothing looks for structures here")
		if t.agent.cfg.Structures != nil {
			found, err = r.FindIn(ctx, t.agent.cfg.Structures, texts)
		}
		switch {
		case found:
			watch.Found(r.Name)
			matched = append(matched, r)
		case err != nil && t.ctx.Err() == nil:
			t.sayProblem(fmt.Sprintf("The astCondition of the rule %s was not looked for: %v.", r.Name, err))
		}
	}
	return matched
}

// textsOf returns the new contents of the files that a prepared call would write.
func textsOf(call tool.Call) (texts []streamrule.Text) {
	if p := call.Proposal; p != nil && p.After != nil && !p.Remove {
		texts = append(texts, streamrule.Text{Path: call.Path, Data: p.After})
	}
	for _, part := range call.Parts {
		texts = append(texts, textsOf(part.Call)...)
	}
	return texts
}

// sayProblem tells the user of a rule that could not be applied, once in a conversation.
func (t *turn) sayProblem(text string) {
	t.agent.mu.Lock()
	said := t.agent.ruleProblems[text]
	if t.agent.ruleProblems == nil {
		t.agent.ruleProblems = map[string]bool{}
	}
	t.agent.ruleProblems[text] = true
	t.agent.mu.Unlock()
	if !said {
		t.on(Notice{text})
	}
}
