package shell

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/console"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension"
	"github.com/scrollkeep/scrollkeep/terminal/width"
	"github.com/scrollkeep/scrollkeep/tui"
)

// How many rows of a long output the block of a tool call shows: the first and the last ones after
// the call, and the last ones while it runs.
const (
	outputHead    = 8
	outputTail    = 8
	outputLive    = 6
	maxLiveOutput = 64 << 10 // bytes of output that are stored while the call runs
)

// call implements the transcript's block of a tool call. While the call runs, the block shows its
// title, the last rows of its output, and a spinner. After the call it shows the title, a summary
// and the result, and does not change any more.
type call struct {
	title     string
	startedAt time.Time // The time of the first frame that shows the call.
	// The last part of the output so far.
	output console.Tail
	// The end of the call, with its result; nil: the call still runs.
	ended *agent.ToolEnd
	// rows returns the rows by which an extension replaces the output of the running call; nil: no
	// extension does.
	rows func(s tui.Space) []tui.Line
	// The rows by which an extension replaces the result; nil: the shell shows the result.
	shown extension.Rows
	diff  int // The number of the call's first file change for /diff; 0: it has changed no file.
}

// appendOutput adds output of the running call.
func (c *call) appendOutput(s string) {
	c.output.Limit = maxLiveOutput
	_, _ = c.output.Write([]byte(s))
}

// View returns the rows of the block in its current state.
func (c *call) View(s tui.Space) tui.View {
	if c.ended != nil {
		return endedCallAs(*c.ended, c.shown, c.diff).View(s)
	}
	if c.startedAt.IsZero() {
		c.startedAt = s.Now
	}
	t := s.Look()
	rows := []tui.Line{s.Cut(tui.Span{Text: t.Glyphs.Tool + " ", Style: t.Accent}, tui.Span{Text: c.title})}
	if shown := c.extensionRows(s); len(shown) > 0 {
		rows = append(rows, shown...)
	} else {
		text, _ := c.output.Text()
		lines := outputLines(text)
		for _, l := range lines[max(len(lines)-outputLive, 0):] {
			rows = append(rows, s.Cut(tui.Span{Text: l, Style: t.Dim}))
		}
	}
	if c.title == tool.AskName { // the user knows how long that takes
		return tui.View{Lines: append(rows, s.Cut(tui.Span{Text: "  waits for your answer", Style: t.Dim}))}
	}
	status := tui.Status{Text: "running", Since: c.startedAt}
	v := status.View(s)
	return tui.View{Lines: append(rows, v.Lines...), RefreshAfter: v.RefreshAfter}
}

// extensionRows returns the rows by which an extension replaces the output of the running call, or
// none.
func (c *call) extensionRows(s tui.Space) []tui.Line {
	if c.rows == nil {
		return nil
	}
	return c.rows(s)
}

// outputLines splits the output of a command into lines as a terminal would show them: text that a
// carriage return overwrites is dropped. Empty lines at the end are dropped, too.
func outputLines(s string) []string {
	s = strings.TrimRight(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	if s == "" {
		return nil
	}
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = l[strings.LastIndexByte(strings.TrimRight(l, "\r"), '\r')+1:]
	}
	return lines
}

// endedCall returns the transcript's block of a tool call that has ended, as [endedCallAs] does for
// a call without rows of an extension and without numbers for /diff.
func endedCall(e agent.ToolEnd) staticBlock { return endedCallAs(e, nil, 0) }

// endedCallAs returns the transcript's block of a tool call that has ended. shown are rows of an
// extension that replace the output; nil: the output is shown. first is the number of the call's
// first file change for /diff; 0: it has none.
func endedCallAs(e agent.ToolEnd, shown extension.Rows, first int) staticBlock {
	return func(s tui.Space) []tui.Line {
		t := s.Look()
		glyph, style := t.Glyphs.Tool, t.Accent
		title, summary := displayTitle(e.Title), e.Result.Summary
		var body []tui.Line
		switch {
		case e.Proposal != nil:
			return decidedCall(e, shown, first, s)
		case showsAsChanges(e):
			return storedChanges(e, approvedRows, first, s)
		case e.Kind == agent.KindDenied:
			glyph, style, summary = t.Glyphs.No, t.Removed, denialText(e.Decision)
		case e.Kind == agent.KindInterrupted:
			glyph, style, summary = t.Glyphs.Problem, t.Error, stoppedWord
			body = outputRows(e, stoppedOutput(e), first, s)
		case !e.OK:
			glyph, style = t.Glyphs.Problem, t.Error
			summary, body = failure(e, s)
		case !hidesResult(e.Name):
			if shown == nil {
				body = outputRows(e, e.Result.Detail, first, s)
			} else {
				body = append(wrappedRows(shown, s), changedRows(e, first, s)...)
			}
		}
		return append(titleRows(s, glyph, style, title, summary), body...)
	}
}

