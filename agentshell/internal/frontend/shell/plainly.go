package shell

import (
	"context"
	"errors"
	"io"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/terminal"
)

// plainly asks the question of pane n as plain text, where the terminal cannot be believed to show
// the pane as it is: the whole text, one line a row, no cursor motion, and an answer that is typed.
// why is what is wrong. On the loop.
func (sh *Shell) plainly(ctx context.Context, n *pane, why string) {
	if sh.cfg.Plainly == nil || sh.lent {
		n.note = "nothing can be approved here: " + why
		return
	}
	sh.lent, n.editing = true, true
	go func() {
		var answer approval.Answer
		err := sh.app.Lend(ctx, func(l *terminal.Lent) (err error) {
			tty, err := l.Lines()
			if err != nil {
				return err
			}
			_, _ = io.WriteString(tty, "The pane cannot be used here:\n"+why+".\nThe question follows as plain text.\n")
			answer, err = sh.cfg.Plainly(ctx, tty, tty, n.prop)
			return err
		})
		sh.app.Do(func() {
			sh.lent, n.editing = false, false
			if err != nil || answer == nil {
				n.note = "not asked: " + errors.Join(err, ctx.Err()).Error()
			} else {
				n.give(answer)
			}
			if n.missed {
				n.markStale()
			}
		})
	}()
}
