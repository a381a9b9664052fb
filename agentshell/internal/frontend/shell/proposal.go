package shell

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
)

// view is one way to look at a proposal.
type view struct {
	name string
	rows []diffview.Row        // of the first one
	make func() []diffview.Row // of the others, when they are shown
}

// views returns the ways to look at p, the diff first. All of them are made of the proposal alone
// (PAY-4).
func views(p *approval.Proposal) []view {
	first, name := firstRows(p)
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

// firstRows returns what is shown of p at first, and its name.
func firstRows(p *approval.Proposal) (rows []diffview.Row, name string) {
	switch pl := p.Payload.(type) {
	case approval.Command:
		return commandRows(p, pl), "command"
	case approval.Read:
		return note(pl.Line(), fmt.Sprintf("%s, %s; the model will see it", count(pl.FileLines, "line"),
			size(pl.FileBytes))), "read"
	case approval.Page:
		return append(textRows(pl.URL, diffview.Lead, 0), note("a page of the internet; the model will see it")...),
			"page"
	case approval.Plan:
		return planRows(pl.Plan), "plan"
	case approval.Form:
		rows := append(textRows(pl.Message, diffview.Prose, 0), diffview.Row{Kind: diffview.Prose})
		return append(rows, textRows(pl.Text, diffview.Context, 0)...), "form"
	case approval.Prompts:
		return append([]diffview.Row{{Kind: diffview.Prose, Text: pl.Question}, {Kind: diffview.Prose}},
			textRows(pl.Text, diffview.Context, 0)...), "files"
	case approval.Generic:
		return append(note(pl.Line(), "no preview possible"), textRows(pl.Detail, diffview.Context, 0)...), "call"
	case approval.Write, approval.Edit, approval.Undo:
	default:
		return note(p.Payload.Line()), "call"
	}
	if p.Flagged(approval.FlagBinary) {
		return binaryRows(p), "diff"
	}
	return diffRows(p), "diff"
}

func note(lines ...string) []diffview.Row {
	var rows []diffview.Row
	for _, l := range lines {
		rows = append(rows, diffview.Row{Kind: diffview.Note, Text: l})
	}
	return rows
}

// commandRows returns a command line as it would be run, what it says it does to files, with the
// markers of a change, then what else is known about it.
func commandRows(p *approval.Proposal, c approval.Command) []diffview.Row {
	rows := textRows(c.Command, diffview.Lead, 0)
	for _, e := range c.Effects {
		kind := diffview.Added
		if e.Takes {
			kind = diffview.Removed
		}
		rows = append(rows, diffview.Row{Kind: kind, Text: e.String()})
	}
	if c.Note != "" && !slices.Contains(p.Notes, c.Note) {
		rows = append(rows, note(c.Note)...)
	}
	if c.Opaque != "" && !p.Flagged(approval.FlagOpaque) {
		rows = append(rows, note("no rule can cover this command: "+c.Opaque)...)
	}
	if c.TimeoutS > 0 {
		rows = append(rows, note(fmt.Sprintf("timeout %d s", c.TimeoutS))...)
	}
	return rows
}

// binaryRows says of bytes that cannot be shown what they are (HARN-31).
func binaryRows(p *approval.Proposal) []diffview.Row {
	one := func(kind diffview.Kind, name string, b []byte) diffview.Row {
		return diffview.Row{Kind: kind,
			Text: fmt.Sprintf("%s  %s  %s  sha256 %x", name, http.DetectContentType(b), size(len(b)), sha256.Sum256(b))}
	}
	rows := note("binary file: its bytes cannot be shown as lines")
	if p.Before != nil {
		rows = append(rows, one(diffview.Removed, "old", p.Before))
	}
	if p.Remove {
		return rows
	}
	return append(rows, one(diffview.Added, "new", p.After))
}

// diffRows returns the whole structured diff.
func diffRows(p *approval.Proposal) []diffview.Row {
	switch {
	case p.Before == nil && len(p.After) == 0:
		return note("empty file")
	case p.Remove && len(p.Before) == 0:
		return note("empty file, removed")
	case p.Diff.Identical():
		return note("(no changes)")
	}
	n := 0
	for _, h := range p.Diff.Hunks {
		n += 1 + len(h.Lines)
	}
	var (
		rows  = make([]diffview.Row, 0, n)
		mixed = mixedEnds(p.Before, p.After)
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

func kindOf(op diff.Op) diffview.Kind {
	switch op {
	case diff.Insert:
		return diffview.Added
	case diff.Delete:
		return diffview.Removed
	}
	return diffview.Context
}

// endMark names the end of a line where it must be seen: where a file has more than one kind, and
// where it has none (PANE-4).
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

// mixedEnds reports whether both LF and CRLF end lines in the two texts taken together.
func mixedEnds(texts ...[]byte) bool {
	lf, crlf := 0, 0
	for _, t := range texts {
		n := bytes.Count(t, []byte("\r\n"))
		crlf += n
		lf += bytes.Count(t, []byte("\n")) - n
	}
	return lf > 0 && crlf > 0
}

// numbering says in which column a whole text has its line numbers.
type numbering uint8

const (
	oldNumbers numbering = iota + 1
	newNumbers
)

// textRows returns a whole text, line by line.
func textRows(s string, kind diffview.Kind, n numbering) []diffview.Row {
	if s == "" {
		return note("empty")
	}
	var (
		rows  []diffview.Row
		mixed = mixedEnds([]byte(s))
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

// title returns what stands in the pane's first row: what is to be done, to what, and how much of
// it.
func title(p *approval.Proposal) (op, path, counts string) {
	switch pl := p.Payload.(type) {
	case approval.Write:
		if !pl.FileExists {
			return "write", shown(p.Path), "new " + pl.What() + ", " + count(pl.ContentLines, "line")
		}
		return "write", shown(p.Path), changed(p.Diff.Stats)
	case approval.Edit:
		return "edit", fmt.Sprintf("%s:%d", shown(p.Path), pl.MatchLine), changed(p.Diff.Stats)
	case approval.Undo:
		return "undo", shown(p.Path), undoCounts(pl, p.Diff.Stats, changed(p.Diff.Stats))
	case approval.Read:
		return "read", shown(p.Path), count(pl.FileLines, "line")
	case approval.Page:
		return "read", pl.Host, "a page"
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
		return "use", strings.TrimPrefix(pl.What, "the "), count(pl.Files, "file")
	case approval.Command:
		return "run", "", "a command"
	case approval.Generic:
		if strings.HasPrefix(p.Path, "mcp://") {
			return "read", shown(p.Path), ""
		}
		return "call", p.Tool, ""
	}
	return "call", p.Tool, ""
}

// undoCounts returns what taking a change back does to its file.
func undoCounts(u approval.Undo, s diff.Stats, otherwise string) string {
	switch {
	case u.Removes:
		return fmt.Sprintf("removes the file, -%d", s.Removed)
	case !u.FileExists:
		return fmt.Sprintf("makes the file again, +%d", s.Added)
	}
	return otherwise
}

// shown returns a path as a person reads it: relative to the workspace. Other roots keep their
// name.
func shown(path string) string { return strings.TrimPrefix(path, "workspace/") }

// changed returns "+14 −9 in 3 hunks".
func changed(s diff.Stats) string { return plusMinus(s) + " in " + count(s.Hunks, "hunk") }

func plusMinus(s diff.Stats) string {
	switch {
	case s.Removed == 0:
		return fmt.Sprintf("+%d", s.Added)
	case s.Added == 0:
		return fmt.Sprintf("-%d", s.Removed)
	}
	return fmt.Sprintf("+%d -%d", s.Added, s.Removed)
}

// flags returns the risks of p in words. counted: hidden characters are named already.
func flags(p *approval.Proposal, counted bool) []string {
	var out []string
	for _, f := range p.Flags {
		if f.Name == approval.FlagHidden && counted {
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

// overwrite returns the fact that a write replaces something, or "".
func overwrite(p *approval.Proposal) string {
	w, _ := p.Payload.(approval.Write)
	return w.Overwrites()
}

// hidden counts the characters of rows that are drawn as tokens.
func hidden(rows []diffview.Row) visible.Counts {
	var sum visible.Counts
	for _, r := range rows {
		_, c := visible.Options{Tab: true}.String(r.Text)
		sum = sum.Plus(c)
	}
	return sum
}

func count(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

func size(n int) string {
	switch {
	case n < 10_000:
		return count(n, "byte")
	case n < 10_000_000:
		return fmt.Sprintf("%d kB", n/1000)
	}
	return fmt.Sprintf("%d MB", n/1_000_000)
}
