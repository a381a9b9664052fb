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

// Main runs a as a whole process: it calls [App.Run], and ends it on SIGINT or SIGTERM. If Run
// succeeds, Main returns. Otherwise it ends the process. The exit code is 130, without a message,
// if the user has interrupted the program ([ErrInterrupted]). It is 128 plus the number of the
// signal if a signal has ended it. In all other cases it is 1, and the error is written to standard
// error after the program's name.
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

// errorText returns the message that reports err on standard error. It begins with the name of the
// file program, once, and shows control characters as visible tokens.
func errorText(program string, err error) string {
	name := strings.TrimSuffix(filepath.Base(program), ".exe") + ": "
	text, _ := visible.Lines(err.Error())
	return name + strings.TrimPrefix(text, name)
}

// exitCode returns the exit code for the error err of Run. cause is the cause that has ended the
// context.
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

// guardedConfig returns the configuration for the terminal. If there is a guard process, which
// prints the message of a crash, standard error goes to the transcript, so that the message does
// not also appear in the middle of a frame.
func (a *App) guardedConfig() terminal.Config {
	c := a.Terminal
	if c.Guard != nil && c.Stderr == nil && terminal.IsTerminal(os.Stderr) {
		c.Stderr = a.Stderr()
	}
	return c
}
