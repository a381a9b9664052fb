package shell

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/tui"
)

// How much a block shows of the files that a command changed.
const (
	editedRows        = 24 // rows of all files, about
	editedFiles       = 6
	editedRowsPerFile = 8
)

// editedFileRows returns a title and the first changed rows of each text file that a command
// changed.
// first is the number of the first one for /diff; 0: they have none.
func editedFileRows(list []tool.Edited, first int, s tui.Space) (rows []tui.Line) {
	t := s.Look()
	for i, e := range list {
		if i == editedFiles || len(rows) >= editedRows {
			omitted := countOf(len(list)-i, "more file") + " changed, /undo list shows them"
			return append(rows, s.Cut(tui.Span{Text: t.Glyphs.More + " " + omitted, Style: t.Dim}))
		}
		summary := plusMinus(e.Diff.Stats)
		switch {
		case e.New:
			summary = "new file, " + summary
		case e.Removed:
			summary = "removed"
		}
		rows = append(rows, titleRowsInTone(s, t.Glyphs.Yes, t.Added, "change "+displayPath(e.Path),
			fmt.Sprintf("%s, /undo %d", summary, e.N), t.Dim)...)
		if len(e.Diff.Hunks) == 0 || e.Removed {
			continue
		}
		rows = append(rows, diffExcerpt(editedProposal(e), editedRowsPerFile, numberFrom(first, i), s)...)
	}
	return rows
}

// numberFrom returns the number of change i of a block whose first change has the number first; 0:
// they have none.
func numberFrom(first, i int) int {
	if first == 0 {
		return 0
	}
	return first + i
}

// editVerb returns what a call does to a file, such as "edit".
func editVerb(e agent.ToolEnd) string { return strings.TrimSuffix(e.Name, "_file") }

// editCounts returns how much a change has changed, in words.
func editCounts(e tool.Edited) string {
	switch {
	case e.New:
		return fmt.Sprintf("new file, +%d", e.Diff.Stats.Added)
	case e.Removed:
		return "removed"
	}
	return plusMinus(e.Diff.Stats)
}

// editedProposal returns a proposal that looks as the change of e.
func editedProposal(e tool.Edited) *approval.Proposal {
	p := &approval.Proposal{Path: e.Path, Payload: approval.Edit{}, Diff: e.Diff, After: []byte{' '}}
	if !e.New {
		p.Before = []byte{' '}
	}
	return p
}

// changesFiles reports whether a tool does nothing but change files, so that its diff says all.
func changesFiles(name string) bool {
	return name == "edit_file" || name == "edit" || name == "write_file"
}

// showsAsChanges reports whether the block of a call that was shown before consists of its changes.
func showsAsChanges(e agent.ToolEnd) bool {
	return (e.OK || e.Kind == agent.KindDenied) && len(e.Result.Edits) > 0 && changesFiles(e.Name)
}

// storedChanges returns the rows of a call that was shown before: each change as it looked when it
// was decided. Of a diff at most limit rows are shown, and of a denied one as many as when it was
// denied, unless all are wanted. first is as in editedFileRows.
func storedChanges(end agent.ToolEnd, limit, first int, s tui.Space) (rows []tui.Line) {
	t := s.Look()
	for i, e := range end.Result.Edits {
		glyph, style, words, most := t.Glyphs.Yes, t.Added, []string{editCounts(e)}, limit
		if e.Denied {
			glyph, style, words = t.Glyphs.No, t.Removed, append(words, denialText(end.Decision))
			if limit == approvedRows {
				most = deniedRows
			}
		}
		rows = append(rows, titleRowsInTone(s, glyph, style, editVerb(end)+" "+displayPath(e.Path),
			strings.Join(words, ", "), t.Dim)...)
		if len(e.Diff.Hunks) == 0 || e.Removed {
			continue
		}
		rows = append(rows, diffExcerpt(editedProposal(e), most, numberFrom(first, i), s)...)
	}
	return rows
}
