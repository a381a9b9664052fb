//go:build !unix

package play

import "time"

// cpuTime returns 0, because the CPU time of a process is not measured on this system.
func cpuTime() time.Duration { return 0 }
