package tool

import (
	"context"
	"runtime"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// maxGlances is the number of files that are open at the same time.
const maxGlances = 64

// glances reads the files of a directory walk in parallel, to find out which may contain a match.
// It then passes those files to a searcher in the order of the walk. The creator must call end.
type glances struct {
	ctx context.Context
	// s is the searcher that gets the files which may match.
	s *searcher
	// work sends files to the goroutines.
	work chan *glance
	// ring holds the files that have been added and not yet settled.
	ring [maxGlances]glance
	from int // from is the index in ring of the oldest file that is not settled.
	n    int // n is the number of files that are not settled.
}

// glance represents the parallel check of one file.
type glance struct {
	path workspace.Path
	file workspace.OpenedFile
	// may is true if the file may contain a match.
	may  bool
	err  error
	done chan struct{} // done receives one value when the check has ended.
}

// newGlances starts the goroutines that check files for the searcher s.
func newGlances(ctx context.Context, s *searcher) *glances {
	g := &glances{ctx: ctx, s: s, work: make(chan *glance, maxGlances)}
	for i := range g.ring {
		g.ring[i].done = make(chan struct{}, 1)
	}
	for range min(4, runtime.GOMAXPROCS(0)) {
		go look(g.work, s.match)
	}
	return g
}

// look checks files from the channel work until it is closed.
func look(work <-chan *glance, m *matcher) {
	var buf []byte
	for l := range work {
		data, err := l.file.Read(buf, workspace.MaxRead)
		l.may, l.err = err == nil && m.may(data), err
		if data != nil {
			buf = data
		}
		l.done <- struct{}{}
	}
}

// add queues a file to be checked. If the ring is full, add first settles the oldest file, and
// returns the error of that: errEnough if the search result is full.
func (g *glances) add(p workspace.Path, file workspace.OpenedFile) error {
	var err error
	if g.n == maxGlances {
		err = g.next()
	}
	l := &g.ring[(g.from+g.n)%maxGlances]
	l.path, l.file = p, file
	g.n++
	g.work <- l
	return err
}

// settle waits for all checks, and passes each file that may match to the searcher.
func (g *glances) settle() error {
	for g.n > 0 {
		if err := g.next(); err != nil {
			return err
		}
	}
	return nil
}

// next waits for the check of the oldest file, and passes the file to the searcher if it may match.
func (g *glances) next() error {
	l := &g.ring[g.from]
	<-l.done
	g.from, g.n = (g.from+1)%maxGlances, g.n-1
	if l.err != nil {
		g.s.skipped++
	}
	if !l.may {
		return g.ctx.Err()
	}
	data, err := g.s.env.Workspace.Backend().ReadBytes(g.ctx, l.path, workspace.MaxRead)
	if err == nil {
		err = workspace.Text(l.path, data)
	}
	if err != nil {
		g.s.skipped++
		return g.ctx.Err()
	}
	return g.s.lines(searched{path: l.path, file: true}, string(data))
}

// end waits for the running checks, without using their results, and ends the goroutines.
func (g *glances) end() {
	for ; g.n > 0; g.n-- {
		<-g.ring[g.from].done
		g.from = (g.from + 1) % maxGlances
	}
	close(g.work)
}
