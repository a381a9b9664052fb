// Package export writes a recorded session to a file for other readers: as Markdown, as JSON, or as
// one HTML page that needs no other file.
//
// The text of a session is untrusted: it never becomes HTML markup, a script, or a terminal's
// control sequence. All secrets that are known at the time of the export are replaced. A session is
// written message by message, so that a long one needs little memory.
package export

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Format is a file format that a session can be exported in.
type Format string

// All export formats.
const (
	Markdown Format = "markdown"
	JSON     Format = "json"
	HTML     Format = "html"
)

// Formats returns the names of all export formats.
func Formats() []string { return []string{string(HTML), string(Markdown), string(JSON)} }

// extensions returns the file name extensions of the format, such as ".html", the usual one first.
// It returns nil for an unknown format.
func (f Format) extensions() []string {
	switch f {
	case Markdown:
		return []string{".md", ".markdown"}
	case JSON:
		return []string{".json"}
	case HTML:
		return []string{".html", ".htm"}
	}
	return nil
}

// FormatOf returns the format that fits the extension of a file name, or "" if none does.
func FormatOf(file string) Format {
	for _, f := range Formats() {
		if slices.Contains(Format(f).extensions(), strings.ToLower(filepath.Ext(file))) {
			return Format(f)
		}
	}
	return ""
}

// Session is a recorded session to be exported. All text in it is untrusted.
type Session struct {
	ID, Name, Model string
	Workspace       string // The name of the workspace.
	// When the session began.
	Began time.Time
	Cost  string // The cost as it is shown; "" if it is not known.
	// Conversations holds the conversation of the user, and those of the agents that the model has
	// started.
	Conversations []Conversation
	// The secrets that are replaced in all texts.
	Secrets secret.Set
}

// Conversation is one conversation of a session, with the file changes that it has made.
type Conversation struct {
	// The name of the agent that had the conversation with the model; "" for the user's own
	// conversation.
	Agent    string
	Messages []provider.Message
	// Edits returns the file changes that a tool call has made; call is its id. Edits is nil if
	// they are not known.
	Edits func(ctx context.Context, call string) []tool.Edited
}

// Progress is a function that is told, from time to time, how many messages of how many are
// written.
type Progress func(done, of int)

// Write writes the session in the format f. progress may be nil.
func (s Session) Write(ctx context.Context, to io.Writer, f Format, progress Progress) error {
	b := bufio.NewWriterSize(to, 64<<10)
	w := &writer{ctx: ctx, Session: s, out: b, progress: progress}
	for _, c := range s.Conversations {
		w.all += len(c.Messages)
	}
	var err error
	switch f {
	case Markdown:
		err = w.markdown()
	case JSON:
		err = w.json()
	case HTML:
		err = w.page()
	default:
		err = fmt.Errorf("there is no format %q", f)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	return b.Flush()
}

// writer writes one session in any of the formats.
type writer struct {
	Session
	ctx       context.Context
	out       *bufio.Writer
	progress  Progress
	done, all int // The number of messages written so far, and of all messages.
}

// progressStep is the number of messages after which the progress function is called again.
const progressStep = 64

// next counts a message that is about to be written, and reports the progress. It returns false if
// the export was cancelled.
func (w *writer) next() bool {
	if w.progress != nil && w.done%progressStep == 0 {
		w.progress(w.done, w.all)
	}
	w.done++
	return w.ctx.Err() == nil
}

// message returns message i of conversation c with its secrets replaced. following holds the next
// message, in which the results of its tool calls are.
func (w *writer) message(c Conversation, i int) (m provider.Message, following []provider.Message) {
	if i+1 < len(c.Messages) {
		following = []provider.Message{c.Messages[i+1].Redact(w.Secrets)}
	}
	return c.Messages[i].Redact(w.Secrets), following
}

// edits returns the file changes that a tool call has made, with their secrets replaced. call is
// the id of the call.
func (w *writer) edits(c Conversation, call string) []tool.Edited {
	if c.Edits == nil {
		return nil
	}
	list := c.Edits(w.ctx, call)
	for i := range list {
		e := &list[i]
		e.Path = shownPath(w.Secrets.Redact(e.Path))
		for h := range e.Diff.Hunks {
			for l := range e.Diff.Hunks[h].Lines {
				line := &e.Diff.Hunks[h].Lines[l]
				line.Text = w.Secrets.Redact(line.Text)
			}
		}
	}
	return list
}

// shownPath returns path as it is shown to a reader: a path in the workspace becomes relative to
// the workspace.
func shownPath(path string) string { return strings.TrimPrefix(path, "workspace/") }

// counts returns a summary of a file change, such as "+1 −2".
func counts(e tool.Edited) string {
	switch s := e.Diff.Stats; {
	case e.Denied:
		return fmt.Sprintf("+%d −%d, denied", s.Added, s.Removed)
	case e.Removed:
		return "removed"
	case e.New:
		return fmt.Sprintf("new file, +%d", s.Added)
	default:
		return fmt.Sprintf("+%d −%d", s.Added, s.Removed)
	}
}

// title returns the name of the session or, if it has none, the beginning of the user's first
// message.
func (s Session) title() string {
	const most = 80
	title := s.Name
	for _, c := range s.Conversations[:min(len(s.Conversations), 1)] {
		for _, m := range c.Messages {
			if text, from := m.MainText(); title == "" && m.Role == provider.User && from == provider.Typed {
				title, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
			}
		}
	}
	if title = s.Secrets.Redact(title); len(title) > most {
		title = strings.TrimSpace(width.Head(title, most)) + "…"
	}
	if title == "" {
		title = "Session " + s.ID
	}
	return visibleText(title)
}

// visibleText returns s with its control and hidden characters made visible.
func visibleText(s string) string {
	s, _ = visible.Options{Newline: true, Tab: true, Joiners: true}.String(strings.TrimRight(s, "\n"))
	return s
}

// endOf returns the result of a tool call and the file changes that it has made. The messages after
// the call, following, contain the result.
func (w *writer) endOf(c Conversation, call provider.ToolCall, following []provider.Message) agent.ToolEnd {
	end := agent.StoredCallEnd(call, following)
	if end.OK || end.Kind == agent.KindDenied {
		end.Result.Edits = w.edits(c, call.ID)
	}
	return end
}
