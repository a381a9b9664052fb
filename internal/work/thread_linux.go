package work

import (
	"time"

	"golang.org/x/sys/unix"
)

// thread returns the CPU time that the current thread has used.
func thread() time.Duration {
	var at unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &at); err != nil {
		panic(err) // no Linux is without it
	}
	return time.Duration(at.Nano())
}
