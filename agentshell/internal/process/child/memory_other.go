//go:build !linux

package child

// Memory returns 0, because the memory of a process is not known on this system.
func (p *Process) Memory() int64 { return 0 }
