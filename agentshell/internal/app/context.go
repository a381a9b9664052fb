package app

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/briefing"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/window"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// contextLines returns lines for /context: the parts of the model's next request, each with an
// estimate of its tokens.
func (r *conversation) contextLines(a *agent.Agent) []string {
	lines := []string{"The model knows (tokens are estimates):"}
	sum := 0
	add := func(name string, n int) {
		sum += n
		lines = append(lines, tokenRow(n, name))
	}
	add("how to work here",
		provider.Tokens(systemPrompt(r.ws, furtherRootsText(r.roots.all()), r.confined(), r.env.Tags != nil)))
	for _, p := range r.briefing.Parts {
		add(p.Name, provider.Tokens(p.Text))
	}
	specs := r.tools.Specs()
	add(fmt.Sprintf("%d tools", len(specs)), window.FixedTokens("", specs))
	messages := a.Messages()
	add(fmt.Sprintf("conversation, %d messages", len(messages)), window.MessagesTokens(messages))
	lines = append(lines, tokenRow(sum, "all"))
	if c, tokens, active := a.Checkpoint(); active {
		lines = append(lines, "After its checkpoint, to be replaced by a report:", tokenRow(tokens, c.Goal))
	}
	if names := ruleNames(r.rules()); names != "" {
		lines = append(lines, "Rules that interrupt it: "+names)
	}
	return append(lines, nestedLines(r.nested.Parts())...)
}

// nestedLines returns lines for /context about instructions of subdirectories, which are part of
// the conversation.
func nestedLines(parts []briefing.Part) []string {
	if len(parts) == 0 {
		return nil
	}
	lines := []string{"In the conversation, since a file below was read:"}
	for _, p := range parts {
		lines = append(lines, tokenRow(provider.Tokens(p.Text), p.Name))
	}
	return lines
}

func tokenRow(n int, name string) string { return fmt.Sprintf("%7d  %s", n, diff.Escape(name)) }
