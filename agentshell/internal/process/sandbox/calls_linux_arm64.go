package sandbox

import "golang.org/x/sys/unix"

const audit = unix.AUDIT_ARCH_AARCH64

// refusedOnArch lists refused system calls that only this architecture has, by the error that they
// return.
var refusedOnArch = map[unix.Errno][]uint32{}

// modeCalls lists the system calls that set a file's mode.
var modeCalls = []modeCall{
	{nr: unix.SYS_FCHMOD, mode: 1}, {nr: unix.SYS_FCHMODAT, mode: 2}, {nr: unix.SYS_FCHMODAT2, mode: 2},
	{nr: unix.SYS_MKNODAT, mode: 2}, {nr: unix.SYS_OPENAT, flags: 2, mode: 3, create: true},
}
