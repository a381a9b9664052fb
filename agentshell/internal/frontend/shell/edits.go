package shell

import (
	"fmt"

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
		p := &approval.Proposal{Payload: approval.Edit{}, Diff: e.Diff, After: []byte{' '}}
		if !e.New {
			p.Before = []byte{' '}
		}
		rows = append(rows, diffExcerpt(p, editedRowsPerFile, s)...)
	}
	return rows
}