// hidesResult reports whether the block of a successful call of the named tool shows no result (see
// [tool.Quiet]). The rows above the prompt show the todo list already, and the title of a
// checkpoint shows its goal.
func hidesResult(name string) bool {
	return tool.Quiet(name) || name == "todo" || name == provider.CheckpointName
}

// displayTitle returns the title of a tool call with its path written relative to the workspace.
func displayTitle(title string) string {
	name, argument, found := strings.Cut(title, " ")
	switch {
	case !found:
		return title
	case argument == "workspace":
		return name + " ."
	}
	return name + " " + displayPath(argument)
}

// titleRows returns the title of a block, which takes several rows if it is long: a glyph, the
// title, and the summary in the theme's dim style.
func titleRows(s tui.Space, glyph string, style tui.Style, title, summary string) []tui.Line {
	return titleRowsInTone(s, glyph, style, title, summary, s.Look().Dim)
}

// titleRowsInTone returns the title of a block as [titleRows] does, but it shows the summary in the
// given style tone, such as that of an error.
func titleRowsInTone(s tui.Space, glyph string, style tui.Style, title, summary string, tone tui.Style) []tui.Line {
	spans := []tui.Span{{Text: title}}
	if summary != "" {
		spans = append(spans, tui.Span{Text: "  " + summary, Style: tone})
	}
	layout := tui.Layout{Width: s.Width, Model: s.Model, Native: s.Native,
		FirstPrefix: []tui.Span{{Text: glyph + " ", Style: style}}, NextPrefix: []tui.Span{{Text: "  "}}}
	return layout.Append(nil, 0, oneLine(spans)...)
}

// oneLine prepares spans for a title: it replaces line ends by blanks and cuts texts of more than
// maxLineBytes. It changes the slice.
func oneLine(spans []tui.Span) []tui.Span {
	for i := range spans {
		text, omitted := clipLine(spans[i].Text)
		spans[i].Text = strings.Join(strings.Split(strings.TrimRight(text, "\r\n"), "\n"), " ")
		if omitted > 0 {
			spans[i].Text += fmt.Sprintf(" (%s not shown)", byteSize(omitted))
		}
	}
	return spans
}

// maxLineBytes is the number of bytes that the transcript shows of one line of output or of a file.
const maxLineBytes = 1000

// clipLine cuts a line after maxLineBytes at most. omitted is the number of bytes that were cut
// off.
func clipLine(s string) (head string, omitted int) {
	if len(s) <= maxLineBytes {
		return s, 0
	}
	head = width.Head(s, maxLineBytes)
	return head, len(s) - len(head)
}

// omittedNote returns the note at the end of a line that was cut, such as " … 12 kB not shown".
func omittedNote(t *tui.Theme, bytes int) string {
	return fmt.Sprintf(" %s %s not shown", t.Glyphs.More, byteSize(bytes))
}

// failure splits the error text of a failed tool call. The first line becomes the summary in the
// title, and body holds rows with the others.
func failure(e agent.ToolEnd, s tui.Space) (summary string, body []tui.Line) {
	first, others, _ := strings.Cut(e.Text, "\n")
	return first, excerptRows(others, s)
}

// fullOutput returns the whole output of a call that has ended. truncated reports whether the block
// of the call shows only a part of it.
func fullOutput(e agent.ToolEnd) (text string, truncated bool) {
	maxRows := outputHead + outputTail + 1
	switch {
	case e.UserCommand:
		maxRows = maxCommandRows + 1
	case hidesResult(e.Name) && e.OK:
		return "", false
	}
	switch text = e.Result.Detail; {
	case e.Kind == agent.KindInterrupted:
		text = stoppedOutput(e)
	case !e.OK:
		_, text, _ = strings.Cut(e.Text, "\n")
	}
	return text, len(outputLines(text)) > maxRows
}

