package shell

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/tui"
)

// How much the block of a command shows of the files that the command has changed.
const (
	editedRows        = 24 // rows of all files; no further file begins after that many
	editedFiles       = 6
	editedRowsPerFile = 8
)

// editedFileRows returns a title and the first changed lines of each text file that a command has
// changed. first is the number of the first change for /diff; 0: the changes have no numbers.
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

// numberFrom returns the number for /diff of the change at index i in a block. first is the number
// of the block's first change. If first is 0, the changes have no numbers, and it returns 0.
func numberFrom(first, i int) int {
	if first == 0 {
		return 0
	}
	return first + i
}

// editVerb returns the verb for the title of a file change, such as "edit" for a call of edit_file.
func editVerb(e agent.ToolEnd) string { return strings.TrimSuffix(e.Name, "_file") }

// editCounts returns the size of a file change in words, such as "new file, +3" or "+2 -1".
func editCounts(e tool.Edited) string {
	switch {
	case e.New:
		return fmt.Sprintf("new file, +%d", e.Diff.Stats.Added)
	case e.Removed:
		return "removed"
	}
	return plusMinus(e.Diff.Stats)
}

// editedProposal returns a proposal that stands for a change that was already made, so that its
// diff can be shown in the same way. Its contents before and after the change are placeholders.
func editedProposal(e tool.Edited) *approval.Proposal {
	p := &approval.Proposal{Path: e.Path, Payload: approval.Edit{}, Diff: e.Diff, After: []byte{' '}}
	if !e.New {
		p.Before = []byte{' '}
	}
	return p
}

// changesFiles reports whether the named tool only changes files, so that its result needs no text
// besides the diff.
func changesFiles(name string) bool {
	return name == "edit_file" || name == "edit" || name == "write_file"
}

// showsAsChanges reports whether the block of a call from a resumed session consists of the diffs
// of its file changes.
func showsAsChanges(e agent.ToolEnd) bool {
	return (e.OK || e.Kind == agent.KindDenied) && len(e.Result.Edits) > 0 && changesFiles(e.Name)
}

// storedChanges returns the rows of a call from a resumed session: the title and the diff of each
// file change, as they looked when the change was decided. limit is the largest number of rows of
// one diff. If it equals approvedRows, the diff of a denied change has at most deniedRows. first is
// the number of the first change for /diff; 0: the changes have no numbers.
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
