package shell

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/plural"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
)

// view is one way to look at a proposal, such as the diff or the new version of the file.
type view struct {
	name string
	rows []diffview.Row        // The rows of the first view; nil for the others.
	make func() []diffview.Row // Returns the rows of a view that is not the first, when the user switches to it.
}

// views returns the ways to look at p, the diff first. It uses nothing but the proposal itself
// (PAY-4).
func views(p *approval.Proposal) []view {
	first, name := mainView(p)
	all := []view{{name: name, rows: first}}
	switch p.Payload.(type) {
	case approval.Write, approval.Edit, approval.Undo:
		if p.Flagged(approval.FlagBinary) || p.Before == nil || p.Remove { // the diff of a new file is the file
			break
		}
		all = append(all,
			view{name: "new version", make: func() []diffview.Row {
				return textRows(string(p.After), diffview.Context, newNumbers)
			}},
			view{name: "old version", make: func() []diffview.Row {
				return textRows(string(p.Before), diffview.Context, oldNumbers)
			}})
	}
	return all
}

// mainView returns the rows and the name of the view of p that is shown first.
func mainView(p *approval.Proposal) (rows []diffview.Row, name string) {
	switch pl := p.Payload.(type) {
	case approval.Command:
		return commandRows(p, pl), "command"
	case approval.Read:
		return noteRows(pl.Line(), fmt.Sprintf("%s, %s; the model will see it", countOf(pl.FileLines, "line"),
			byteSize(pl.FileBytes))), "read"
	case approval.Page:
		return append(textRows(pl.URL, diffview.Lead, 0), noteRows("a page of the internet; the model will see it")...),
			"page"
	case approval.Search:
		what := "a search of the web by "
		if p.Tool == tool.GitHubName {
			what = "a search of "
		}
		return append(textRows(pl.Query, diffview.Lead, 0),
			noteRows(what+pl.Reach, "the model will see what is found")...), "query"
	case approval.Plan:
		return planRows(pl.Plan), "plan"
	case approval.Form:
		rows := append(textRows(pl.Message, diffview.Prose, 0), diffview.Row{Kind: diffview.Prose})
		return append(rows, textRows(pl.Text, diffview.Context, 0)...), "form"
	case approval.Prompts:
		body := textRows(pl.Text, diffview.Context, 0)
		switch {
		case pl.Patch:
			body = patchRows(pl.Text)
		case pl.Here, pl.Verb != "": // what we say ourselves
			body = textRows(pl.Text, diffview.Prose, 0)
		}
		head := []diffview.Row{{Kind: diffview.Prose, Text: pl.Question}, {Kind: diffview.Prose}}
		return append(head, body...), "files"
	case approval.Merge:
		return patchRows(pl.UnifiedDiff), "patch"
	case approval.Publish:
		rows := textRows(pl.Text, diffview.Context, 0)
		if pl.UnifiedDiff != "" {
			rows = append(rows, patchRows(pl.UnifiedDiff)...)
		}
		return rows, "text"
	case approval.Generic:
		return append(noteRows(pl.Line(), "no preview possible"), textRows(pl.Detail, diffview.Context, 0)...), "call"
	case approval.Write, approval.Edit, approval.Undo:
	default:
		return noteRows(p.Payload.Line()), "call"
	}
	if p.Flagged(approval.FlagBinary) {
		return binaryRows(p), "diff"
	}
	return diffRows(p), "diff"
}

// noteRows returns lines as dim rows of a diffview body.
func noteRows(lines ...string) []diffview.Row {
	var rows []diffview.Row
	for _, l := range lines {
		rows = append(rows, diffview.Row{Kind: diffview.Note, Text: l})
	}
	return rows
}

// proseRows returns lines as rows of a diffview body that wrap at words.
func proseRows(lines ...string) []diffview.Row {
	rows := noteRows(lines...)
	for i := range rows {
		rows[i].Kind = diffview.Prose
	}
	return rows
}

