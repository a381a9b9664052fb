package shell

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
)

// What a block shows of long output: the first and the last rows of it, and while it runs the last
// ones only.
const (
	outputHead = 8
	outputTail = 8
	outputLive = 6
	outputKeep = 64 << 10 // bytes kept while it runs
)

// call is a tool at work: its title, the end of its output, and a spinner in the last row. When it
// has ended it is the title with a summary and what it gave, in rows that stay.
type call struct {
	title  string
	since  time.Time // of the first frame
	output string    // while it runs
	cut    bool      // output lost its beginning
	end    *agent.ToolEnd
}

// write takes output while the tool runs.
func (c *call) write(s string) {
	c.output += s
	if over := len(c.output) - outputKeep; over > 0 {
		c.cut = true
		c.output = c.output[over:]
		if i := strings.IndexByte(c.output, '\n'); i >= 0 {
			c.output = c.output[i+1:]
		}
	}
}

// View shows the call as it is now.
func (c *call) View(s tui.Space) tui.View {
	if c.end != nil {
		return ended(*c.end).View(s)
	}
	if c.since.IsZero() {
		c.since = s.Now
	}
	t := s.Look()
	rows := []tui.Line{s.Cut(tui.Span{Text: t.Glyphs.Tool + " ", Style: t.Accent}, tui.Span{Text: c.title})}
	lines := outputLines(c.output)
	for _, l := range lines[max(len(lines)-outputLive, 0):] {
		rows = append(rows, s.Cut(tui.Span{Text: l, Style: t.Dim}))
	}
	status := tui.Status{Text: "running", Since: c.since}
	v := status.View(s)
	return tui.View{Lines: append(rows, v.Lines...), Again: v.Again}
}

// outputLines returns the rows of an output, as a terminal would have left them: what stands before
// a carriage return is gone.
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

// ended returns a call that is over, by what came of it.
func ended(e agent.ToolEnd) still {
	return func(s tui.Space) []tui.Line {
		t := s.Look()
		glyph, style := t.Glyphs.Tool, t.Accent
		title, summary := shownTitle(e.Title), e.Result.Summary
		var body []tui.Line
		switch {
		case e.Proposal != nil:
			return decided(e, s)
		case e.Kind == agent.KindDenied:
			glyph, style, summary = t.Glyphs.No, t.Removed, denial(e.Decision)
		case !e.OK:
			glyph, style = t.Glyphs.Problem, t.Error
			summary, body = failure(e, s)
		case !quietTool(e.Name):
			head, tail := outputHead, outputTail
			if e.Own {
				head, tail = ownRows/2, ownRows/2
			}
			body = append(append(excerpt(e.Result.Detail, head, tail, s), edited(e.Result.Edits, s)...),
				changedFiles(e, s)...)
		}
		return append(heading1(s, glyph, style, title, summary), body...)
	}
}

// quietTool is [tool.Quiet]; the todo list stands above the prompt, and the goal of a checkpoint in
// its title.
func quietTool(name string) bool {
	return tool.Quiet(name) || name == "todo" || name == provider.CheckpointName
}

// shownTitle returns a title with the path as a person reads it.
func shownTitle(title string) string {
	name, rest, found := strings.Cut(title, " ")
	switch {
	case !found:
		return title
	case rest == "workspace":
		return name + " ."
	}
	return name + " " + shown(rest)
}

// heading1 returns the first row of a block: glyph, title, and a few words in dim behind it. What
// failed is told in a sentence, which breaks at words.
func heading1(s tui.Space, glyph string, style tui.Style, title, summary string) []tui.Line {
	return headline(s, glyph, style, title, summary, s.Look().Dim)
}

// headline returns heading1 with the few words in tone.
func headline(s tui.Space, glyph string, style tui.Style, title, summary string, tone tui.Style) []tui.Line {
	t := s.Look()
	spans := []tui.Span{{Text: title}}
	if summary != "" {
		spans = append(spans, tui.Span{Text: "  " + summary, Style: tone})
	}
	lay := tui.Layout{Width: s.Width, Model: s.Model, Native: glyph != t.Glyphs.Problem,
		First: []tui.Span{{Text: glyph + " ", Style: style}}}
	if !lay.Native {
		lay.Rest = []tui.Span{{Text: "  "}}
	}
	return lay.Append(nil, 0, oneLine(spans)...)
}

