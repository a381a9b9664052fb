package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal"
)

func TestTheExitCodeTellsASignalFromAMistake(t *testing.T) {
	term := terminal.SignalError{Signal: syscall.SIGTERM}
	for _, c := range []struct {
		err, cause error
		want       int
	}{
		{errors.New("no"), nil, 1},
		{fmt.Errorf("form: %w", ErrInterrupted), nil, 130},
		{context.Canceled, terminal.SignalError{Signal: os.Interrupt}, 130},
		{context.Canceled, term, 143},
		{fmt.Errorf("tui: %w", term), nil, 143},
		{errors.New("what was to be saved is not"), term, 1},
		{context.Canceled, nil, 1},
		{fmt.Errorf("asking: %w", ErrDismissed), nil, 130},
	} {
		if got := exitCode(c.err, c.cause); got != c.want {
			t.Errorf("%v, by %v: %d, want %d", c.err, c.cause, got, c.want)
		}
	}
}

// The program's name stands before what it says once, whatever the error begins with.
func TestAnErrorHasTheNameOfTheProgramOnce(t *testing.T) {
	for _, c := range []struct {
		program string
		err     error
		want    string
	}{
		{"/bin/logtail", needsTerminalError{"pipe it through less"}, "logtail: needs a terminal; pipe it through less"},
		{"form.exe", errors.New("form: cancelled"), "form: cancelled"},
		{"form", errors.New("no form: none"), "form: no form: none"},
		{"wizard", errors.New("a\x1b[2Jb\nc"), "wizard: a␛[2Jb\nc"},
	} {
		if got := errorText(c.program, c.err); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
