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

// maxAhead is the most bytes of output that are read before they are shown.
const maxAhead = 256 << 10

// maxFinalReads is how often a program's terminal is read after its end. That is more than the
// system keeps of its output, and bounds the output of a descendant that still runs.
const maxFinalReads = 64

// output reads what a program writes on its terminal.
type output struct {
	from interface {
		Read(p []byte) (int, error)
		SetReadDeadline(t time.Time) error
	}
	ended atomic.Bool // the program has ended
}

// markEnded notes that the program has ended. Other programs on its terminal are read for the time
// drain only.
func (o *output) markEnded() {
	o.ended.Store(true)
	_ = o.from.SetReadDeadline(time.Now().Add(drain))
}

// copyTo passes the program's output to s, which is shown in block, until its terminal has no other
// side, or until a program that has ended has no more output. When app's Run ends it closes closed,
// and drops what it reads.
func (o *output) copyTo(ctx context.Context, app *tui.App, block *tui.Block, s *screen, closed chan<- struct{}) {
	buf := make([]byte, 16<<10)
	written, last, finished := 0, maxFinalReads, false
	for {
		if o.ended.Load() {
			if last--; last < 0 {
				return
			}
			_ = o.from.SetReadDeadline(time.Now().Add(drain))
		}
		n, err := o.from.Read(buf)
		if n > 0 && !finished {
			p := slices.Clone(buf[:n])
			if finished = !block.Update(func() { s.write(p) }); finished {
				close(closed)
			}
			if written += n; written >= maxAhead {
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
