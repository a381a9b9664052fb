package helper

import (
	"fmt"
	"time"
)

// State says what a helper is doing.
type State string

// The states of a helper program.
const (
	NotStarted State = "not started"
	Starting   State = "starting"
	Ready      State = "ready"
	Waiting    State = "waiting" // it ended by itself and may be started again at a known time
	Failed     State = "failed"  // it is not started again until somebody calls Stop
)

// Status describes a helper at one moment, for the user.
type Status struct {
	Name    string
	State   State
	Why     string    // reason why it has ended or failed, perhaps in the program's own words
	Again   time.Time // time when a waiting helper may be started again
	Memory  int64     // bytes of memory that it uses; 0: not known
	Reach   string    // what it can reach, see [Program.Reach]
	Install string    // command line that installs it, if it is not installed
}

// Text returns the status as one line of text, without the helper's name.
func (s Status) Text(now time.Time) string {
	text := string(s.State)
	switch s.State {
	case Ready:
		if s.Memory > 0 {
			text += fmt.Sprintf(", %d MiB", s.Memory>>20)
		}
	case Waiting:
		text = "ended: " + s.Why
		if wait := s.Again.Sub(now).Round(time.Second); wait > 0 {
			text += fmt.Sprintf("; can start again in %v", wait)
		}
	case Failed:
		text += ": " + s.Why
	}
	return text
}

// The rules for a restart after a program has ended by itself, if its Options leave them out: the
// first pause, which doubles each time, the number of restarts before the program is given up, and
// the length of a run that sets the count back.
const (
	firstPause = time.Second
	maxRetries = 5
	settled    = time.Minute
)

// retries is the number of runs of a program that ended by themselves one after another.
type retries int

// next counts a run that ended by itself after the time ran. It returns the pause before the next
// start, or giveUp if there have been too many such runs.
func (r *retries) next(ran time.Duration, o Options) (pause time.Duration, giveUp bool) {
	if ran >= o.Settled {
		*r = 0
	}
	if int(*r) >= o.Retries {
		return 0, true
	}
	pause = o.Pause << *r
	*r++
	return pause, false
}
