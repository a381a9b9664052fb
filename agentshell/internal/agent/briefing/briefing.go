// Package briefing collects the information for the system prompt: where the model works, and the
// instructions of the people who work there, such as AGENTS.md.
//
// Everything is collected once, when a session starts, so that each request begins with the same
// bytes. All texts have a limited length. Texts of the workspace say how to work, and grant no
// permissions (FS-33).
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

// Part is one section of the text for the model. Name describes it to the user.
type Part struct{ Name, Text string }

// Config says where the information for a briefing is found.
type Config struct {
	Workspace *workspace.Workspace
	// Allows reports whether the user's rules let a tool read a path without asking. A path above
	// the workspace has the form ../name. nil: all paths may be read.
	Allows func(tool, path string) bool
	// ConfigDir is the user's configuration directory; "": there is none.
	ConfigDir string
	Environ   []string      // environment variables for git; usually os.Environ()
	Family    *child.Family // starts git as a child process; nil: git is not run
	Now       time.Time     // the date that the model is told
}

func (c Config) allows(tool, path string) bool { return c.Allows == nil || c.Allows(tool, path) }

// Briefing is the collected text for the system prompt. It does not change during a session.
type Briefing struct {
	Parts []Part
	// InstructionFiles lists the instruction files, such as AGENTS.md, that were read.
	InstructionFiles []string
	// Notices are sentences for the user about files that were left out, and why.
	Notices []string
}

// Text returns the texts of all parts, one after the other.
func (b Briefing) Text() string {
	var all strings.Builder
	for _, p := range b.Parts {
		all.WriteString("\n" + p.Text)
	}
	return all.String()
}

// treeTimeout is the longest time for listing the files of the workspace.
const treeTimeout = time.Second

// Collect collects the briefing for a workspace. It changes nothing, and leaves out whatever cannot
// be read.
func Collect(ctx context.Context, c Config) Briefing {
	var b Briefing
	b.Parts = append(b.Parts, Part{"date and place", fmt.Sprintf(
		"The session began on %s. The system is %s (%s). The workspace is the directory %q.\n",
		c.Now.Format("Monday, 2 January 2006"), runtime.GOOS, runtime.GOARCH, c.Workspace.Dir())})
	top := repository(c.Workspace.Dir())
	if text := c.gitStatus(ctx, top); text != "" {
		b.Parts = append(b.Parts, Part{"git status", text})
	}
	if c.Workspace.WhyBroad() == "" && c.allows("list_dir", ".") {
		limited, cancel := context.WithTimeout(ctx, treeTimeout)
		text, err := tool.Outline(limited, c.Workspace)
		cancel()
		if err == nil && text != "" {
			b.Parts = append(b.Parts, Part{"tree", "The files of the workspace when the session began, in short:\n" +
				frame("tree", "", text)})
		}
	}
	b.addInstructions(ctx, c, top)
	return b
}

// frame encloses an untrusted text in tags. The text cannot contain the closing tag.
func frame(tag, from, text string) string {
	if from != "" {
		from = fmt.Sprintf(" from=%q", from)
	}
	text = strings.ReplaceAll(text, "</"+tag, "<\\/"+tag)
	return "<" + tag + from + ">\n" + strings.TrimRight(text, "\n") + "\n</" + tag + ">\n"
}
