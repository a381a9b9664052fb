package app

import "golang.org/x/sys/unix"

// hideMemory keeps other processes of the same person from reading a key out of our environment or
// memory (/proc/PID/environ, ptrace), or out of core dumps. Commands that a model runs are such
// processes, so it is not enough that a command's own environment has no key (PANE-13). If it
// fails, nothing better can be done.
func hideMemory() { _ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) }
