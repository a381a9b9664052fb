package shell

import (
	"context"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// handleAddDir handles the command /add-dir. With a path it asks the user whether to add that
// directory to the session. Without one it lists the directories in which the model may work.
func (sh *Shell) handleAddDir(dir string) {
	switch {
	case sh.cfg.Workspace.Add == nil:
		sh.addBlock(notice, problem("No directory can be added to this session."))
	case dir == "":
		rows := []string{"workspace: " + sh.cfg.Workspace.Dir}
		if sh.cfg.Workspace.Further != nil {
			for _, d := range sh.cfg.Workspace.Further() {
				rows = append(rows, "also: "+d)
			}
		}
		sh.addBlock(notice, paragraphs(false, append(rows, "/add-dir PATH adds one, after a question.")...))
	case sh.refuseWhileBusy("/add-dir"):
	default:
		sh.runBeside("looking at the directory", func(ctx context.Context) func() {
			deed, err := sh.cfg.Workspace.Add(ctx, dir)
			if err != nil {
				return func() { sh.addBlock(notice, problem("Not added: "+strings.TrimSuffix(err.Error(), ".")+".")) }
			}
			return sh.carry(ctx, deed)
		})
	}
}

// carry asks the user about an action, and carries the action out if the answer is yes. It runs
// outside the event loop. The function then shows the outcome; the caller has to run it on the
// event loop.
func (sh *Shell) carry(ctx context.Context, deed approval.Deed) (then func()) {
	lines, err := deed.Carry(ctx, sh)
	return func() {
		if err != nil {
			sh.addBlock(notice, problem("Nothing was changed: "+err.Error()+"."))
			return
		}
		sh.addBlock(notice, paragraphs(true, lines...))
	}
}
