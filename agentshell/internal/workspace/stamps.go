package workspace

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strings"
)

// Stamps is a cheap look at all files of the roots that may be written, enough to list what a
// command did, never to decide a write (FS-54). It is kept as what a walk of each root met, one
// record behind the other: 10 bytes and the name for each file, 3 and the name for each directory.
//
// The names of all files are looked at, with the inode numbers that come with them: what is made,
// removed, renamed or replaced is found everywhere. Looking at a file itself takes four times as
// long as finding it, so content that is written in place is looked for in a bounded number of
// files only (see [Watch]).
type Stamps struct {
	seed maphash.Seed
	logs []log
	// Named counts the files of which only the name was looked at.
	Named int
	// Whole is false if there is more than was looked at: then the stamps reach up to some place in
	// the order of the walks.
	Whole bool
}

// log is what a walk below top met.
type log struct {
	top     Path
	records []byte
}

// Watch bounds what Stamps look at.
type Watch struct {
	Entries int // files and directories whose names are looked at
	// Files that are looked at themselves, in the order of the walk: so many in the directories of
	// what the workspace has resolved before, and as many in others. What was resolved itself is
	// looked at in any case.
	Files int
}

// Changed is a file that is not as its stamp.
type Changed struct {
	Path         Path
	New, Removed bool
}

// Changes is what is different since Stamps were taken, in the order of a walk.
type Changes struct {
	Files []Changed
	More  int // changed files that are not among Files
	// Whole is false if one of the two looks did not see everything: nothing is said of what lies
	// behind the place that both have reached.
	Whole bool
}

// What a record of a log begins with. A directory's is followed by its entries and an end.
const (
	fileRecord  = iota // with the state of the file
	namedRecord        // with its inode number only
	dirRecord
	endRecord
)

// Stamps looks at all files of the roots that may be written, without the objects of git, within
// the bounds of watch and until ctx ends.
func (w *Workspace) Stamps(ctx context.Context, watch Watch) *Stamps {
	s := &Stamps{seed: maphash.MakeSeed()}
	taking := taking{Stamps: s, entries: watch.Entries, near: watch.Files, far: watch.Files}
	for _, top := range w.WritableRoots() {
		s.logs = append(s.logs, log{top: top})
		if !taking.walk(ctx, w) {
			return s
		}
	}
	s.Whole = true
	return s
}

// taking is what the bounds still leave while stamps are taken.
type taking struct {
	*Stamps
	entries, near, far int
}

// walk fills the last log; false: there is more than it has.
func (s *taking) walk(ctx context.Context, w *Workspace) bool {
	log := &s.logs[len(s.logs)-1]
	t, err := w.Tree(ctx, log.top, "")
	if err != nil {
		return false
	}
	defer t.Close()
	at := []*trail{w.trails(log.top.root)} // by depth, nil where nothing is known
	for ; t.watched(); s.entries-- {
		if s.entries == 0 {
			return false
		}
		for ; len(at) > t.Depth(); at = at[:len(at)-1] {
			log.end()
		}
		here := at[len(at)-1]
		if t.at.kind == dirKind {
			log.put(dirRecord, t.bytes(t.at))
			at = append(at, here.next(t.bytes(t.at)))
			continue
		}
		left := &s.far
		if here != nil {
			left = &s.near
		}
		switch {
		case here.next(t.bytes(t.at)) != nil:
		case *left > 0:
			*left--
		default:
			s.Named++
			log.put(namedRecord, t.bytes(t.at))
			log.sum(t.ino())
			continue
		}
		if sum, ok := s.stamp(t); ok {
			log.put(fileRecord, t.bytes(t.at))
			log.sum(sum)
		}
	}
	for range at {
		log.end()
	}
	return t.err == nil
}

// watched goes to the next entry that stamps are of.
func (t *Tree) watched() bool {
	for t.Next() {
		if t.at.kind != dirKind || string(t.bytes(t.at)) != "objects" ||
			string(t.bytes(t.levels[len(t.levels)-1].name)) != ".git" {
			return true
		}
		t.Skip()
	}
	return false
}

func (l *log) put(record byte, name []byte) {
	if len(l.records)+len(name)+16 > cap(l.records) {
		l.records = slices.Grow(l.records, len(l.records)+1024)
	}
	l.records = append(l.records, record)
	l.records = binary.AppendUvarint(l.records, uint64(len(name)))
	l.records = append(l.records, name...)
}

func (l *log) sum(n uint64) { l.records = binary.LittleEndian.AppendUint64(l.records, n) }

func (l *log) end() { l.records = append(l.records, endRecord) }

// stamp returns the state of the file that t is at as one number; false: it is gone.
func (s *Stamps) stamp(t *Tree) (uint64, bool) {
	e, err := t.Stat()
	if err != nil {
		return 0, false
	}
	var b [36]byte
	binary.LittleEndian.PutUint32(b[0:], uint32(e.Mode))
	binary.LittleEndian.PutUint64(b[4:], uint64(e.Size))
	binary.LittleEndian.PutUint64(b[12:], e.Ino)
	binary.LittleEndian.PutUint64(b[20:], uint64(e.Change.UnixNano()))
	binary.LittleEndian.PutUint64(b[28:], uint64(e.Modify.UnixNano()))
	return maphash.Bytes(s.seed, b[:]), true
}

// stamped is a place in a log.
type stamped struct {
	record byte
	name   []byte
	sum    uint64 // of the state of a file, or its inode number
	rest   []byte // of the log, behind the record
}

