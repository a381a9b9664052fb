package workspace

import (
	"context"
	"time"
)

// Limits of the times that a walk reads beside itself.
const (
	maxTimesList    = 1024 // entries of one list
	timesGroupFiles = 256  // entries of a group that is complete
	timesGroupDirs  = 8    // directories of a group that is complete
	timesAtWork     = 4    // groups that wait for the goroutine beside the walk
	timesWaiting    = 64   // groups whose entries the walk has not passed on
)

// TimedEntry is an entry of a walk with the time at which its content was written last.
type TimedEntry struct {
	Modify time.Time
	Dir    bool // it is a directory
	Gone   bool // it could not be read: there is no time

	parent Path
	name   string
}

// Path returns the path of the entry.
func (e TimedEntry) Path() Path {
	p := e.parent
	if p.rel == "." {
		p.rel = e.name
	} else {
		p.rel += "/" + e.name
	}
	return p
}

// timesList is entries of one directory whose times are read together.
type timesList struct {
	parent  Path
	folder  folder
	names   []byte
	entries []timesEntry
}

type timesEntry struct {
	end    int // of its name
	dir    bool
	gone   bool
	modify time.Time
}

// read reads the times, and closes the directory. Entries that it does not come to before ctx ends
// are gone.
func (l *timesList) read(ctx context.Context) {
	names, start := string(l.names), 0
	for i := range l.entries {
		e := &l.entries[i]
		err := ctx.Err()
		if err == nil {
			e.modify, err = l.folder.modified(names[start:e.end])
		}
		e.gone = err != nil
		start = e.end
	}
	l.folder.close()
}

// pass passes the entries to visit.
func (l *timesList) pass(visit func(TimedEntry)) {
	names, start := string(l.names), 0
	for _, e := range l.entries {
		visit(TimedEntry{Modify: e.modify, Dir: e.dir, Gone: e.gone, parent: l.parent, name: names[start:e.end]})
		start = e.end
	}
}

// timesGroup is lists that are worth the way to another goroutine.
type timesGroup struct {
	lists []*timesList
	files int
	done  chan struct{} // closed when the times are read
}

func (g *timesGroup) read(ctx context.Context) {
	for _, l := range g.lists {
		l.read(ctx)
	}
	close(g.done)
}

// timesReader reads times while a walk goes on: in a goroutine of its own and, when that has enough
// to do, in the walk's. Reading a time costs three times what a name costs. It passes the entries
// on in the order in which their directories are left.
type timesReader struct {
	ctx   context.Context
	visit func(TimedEntry)
	work  chan *timesGroup
	queue []*timesGroup // groups whose entries were not passed on
	group *timesGroup   // the group that is being filled
	spare []*timesList
}

// newTimesReader returns a reader whose goroutine runs until finish.
func newTimesReader(ctx context.Context, visit func(TimedEntry)) *timesReader {
	r := &timesReader{ctx: ctx, visit: visit, work: make(chan *timesGroup, timesAtWork)}
	go func() {
		for g := range r.work {
			g.read(ctx)
		}
	}()
	return r
}

// list returns an empty list.
func (r *timesReader) list(parent Path) *timesList {
	l := &timesList{}
	if n := len(r.spare); n > 0 {
		l, r.spare = r.spare[n-1], r.spare[:n-1]
	}
	l.parent = parent
	return l
}

// add takes a list with its directory.
func (r *timesReader) add(l *timesList) {
	if r.group == nil {
		r.group = &timesGroup{done: make(chan struct{})}
	}
	g := r.group
	g.lists = append(g.lists, l)
	if g.files += len(l.entries); g.files >= timesGroupFiles || len(g.lists) >= timesGroupDirs {
		r.send()
	}
}

// send has the group read.
func (r *timesReader) send() {
	g := r.group
	if g == nil {
		return
	}
	r.group, r.queue = nil, append(r.queue, g)
	select {
	case r.work <- g:
	default:
		g.read(r.ctx)
	}
	r.pass(timesWaiting)
}

// pass passes on the groups at the front of the queue that are read. It waits for them while more
// than limit are in it.
func (r *timesReader) pass(limit int) {
	for len(r.queue) > 0 {
		g := r.queue[0]
		if len(r.queue) > limit {
			<-g.done
		}
		select {
		case <-g.done:
		default:
			return
		}
		for _, l := range g.lists {
			l.pass(r.visit)
			l.names, l.entries, l.folder = l.names[:0], l.entries[:0], nil
			r.spare = append(r.spare, l)
		}
		r.queue = r.queue[1:]
	}
}

// finish passes on what is left and ends the goroutine.
func (r *timesReader) finish() {
	r.send()
	close(r.work)
	for g := range r.work {
		g.read(r.ctx)
	}
	r.pass(0)
}

// VisitTimes sets the function that gets the entries of ReadTime. The walk calls it from Next,
// ReadTime and Close.
func (t *Tree) VisitTimes(visit func(TimedEntry)) { t.times = newTimesReader(t.ctx, visit) }

// ReadTime reads when the current entry was written, while the walk goes on. The walk passes the
// entry to the function of [Tree.VisitTimes], at the latest when it is closed. It does not if there
// is an error: the directory is gone.
func (t *Tree) ReadTime() error {
	f, err := t.currentFolder()
	if err != nil {
		return err
	}
	l := &t.levels[len(t.levels)-1]
	if l.times == nil {
		l.times = t.times.list(t.DirPath())
	}
	l.times.names = append(l.times.names, t.nameBytes(t.current)...)
	l.times.entries = append(l.times.entries, timesEntry{end: len(l.times.names), dir: t.current.kind == dirKind})
	if len(l.times.entries) < maxTimesList {
		return nil
	}
	if f, err = f.openSub("."); err == nil { // otherwise the list grows until the level is left
		l.times.folder = f
		t.times.add(l.times)
		l.times = nil
	}
	return nil
}

// closeFolder closes the directory of a level, if times are to be read in it after that is done.
func (t *Tree) closeFolder(l *level) {
	if l.times == nil {
		l.folder.close()
	} else {
		l.times.folder = l.folder
		t.times.add(l.times)
	}
	l.folder, l.times = nil, nil
}
