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
	"github.com/scrollkeep/scrollkeep/tui/diffview"
)

// How many rows of long output a block shows: the first and the last ones. While the call runs
// it shows the last ones only.
const (
	outputHead    = 8
	outputTail    = 8
	outputLive    = 6
	maxLiveOutput = 64 << 10 // bytes that are kept while it runs
)

// call is the block of a tool call. While the call runs, the block shows its title, the end of its
// output and a spinner. Then it shows the title with a summary and the result, in rows that do not
// change any more.
type call struct {
	title     string
	startedAt time.Time // time of the first frame
	output    console.Tail
	// nil while the call runs
	ended *agent.ToolEnd
	// rows returns what an extension shows of the running call; nil: none does. shown is what it
	// shows of the result; nil: the shell does.
	rows  func(s tui.Space) []tui.Line
	shown extension.Rows
	diff  int // number of its first change for /diff; 0: it has none
}

// appendOutput adds output of the running tool.
func (c *call) appendOutput(s string) {
	c.output.Limit = maxLiveOutput
	_, _ = c.output.Write([]byte(s))
}

// View returns the rows of the call as it is now.
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
	if c.title == tool.AskName { // the person knows how long that takes
		return tui.View{Lines: append(rows, s.Cut(tui.Span{Text: "  waits for your answer", Style: t.Dim}))}
	}
	status := tui.Status{Text: "running", Since: c.startedAt}
	v := status.View(s)
	return tui.View{Lines: append(rows, v.Lines...), RefreshAfter: v.RefreshAfter}
}

// extensionRows returns the rows that an extension shows of the running call, as they are known.
func (c *call) extensionRows(s tui.Space) []tui.Line {
	if c.rows == nil {
		return nil
	}
	return c.rows(s)
}

// outputLines returns the lines of an output as a terminal would show them. Text before a carriage
// return is dropped.
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

// endedCall returns the block of a call that has ended.
func endedCall(e agent.ToolEnd) staticBlock { return endedCallAs(e, nil, 0) }

// endedCallAs returns the block of a call that has ended, with the rows of an extension in the
// place of its output; nil: the output is shown. first is the number of its first change for /diff;
// 0: it has none.
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

// hidesResult reports whether the result of a tool is not shown ([tool.Quiet]). The todo list
// stands above the prompt already, and the goal of a checkpoint stands in its title.
func hidesResult(name string) bool {
	return tool.Quiet(name) || name == "todo" || name == provider.CheckpointName
}

// displayTitle returns the title of a call with its path relative to the workspace.
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

// titleRows returns the first row of a block: glyph, title, and a dim summary. A long one breaks at
// words.
func titleRows(s tui.Space, glyph string, style tui.Style, title, summary string) []tui.Line {
	return titleRowsInTone(s, glyph, style, title, summary, s.Look().Dim)
}

// titleRowsInTone returns the first row of a block with the summary in the style tone.
func titleRowsInTone(s tui.Space, glyph string, style tui.Style, title, summary string, tone tui.Style) []tui.Line {
	spans := []tui.Span{{Text: title}}
	if summary != "" {
		spans = append(spans, tui.Span{Text: "  " + summary, Style: tone})
	}
	layout := tui.Layout{Width: s.Width, Model: s.Model, Native: s.Native,
		FirstPrefix: []tui.Span{{Text: glyph + " ", Style: style}}, NextPrefix: []tui.Span{{Text: "  "}}}
	return layout.Append(nil, 0, oneLine(spans)...)
}

// oneLine replaces the line ends in spans by blanks, and shortens what is too long for a title.
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

// maxLineBytes is the number of bytes that the transcript shows of one line.
const maxLineBytes = 1000

// clipLine returns the part of a line that is shown, and the number of bytes that are left out.
func clipLine(s string) (head string, omitted int) {
	if len(s) <= maxLineBytes {
		return s, 0
	}
	head = width.Head(s, maxLineBytes)
	return head, len(s) - len(head)
}

// omittedNote returns the words that stand for a number of bytes that are not shown.
func omittedNote(t *tui.Theme, bytes int) string {
	return fmt.Sprintf(" %s %s not shown", t.Glyphs.More, byteSize(bytes))
}

// failure returns the text of a failed call: its first line for the title row, and rows with the
// others.
func failure(e agent.ToolEnd, s tui.Space) (summary string, body []tui.Line) {
	first, others, _ := strings.Cut(e.Text, "\n")
	return first, excerptRows(others, s)
}