// patchRows returns the lines of a patch in git's format as rows of a diffview body.
func patchRows(patch string) []diffview.Row {
	rows := textRows(patch, diffview.Context, 0)
	body := false // else lines that begin with + and - are the names of a file
	for i, r := range rows {
		switch text := r.Text; {
		case r.Kind != diffview.Context || r.More:
		case strings.HasPrefix(text, "diff --git "):
			rows[i].Kind, body = diffview.File, false
		case strings.HasPrefix(text, "@@ "):
			rows[i].Kind, body = diffview.Hunk, true
		case body && strings.HasPrefix(text, "+"):
			rows[i].Kind, rows[i].Text = diffview.Added, text[1:]
		case body && strings.HasPrefix(text, "-"):
			rows[i].Kind, rows[i].Text = diffview.Removed, text[1:]
		case body && strings.HasPrefix(text, " "):
			rows[i].Text = text[1:]
		default:
			rows[i].Kind = diffview.Note
		}
	}
	return rows
}

// commandRows returns the rows that show a command: the command line, then its effects on files
// with the markers of a diff, then notes.
func commandRows(p *approval.Proposal, c approval.Command) []diffview.Row {
	rows := textRows(c.Command, diffview.Lead, 0)
	for _, e := range c.Effects {
		kind := diffview.Added
		if e.Removes {
			kind = diffview.Removed
		}
		rows = append(rows, diffview.Row{Kind: kind, Text: e.String()})
	}
	if c.Note != "" && !slices.Contains(p.Notes, c.Note) {
		rows = append(rows, noteRows(c.Note)...)
	}
	if c.Opaque != "" && !p.Flagged(approval.FlagOpaque) {
		rows = append(rows, noteRows(approval.ExactOnly+c.Opaque)...)
	}
	if c.TimeoutS > 0 {
		rows = append(rows, noteRows(fmt.Sprintf("timeout %d s", c.TimeoutS))...)
	}
	return rows
}

// binaryRows returns rows that describe the old and the new content of a binary file by type, size
// and hash (HARN-31).
func binaryRows(p *approval.Proposal) []diffview.Row {
	describe := func(kind diffview.Kind, name string, b []byte) diffview.Row {
		return diffview.Row{Kind: kind,
			Text: fmt.Sprintf("%s  %s  %s  sha256 %x", name, http.DetectContentType(b), byteSize(len(b)),
				sha256.Sum256(b))}
	}
	rows := noteRows("binary file: its bytes cannot be shown as lines")
	if p.Before != nil {
		rows = append(rows, describe(diffview.Removed, "old", p.Before))
	}
	if p.Remove {
		return rows
	}
	return append(rows, describe(diffview.Added, "new", p.After))
}

// diffRows returns all rows of the diff of p. For a new or removed file they are the lines of the
// file.
func diffRows(p *approval.Proposal) []diffview.Row {
	switch {
	case p.Before == nil && len(p.After) == 0:
		return noteRows("empty file")
	case p.Remove && len(p.Before) == 0:
		return noteRows("empty file, removed")
	case p.Diff.Identical():
		return noteRows("(no changes)")
	}
	n := 0
	for _, h := range p.Diff.Hunks {
		n += 1 + len(h.Lines)
	}
	var (
		rows  = make([]diffview.Row, 0, n)
		mixed = hasMixedEnds(p.Before, p.After)
	)
	for _, h := range p.Diff.Hunks {
		if p.Before != nil && !p.Remove { // else it is the whole file
			rows = append(rows, diffview.Row{Kind: diffview.Hunk,
				Text: fmt.Sprintf("@@ -%d,%d +%d,%d @@", h.OldStart, h.OldLines, h.NewStart, h.NewLines)})
		}
		for _, l := range h.Lines {
			rows = append(rows, diffview.Row{Kind: kindOf(l.Op), Old: l.Old, New: l.New, Text: l.Text,
				Mark: endMark(l, mixed)})
		}
	}
	return rows
}

// kindOf returns the kind of row that shows a line with op.
func kindOf(op diff.Op) diffview.Kind {
	switch op {
	case diff.Insert:
		return diffview.Added
	case diff.Delete:
		return diffview.Removed
	}
	return diffview.Context
}

