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

// OnTerminal plays the operations in the real terminal of this process, with a pause of the given
// pace after each. If whole is true, rows become final only with their message.
//
// desk is the name of a Unix socket. A test listens there that changes the window's size, types,
// and reads the screen. If desk is "", changes of size and keys are left out.
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

// asker returns a function that sends a line to the test at the socket, and waits for the line that
// confirms it.
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

// changed is the longest time that a window takes to get the size that it was asked for. calm is
// the time in which the program has painted the result of a key, painted the time in which it has
// painted the last operation, and steady the time in which all rows are whole again after a change
// of size. behind is how long a terminal may take to read the history.
const changed, calm, painted, steady, behind = 5 * time.Second, 300 * time.Millisecond, 300 * time.Millisecond,
	1500 * time.Millisecond, 3 * time.Second

// playOps carries out the operations in real time. If ask is nil, it leaves out changes of size and
// keys.
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

// awaitSize waits until the program has heard that the window has that size. It returns an error if
// that takes too long.
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

// readPicture reads what a real terminal has shown from a JSON file.
func readPicture(file string) (picture, error) {
	var got picture
	b, err := os.ReadFile(file)
	if err != nil {
		return got, err
	}
	return got, json.Unmarshal(b, &got)
}
