package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session/running"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// runningDir returns the directory in which the running sessions of a workspace are recorded, or ""
// if there is none.
func runningDir(cfg session.Config) running.Directory {
	folder, err := cfg.Folder()
	if err != nil {
		return ""
	}
	return running.Directory(filepath.Join(filepath.Dir(cfg.Dir), "running", filepath.Base(folder)))
}

// joinRunning records this session as running, so that other sessions of the workspace see it. If
// that fails, they do not.
func (c *conversation) joinRunning(editor bool) {
	if c.demo {
		return
	}
	front := "terminal"
	switch {
	case editor:
		front = "editor"
	case c.Input != "":
		front = "program"
	case c.Prompt != nil:
		front = "-p"
	case !c.screen:
		front = "plain"
	}
	member, err := runningDir(c.logConfig).Join(running.Record{ID: c.id, PID: os.Getpid(), Front: front,
		Started: time.Now(), State: running.Idle})
	if err == nil {
		c.member = member
	}
}

// Changed tells other sessions that this one has changed the file at path, which is absolute.
func (r *project) Changed(path string) {
	_ = r.member.Update(func(rec *running.Record) { rec.SetChanged(path, time.Now()) }) // others may miss it
}

// AlsoChanged returns a phrase that says which other session has changed the file at path, or "" if
// none has.
func (r *project) AlsoChanged(path string) string {
	by, ok := r.member.AlsoChanged(path)
	if !ok {
		return ""
	}
	return "also changed by " + diff.Escape(by.Text())
}

// setRunning tells other sessions the state of this one, and what the user is asked.
func (r *project) setRunning(state, asks string) {
	_ = r.member.Update(func(rec *running.Record) { // on failure, other sessions see the previous state
		rec.State, rec.Asks = state, r.secrets.Redact(asks)
	})
}

// conflictTexts returns a sentence for each file that this session has changed and another session
// has changed after that. Each is returned once.
func (r *project) conflictTexts() (texts []string) {
	for _, by := range r.member.NewConflicts() {
		texts = append(texts, diff.Escape(fmt.Sprintf("%s, which this session has changed, was changed by %s. Read it "+
			"again before you change it.", by.Path, by.Text())))
	}
	return texts
}

// runningLines returns lines about the sessions that run in the workspace now, for the user.
func (c *conversation) runningLines() []string {
	runs, killed := runningDir(c.logConfig).List()
	return running.Lines(runs, killed, c.id, c.ws.Dir())
}

// watchQuestions returns an approver that asks like approver, and also tells other sessions that
// the user is being asked. It returns nil for nil.
func (r *project) watchQuestions(approver approval.Approver) approval.Approver {
	if approver == nil || r.member == nil {
		return approver
	}
	w := &watchedApprover{Approver: approver, project: r}
	if desk, ok := approver.(approval.Desk); ok {
		return watchedDesk{w, desk}
	}
	return w
}

// watchedApprover is an approver that tells other sessions when the user is being asked.
type watchedApprover struct {
	approval.Approver
	project *project

	mu   sync.Mutex
	open int // The number of open questions.
}

// Ask implements [approval.Approver]: it asks the user, and tells other sessions so.
func (w *watchedApprover) Ask(ctx context.Context, p *approval.Proposal) (approval.Answer, error) {
	defer w.begin(p)()
	return w.Approver.Ask(ctx, p)
}

// begin tells other sessions that the user is being asked about p. The caller must call end when
// the question is answered.
func (w *watchedApprover) begin(p *approval.Proposal) (end func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open++
	asks := ""
	if p != nil && p.Payload != nil {
		asks = p.Payload.Line()
	}
	w.project.setRunning(running.Waits, asks)
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.open--; w.open == 0 {
			w.project.setRunning(running.Works, "")
		}
	}
}

// watchedDesk is a watchedApprover that can also ask about several proposals at once.
type watchedDesk struct {
	*watchedApprover
	desk approval.Desk
}

// AskAll implements [approval.Desk].
func (w watchedDesk) AskAll(ctx context.Context, ps []*approval.Proposal,
	answered func(int, approval.Answer) *approval.Proposal) error {
	if len(ps) > 0 {
		defer w.begin(ps[0])()
	}
	return w.desk.AskAll(ctx, ps, answered)
}

// runningObserver tells other sessions when a turn runs. It tells the user and the model which of
// their files other sessions have changed.
type runningObserver struct {
	*observer
	note func(text string) // Tells the model something with the next message.

	mu sync.Mutex
	// Lines for the user that News has not returned yet.
	news []string
}

// TurnStarted implements [agent.Observer].
func (o *runningObserver) TurnStarted(ctx context.Context) {
	o.setRunning(running.Works, "")
	for _, text := range o.conflictTexts() {
		o.note(text)
		o.mu.Lock()
		o.news = append(o.news, text)
		o.mu.Unlock()
	}
	if o.crew != nil {
		o.crew.MainBegins()
	}
	o.observer.TurnStarted(ctx)
}

// TurnEnded implements [agent.Observer].
func (o *runningObserver) TurnEnded() {
	o.setRunning(running.Idle, "")
	if o.crew != nil {
		o.crew.MainEnds()
	}
}

// News implements [agent.Observer].
func (o *runningObserver) News() []string {
	o.mu.Lock()
	news := o.news
	o.news = nil
	o.mu.Unlock()
	return append(news, o.observer.News()...)
}

var _ agent.Observer = (*runningObserver)(nil)
