package shell

import (
	"errors"
	"fmt"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/tui"
)

// retryWait describes the wait before a failed request to the model is sent again.
type retryWait struct {
	// The time of the next attempt.
	until time.Time
	why   string // The failure, such as "Rate limited (429)".
	count string // The number of the next attempt, such as "(2 of 5)".
}

// showRetry adds a notice that a request failed, with the time of the next attempt. The status row
// counts down to it.
func (t *turnView) showRetry(ev agent.Retry) {
	hadText := t.hasText
	t.closeText()
	t.hasText = false
	failed := capitalizeFirst(ev.Err.Error())
	next := fmt.Sprintf("Retrying in %s (attempt %d of %d)", tui.Elapsed(ev.Wait+time.Second-1), ev.Attempt, ev.Of)
	if hadText {
		next += "; the partial answer above is discarded"
	}
	next += t.sh.cfg.Keys.Expand(". {stop} stops.")
	row := problem(failed, next)
	if failed == t.lastFailure {
		row = problem("The same again. " + next)
	}
	t.lastFailure = failed
	t.sh.addBlock(notice, row)
	wait := retryWait{until: time.Now().Add(ev.Wait), why: "The request failed",
		count: fmt.Sprintf("(%d of %d)", ev.Attempt, ev.Of)}
	if e := (*provider.Error)(nil); errors.As(ev.Err, &e) {
		wait.why = harmlessLine(capitalizeFirst(e.Short()))
	}
	t.sh.app.Do(func() { t.sh.retry = wait })
}

// statusView returns the status row of the running work. While a failed request waits for its next
// attempt the row counts down the seconds.
func (sh *Shell) statusView(s tui.Space) tui.View {
	left := sh.retry.until.Sub(s.Now)
	if left <= 0 || !sh.busy() || sh.stopped {
		return sh.status.View(s)
	}
	st := tui.Status{Hint: sh.status.Hint, Still: true}
	for _, why := range []string{sh.retry.why + ". ", ""} {
		st.Text = why + "Retrying in " + tui.Elapsed(left+time.Second-1) + " " + sh.retry.count
		if s.Columns(st.Text+" "+s.Look().Glyphs.Dot+" "+st.Hint) <= s.Width-2 {
			break
		}
	}
	v := st.View(s)
	if v.RefreshAfter = left % time.Second; v.RefreshAfter == 0 {
		v.RefreshAfter = time.Second
	}
	return v
}
