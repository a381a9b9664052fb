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
func editedFileRows(list []tool.Edited, s tui.Space) (rows []tui.Line) {
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
		rows = append(rows, diffExcerpt(editedProposal(e), editedRowsPerFile, s)...)
	}
	return rows
}

// editedProposal returns a proposal that looks as the change of e.
func editedProposal(e tool.Edited) *approval.Proposal {
	p := &approval.Proposal{Payload: approval.Edit{}, Diff: e.Diff, After: []byte{' '}}
	if !e.New {
		p.Before = []byte{' '}
	}
	return p
}

// changesFiles reports whether a tool does nothing but change files, so that its diff says all.
func changesFiles(name string) bool {
	return name == "edit_file" || name == "edit" || name == "write_file"
}

// storedChanges returns the rows of a call that was shown before: each change as it looked when it
// was decided. Of a diff at most limit rows are shown.
func storedChanges(end agent.ToolEnd, limit int, s tui.Space) (rows []tui.Line) {
	t := s.Look()
	verb := strings.TrimSuffix(end.Name, "_file")
	for _, e := range end.Result.Edits {
		about := plusMinus(e.Diff.Stats)
		switch {
		case e.New:
			about = fmt.Sprintf("new file, +%d", e.Diff.Stats.Added)
		case e.Removed:
			about = "removed"
		}
		rows = append(rows, titleRowsInTone(s, t.Glyphs.Yes, t.Added, verb+" "+displayPath(e.Path), about, t.Dim)...)
		if len(e.Diff.Hunks) == 0 || e.Removed {
			continue
		}
		rows = append(rows, diffExcerpt(editedProposal(e), limit, s)...)
	}
	return rows
}
