package remote

import "sync"

// Dialects remembers which parts of requests servers were found to refuse, and which addresses lack
// a version. It lasts as long as the process. All models at one address share it. The zero value is
// ready to use.
type Dialects struct {
	mu    sync.Mutex
	facts map[fact]bool
}

// fact is one thing that was found out about a server or about one of its models: that it refuses a
// part of a request, that its address lacks a version, or that a model sees pictures.
type fact struct{ address, model, what string }

// has reports whether f was found before.
func (d *Dialects) has(f fact) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.facts[f]
}

// learn stores f.
func (d *Dialects) learn(f fact) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.facts == nil {
		d.facts = map[fact]bool{}
	}
	d.facts[f] = true
}
