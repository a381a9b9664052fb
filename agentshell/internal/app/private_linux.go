package app

import "golang.org/x/sys/unix"

// private keeps other processes of the same person, the commands that a model runs among them, from
// reading the key out of our environment or memory (/proc/PID/environ, ptrace), and the key out of
// core dumps. Taking it from a command's own environment (PANE-13) would be little without that. A
// failure changes nothing that we could do better.
func private() { _ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) }
