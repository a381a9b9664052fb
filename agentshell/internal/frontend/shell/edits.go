package shell

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/tui"
)

// How much of the changes of a command its block shows.
const (
	editedRows  = 24 // of all files, about
	editedFiles = 6
	editedEach  = 8 // rows of one
)

// edited returns what a command changed in text files: a head and the first rows of each.
func edited(list []tool.Edited, s tui.Space) (rows []tui.Line) {
	t := s.Look()
	for i, e := range list {
		if i == editedFiles || len(rows) >= editedRows {
			left := count(len(list)-i, "more file") + " changed, /undo list shows them"
			return append(rows, s.Cut(tui.Span{Text: t.Glyphs.More + " " + left, Style: t.Dim}))
		}
		about := plusMinus(e.Diff.Stats)
		switch {
		case e.New:
			about = "new file, " + about
		case e.Removed:
			about = "removed"
		}
		rows = append(rows, headline(s, t.Glyphs.Yes, t.Added, "change "+shown(e.Path),
			fmt.Sprintf("%s, /undo %d", about, e.N), t.Dim)...)
		if len(e.Diff.Hunks) == 0 || e.Removed {
			continue
		}
		p := &approval.Proposal{Payload: approval.Edit{}, Diff: e.Diff, After: []byte{' '}}
		if !e.New {
			p.Before = []byte{' '}
		}
		rows = append(rows, compact(p, editedEach, s)...)
	}
	return rows
}
