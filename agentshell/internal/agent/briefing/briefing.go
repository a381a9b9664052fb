// Package briefing gathers what a model is told before the conversation: where it works, and the
// instructions of the people who work there.
//
// Everything is looked at once, when a session starts, so that each request begins with the same
// bytes. All of it is bounded. What comes from the workspace tells how to work and grants nothing
// (FS-33).
package briefing

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// Part is one text that the model is told, and the name that a person knows it by.
type Part struct{ Name, Text string }

// Config says where to look.
type Config struct {
	Workspace *workspace.Workspace
	// May reports whether the rules let a tool see a path without a question. What lies above the
	// workspace is asked for as ../name. Nil: everything may be seen.
	May func(tool, path string) bool
	// ConfigDir is the person's directory of configuration; "": there is none.
	ConfigDir string
	Environ   []string      // of the git that is asked; os.Environ() as a rule
	Family    *child.Family // starts that git; nil: it is not asked
	Now       time.Time     // the date that the model is told
}

func (c Config) may(tool, path string) bool { return c.May == nil || c.May(tool, path) }

// Briefing is what was found. It does not change.
type Briefing struct {
	Parts []Part
	// Read are the files of instructions that were read, as a person knows them.
	Read []string
	// Notices are sentences for the person: what was left out, and why.
	Notices []string
}

// Text returns all parts, one behind the other.
func (b Briefing) Text() string {
	var all strings.Builder
	for _, p := range b.Parts {
		all.WriteString("\n" + p.Text)
	}
	return all.String()
}

// lookTime is how long the tree of a workspace may take.
const lookTime = time.Second

// Make looks around. It changes nothing, and what cannot be read is left out.
func Make(ctx context.Context, c Config) Briefing {
	var b Briefing
	b.Parts = append(b.Parts, Part{"date and place", fmt.Sprintf(
		"The session began on %s. The system is %s (%s). The workspace is the directory %q.\n",
		c.Now.Format("Monday, 2 January 2006"), runtime.GOOS, runtime.GOARCH, c.Workspace.Dir())})
	top := repository(c.Workspace.Dir())
	if text := c.git(ctx, top); text != "" {
		b.Parts = append(b.Parts, Part{"git status", text})
	}
	if c.Workspace.WhyBroad() == "" && c.may("list_dir", ".") {
		limited, cancel := context.WithTimeout(ctx, lookTime)
		text, err := tool.Outline(limited, c.Workspace)
		cancel()
		if err == nil && text != "" {
			b.Parts = append(b.Parts, Part{"tree", "The files of the workspace when the session began, in short:\n" +
				quote("tree", "", text)})
		}
	}
	b.instructions(ctx, c, top)
	return b
}

// quote frames text from outside. It cannot end its frame itself.
func quote(what, from, text string) string {
	if from != "" {
		from = fmt.Sprintf(" from=%q", from)
	}
	text = strings.ReplaceAll(text, "</"+what, "<\\/"+what)
	return "<" + what + from + ">\n" + strings.TrimRight(text, "\n") + "\n</" + what + ">\n"
}
