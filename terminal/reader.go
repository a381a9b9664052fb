package terminal

import (
	"errors"
	"io"
	"time"
)

// readSize is the most bytes of one read from the terminal.
const readSize = 64 << 10

// reader is the goroutine that reads from the terminal, except while it is lent.
type reader struct {
	stop chan struct{} // Closed before the device is stopped.
	done chan struct{} // Closed when the goroutine has ended.
}

// startReader starts the goroutine that reads from the terminal.
func (t *Terminal) startReader() {
	r := &reader{stop: make(chan struct{}), done: make(chan struct{})}
	t.handover.reader = r
	go func() {
		defer close(r.done)
		buf := make([]byte, readSize)
		for {
			n, err := t.tty.Read(buf)
			if n > 0 {
				c := chunk{append([]byte(nil), buf[:n]...), time.Now()}
				select {
				case t.reads <- c:
				case <-r.stop: // typed before the terminal was given away: it is ours
					t.feedChunk(c)
					poke(t.wake)
				}
			}
			select {
			case <-r.stop:
				return
			default:
			}
			if err != nil {
				if errors.Is(err, ErrClosed) {
					err = io.EOF
				}
				t.endReading(err)
				return
			}
		}
	}()
}
