//go:build unix

package ptyexec

import (
	"context"
	"errors"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
)

// maxBytesAhead is the maximum number of output bytes that are read before they are shown.
const maxBytesAhead = 256 << 10

// maxFinalReads is the maximum number of reads after the end of a program. It is more than the
// system buffers of its output, and limits the output of a descendant that is still running.
const maxFinalReads = 64

// output reads what a program writes to its terminal.
type output struct {
	from interface {
		Read(p []byte) (int, error)
		SetReadDeadline(t time.Time) error
	}
	ended atomic.Bool // the program has ended
}

// markEnded records that the program has ended. From now on the output of other programs on its
// terminal is read only for the time drain.
func (o *output) markEnded() {
	o.ended.Store(true)
	_ = o.from.SetReadDeadline(time.Now().Add(drainTime))
}

// copyTo passes the program's output to s, which is shown in block. It returns when no process has
// the terminal open any more, or when the program has ended and there is no more output. If app's
// Run ends first, it closes the channel closed and drops further output.
func (o *output) copyTo(ctx context.Context, app *tui.App, block *tui.Block, s *screen, closed chan<- struct{}) {
	buf := make([]byte, 16<<10)
	written, last, finished := 0, maxFinalReads, false
	for {
		if o.ended.Load() {
			if last--; last < 0 {
				return
			}
			_ = o.from.SetReadDeadline(time.Now().Add(drainTime))
		}
		n, err := o.from.Read(buf)
		if n > 0 && !finished {
			p := slices.Clone(buf[:n])
			if finished = !block.Update(func() { s.write(p) }); finished {
				close(closed)
			}
			if written += n; written >= maxBytesAhead {
				written = 0
				_ = app.WaitShown(ctx) // when that ends early there is nothing to wait for any more
			}
		}
		switch {
		case err == nil:
		case errors.Is(err, os.ErrDeadlineExceeded) && last == maxFinalReads: // of a read that had begun before the end
		default:
			return
		}
	}
}
