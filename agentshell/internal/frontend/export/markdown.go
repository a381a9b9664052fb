package export

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// markdown writes the session in the Markdown format.
func (w *writer) markdown() error {
	for _, c := range w.Conversations {
		if c.Agent == "" {
			fmt.Fprintf(w.out, "# Session %s\n", w.ID)
		} else {
			fmt.Fprintf(w.out, "\n# Agent %s\n", visibleText(w.Secrets.Redact(c.Agent)))
		}
		for at := range c.Messages {
			if !w.next() {
				return nil
			}
			m, following := w.message(c, at)
			for _, p := range m.Parts {
				w.markdownPart(c, m.Role, p, following)
			}
		}
	}
	return nil
}

// markdownPart writes one part of a message: a text, a picture, a tool call or its result.
func (w *writer) markdownPart(c Conversation, role provider.Role, p provider.Part, following []provider.Message) {
	switch p := p.(type) {
	case provider.Text:
		fmt.Fprintf(w.out, "\n## %s\n\n%s\n", speaker(role, p.Origin), visibleText(p.Text))
	case provider.Image:
		fmt.Fprintf(w.out, "\n%s\n", visibleText(p.Line()))
	case provider.ToolCall:
		fmt.Fprintf(w.out, "\n### %s\n\n%s", visibleText(p.Name), fenced("json", string(p.Input)))
		for _, e := range w.endOf(c, p, following).Result.Edits {
			fmt.Fprintf(w.out, "\n%s\n\n%s", visibleText(e.Path+": "+counts(e)), fenced("diff", unified(e)))
		}
	case provider.ToolResult:
		what := "Result"
		if p.IsError {
			what = "Error"
		}
		fmt.Fprintf(w.out, "\n%s:\n\n%s", what, fenced("", p.Text))
	}
}

// speaker returns the heading that says who wrote a text: the user, the model, or the shell.
func speaker(role provider.Role, from provider.Origin) string {
	switch {
	case role != provider.User:
		return "The model"
	case from == provider.Report:
		return "Back at the checkpoint"
	case from.IsFromPerson() || from == provider.Attached:
		return "You"
	}
	return "The shell"
}

// unified returns a file change as a unified diff.
func unified(e tool.Edited) string {
	text, _ := e.Diff.Unified(diff.GitLabels(e.Path), 0)
	return text
}

// fenced returns s as a code block. The fence is longer than any row of backticks in s.
func fenced(language, s string) string {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + language + "\n" + visibleText(s) + "\n" + fence + "\n"
}
