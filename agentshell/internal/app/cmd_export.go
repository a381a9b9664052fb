package app

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// ExportOptions are the options of `agentshell export`.
type ExportOptions struct {
	ID        string `arg:"" optional:"" help:"The session. Default: the last one of the workspace."`
	Workspace string `placeholder:"DIR" default:"." help:"The workspace of the session. Default: the current directory."`
}

// Export handles `agentshell export [ID] [--workspace DIR]`: it prints a session as markdown.
// Control characters in it become visible.
func (p Host) Export(f ExportOptions) (int, error) {
	dir, err := filepath.Abs(f.Workspace)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return 0, UsageErrorf("--workspace: %w", err)
	}
	cfg := session.Config{Dir: filepath.Join(config.StateDir(p.getenv), "sessions"), Workspace: dir}
	if f.ID == "" {
		if f.ID, err = lastSession(cfg); err != nil {
			return 0, err
		}
	}
	messages, damaged, err := session.ReadConversation(cfg, f.ID)
	if err != nil {
		return 0, asUsageError(cfg, err)
	}
	if damaged > 0 {
		PrintLine(p.Stderr, "agentshell: %d damaged entries of the session log were passed over", damaged)
	}
	agents, err := session.Agents(cfg, f.ID)
	if err != nil {
		return 0, err
	}
	if err := writeMarkdown(p.Stdout, "Session "+f.ID, messages); err != nil {
		return 0, err
	}
	for _, a := range agents {
		if messages, err = session.ReadAgent(cfg, f.ID, a.ID); err != nil {
			return 0, err
		}
		PrintLine(p.Stdout, "")
		if err := writeMarkdown(p.Stdout, fmt.Sprintf("Agent %s (%s, %s)", a.ID, visibleText(a.Kind),
			agentState(a)), messages); err != nil {
			return 0, err
		}
	}
	return headless.ExitDone, nil
}

// writeMarkdown writes a conversation as markdown.
func writeMarkdown(w io.Writer, title string, messages []provider.Message) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", title)
	for _, m := range messages {
		for _, part := range m.Parts {
			switch part := part.(type) {
			case provider.Text:
				who := "The model"
				switch {
				case m.Role != provider.User:
				case part.Origin == provider.Report:
					who = "Back at the checkpoint"
				case part.Origin.IsFromPerson() || part.Origin == provider.Attached:
					who = "You"
				default:
					who = "The shell"
				}
				fmt.Fprintf(&b, "\n## %s\n\n%s\n", who, visibleText(part.Text))
			case provider.Image:
				fmt.Fprintf(&b, "\n%s\n", visibleText(part.Line()))
			case provider.ToolCall:
				fmt.Fprintf(&b, "\n### %s\n\n%s", visibleText(part.Name), fenced("json", string(part.Input)))
			case provider.ToolResult:
				what := "Result"
				if part.IsError {
					what = "Error"
				}
				fmt.Fprintf(&b, "\n%s:\n\n%s", what, fenced("", part.Text))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func visibleText(s string) string {
	s, _ = visible.Options{Newline: true, Tab: true, Joiners: true}.String(strings.TrimRight(s, "\n"))
	return s
}

// fenced returns a code block whose fence does not occur in the text.
func fenced(language, s string) string {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + language + "\n" + visibleText(s) + "\n" + fence + "\n"
}
