package shell

import (
	"context"
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/tui"
)

// handleDiff handles the command /diff. It shows the last change that the user decided on, the
// change with a number ("2"), or all files that the session has changed ("all").
func (sh *Shell) handleDiff(what string) {
	switch {
	case what == "" || isDiffNumber(what):
		sh.showDiff(what)
	case what != "all":
		sh.addBlock(notice, problem("There is no /diff "+what+".",
			"/diff shows the last change that you decided on, /diff 2 the second one of this session, /diff all what "+
				"the session has changed."))
	case sh.cfg.Files.Differences == nil:
		sh.addBlock(notice, problem("This session keeps no changes, so /diff all cannot show them."))
	default:
		go sh.showDifferences(context.Background())
	}
}

// showDifferences adds a block for each file that differs from its content before the session. It
// reads files, so it runs outside the event loop.
func (sh *Shell) showDifferences(ctx context.Context) {
	list := sh.cfg.Files.Differences(ctx)
	if len(list) == 0 {
		text := "Every file that this session has changed is as it was before."
		if sh.cfg.Files.Changes == nil || len(sh.cfg.Files.Changes()) == 0 {
			text = sh.nothingChanged()
		}
		sh.addBlock(notice, paragraphs(false, text))
		return
	}
	for _, d := range list {
		sh.addBlock(fileChange, differenceBlock(d))
	}
	sh.addBlock(notice, paragraphs(true, fmt.Sprintf("%s changed in this session, compared with before it. /undo list "+
		"shows the single changes.", countOf(len(list), "file"))))
}

// differenceBlock returns the transcript's block about one file that the session has changed: a
// title with the counts of lines, and the diff.
func differenceBlock(d tool.Difference) staticBlock {
	return func(s tui.Space) []tui.Line {
		t := s.Look()
		action, about := "changed ", plusMinus(d.Diff.Stats)
		switch {
		case d.Problem != "":
			about = "not shown: " + d.Problem
		case d.Removed:
			action = "removed "
		case d.Created:
			action, about = "new ", fmt.Sprintf("+%d", d.Diff.Stats.Added)
		}
		rows := titleRows(s, t.Glyphs.Tool, t.Accent, action+displayPath(d.Path), about)
		if d.Problem != "" {
			return rows
		}
		p := &approval.Proposal{Path: d.Path, Before: d.Before, After: d.After, Diff: d.Diff, Payload: approval.Edit{}}
		return append(rows, diffExcerpt(p, maxOutputRows, 0, s)...)
	}
}
