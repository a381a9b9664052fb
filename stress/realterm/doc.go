// Package realterm holds the tests in real terminals: the tape while windows change, a whole session, and what keys send. They run with the build tag terminals (make terminals).
//
// SCROLLKEEP_KITTY names a kitty that is not the installed one, such as /opt/kitty/bin/kitty; its version says which profile judges it (profile.Kitty). The
// test of the profile against kitty's own core (stress/cmd/workload) and workload --emulator kitty ask the same one.
package realterm
