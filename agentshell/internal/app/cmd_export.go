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

// ExportOptions is what `agentshell export` may be asked for.
type ExportOptions struct {
	ID        string `arg:"" optional:"" help:"The session. Default: the last one of the workspace."`
	Workspace string `placeholder:"DIR" default:"." help:"The workspace of the session. Default: the current directory."`
}

// Export prints a session as markdown: `agentshell export [ID] [--workspace DIR]`. What was said
// may be anything, so every control in it is made visible.
func (p Host) Export(f ExportOptions) (int, error) {
	dir, err := filepath.Abs(f.Workspace)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return 0, usage("--workspace: %w", err)
	}
	cfg := session.Config{Dir: filepath.Join(config.StateDir(p.getenv), "sessions"), Workspace: dir}
	if f.ID == "" {
		if f.ID, err = last(cfg); err != nil {
			return 0, err
		}
	}
	messages, passed, err := session.ReadConversation(cfg, f.ID)
	if err != nil {
		return 0, unknown(cfg, err)
	}
	if passed > 0 {
		say(p.Stderr, "scrollkeep: %d damaged entries of the session log were passed over", passed)
	}
	return headless.ExitDone, writeMarkdown(p.Stdout, f.ID, messages)
}

// writeMarkdown writes a conversation for people to read.
func writeMarkdown(w io.Writer, id string, messages []provider.Message) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Session %s\n", id)
	for _, m := range messages {
		for _, part := range m.Parts {
			switch part := part.(type) {
			case provider.Text:
				who := "The model"
				switch {
				case m.Role != provider.User:
				case part.Origin == provider.Report:
					who = "Back at the checkpoint"
				case part.Origin.Person() || part.Origin == provider.Attached:
					who = "You"
				default:
					who = "The shell"
				}
				fmt.Fprintf(&b, "\n## %s\n\n%s\n", who, harmless(part.Text))
			case provider.Image:
				fmt.Fprintf(&b, "\n%s\n", harmless(part.Line()))
			case provider.ToolCall:
				fmt.Fprintf(&b, "\n### %s\n\n%s", harmless(part.Name), fenced("json", string(part.Input)))
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

func harmless(s string) string {
	s, _ = visible.Options{Newline: true, Tab: true, Joiners: true}.String(strings.TrimRight(s, "\n"))
	return s
}

// fenced returns a code block whose fence the text cannot close.
func fenced(language, s string) string {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + language + "\n" + harmless(s) + "\n" + fence + "\n"
}
