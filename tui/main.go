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

// Main runs a as all that the process does: [App.Run], until SIGINT or SIGTERM at the latest. It
// returns if there is no error. Else the process ends: with 1, and the error on the standard error
// behind the program's name; or without a word with 130 if a person has interrupted it
// ([ErrInterrupted]), with 128 and the number of a signal that has ended it.
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
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	text, _ := visible.Lines(err.Error())
	fmt.Fprintln(os.Stderr, name+":", text)
	os.Exit(1)
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

// guarded returns the terminal's configuration. With a guard, which prints the message of a crash,
// it would stand in the middle of a frame, too, if standard error were the screen: what comes there
// is the transcript's.
func (a *App) guarded() terminal.Config {
	c := a.Terminal
	if c.Guard != nil && c.Stderr == nil && terminal.IsTerminal(os.Stderr) {
		c.Stderr = a.Stderr()
	}
	return c
}
