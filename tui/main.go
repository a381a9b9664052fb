package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// Main runs a as the whole process: [App.Run], until SIGINT or SIGTERM at the latest. It returns if
// there is no error. Else the process ends. The exit code is 130, without a message, if a person
// has interrupted it ([ErrInterrupted]), and 128 plus the number of a signal that has ended it. In
// all other cases it is 1, and the error is written to standard error after the program's name,
// which is not repeated if the error begins with it.
func Main(a *App) {
	ctx, end := context.WithCancelCause(context.Background())
	defer end(nil)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	go func() {
		select {
		case s := <-signals:
			end(terminal.SignalError{Signal: s})
		case <-ctx.Done():
		}
	}()
	err := a.Run(ctx)
	if err == nil {
		return
	}
	if code := exitCode(err, context.Cause(ctx)); code != 1 {
		os.Exit(code)
	}
	fmt.Fprintln(os.Stderr, errorText(os.Args[0], err))
	os.Exit(1)
}

// errorText returns what a program whose file is program says of err: its name, once, and the
// error, with controls as visible tokens.
func errorText(program string, err error) string {
	name := strings.TrimSuffix(filepath.Base(program), ".exe") + ": "
	text, _ := visible.Lines(err.Error())
	return name + strings.TrimPrefix(text, name)
}

// exitCode returns the exit code of a process whose Run returned err, under a context that ended by
// cause.
func exitCode(err, cause error) int {
	var sig terminal.SignalError
	switch {
	case errors.As(err, &sig), errors.Is(err, context.Canceled) && errors.As(cause, &sig):
		if n, ok := sig.Signal.(syscall.Signal); ok {
			return 128 + int(n)
		}
	case errors.Is(err, ErrInterrupted):
		return 130
	}
	return 1
}

// guardedConfig returns the terminal's configuration. A guard prints the message of a crash.
// Standard error goes to the transcript then if it is the screen, so that the message does not
// stand in the middle of a frame, too.
func (a *App) guardedConfig() terminal.Config {
	c := a.Terminal
	if c.Guard != nil && c.Stderr == nil && terminal.IsTerminal(os.Stderr) {
		c.Stderr = a.Stderr()
	}
	return c
}
