package play

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/scrollkeep/scrollkeep/stress/workload"
	"github.com/scrollkeep/scrollkeep/tui"
)

// OnTerminal plays ops in the real terminal, an op each pace. With whole, rows become final only
// with their message. desk is a socket on which somebody changes the window, types, and reads the
// tape; "": nobody does, sizes are what they are.
func OnTerminal(ops []workload.Op, whole bool, pace time.Duration, desk string) error {
	c := newChat(whole)
	var ask func(format string, args ...any) error
	if desk != "" {
		conn, err := net.Dial("unix", desk)
		if err != nil {
			return err
		}
		defer conn.Close()
		ask = asker(conn)
	}
	sizes := make(chan tui.Resize, 64)
	c.app.OnEvent = func(ev tui.Event) bool {
		if r, ok := ev.(tui.Resize); ok {
			sizes <- r
		}
		return false
	}
	var failed error
	c.app.Main = func(ctx context.Context) error {
		failed = c.playOps(ctx, ops, pace, ask, sizes)
		return nil
	}
	if err := c.app.Run(context.Background()); err != nil {
		return err
	}
	return failed
}

// asker sends a line to the desk and waits for the one that says it is done.
func asker(conn io.ReadWriter) func(format string, args ...any) error {
	done := bufio.NewReader(conn)
	return func(format string, args ...any) error {
		if _, err := fmt.Fprintf(conn, format+"\n", args...); err != nil {
			return err
		}
		_, err := done.ReadString('\n')
		return err
	}
}

// changed is the longest that a window takes to get a size that it was asked for; calm is when a
// program has painted what comes of it, painted when it has painted the last op, steady when rows
// are whole again after a change of size. behind is how far a terminal may be when the history has
// been written.
const changed, calm, painted, steady, behind = 5 * time.Second, 300 * time.Millisecond, 300 * time.Millisecond,
	1500 * time.Millisecond, 3 * time.Second

// playOps does the ops; without a desk it leaves sizes and keys out.
func (c *chat) playOps(ctx context.Context, ops []workload.Op, pace time.Duration,
	ask func(format string, args ...any) error, sizes <-chan tui.Resize) error {
	keys, idle := "", behind
	for i, o := range ops[1:] {
		wait := pace
		switch {
		case o.K == "begin" || o.K == "end":
			continue
		case (o.K == "resize" || o.K == "key") && ask == nil:
			continue
		case o.K == "key":
			if keys += o.T; i+2 < len(ops) && ops[i+2].K == "key" {
				continue
			}
			if err := ask("keys %s", keys); err != nil {
				return err
			}
			keys, wait = "", calm
		case o.K == "resize":
			<-time.After(idle) // then the window is what the emulator had when it changed
			idle = painted
			if err := ask("size %d %d", o.W, o.H); err != nil {
				return err
			}
			if err := awaitSize(sizes, o.W, o.H); err != nil {
				return err
			}
			c.app.Do(func() { c.status.next(o.K) })
			wait = steady
		default:
			if _, err := c.do(o, nil); err != nil {
				return err
			}
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if ask == nil {
		return nil
	}
	<-time.After(calm)
	return ask("end")
}

// awaitSize waits until the window has that size.
func awaitSize(sizes <-chan tui.Resize, cols, rows int) error {
	for end := time.After(changed); ; {
		select {
		case r := <-sizes:
			if r.Cols == cols && r.Rows == rows {
				return nil
			}
		case <-end:
			return fmt.Errorf("the window is not %dx%d", cols, rows)
		}
	}
}

// readPicture reads the picture that a real terminal has shown, in JSON.
func readPicture(file string) (picture, error) {
	var got picture
	b, err := os.ReadFile(file)
	if err != nil {
		return got, err
	}
	return got, json.Unmarshal(b, &got)
}