// endMark returns a mark for the line end of l, or "" if it is not shown. It is shown if the last
// line has none, and in a file with mixed line ends (PANE-4).
func endMark(l diff.Line, mixed bool) string {
	switch {
	case l.End == "":
		return "no newline at end"
	case mixed && l.End == "\r\n":
		return "CRLF"
	case mixed && l.Op != diff.Equal:
		return "LF"
	}
	return ""
}

// hasMixedEnds reports whether texts, taken together, have both LF and CRLF line ends.
func hasMixedEnds(texts ...[]byte) bool {
	lf, crlf := 0, 0
	for _, t := range texts {
		n := bytes.Count(t, []byte("\r\n"))
		crlf += n
		lf += bytes.Count(t, []byte("\n")) - n
	}
	return lf > 0 && crlf > 0
}

// numbering tells which line numbers the rows of a text have: those of the old file, of the new
// file, or none (0).
type numbering uint8

const (
	oldNumbers numbering = iota + 1
	newNumbers
)

// textRows returns the lines of s as rows of a diffview body, or a row that says "empty".
func textRows(s string, kind diffview.Kind, n numbering) []diffview.Row {
	if s == "" {
		return noteRows("empty")
	}
	var (
		rows  []diffview.Row
		mixed = hasMixedEnds([]byte(s))
	)
	for line := range strings.Lines(s) {
		r := diffview.Row{Kind: kind}
		switch n {
		case oldNumbers:
			r.Old = len(rows) + 1
		case newNumbers:
			r.New = len(rows) + 1
		}
		var ended bool
		if r.Text, ended = strings.CutSuffix(line, "\n"); !ended && n != 0 {
			r.Mark = "no newline at end"
		}
		if text, ok := strings.CutSuffix(r.Text, "\r"); ok && ended {
			r.Text = text
			if mixed {
				r.Mark = "CRLF"
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// proposalTitle returns the texts of an approval pane's title row: the operation, the file or other
// object, and how much changes.
func proposalTitle(p *approval.Proposal) (operation, path, counts string) {
	switch pl := p.Payload.(type) {
	case approval.Write:
		if !pl.FileExists {
			return "write", displayPath(p.Path), "new " + pl.What() + ", " + countOf(pl.ContentLines, "line")
		}
		return "write", displayPath(p.Path), countsOf(p)
	case approval.Edit:
		if pl.Removes {
			return "remove", displayPath(p.Path), plusMinus(p.Diff.Stats)
		}
		return "edit", fmt.Sprintf("%s:%d", displayPath(p.Path), pl.MatchLine), countsOf(p)
	case approval.Undo:
		return pl.Verb(), displayPath(p.Path), undoCounts(pl, p.Diff.Stats, changeCounts(p.Diff.Stats))
	case approval.Read:
		return "read", displayPath(p.Path), countOf(pl.FileLines, "line")
	case approval.Page:
		return "read", pl.Host, "a page"
	case approval.Search:
		if p.Tool == tool.GitHubName {
			return "search", pl.Reach, "a query"
		}
		return "search", "the web", "a query"
	case approval.Plan:
		return "plan", "", "nothing is changed yet"
	case approval.Form:
		switch pl.Kind {
		case "page":
			return "open", "a page for the MCP server " + pl.Server, ""
		case "sampling":
			return "let", "the MCP server " + pl.Server + " ask the model", ""
		}
		return "answer", "the MCP server " + pl.Server, ""
	case approval.Prompts:
		verb, counts := cmp.Or(pl.Verb, "use"), ""
		if pl.Files > 0 {
			counts = countOf(pl.Files, cmp.Or(pl.Unit, "file"))
		}
		return verb, strings.TrimPrefix(pl.What, "the "), counts
	case approval.Command:
		return "run", "", cmp.Or(pl.What, "a command")
	case approval.Publish:
		return pl.Verb, pl.What, "on " + pl.Sandbox
	case approval.Merge:
		return "merge", pl.Branch + " into " + pl.Into, countOf(pl.Files, "file")
	case approval.Generic:
		if strings.HasPrefix(p.Path, "mcp://") {
			return "read", displayPath(p.Path), ""
		}
		return "call", p.Tool, ""
	}
	return "call", p.Tool, ""
}

// undoCounts returns how an undo changes its file, for the title row: that it removes or re-creates
// the file, else the text counts.
func undoCounts(u approval.Undo, s diff.Stats, counts string) string {
	switch {
	case u.Removes:
		return fmt.Sprintf("removes the file, -%d", s.Removed)
	case !u.FileExists:
		return fmt.Sprintf("makes the file again, +%d", s.Added)
	}
	return counts
}

// displayPath returns a path for the screen, without the prefix "workspace/". Paths below other
// roots keep the root's name.
func displayPath(path string) string { return strings.TrimPrefix(path, "workspace/") }

// countsOf returns how many lines p changes, such as "+14 -9 in 3 hunks", or "binary" for a binary
// file.
func countsOf(p *approval.Proposal) string {
	if p.Flagged(approval.FlagBinary) {
		return "binary"
	}
	return changeCounts(p.Diff.Stats)
}

// changeCounts returns counts of changed lines, such as "+14 -9 in 3 hunks".
func changeCounts(s diff.Stats) string { return plusMinus(s) + " in " + countOf(s.Hunks, "hunk") }

// plusMinus returns counts of added and removed lines, such as "+14 -9". It omits a count of 0,
// unless both are.
func plusMinus(s diff.Stats) string {
	switch {
	case s.Removed == 0:
		return fmt.Sprintf("+%d", s.Added)
	case s.Added == 0:
		return fmt.Sprintf("-%d", s.Removed)
	}
	return fmt.Sprintf("+%d -%d", s.Added, s.Removed)
}

// flagTexts returns a text for each flag of p. skipHidden omits the flag for hidden characters.
func flagTexts(p *approval.Proposal, skipHidden bool) []string {
	var out []string
	for _, f := range p.Flags {
		if f.Name == approval.FlagHidden && skipHidden {
			continue
		}
		text := f.Name
		if f.Text != "" {
			text += ": " + f.Text
		}
		out = append(out, text)
	}
	return out
}

// overwriteText returns a sentence that says that p overwrites an existing file, or "". If the
// sentence does not fit into one row of s it returns a shorter one.
func overwriteText(p *approval.Proposal, s tui.Space) string {
	w, _ := p.Payload.(approval.Write)
	text := w.Overwrites()
	if text != "" && p.Flagged(approval.FlagBinary) {
		text = "This will overwrite existing " + w.What()
	}
	if s.Columns(text) <= s.Width {
		return text
	}
	return w.OverwritesShort()
}

// countHidden counts the characters of rows that are invisible or would act as controls, and so are
// drawn as tokens.
func countHidden(rows []diffview.Row) visible.Counts {
	var sum visible.Counts
	for _, r := range rows {
		_, c := visible.Options{Tab: true}.String(r.Text)
		sum = sum.Plus(c)
	}
	return sum
}

func countOf(n int, unit string) string { return plural.Of(n, unit) }

// byteSize returns a number of bytes for the screen, such as "12 kB".
func byteSize(n int) string {
	switch {
	case n < 10_000:
		return countOf(n, "byte")
	case n < 10_000_000:
		return fmt.Sprintf("%d kB", n/1000)
	}
	return fmt.Sprintf("%d MB", n/1_000_000)
}

// ruleSubject returns what the user's approval rules are matched with for p: its tool, and its
// command or path.
func ruleSubject(p *approval.Proposal) approval.Subject {
	if p.Subject.Tool != "" {
		return p.Subject
	}
	s := approval.Subject{Tool: p.Tool, Mutates: true, Flags: p.Flags, Asks: true}
	switch pl := p.Payload.(type) {
	case approval.Command:
		s.Command = pl.Command
	case approval.Write, approval.Edit, approval.Undo:
		s.Path = displayPath(p.Path)
	}
	return s
}