// oneLine takes the line ends out of spans, and what is too long for a title.
func oneLine(spans []tui.Span) []tui.Span {
	for i := range spans {
		text, rest := clip(spans[i].Text)
		spans[i].Text = strings.Join(strings.Split(strings.TrimRight(text, "\r\n"), "\n"), " ")
		if rest > 0 {
			spans[i].Text += fmt.Sprintf(" (%s not shown)", size(rest))
		}
	}
	return spans
}

// longest is the most bytes of one line that the transcript shows.
const longest = 1000

// clip returns the part of a line that is shown, and how many bytes are left out.
func clip(s string) (head string, rest int) {
	if len(s) <= longest {
		return s, 0
	}
	n := longest
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n], len(s) - n
}

func notShown(t *tui.Theme, bytes int) string {
	return fmt.Sprintf(" %s %s not shown", t.Glyphs.More, size(bytes))
}

// failure returns what a call that failed leaves: the first line beside the title, the others
// below.
func failure(e agent.ToolEnd, s tui.Space) (summary string, body []tui.Line) {
	first, rest, _ := strings.Cut(e.Text, "\n")
	return first, detail(rest, s)
}

// whole returns the output of a call, if a part of it only is shown.
func whole(e agent.ToolEnd) (text string, cut bool) {
	most := outputHead + outputTail + 1
	switch {
	case e.Own:
		most = ownRows + 1
	case quietTool(e.Name) && e.OK:
		return "", false
	}
	if text = e.Result.Detail; !e.OK {
		_, text, _ = strings.Cut(e.Text, "\n")
	}
	return text, len(outputLines(text)) > most
}

