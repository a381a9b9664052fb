// Package realterm holds the tests in real terminals: which rows remain when windows change their
// size, a whole session, and what keys send. They run with the build tag terminals (make
// terminals).
//
// SCROLLKEEP_KITTY names a program of kitty other than the installed one, such as
// /opt/kitty/bin/kitty. Its version selects the profile with which it is compared (profile.Kitty).
// The test in stress/play that compares the profile with kitty's own core uses the same program.
//
// TestSoak plays the real programs on a busy machine for a long time, and prints a table. Its flags
// say what it plays:
//
//	go test -tags terminals -run TestSoak -v ./stress/realterm \
//		-args -soak.terminals tmux,vte -soak.manners single
//
// kitty-unstable.sh builds a kitty of Debian's unstable release. If SCROLLKEEP_KITTY_UNSTABLE names
// it, TestSoak plays it as kitty-unstable.
package realterm
