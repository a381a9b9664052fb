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
	killDelay = 400 * time.Millisecond // time for a program to end on request before it is killed
	// time to read the output of a program that has ended while another process still has its
	// terminal open
	drainTime = 200 * time.Millisecond
)

// maxScreenRows is the maximum height of a program's screen.
const maxScreenRows = 12

// Run runs cmd until it ends, and shows its screen as a block of app's transcript. The screen is as
// wide as the window, and as high as a block can be above the footer ([tui.App.LiveSize]), at most
// 12 rows. It follows changes of the window's size. cmd.Stdin, Stdout and Stderr are kept if they
// are set.
//
// Run returns the error of [exec.Cmd.Wait], or the error that has prevented the start. When ctx
// ends, cmd's process group is asked to end and killed soon after, and the error is ctx.Err(). If
// Run of app ends the error is [tui.ErrClosed]. When cmd ends, the system sends SIGHUP to the
// processes that it leaves behind in its group.
//
// Without a terminal, and on Windows, the output becomes rows of the transcript, as with
// [tui.NewANSI]. Run may be called on any goroutine but the loop.
func Run(ctx context.Context, app *tui.App, cmd *exec.Cmd) error {
	if err := app.WaitShown(ctx); err != nil { // from here on the footer's rows are known
		return err
	}
	cols, rows := app.LiveSize()
	if rows == 0 {
		return runPiped(ctx, app, cmd)
	}
	err := runOnTerminal(ctx, app, cmd, cols, min(rows, maxScreenRows))
	if errors.Is(err, errors.ErrUnsupported) {
		return runPiped(ctx, app, cmd)
	}
	return err
}

// runPiped runs cmd without a pseudoterminal.
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
		cmd.WaitDelay = drainTime
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

// waitProcess waits for the end of cmd, which leads a process group. It ends the group when ctx
// ends or stop is closed, and then returns the reason.
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
	endGroup(cmd, askToEnd)
	killTimer := time.NewTimer(killDelay)
	defer killTimer.Stop()
	select {
	case <-ended:
	case <-killTimer.C:
	}
	endGroup(cmd, killNow) // also what it has left behind
	<-ended
	return cause
}

// endMode says how to end a process group.
type endMode uint8

const (
	askToEnd endMode = iota
	killNow
)
