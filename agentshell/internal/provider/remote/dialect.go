package remote

import "sync"

// Dialects are what servers were found to want otherwise, for as long as the process lives. All
// models at one address share them. The zero value is ready.
type Dialects struct {
	mu    sync.Mutex
	facts map[fact]bool
}

// fact is one thing that was found: a part that a server, or one of its models, does without, or a
// version that its address lacks.
type fact struct{ address, model, what string }

// has reports whether f was found before.
func (d *Dialects) has(f fact) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.facts[f]
}

// learn remembers f.
func (d *Dialects) learn(f fact) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.facts == nil {
		d.facts = map[fact]bool{}
	}
	d.facts[f] = true
}