// fullOutput returns the output of a call, and reports whether its block shows only a part of it.
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

// denialText returns who denied a call, and why.
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

// excerptRows returns rows of output that the terminal wraps. The middle of a long output is left
// out.
func excerptRows(text string, s tui.Space) []tui.Line {
	return firstAndLastRows(text, outputHead, outputTail, s)
}

// firstAndLastRows returns the first head and the last tail lines of an output as rows.
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

// linkedSpans returns a line of output. A line that is nothing but an address of the internet is a
// link to it, so that it can be opened where it takes several rows.
func linkedSpans(line string, clipped bool, style tui.Style) []tui.Span {
	at := strings.TrimLeft(line, " ")
	if clipped || !strings.HasPrefix(at, "https://") && !strings.HasPrefix(at, "http://") ||
		strings.ContainsFunc(at, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return []tui.Span{{Text: line, Style: style}}
	}
	return []tui.Span{{Text: line[:len(line)-len(at)], Style: style}, {Text: at, Link: at, Style: style}}
}

// changedRows returns the rows of the files that a call changed beside its output.
// first is as in editedFileRows.
func changedRows(e agent.ToolEnd, first int, s tui.Space) []tui.Line {
	return append(editedFileRows(e.Result.Edits, first, s), changedFilesRow(e, s)...)
}

// changedFilesRow returns a row with the names of the files that a command changed (PANE-13).
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

// How many rows of its hunks a decided change shows.
const (
	approvedRows = 40
	deniedRows   = 12
)

// decidedCall returns the rows of a call that the person or a rule decided (PANE-9): what it was,
// the decision, and its hunks up to a limit. shown are the rows of an extension in the place of an
// output; nil: there are none. first is the number of its first change for /diff.
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

// changeTitle returns a title and a summary of a change, such as "edit notes.md" and "+1 -1", or
// "write haiku.txt" and "new file, +3".
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

// diffExcerpt returns the changed lines of p and their neighbours as the pane has shown them, up to
// limit rows. number is what /diff takes to show all of them; 0: it does not.
func diffExcerpt(p *approval.Proposal, limit, number int, s tui.Space) []tui.Line {
	if limit == 0 {
		return nil
	}
	var (
		t       = s.Look()
		rows, _ = mainView(p)
		kept    []diffview.Row
	)
	for i, r := range rows {
		if i == limit && len(rows)-i > 1 {
			break
		}
		from := firstShownByte(rows, i)
		text, after := clipLine(r.Text[from:])
		var omitted []string
		if from > 0 {
			omitted = append(omitted, byteSize(from)+" before it")
			r.More = true
		}
		if after > 0 {
			omitted = append(omitted, byteSize(after)+" behind it")
		}
		if len(omitted) > 0 {
			r.Mark = strings.Join(withoutEmpty([]string{strings.Join(omitted, " and ") + " not shown", r.Mark}), ", ")
		}
		r.Text = text
		kept = append(kept, r)
	}
	out := addColours(diffview.New(kept), p).Lines(s)
	if hidden := len(rows) - len(kept); hidden > 0 {
		omitted := fmt.Sprintf("%s %s not shown", t.Glyphs.More, countOf(hidden, "row"))
		if number > 0 {
			omitted += fmt.Sprintf(", /diff %d shows all", number)
		}
		out = append(out, s.Cut(tui.Span{Text: omitted, Style: t.Dim}))
	}
	return out
}

// firstShownByte returns the index of the byte from which on line i is shown. A long line that
// replaces another one is shown from a little before the first difference. All other lines are
// shown from their beginning.
func firstShownByte(rows []diffview.Row, i int) int {
	const margin = 100
	text, other := rows[i].Text, ""
	switch {
	case len(text) <= maxLineBytes:
		return 0
	case rows[i].Kind == diffview.Removed && i+1 < len(rows) && rows[i+1].Kind == diffview.Added:
		other = rows[i+1].Text
	case rows[i].Kind == diffview.Added && i > 0 && rows[i-1].Kind == diffview.Removed:
		other = rows[i-1].Text
	}
	n := 0
	for n < len(text) && n < len(other) && text[n] == other[n] {
		n++
	}
	if n < maxLineBytes/2 {
		return 0
	}
	return len(width.Head(text, n-margin))
}
