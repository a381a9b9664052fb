// Package ptyexec runs other programs within an App: what one shows on its terminal is a block of
// the transcript, cursor motion and all, while it runs, and final rows after.
//
//	app := &tui.App{Footer: &tui.Status{Text: "building", Hint: "Ctrl+C stops"}}
//	app.Main = func(ctx context.Context) error {
//		return ptyexec.Run(ctx, app, exec.Command("make", "-j8"))
//	}
//
// The program has a terminal of its own, an emulator (package vt): no byte of its output reaches
// ours, only the cells that it has drawn. Rows that scroll off its screen are final at once. No key
// reaches it: a program that asks a person would wait for ever, and needs [tui.App.Suspend].
package ptyexec

import (
	"context"
	"errors"
	"os/exec"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
)

const (
	grace = 400 * time.Millisecond // for a program that is asked to end, before it is killed
	// for the output of a program that has ended, if another one holds its terminal
	drain = 200 * time.Millisecond
)

// maxRows is the most rows of a program's screen.
const maxRows = 12

// Run runs cmd to its end, and shows its screen as a block of app's transcript. The screen is as
// wide as the window and as high as a block can be above the footer ([tui.App.LiveSize]), 12 rows
// at most. It follows the window. cmd.Stdin, Stdout and Stderr are kept if they are set.
//
// The error is that of [exec.Cmd.Wait], or that cmd did not start. When ctx ends, all of cmd's
// process group is asked to end, killed soon after, and the error is ctx.Err(). When Run of app
// ends it is [tui.ErrClosed]. Processes that cmd has left in its group when it ends are told by the
// system that their terminal is gone (SIGHUP).
//
// Without a terminal, and on Windows, the output is rows of the transcript, as with [tui.NewANSI].
// Any goroutine but the loop.
func Run(ctx context.Context, app *tui.App, cmd *exec.Cmd) error {
	if err := app.WaitShown(ctx); err != nil { // from here on the footer's rows are known
		return err
	}
	cols, rows := app.LiveSize()
	if rows == 0 {
		return runPiped(ctx, app, cmd)
	}
	err := runOnTerminal(ctx, app, cmd, cols, min(rows, maxRows))
	if errors.Is(err, errors.ErrUnsupported) {
		return runPiped(ctx, app, cmd)
	}
	return err
}

// runPiped runs cmd without a terminal.
func runPiped(ctx context.Context, app *tui.App, cmd *exec.Cmd) error {
	w := tui.NewANSI(app.Transcript())
	defer w.Close()
	if cmd.Stdout == nil {
		cmd.Stdout = w
	}
	if cmd.Stderr == nil {
		cmd.Stderr = w
	}
	if cmd.WaitDelay == 0 {
		cmd.WaitDelay = drain
	}
	leadGroup(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	err := waitProcess(ctx, cmd, nil)
	if errors.Is(err, exec.ErrWaitDelay) { // it has ended well, and another one holds its output
		return nil
	}
	return err
}

// waitProcess waits for the end of cmd, which leads a process group. It ends cmd when ctx ends, or
// when stop is closed.
func waitProcess(ctx context.Context, cmd *exec.Cmd, stop <-chan struct{}) error {
	var err, cause error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		err = cmd.Wait()
	}()
	select {
	case <-ended:
		return err
	case <-ctx.Done():
		cause = ctx.Err()
	case <-stop:
		cause = tui.ErrClosed
	}
	endGroup(cmd, ask)
	killTimer := time.NewTimer(grace)
	defer killTimer.Stop()
	select {
	case <-ended:
	case <-killTimer.C:
	}
	endGroup(cmd, kill) // also what it has left behind
	<-ended
	return cause
}

// endMode says how a process group is ended.
type endMode uint8

const (
	ask endMode = iota
	kill
)
