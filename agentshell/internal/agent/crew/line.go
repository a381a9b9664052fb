package crew

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/plural"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// EndLine returns a one-line summary of an agent's work, without its id, such as "done, 9 steps,
// 31k tokens, 2 files changed". The line is untrusted.
func EndLine(r tool.AgentResult) string {
	parts := []string{"done", plural.Of(r.Steps, "step")}
	if r.Tokens > 0 {
		parts = append(parts, tokens(r.Tokens))
	}
	switch {
	case r.Aborted:
		parts[0] = "stopped"
	case r.Err != nil:
		parts[0] = "failed"
	}
	if n := len(r.Changed); n > 0 {
		parts = append(parts, plural.Of(n, "file")+" changed")
	}
	line := strings.Join(parts, ", ")
	if r.Err != nil {
		line += ": " + firstLine(r.Err.Error())
	}
	return line
}

// Line returns the message in one line, with arrow between sender and recipient.
func (m Mail) Line(arrow string) string {
	from := m.From
	if m.Person {
		from = "you"
	}
	to := m.To
	if why := m.Failure(); why != "" {
		to += " (failed: " + why + ")"
	}
	return fmt.Sprintf("%s %s %s: %s", from, arrow, to, strings.Join(strings.Fields(m.Text), " "))
}

// Failure returns why the message has reached no recipient, "" if it has reached one.
func (m Mail) Failure() string {
	var why string
	for _, r := range m.Receipts {
		if r.Outcome != team.Failed {
			return ""
		}
		why = r.Err.Error()
	}
	return why
}

// tokens returns a number of tokens in words, such as "812 tokens" or "31k tokens".
func tokens(n int) string {
	switch {
	case n < 1000:
		return plural.Of(n, "token")
	case n < 10_000:
		return fmt.Sprintf("%.1fk tokens", float64(n)/1000)
	}
	return fmt.Sprintf("%dk tokens", n/1000)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
