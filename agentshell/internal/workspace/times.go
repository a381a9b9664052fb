package workspace

import (
	"context"
	"time"
)

// These constants limit the reading of modification times during a walk.
const (
	maxListEntries   = 1024 // maxListEntries is the number of entries in one list.
	maxGroupEntries  = 256  // maxGroupEntries is the number of entries at which a group is complete.
	maxGroupDirs     = 8    // maxGroupDirs is the number of directories at which a group is complete.
	maxQueuedGroups  = 4    // maxQueuedGroups is the number of groups that wait for the second goroutine.
	maxWaitingGroups = 64   // maxWaitingGroups is the number of groups whose entries were not passed on yet.
)

// TimedEntry is an entry of a walk with its modification time.
type TimedEntry struct {
	Modify time.Time
	Dir    bool // Dir says that it is a directory.
	Gone   bool // Gone says that it could not be read, so Modify is not set.

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

// timesList holds entries of one directory. Their modification times are read together.
type timesList struct {
	parent  Path
	folder  folder
	names   []byte
	entries []timesEntry
}

type timesEntry struct {
	nameEnd int // nameEnd is the end of its name in timesList.names.
	dir     bool
	isGone  bool
	modify  time.Time
}

// read reads the times and closes the directory. Entries that it does not reach before ctx ends
// count as gone.
func (l *timesList) read(ctx context.Context) {
	names, start := string(l.names), 0
	for i := range l.entries {
		e := &l.entries[i]
		err := ctx.Err()
		if err == nil {
			e.modify, err = l.folder.modified(names[start:e.nameEnd])
		}
		e.isGone = err != nil
		start = e.nameEnd
	}
	l.folder.close()
}

// passEntries calls visit with the entries.
func (l *timesList) passEntries(visit func(TimedEntry)) {
	names, start := string(l.names), 0
	for _, e := range l.entries {
		visit(TimedEntry{Modify: e.modify, Dir: e.dir, Gone: e.isGone, parent: l.parent, name: names[start:e.nameEnd]})
		start = e.nameEnd
	}
}

// timesGroup holds lists that are read together. There are enough of them to justify passing them
// to another goroutine.
type timesGroup struct {
	lists []*timesList
	files int
	done  chan struct{} // done is closed when the times are read.
}

func (g *timesGroup) read(ctx context.Context) {
	for _, l := range g.lists {
		l.read(ctx)
	}
	close(g.done)
}

// timesReader reads modification times while a walk continues: on a goroutine of its own and, when
// that is busy, on the goroutine of the walk. Reading a time takes three times as long as reading a
// name. Entries are passed on in the order in which the walk leaves their directories.
type timesReader struct {
	ctx          context.Context
	visit        func(TimedEntry)
	unreadGroups chan *timesGroup
	queue        []*timesGroup // queue holds the groups whose entries were not passed on yet.
	currentGroup *timesGroup   // currentGroup is the group that is being filled.
	spareLists   []*timesList
}

// newTimesReader returns a reader whose goroutine runs until finish is called.
func newTimesReader(ctx context.Context, visit func(TimedEntry)) *timesReader {
	r := &timesReader{ctx: ctx, visit: visit, unreadGroups: make(chan *timesGroup, maxQueuedGroups)}
	go func() {
		for g := range r.unreadGroups {
			g.read(ctx)
		}
	}()
	return r
}

// list returns an empty list for the entries of parent.
func (r *timesReader) list(parent Path) *timesList {
	l := &timesList{}
	if n := len(r.spareLists); n > 0 {
		l, r.spareLists = r.spareLists[n-1], r.spareLists[:n-1]
	}
	l.parent = parent
	return l
}

// add adds a list with its directory to the present group.
func (r *timesReader) add(l *timesList) {
	if r.currentGroup == nil {
		r.currentGroup = &timesGroup{done: make(chan struct{})}
	}
	g := r.currentGroup
	g.lists = append(g.lists, l)
	if g.files += len(l.entries); g.files >= maxGroupEntries || len(g.lists) >= maxGroupDirs {
		r.send()
	}
}

// send starts reading the present group.
func (r *timesReader) send() {
	g := r.currentGroup
	if g == nil {
		return
	}
	r.currentGroup, r.queue = nil, append(r.queue, g)
	select {
	case r.unreadGroups <- g:
	default:
		g.read(r.ctx)
	}
	r.passFinished(maxWaitingGroups)
}

// passFinished passes on the groups at the front of the queue that are read. It waits for them
// while the queue has more than limit groups.
func (r *timesReader) passFinished(limit int) {
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
			l.passEntries(r.visit)
			l.names, l.entries, l.folder = l.names[:0], l.entries[:0], nil
			r.spareLists = append(r.spareLists, l)
		}
		r.queue = r.queue[1:]
	}
}

// finish passes on all remaining groups and ends the goroutine.
func (r *timesReader) finish() {
	r.send()
	close(r.unreadGroups)
	for g := range r.unreadGroups {
		g.read(r.ctx)
	}
	r.passFinished(0)
}

// VisitTimes sets the function that receives the entries of [Tree.ReadTime]. The walk calls it from
// Next, ReadTime and Close.
func (t *Tree) VisitTimes(visit func(TimedEntry)) { t.times = newTimesReader(t.ctx, visit) }

// ReadTime requests the modification time of the current entry. The walk later passes the entry to
// the function of [Tree.VisitTimes], at the latest in Close. After an error it does not, because
// the directory is gone.
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
	l.times.entries = append(l.times.entries, timesEntry{nameEnd: len(l.times.names), dir: t.current.kind == dirKind})
	if len(l.times.entries) < maxListEntries {
		return nil
	}
	if f, err = f.openSub("."); err == nil { // otherwise the list grows until the level is left
		l.times.folder = f
		t.times.add(l.times)
		l.times = nil
	}
	return nil
}

// closeFolder closes the directory of a level. If times in it are still to be read, it is closed
// after that.
func (t *Tree) closeFolder(l *level) {
	if l.times == nil {
		l.folder.close()
	} else {
		l.times.folder = l.folder
		t.times.add(l.times)
	}
	l.folder, l.times = nil, nil
}
