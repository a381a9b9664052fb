package tool

import (
	"context"
	"runtime"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// maxGlances is how many files are open at once.
const maxGlances = 64

// glances look into the files of a walk by several goroutines for whether they may have a match,
// and hand those that may to a searcher in the order of the walk. End them.
type glances struct {
	ctx  context.Context
	s    *searcher
	work chan *glance
	ring [maxGlances]glance
	from int // the oldest that is not settled
	n    int // that are not settled
}

// glance is a look into one file.
type glance struct {
	path workspace.Path
	file workspace.OpenedFile
	may  bool
	err  error
	done chan struct{} // one value for each look
}

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

// add has a file looked into. An error is one of files before it: errEnough if the result is full.
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

// settle waits for all looks and hands on what they have found.
func (g *glances) settle() error {
	for g.n > 0 {
		if err := g.next(); err != nil {
			return err
		}
	}
	return nil
}

// next settles the oldest look.
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

// end waits for the looks that are under way, and ends the goroutines.
func (g *glances) end() {
	for ; g.n > 0; g.n-- {
		<-g.ring[g.from].done
		g.from = (g.from + 1) % maxGlances
	}
	close(g.work)
}
