//go:build unix && !linux

package child

import "syscall"

// signal sends a signal to the process that was seen, and not to one that has got its number since.
// A child of ours keeps its number: it is not reaped meanwhile.
func (r relative) signal(sig syscall.Signal) { _ = syscall.Kill(r.pid, sig) }
