package tui

import "github.com/scrollkeep/scrollkeep/terminal"

// needsTerminal is the error of a program that takes keys and has no terminal. It is a
// [terminal.ErrNotTerminal]. Its text has no name of a package before it: a person reads it, after
// the name of the program.
type needsTerminal struct{ advice string }

// Error returns what is missing, and what to do.
func (n needsTerminal) Error() string {
	if n.advice == "" {
		return "needs a terminal"
	}
	return "needs a terminal; " + n.advice
}

// Unwrap returns terminal.ErrNotTerminal.
func (needsTerminal) Unwrap() error { return terminal.ErrNotTerminal }
