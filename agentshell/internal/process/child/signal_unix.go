//go:build unix && !linux

package child

import "syscall"

// signal sends a signal to the process. Only a child of this process is sure to keep its id until
// it is reaped; another one may have ended meanwhile.
func (r relative) signal(sig syscall.Signal) { _ = syscall.Kill(r.pid, sig) }