// readStamp returns the record that a log begins with; false: the log ends there.
func readStamp(log []byte) (r stamped, ok bool) {
	if len(log) == 0 {
		return r, false
	}
	r.record, r.rest = log[0], log[1:]
	if r.record == endRecord {
		return r, true
	}
	n, k := binary.Uvarint(r.rest)
	r.name, r.rest = r.rest[k:k+int(n)], r.rest[k+int(n):]
	if r.record != dirRecord {
		r.sum, r.rest = binary.LittleEndian.Uint64(r.rest), r.rest[8:]
	}
	return r, true
}

// Changes looks again at what before is of. It gives the first keep files that have changed
// meanwhile, but none with a path of more than MaxPath bytes, and keeps nothing else of what it
// sees.
func (w *Workspace) Changes(ctx context.Context, before *Stamps, keep int) Changes {
	c := comparison{before: before, keep: keep}
	whole := before.Whole
	for _, l := range before.logs {
		c.top, c.log, c.dirs, c.size = l.top, l.records, nil, 0
		whole = c.walk(ctx, w) && whole
	}
	c.found.Whole = whole
	return c.found
}

// comparison is a walk beside a log. Both are in the directory dirs, or the walk is below it in one
// that is new.
type comparison struct {
	top    Path
	before *Stamps
	log    []byte
	dirs   []string
	size   int // bytes of dirs, with a slash behind each
	keep   int
	found  Changes
}

// walk compares one root with its log; false: one of the two did not see everything.
func (c *comparison) walk(ctx context.Context, w *Workspace) bool {
	t, err := w.Tree(ctx, c.top, "")
	if err != nil {
		return false
	}
	defer t.Close()
	for t.watched() {
		if !c.meet(t) {
			return false
		}
	}
	return t.err == nil && c.rest()
}

// meet compares the entry that the walk is at; false: the log says nothing of it or of what
// follows.
func (c *comparison) meet(t *Tree) bool {
	for len(c.dirs)+1 > t.Depth() { // the walk has left a directory: what the log still has of it is gone
		if !c.pass(nil) {
			return false
		}
		c.up()
	}
	if len(c.dirs)+1 < t.Depth() {
		c.fresh(t)
		return true
	}
	if !c.pass(t.bytes(t.at)) {
		return false
	}
	r, ok := readStamp(c.log)
	if !ok {
		return false
	}
	if r.record == endRecord || !bytes.Equal(r.name, t.bytes(t.at)) { // the log's one comes behind it
		c.fresh(t)
		return true
	}
	c.log = r.rest
	switch isDir := t.at.kind == dirKind; {
	case r.record == dirRecord && isDir:
		c.down(r.name)
	case r.record == dirRecord:
		ok = c.removeDir(r.name)
		c.fresh(t)
	case isDir:
		c.removed(r.name)
	case r.record == namedRecord:
		if r.sum != t.ino() {
			c.tell(t.Size(), func() Changed { return Changed{Path: t.Path()} })
		}
	default:
		if sum, is := c.before.stamp(t); !is {
			c.removed(r.name)
		} else if sum != r.sum {
			c.tell(t.Size(), func() Changed { return Changed{Path: t.Path()} })
		}
	}
	return ok
}

// pass tells what the log has before the name, or, if that is nil, up to the end of the directory,
// and passes the end; false: the log ends before.
func (c *comparison) pass(name []byte) bool {
	for {
		r, ok := readStamp(c.log)
		switch {
		case !ok:
			return false
		case r.record == endRecord:
			if name == nil {
				c.log = r.rest
			}
			return true
		case name != nil && bytes.Compare(r.name, name) >= 0:
			return true
		}
		c.log = r.rest
		if r.record != dirRecord {
			c.removed(r.name)
		} else if !c.removeDir(r.name) {
			return false
		}
	}
}

// removeDir tells all that the log has of a directory whose record has just been read.
func (c *comparison) removeDir(name []byte) bool {
	depth := len(c.dirs)
	c.down(name)
	for len(c.dirs) > depth {
		r, ok := readStamp(c.log)
		if !ok {
			return false
		}
		c.log = r.rest
		switch r.record {
		case endRecord:
			c.up()
		case dirRecord:
			c.down(r.name)
		default:
			c.removed(r.name)
		}
	}
	return true
}

// rest tells what the log has behind the end of the walk; false: it has no end.
func (c *comparison) rest() bool {
	for ; len(c.dirs) > 0; c.up() {
		if !c.pass(nil) {
			return false
		}
	}
	return c.pass(nil)
}

func (c *comparison) down(name []byte) {
	c.dirs = append(c.dirs, string(name))
	c.size += len(name) + 1
}

func (c *comparison) up() {
	last := len(c.dirs) - 1
	c.size -= len(c.dirs[last]) + 1
	c.dirs = c.dirs[:last]
}

func (c *comparison) fresh(t *Tree) {
	if t.at.kind != dirKind {
		c.tell(t.Size(), func() Changed { return Changed{Path: t.Path(), New: true} })
	}
}

func (c *comparison) removed(name []byte) {
	c.tell(c.size+len(name), func() Changed {
		p := c.top
		p.rel = strings.Join(append(c.dirs[:len(c.dirs):len(c.dirs)], string(name)), "/")
		return Changed{Path: p, Removed: true}
	})
}

// tell notes a change; its path, of size bytes, is made only if it is kept.
func (c *comparison) tell(size int, change func() Changed) {
	if len(c.found.Files) == c.keep || size > MaxPath {
		c.found.More++
		return
	}
	c.found.Files = append(c.found.Files, change())
}
