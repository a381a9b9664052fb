package child

import (
	"io"
	"time"
)

// Pace lets bytes through as fast as they come for a while, and then at a steady rate: a flood
// keeps neither us nor the disk busy. The zero value works. It is for one goroutine.
type Pace struct {
	Burst int // bytes that may come at once; 0: 32 MiB
	Rate  int // bytes a second after that; 0: 8 MiB

	left float64 // of the burst
	at   time.Time
}

// Spend counts n bytes and waits as long as they take.
func (p *Pace) Spend(n int) {
	if d := p.spend(n, time.Now()); d > 0 {
		nap(d)
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
	if p.at.IsZero() {
		p.left = burst
	} else {
		p.left = min(burst, p.left+now.Sub(p.at).Seconds()*rate)
	}
	p.at = now
	p.left -= float64(n)
	return time.Duration(max(-p.left/rate, 0) * float64(time.Second))
}

// paced reads at a pace.
type paced struct {
	io.ReadCloser
	pace Pace
}

func (p *paced) Read(b []byte) (int, error) {
	n, err := p.ReadCloser.Read(b)
	p.pace.Spend(n)
	return n, err
}
