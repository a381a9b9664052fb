//go:build !linux

package work

import "time"

// thread returns the wall-clock time, because this system's CPU time of a thread is not available
// here.
func thread() time.Duration { return time.Duration(time.Now().UnixNano()) }
