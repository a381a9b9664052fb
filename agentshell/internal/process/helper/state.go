package helper

import (
	"fmt"
	"time"
)

// State is what a helper is doing.
type State string

// The states.
const (
	NotStarted State = "not started"
	Starting   State = "starting"
	Ready      State = "ready"
	Waiting    State = "waiting" // it ended by itself, and is started again at a known time
	Failed     State = "failed"  // it is not started again before somebody asks for it
)

// Status is the state of a helper at one moment.
type Status struct {
	Name    string
	State   State
	Why     string    // why it has ended or failed, in words that may be the program's
	Again   time.Time // when a waiting helper may be started again
	Memory  int64     // bytes that it holds, 0 if unknown
	Reach   string    // what it can reach
	Install string    // the line that installs it, if it is not installed
}

// Text returns the status in one line without the name.
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

// The pauses before a program is started again that has ended by itself: the first one, then twice
// as long each time. After a number of them it is given up. A long run forgets the earlier ones.
const (
	firstPause = time.Second
	maxRetries = 5
	settled    = time.Minute
)

// retries counts the runs of a program that ended by themselves.
type retries int

// next returns the pause after a run that ended by itself after ran, or that the program is given
// up.
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
