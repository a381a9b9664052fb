//go:build unix && !linux

package child

import "syscall"

func (k kin) signal(sig syscall.Signal) { _ = syscall.Kill(k.pid, sig) }
