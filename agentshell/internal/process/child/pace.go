package child

import (
	"io"
	"time"
)

// Pace limits the rate at which bytes are handled: a burst passes at once, more bytes at a steady
// rate. So a program's flood of output keeps neither this process nor the disk busy. The zero value
// is ready to use, by one goroutine.
type Pace struct {
	Burst int // number of bytes that pass at once; 0: 32 MiB
	Rate  int // bytes per second after that; 0: 8 MiB

	budget float64 // number of bytes that may still pass at once
	last   time.Time
}

// Spend counts n bytes, and blocks until they fit the rate.
func (p *Pace) Spend(n int) {
	if d := p.spend(n, time.Now()); d > 0 {
		pause(d)
	}
}

func (p *Pace) spend(n int, now time.Time) time.Duration {
	burst, rate := float64(p.Burst), float64(p.Rate)
	if burst == 0 {
		burst = 32 << 20
	}
	if rate == 0 {
		rate = 8 << 20
	}
	if p.last.IsZero() {
		p.budget = burst
	} else {
		p.budget = min(burst, p.budget+now.Sub(p.last).Seconds()*rate)
	}
	p.last = now
	p.budget -= float64(n)
	return time.Duration(max(-p.budget/rate, 0) * float64(time.Second))
}

// pacedReader is a reader that limits the rate of reading by a [Pace].
type pacedReader struct {
	io.ReadCloser
	pace Pace
}

func (p *pacedReader) Read(b []byte) (int, error) {
	n, err := p.ReadCloser.Read(b)
	p.pace.Spend(n)
	return n, err
}
