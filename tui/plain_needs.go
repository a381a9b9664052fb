package tui

import "github.com/scrollkeep/scrollkeep/terminal"

// needsTerminalError is the error of a program that needs keys but has no terminal. It wraps
// [terminal.ErrNotTerminal]. Its text does not begin with a package name, because users read it
// after the name of the program.
type needsTerminalError struct{ advice string }

// Error returns what is missing, and the advice if there is any.
func (n needsTerminalError) Error() string {
	if n.advice == "" {
		return "needs a terminal"
	}
	return "needs a terminal; " + n.advice
}

// Unwrap returns terminal.ErrNotTerminal.
func (needsTerminalError) Unwrap() error { return terminal.ErrNotTerminal }
