package extension

import (
	"context"
	"errors"
	"time"
)

// These are the shortest times between two requests for the rows of one part of the screen. A view
// may change more often than other parts.
const (
	partInterval = time.Second / 10
	viewInterval = time.Second / 30
)

// frameKey identifies a part of the screen that an extension draws.
type frameKey struct{ part, view, call string }

// partFrame holds the rows of one part of the screen.
type partFrame struct {
	wanted    Asked // wanted describes the rows that are wanted.
	rows      Rows
	isCurrent bool // isCurrent says that rows answers wanted, or that there is no answer.
	isAsking  bool
	askedAt   time.Time // askedAt is the time of the last request.
}

// Rows returns the present rows of a part of the screen, and requests newer ones in the background
// if necessary. It never waits.
func (e *Extension) Rows(a Asked) Rows {
	key := frameKey{a.Part, a.View, a.Call}
	e.mu.Lock()
	defer e.mu.Unlock()
	f := e.frames[key]
	if f == nil {
		f = new(partFrame)
		e.frames[key] = f
	}
	if f.wanted.Width != a.Width || f.wanted.Height != a.Height {
		f.isCurrent = false
	}
	f.wanted = a
	if !f.isCurrent && !f.isAsking && !e.service.isClosed() {
		f.isAsking = true
		go e.requestRows(f)
	}
	return f.rows.bounded(a.Height)
}

// Forget drops the rows of a tool call that has ended.
func (e *Extension) Forget(call string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.frames, frameKey{part: PartCall, call: call})
}

// requestRows requests the rows of f from the program. It first waits as long as the pace of the
// part demands.
func (e *Extension) requestRows(f *partFrame) {
	e.mu.Lock()
	pause := partInterval
	if f.wanted.Part == PartView {
		pause = viewInterval
	}
	wait := time.NewTimer(time.Until(f.askedAt.Add(pause)))
	e.mu.Unlock()
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-e.service.lifeContext.Done():
		return
	}
	e.mu.Lock()
	a := f.wanted
	f.isCurrent, f.askedAt = true, time.Now() // a change from now on is another frame
	e.mu.Unlock()
	ctx, cancel := context.WithTimeout(e.service.lifeContext, renderTimeout)
	defer cancel()
	rows, known, err := e.renderRows(ctx, a)
	failed := err != nil && e.tellFailure()
	e.mu.Lock()
	f.isAsking = false
	switch {
	case err == nil && known:
		f.rows = rows
	case err == nil, failed, e.startError != nil:
		f.rows = nil
	}
	e.mu.Unlock()
	e.service.refresh()
}

// errNotServed is the error for a part of the screen that the program does not draw.
var errNotServed = errors.New("the program does not have this part")

// renderRows requests rows from the program and waits for them. known is false if the shell shall
// draw the part itself.
func (e *Extension) renderRows(ctx context.Context, a Asked) (rows Rows, known bool, err error) {
	c, release, err := e.useProgram(ctx)
	if err != nil {
		return nil, false, err
	}
	defer release()
	if a.Part == PartStatus && !c.serves.Status || a.Part == PartFooter && !c.serves.Footer {
		return nil, false, errNotServed
	}
	var reply struct {
		Rows *Rows `json:"rows"`
	}
	if err := c.call(ctx, "render", a, &reply); err != nil || reply.Rows == nil {
		return nil, false, err
	}
	what := "the rows of the part " + a.Part
	if a.Tool != "" {
		what += " of " + a.Tool
	}
	e.noteCut(what, len(*reply.Rows), a.Height)
	return reply.Rows.bounded(a.Height).redacted(e.service.config.Secrets.Redact), true, nil
}

// Result returns the rows of a finished tool call. It waits at most for ResultTime. known is false
// if the shell shall draw the result itself.
func (e *Extension) Result(ctx context.Context, a Asked) (rows Rows, known bool) {
	ctx, cancel := context.WithTimeout(ctx, ResultTime)
	defer cancel()
	rows, known, err := e.renderRows(ctx, a)
	return rows, known && err == nil
}

// partChanged handles the notification that a part of the screen has changed: its rows will be
// requested again.
func (e *Extension) partChanged(part, view string) {
	e.mu.Lock()
	news := false
	for key, f := range e.frames {
		if key.part == part && (part != PartView || key.view == view) && f.isCurrent {
			f.isCurrent, news = false, true
		}
	}
	e.mu.Unlock()
	if news {
		e.service.refresh()
	}
}

// programEnded handles the end of the program: all rows will be requested again, if it can be
// restarted.
func (e *Extension) programEnded() {
	e.mu.Lock()
	for _, f := range e.frames {
		f.isCurrent = false
	}
	e.mu.Unlock()
	e.service.refresh()
}
