//go:build !linux

package work

import "time"

// thread returns the time on the wall, where nothing finer is known.
func thread() time.Duration { return time.Duration(time.Now().UnixNano()) }
