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

	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// Main runs a as all that the process does: [App.Run], until SIGINT or SIGTERM at the latest. An
// error is written to the standard error, behind the program's name, and the process ends with 1;
// with 130 and without a word if a person has interrupted it ([ErrInterrupted]). Main returns if
// there is no error.
func Main(a *App) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch err := a.Run(ctx); {
	case err == nil:
	case errors.Is(err, ErrInterrupted), ctx.Err() != nil && errors.Is(err, context.Canceled):
		os.Exit(130)
	default:
		name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
		text, _ := visible.Lines(err.Error())
		fmt.Fprintln(os.Stderr, name+":", text)
		os.Exit(1)
	}
}
