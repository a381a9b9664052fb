package shell

import (
	"context"
	"errors"
	"io"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/terminal"
)

// askPlainly asks the question of pane n as plain text, with an answer that is typed as a line,
// because the terminal may not draw the pane correctly. The text is complete and moves no cursor.
// why is the reason, as shown to the user. The method is called on the event loop.
func (sh *Shell) askPlainly(ctx context.Context, n *pane, why string) {
	if sh.cfg.Approval.AskPlainly == nil || sh.terminalLent {
		n.editNote = "nothing can be approved here: " + why
		return
	}
	sh.terminalLent, n.editing = true, true
	go func() {
		var answer approval.Answer
		err := sh.app.Lend(ctx, func(l *terminal.Lent) (err error) {
			tty, err := l.Lines()
			if err != nil {
				return err
			}
			_, _ = io.WriteString(tty, "The pane cannot be used here:\n"+why+".\nThe question follows as plain text.\n")
			answer, err = sh.cfg.Approval.AskPlainly(ctx, tty, tty, n.proposal)
			return err
		})
		sh.app.Do(func() {
			sh.terminalLent, n.editing = false, false
			if err != nil || answer == nil {
				n.editNote = "not asked: " + errors.Join(err, ctx.Err()).Error()
			} else {
				n.giveAnswer(answer)
			}
			if n.changedMeanwhile {
				n.markStale()
			}
		})
	}()
}
