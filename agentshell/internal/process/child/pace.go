package child

import (
	"io"
	"time"
)

// Pace lets a burst of bytes through at once, and further ones at a steady rate: so a flood of
// output keeps neither us nor the disk busy. The zero value works. It is for one goroutine.
type Pace struct {
	Burst int // bytes that may come at once; 0: 32 MiB
	Rate  int // bytes a second after that; 0: 8 MiB

	budget float64 // bytes that may still come at once
	last   time.Time
}

// Spend counts n bytes, and waits until they fit the rate.
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

// pacedReader reads at a Pace.
type pacedReader struct {
	io.ReadCloser
	pace Pace
}

func (p *pacedReader) Read(b []byte) (int, error) {
	n, err := p.ReadCloser.Read(b)
	p.pace.Spend(n)
	return n, err
}
