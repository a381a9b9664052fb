package app

import "golang.org/x/sys/unix"

// hideMemory keeps other processes of the user from reading a key out of the environment or memory
// of agentshell (/proc/PID/environ, ptrace), or out of core dumps. Commands that the model runs are
// such processes, so it is not enough that their own environment has no key (PANE-13). If
// hideMemory fails, nothing better can be done.
func hideMemory() { _ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) }