// denialText returns a short text about the decision that denied a call, such as "denied by hook:
// no network". A reason that names its rule or mode is returned alone.
func denialText(a approval.Decision) string {
	text := "denied"
	switch {
	case a.By == "rule" && strings.HasPrefix(a.Reason, "denied"): // by which one
		return a.Reason
	case a.By == "mode" && a.Reason != "": // it names the mode
		return a.Reason
	}
	if a.By != "" && a.By != "person" {
		text += " by " + strings.ReplaceAll(a.By, "_", " ")
	}
	if a.Reason != "" {
		text += ": " + a.Reason
	}
	return text
}

// excerptRows returns the first and the last rows of an output. In place of the middle of a long
// output, a row counts the missing ones.
func excerptRows(text string, s tui.Space) []tui.Line {
	return firstAndLastRows(text, outputHead, outputTail, s)
}

// firstAndLastRows returns the first head lines and the last tail lines of a text as rows. If lines
// between them are left out, a row counts them. Long lines are wrapped by the terminal.
func firstAndLastRows(text string, head, tail int, s tui.Space) []tui.Line {
	var (
		t      = s.Look()
		lines  = outputLines(text)
		rows   []tui.Line
		layout = tui.Layout{Width: s.Width, Model: s.Model, Native: true}
	)
	for i := 0; i < len(lines); i++ {
		if hidden := len(lines) - head - tail; i == head && hidden > 1 {
			omitted := fmt.Sprintf("%s %s not shown, /output shows all", t.Glyphs.More, countOf(hidden, "row"))
			rows = append(rows, s.Cut(tui.Span{Text: omitted, Style: t.Dim}))
			i += hidden
		}
		if lines[i] == "" {
			row := tui.Line{}
			if t.Dim.Fg == 0 { // a blank row would end the block: what follows would read as the answer
				row = s.Cut(tui.Span{Text: t.Glyphs.Dot, Style: t.Dim})
			}
			rows = append(rows, row)
			continue
		}
		text, clipped := clipLine(lines[i])
		if clipped > 0 {
			text += omittedNote(t, clipped)
		}
		rows = layout.Append(rows, 0, linkedSpans(text, clipped > 0, t.Dim)...)
	}
	return rows
}

// linkedSpans returns a line of output in the given style. If the line consists of a web address
// alone, it becomes a hyperlink, so that it can be opened even if it is wrapped. clipped tells that
// the line was cut; it is then no link.
func linkedSpans(line string, clipped bool, style tui.Style) []tui.Span {
	at := strings.TrimLeft(line, " ")
	if clipped || !strings.HasPrefix(at, "https://") && !strings.HasPrefix(at, "http://") ||
		strings.ContainsFunc(at, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return []tui.Span{{Text: line, Style: style}}
	}
	return []tui.Span{{Text: line[:len(line)-len(at)], Style: style}, {Text: at, Link: at, Style: style}}
}

// changedRows returns rows about the files that a tool call has changed: excerpts of their diffs,
// and the names of other changed files. first is the number of the first change for /diff; 0: the
// changes have no numbers.
func changedRows(e agent.ToolEnd, first int, s tui.Space) []tui.Line {
	return append(editedFileRows(e.Result.Edits, first, s), changedFilesRow(e, s)...)
}

// changedFilesRow returns a row with the names of the files that a command has changed (PANE-13),
// except for those whose diff is shown.
func changedFilesRow(e agent.ToolEnd, s tui.Space) []tui.Line {
	if len(e.Result.Changed) == 0 {
		return nil
	}
	var names []string
	for i, name := range e.Result.Changed {
		if slices.ContainsFunc(e.Result.Edits, func(ed tool.Edited) bool {
			return displayPath(ed.Path) == displayPath(name)
		}) {
			continue // it is shown
		}
		if len(names) == 20 {
			names = append(names, fmt.Sprintf("and %d more", len(e.Result.Changed)-i))
			break
		}
		names = append(names, displayPath(name))
	}
	if len(names) == 0 {
		return nil
	}
	return s.Wrap(tui.Span{Text: "changed: " + strings.Join(names, ", "), Style: s.Look().Dim})
}

// The largest number of rows of its diff that the transcript shows of an approved or a denied
// change.
const (
	approvedRows = 40
	deniedRows   = 12
)

