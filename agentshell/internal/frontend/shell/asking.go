package shell

import (
	"context"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Ask shows the proposal p in the approval pane until the user has answered it (PANE-1 to 9). It
// returns No with an error if ctx ends before. It may be called on any goroutine. If several agents
// ask at the same time, one question is shown, and Tab shows the next one.
func (sh *Shell) Ask(ctx context.Context, p *approval.Proposal) (approval.Answer, error) {
	if sh.offerSandbox(ctx, p) {
		return approval.Stale{ID: p.ID}, nil // it is prepared again, and confined
	}
	var answer approval.Answer
	err := sh.AskAll(ctx, []*approval.Proposal{p}, func(_ int, a approval.Answer) *approval.Proposal {
		answer = a
		return nil
	})
	if err != nil { // nobody answered: that is a no
		return approval.No{ID: p.ID}, err
	}
	return answer, nil
}

// AskAll implements [approval.Desk]: it shows several proposals of one agent together. The user may
// answer them in any order.
func (sh *Shell) AskAll(ctx context.Context, ps []*approval.Proposal,
	answered func(i int, a approval.Answer) *approval.Proposal) error {
	q, err := sh.openQuestion(ctx, ps)
	if err != nil {
		return err
	}
	defer sh.app.Do(func() { sh.closeQuestion(q) })
	handle := func(g indexedAnswer) (removed bool) {
		p := answered(g.i, g.a)
		sh.app.Do(func() {
			if p == nil {
				q.queue.removePane(g.i)
			} else {
				q.queue.replaceProposal(g.i, p)
			}
		})
		return p == nil
	}
	for unanswered := len(ps); unanswered > 0; {
		select {
		case g := <-q.answers:
			if handle(g) {
				unanswered--
			}
			continue
		default:
		}
		select {
		case g := <-q.answers:
			if handle(g) {
				unanswered--
			}
		case <-ctx.Done():
			select {
			case g := <-q.answers: // it came first
				handle(g)
			default:
			}
			return ctx.Err()
		}
	}
	return nil
}

// openQuestion adds the proposals to those that wait for an answer, and notifies the user. It fails
// if ctx has ended or the app has closed.
func (sh *Shell) openQuestion(ctx context.Context, ps []*approval.Proposal) (*question, error) {
	q := &question{answers: make(chan indexedAnswer, len(ps))} // one for each place: the next one comes after put
	if !sh.app.Do(func() {
		if ctx.Err() != nil {
			return
		}
		q.opened = time.Now()
		q.queue = newApprovalQueue(ctx, sh, ps, func(i int, a approval.Answer) { q.answers <- indexedAnswer{i, a} })
		sh.notifyOfQuestion(ps)
		sh.askers.add(q.queue)
		sh.updateTitle()
	}) {
		return nil, tui.ErrClosed
	}
	return q, ctx.Err()
}

// closeQuestion removes a question from those that wait for an answer. The time that the user took
// does not count as working time of the turn. It is called on the event loop.
func (sh *Shell) closeQuestion(q *question) {
	if q.queue == nil {
		return
	}
	sh.askers.remove(q.queue)
	sh.updateTitle()
	if since := sh.status.Since; !since.IsZero() && q.queue.by == "" { // the time that the user took is not work
		sh.status.Since = since.Add(time.Since(q.opened))
	}
}

// watchFile polls the file that the proposal p changes, until ctx ends. When the file has changed,
// it marks pane n stale, so that the proposal is made again (FS-55).
func (sh *Shell) watchFile(ctx context.Context, p *approval.Proposal, n *pane) {
	tick := time.NewTicker(sh.cfg.Approval.Times.PollInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := p.Changed(ctx); err != nil && ctx.Err() == nil {
			sh.app.Do(n.markStale)
			return
		}
	}
}