// denial says who denied, and why.
func denial(a approval.Decision) string {
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

// detail returns output in rows that the terminal wraps, with the middle of a long one left out.
func detail(text string, s tui.Space) []tui.Line { return excerpt(text, outputHead, outputTail, s) }

// excerpt returns the first and the last lines of output.
func excerpt(text string, head, tail int, s tui.Space) []tui.Line {
	var (
		t     = s.Look()
		lines = outputLines(text)
		rows  []tui.Line
		lay   = tui.Layout{Width: s.Width, Model: s.Model, Native: true}
	)
	for i := 0; i < len(lines); i++ {
		if hidden := len(lines) - head - tail; i == head && hidden > 1 {
			left := fmt.Sprintf("%s %s not shown, /output shows all", t.Glyphs.More, count(hidden, "row"))
			rows = append(rows, s.Cut(tui.Span{Text: left, Style: t.Dim}))
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
		text, rest := clip(lines[i])
		if rest > 0 {
			text += notShown(t, rest)
		}
		rows = lay.Append(rows, 0, tui.Span{Text: text, Style: t.Dim})
	}
	return rows
}

// changedFiles names what a command changed (PANE-13).
func changedFiles(e agent.ToolEnd, s tui.Space) []tui.Line {
	if len(e.Result.Changed) == 0 {
		return nil
	}
	var names []string
	for i, name := range e.Result.Changed {
		if slices.ContainsFunc(e.Result.Edits, func(ed tool.Edited) bool { return ed.Path == name }) {
			continue // it is shown
		}
		if len(names) == 20 {
			names = append(names, fmt.Sprintf("and %d more", len(e.Result.Changed)-i))
			break
		}
		names = append(names, shown(name))
	}
	if len(names) == 0 {
		return nil
	}
	return s.Fill(tui.Span{Text: "changed: " + strings.Join(names, ", "), Style: s.Look().Dim})
}

// What a decided change shows of its hunks.
const (
	approvedRows = 40
	deniedRows   = 12
)

// decided returns a change that was decided (PANE-9): what it was, what was decided, and its hunks
// up to a limit.
func decided(e agent.ToolEnd, s tui.Space) []tui.Line {
	t := s.Look()
	p := e.Proposal
	glyph, style, limit := t.Glyphs.Yes, t.Added, approvedRows
	outcome := t.Dim
	name, about := changeTitle(e)
	var words []string
	if about != "" {
		words = append(words, about)
	}
	switch {
	case e.Kind == agent.KindDenied:
		glyph, style, limit = t.Glyphs.No, t.Removed, deniedRows
		words = append(words, denial(e.Decision))
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
		case approval.Command, approval.Generic, approval.Page: // it was allowed; what came of it is another thing
			glyph, style = t.Glyphs.Tool, t.Accent
		}
		if _, command := p.Payload.(approval.Command); command && e.Result.Summary != "" {
			words = append(words, e.Result.Summary)
			exit, _, _ := strings.Cut(e.Result.Summary, ",")
			if exit != "exit 0" && !strings.HasSuffix(exit, " runs in the background") {
				outcome = t.Error
			}
		}
	}
	rows := headline(s, glyph, style, name, strings.Join(words, ", "), outcome)
	switch pl := p.Payload.(type) {
	case approval.Plan:
		rows = append(rows, planned(pl, s)...)
	case approval.Write, approval.Edit, approval.Undo:
		rows = append(rows, compact(p, limit, s)...)
	default:
		if e.OK {
			rows = append(rows, detail(e.Result.Detail, s)...)
		}
		rows = append(append(rows, edited(e.Result.Edits, s)...), changedFiles(e, s)...)
	}
	return rows
}

// changeTitle returns "edit notes.md" and "+1 -1", or "write haiku.txt" and "new file, +3".
func changeTitle(e agent.ToolEnd) (name, about string) {
	p := e.Proposal
	switch pl := p.Payload.(type) {
	case approval.Write:
		if !pl.FileExists {
			return "write " + shown(p.Path), fmt.Sprintf("new %s, +%d", pl.What(), p.Diff.Stats.Added)
		}
		return "write " + shown(p.Path), plusMinus(p.Diff.Stats)
	case approval.Edit:
		return "edit " + shown(p.Path), plusMinus(p.Diff.Stats)
	case approval.Undo:
		return "undo " + shown(p.Path), undoCounts(pl, p.Diff.Stats, plusMinus(p.Diff.Stats))
	case approval.Plan:
		return "plan", e.Result.Summary
	}
	return shownTitle(e.Title), ""
}

// compact returns the changed and neighbouring lines of p as the pane has shown them, up to limit
// rows.
func compact(p *approval.Proposal, limit int, s tui.Space) []tui.Line {
	if limit == 0 {
		return nil
	}
	var (
		t       = s.Look()
		rows, _ = firstRows(p)
		shown   []diffview.Row
	)
	for i, r := range rows {
		if i == limit && len(rows)-i > 1 {
			break
		}
		from := differs(rows, i)
		text, rest := clip(r.Text[from:])
		var left []string
		if from > 0 {
			left = append(left, size(from)+" before it")
			r.More = true
		}
		if rest > 0 {
			left = append(left, size(rest)+" behind it")
		}
		if len(left) > 0 {
			r.Mark = strings.Join(fields([]string{strings.Join(left, " and ") + " not shown", r.Mark}), ", ")
		}
		r.Text = text
		shown = append(shown, r)
	}
	out := dress(diffview.New(shown), p).Lines(s)
	if n := len(rows) - len(shown); n > 0 {
		left := fmt.Sprintf("%s %s not shown, /diff shows all", t.Glyphs.More, count(n, "row"))
		out = append(out, s.Cut(tui.Span{Text: left, Style: t.Dim}))
	}
	return out
}

// differs returns where a long line that one other takes the place of is shown from: a little
// before they differ. Of most lines it is their beginning.
func differs(rows []diffview.Row, i int) int {
	const before = 100
	text, other := rows[i].Text, ""
	switch {
	case len(text) <= longest:
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
	if n < longest/2 {
		return 0
	}
	for n -= before; !utf8.RuneStart(text[n]); {
		n--
	}
	return n
}