// decidedCall returns the rows of a call that the user or a rule has approved or denied (PANE-9):
// its title, the decision, and an excerpt of its diff or output. shown are rows of an extension
// that replace the output; nil: there are none. first is the number of the call's first file change
// for /diff; 0: it has none.
func decidedCall(e agent.ToolEnd, shown extension.Rows, first int, s tui.Space) []tui.Line {
	t := s.Look()
	p := e.Proposal
	glyph, style, limit := t.Glyphs.Yes, t.Added, approvedRows
	outcomeStyle := t.Dim
	name, about := changeTitle(e)
	words := withoutEmpty([]string{about})
	if p.By != "" {
		words = append([]string{"by " + p.By}, words...)
	}
	switch {
	case e.Kind == agent.KindDenied:
		glyph, style, limit = t.Glyphs.No, t.Removed, deniedRows
		words = append(words, denialText(e.Decision))
	case e.Kind == agent.KindInterrupted:
		glyph, style, limit = t.Glyphs.Problem, t.Error, 0
		words = append(words, stoppedWord)
	case !e.OK:
		glyph, style, limit = t.Glyphs.Problem, t.Error, 0
		words = append(words, "not done: "+e.Text)
	default:
		if by := e.Decision.By; by != "" && by != "person" {
			words = append(words, "allowed by "+by)
		}
		if p.Revision != "" {
			words = append(words, strings.Replace(p.Revision, " chosen", " applied", 1))
		}
		switch p.Payload.(type) {
		case approval.Command, approval.Generic, approval.Page, approval.Search, approval.Publish:
			// It was allowed; what came of it is another thing.
			glyph, style = t.Glyphs.Tool, t.Accent
		}
		if _, search := p.Payload.(approval.Search); search && e.Result.Summary != "" {
			words = append(words, e.Result.Summary)
		}
		if _, command := p.Payload.(approval.Command); command && e.Result.Summary != "" {
			words = append(words, e.Result.Summary)
			exit, _, _ := strings.Cut(e.Result.Summary, ",")
			if exit != "exit 0" && p.Tool != tool.EvalName && !strings.HasSuffix(exit, " runs in the background") {
				outcomeStyle = t.Error
			}
		}
	}
	rows := titleRowsInTone(s, glyph, style, name, strings.Join(words, ", "), outcomeStyle)
	switch pl := p.Payload.(type) {
	case approval.Plan:
		rows = append(rows, planBlock(pl, s)...)
	case approval.Write, approval.Edit, approval.Undo:
		rows = append(rows, diffExcerpt(p, limit, first, s)...)
	default:
		switch {
		case e.OK && shown != nil:
			rows = append(append(rows, wrappedRows(shown, s)...), changedRows(e, first, s)...)
		case e.OK:
			rows = append(rows, outputRows(e, e.Result.Detail, first, s)...)
		case e.Kind == agent.KindInterrupted:
			rows = append(rows, outputRows(e, stoppedOutput(e), first, s)...)
		default:
			rows = append(rows, changedRows(e, first, s)...)
		}
	}
	return rows
}

// changeTitle returns the title of a decided call and a summary of its change, such as "edit
// notes.md" and "+1 -1", or "write haiku.txt" and "new file, +3".
func changeTitle(e agent.ToolEnd) (name, about string) {
	p := e.Proposal
	switch pl := p.Payload.(type) {
	case approval.Write:
		if !pl.FileExists {
			return "write " + displayPath(p.Path), fmt.Sprintf("new %s, +%d", pl.What(), p.Diff.Stats.Added)
		}
		if p.Flagged(approval.FlagBinary) {
			return "write " + displayPath(p.Path), countsOf(p)
		}
		return "write " + displayPath(p.Path), plusMinus(p.Diff.Stats)
	case approval.Edit:
		if pl.Removes {
			return "remove " + displayPath(p.Path), plusMinus(p.Diff.Stats)
		}
		return "edit " + displayPath(p.Path), plusMinus(p.Diff.Stats)
	case approval.Undo:
		return pl.Verb() + " " + displayPath(p.Path), undoCounts(pl, p.Diff.Stats, plusMinus(p.Diff.Stats))
	case approval.Plan:
		return "plan", e.Result.Summary
	}
	return displayTitle(e.Title), ""
}
