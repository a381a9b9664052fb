// Package realterm holds the tests in real terminals: the tape while windows change, a whole
// session, and what keys send. They run with the build tag terminals (make terminals).
//
// SCROLLKEEP_KITTY names a kitty that is not the installed one, such as /opt/kitty/bin/kitty; its
// version says which profile judges it (profile.Kitty). The test of the profile against kitty's own
// core (stress/play) asks the same one.
//
// TestSoak, the live soak, plays the real programs on a busy machine and prints a table. Its flags
// say what it plays:
//
//	go test -tags terminals -run TestSoak -v ./stress/realterm \
//		-args -soak.terminals tmux,vte -soak.manners single
//
// kitty-unstable.sh makes a kitty of Debian's unstable; SCROLLKEEP_KITTY_UNSTABLE names it, and the
// soak then plays it as kitty-unstable.
package realterm
