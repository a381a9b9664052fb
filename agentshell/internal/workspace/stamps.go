package workspace

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strings"
)

// Stamps is a compact record of the state of all files in the writable roots. Comparing with it
// later tells what a command has changed. It is never used to decide about a write (FS-54). It
// takes 10 bytes and the name for each file, and 3 and the name for each directory.
//
// It has the names and inode numbers of all files, so it finds every file that is created, removed,
// renamed or replaced. Reading the state of a file takes four times as long as its name, so changes
// in place are found only in a limited number of files: see [Watch].
type Stamps struct {
	hashSeed maphash.Seed
	rootLogs []stampLog
	// NamesOnly counts the files whose state was not read, only their names.
	NamesOnly int
	// Complete is false if there are more files than were recorded. The record ends somewhere in
	// the order of the walk then.
	Complete bool
}

// stampLog holds the records of a walk through one root.
type stampLog struct {
	top     Path
	records []byte
}

// Watch limits the work of [Workspace.Stamps].
type Watch struct {
	Entries int // Entries is the number of files and directories whose names are read.
	// Files is the number of files whose state is read, in the order of the walk: so many in
	// directories of known paths, and the same number in others. A known path is one that the
	// workspace has resolved before. The state of known files is always read.
	Files int
}

// Changed is a file whose state differs from its record in Stamps.
type Changed struct {
	Path         Path
	New, Removed bool
}

// Changes holds the differences since Stamps were taken, in the order of a walk.
type Changes struct {
	Files   []Changed
	Omitted int // Omitted counts the changed files that are not in Files.
	// Complete is false if one of the two walks did not see all files. Files that only one of them
	// reached are not compared.
	Complete bool
}

// These are the first bytes of records in a stampLog. The record of a directory is followed by
// those of its entries and an endRecord.
const (
	fileRecord  = iota // fileRecord has a hash of the file's state.
	namedRecord        // namedRecord has only the inode number.
	dirRecord
	endRecord
)

// Stamps records the state of all files in the writable roots, except git's objects. It stops at
// the limits of watch and when ctx ends.
func (w *Workspace) Stamps(ctx context.Context, watch Watch) *Stamps {
	s := &Stamps{hashSeed: maphash.MakeSeed()}
	taking := stampWalk{Stamps: s, entriesLeft: watch.Entries, knownFilesLeft: watch.Files, otherFilesLeft: watch.Files}
	for _, top := range w.WritableRoots() {
		s.rootLogs = append(s.rootLogs, stampLog{top: top})
		if !taking.walk(ctx, w) {
			return s
		}
	}
	s.Complete = true
	return s
}

// stampWalk is a walk that takes stamps, with the remaining limits.
type stampWalk struct {
	*Stamps
	entriesLeft, knownFilesLeft, otherFilesLeft int
}

// walk records one root in the last log. It returns false if it reached a limit.
func (s *stampWalk) walk(ctx context.Context, w *Workspace) bool {
	log := &s.rootLogs[len(s.rootLogs)-1]
	t, err := w.Tree(ctx, log.top, "")
	if err != nil {
		return false
	}
	defer t.Close()
	known := []*pathTree{w.knownTree(log.top.root)} // by depth; nil where no path is known
	for ; t.nextWatched(); s.entriesLeft-- {
		if s.entriesLeft == 0 {
			return false
		}
		for ; len(known) > t.Depth(); known = known[:len(known)-1] {
			log.addEnd()
		}
		knownDir := known[len(known)-1]
		if t.current.kind == dirKind {
			log.addRecord(dirRecord, t.nameBytes(t.current))
			known = append(known, knownDir.child(t.nameBytes(t.current)))
			continue
		}
		left := &s.otherFilesLeft
		if knownDir != nil {
			left = &s.knownFilesLeft
		}
		switch {
		case knownDir.child(t.nameBytes(t.current)) != nil:
		case *left > 0:
			*left--
		default:
			s.NamesOnly++
			log.addRecord(namedRecord, t.nameBytes(t.current))
			log.addSum(t.inode())
			continue
		}
		if sum, ok := s.stamp(t); ok {
			log.addRecord(fileRecord, t.nameBytes(t.current))
			log.addSum(sum)
		}
	}
	for range known {
		log.addEnd()
	}
	return t.err == nil
}

// nextWatched goes to the next entry that gets a record. It skips git's objects.
func (t *Tree) nextWatched() bool {
	for t.Next() {
		if t.current.kind != dirKind || string(t.nameBytes(t.current)) != "objects" ||
			string(t.nameBytes(t.levels[len(t.levels)-1].name)) != ".git" {
			return true
		}
		t.Skip()
	}
	return false
}

func (l *stampLog) addRecord(record byte, name []byte) {
	if len(l.records)+len(name)+16 > cap(l.records) {
		l.records = slices.Grow(l.records, len(l.records)+1024)
	}
	l.records = append(l.records, record)
	l.records = binary.AppendUvarint(l.records, uint64(len(name)))
	l.records = append(l.records, name...)
}

func (l *stampLog) addSum(n uint64) { l.records = binary.LittleEndian.AppendUint64(l.records, n) }

func (l *stampLog) addEnd() { l.records = append(l.records, endRecord) }

// stamp returns a hash of the state of the walk's current file. It returns false if the file is
// gone.
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
	return maphash.Bytes(s.hashSeed, b[:]), true
}

// stampRecord is one decoded record of a stampLog.
type stampRecord struct {
	kind      byte
	name      []byte
	sum       uint64 // sum is a hash of the file's state, or its inode number.
	remaining []byte // remaining is the log after this record.
}

// readStamp decodes the first record of a log. It returns false if the log is empty.
func readStamp(log []byte) (r stampRecord, ok bool) {
	if len(log) == 0 {
		return r, false
	}
	r.kind, r.remaining = log[0], log[1:]
	if r.kind == endRecord {
		return r, true
	}
	n, k := binary.Uvarint(r.remaining)
	r.name, r.remaining = r.remaining[k:k+int(n)], r.remaining[k+int(n):]
	if r.kind != dirRecord {
		r.sum, r.remaining = binary.LittleEndian.Uint64(r.remaining), r.remaining[8:]
	}
	return r, true
}

// Changes compares the present files with the stamps in before. It returns the first maxFiles files
// that have changed, without those whose paths have more than MaxPath bytes.
func (w *Workspace) Changes(ctx context.Context, before *Stamps, maxFiles int) Changes {
	c := comparison{before: before, maxFiles: maxFiles}
	complete := before.Complete
	for _, l := range before.rootLogs {
		c.top, c.remainingLog, c.dirs, c.dirsLength = l.top, l.records, nil, 0
		complete = c.walk(ctx, w) && complete
	}
	c.changes.Complete = complete
	return c.changes
}

// comparison is a walk through a root that is compared with a log in the same order. Both are in
// the directory dirs, or the walk is in a new directory below it.
type comparison struct {
	top          Path
	before       *Stamps
	remainingLog []byte
	dirs         []string
	dirsLength   int // dirsLength is the number of bytes of dirs, with a slash after each.
	maxFiles     int
	changes      Changes
}

// walk compares one root with its log. It returns false if the walk or the log is not complete.
func (c *comparison) walk(ctx context.Context, w *Workspace) bool {
	t, err := w.Tree(ctx, c.top, "")
	if err != nil {
		return false
	}
	defer t.Close()
	for t.nextWatched() {
		if !c.compareEntry(t) {
			return false
		}
	}
	return t.err == nil && c.finishLog()
}

// compareEntry compares the walk's current entry with the log. It returns false if the log ends
// before that entry.
func (c *comparison) compareEntry(t *Tree) bool {
	for len(c.dirs)+1 > t.Depth() { // the walk has left a directory: the remaining entries in the log are gone
		if !c.advanceTo(nil) {
			return false
		}
		c.leaveDir()
	}
	if len(c.dirs)+1 < t.Depth() {
		c.addNew(t)
		return true
	}
	if !c.advanceTo(t.nameBytes(t.current)) {
		return false
	}
	r, ok := readStamp(c.remainingLog)
	if !ok {
		return false
	}
	if r.kind == endRecord || !bytes.Equal(r.name, t.nameBytes(t.current)) { // the log continues with a later name
		c.addNew(t)
		return true
	}
	c.remainingLog = r.remaining
	switch isDir := t.current.kind == dirKind; {
	case r.kind == dirRecord && isDir:
		c.enterDir(r.name)
	case r.kind == dirRecord:
		ok = c.addRemovedDir(r.name)
		c.addNew(t)
	case isDir:
		c.addRemoved(r.name)
	case r.kind == namedRecord:
		if r.sum != t.inode() {
			c.addChange(t.PathLength(), func() Changed { return Changed{Path: t.Path()} })
		}
	default:
		if sum, is := c.before.stamp(t); !is {
			c.addRemoved(r.name)
		} else if sum != r.sum {
			c.addChange(t.PathLength(), func() Changed { return Changed{Path: t.Path()} })
		}
	}
	return ok
}

// advanceTo reports the log's entries before name as removed. A nil name means the end of the
// directory, which it skips. It returns false if the log ends before.
func (c *comparison) advanceTo(name []byte) bool {
	for {
		r, ok := readStamp(c.remainingLog)
		switch {
		case !ok:
			return false
		case r.kind == endRecord:
			if name == nil {
				c.remainingLog = r.remaining
			}
			return true
		case name != nil && bytes.Compare(r.name, name) >= 0:
			return true
		}
		c.remainingLog = r.remaining
		if r.kind != dirRecord {
			c.addRemoved(r.name)
		} else if !c.addRemovedDir(r.name) {
			return false
		}
	}
}

// addRemovedDir reports all entries of a directory in the log as removed. The record of the
// directory itself was read before. It returns false if the log ends before.
func (c *comparison) addRemovedDir(name []byte) bool {
	depth := len(c.dirs)
	c.enterDir(name)
	for len(c.dirs) > depth {
		r, ok := readStamp(c.remainingLog)
		if !ok {
			return false
		}
		c.remainingLog = r.remaining
		switch r.kind {
		case endRecord:
			c.leaveDir()
		case dirRecord:
			c.enterDir(r.name)
		default:
			c.addRemoved(r.name)
		}
	}
	return true
}

// finishLog reports the remaining entries of the log as removed, after the end of the walk. It
// returns false if the log is incomplete.
func (c *comparison) finishLog() bool {
	for ; len(c.dirs) > 0; c.leaveDir() {
		if !c.advanceTo(nil) {
			return false
		}
	}
	return c.advanceTo(nil)
}

func (c *comparison) enterDir(name []byte) {
	c.dirs = append(c.dirs, string(name))
	c.dirsLength += len(name) + 1
}

func (c *comparison) leaveDir() {
	last := len(c.dirs) - 1
	c.dirsLength -= len(c.dirs[last]) + 1
	c.dirs = c.dirs[:last]
}

func (c *comparison) addNew(t *Tree) {
	if t.current.kind != dirKind {
		c.addChange(t.PathLength(), func() Changed { return Changed{Path: t.Path(), New: true} })
	}
}

func (c *comparison) addRemoved(name []byte) {
	c.addChange(c.dirsLength+len(name), func() Changed {
		p := c.top
		p.rel = strings.Join(append(c.dirs[:len(c.dirs):len(c.dirs)], string(name)), "/")
		return Changed{Path: p, Removed: true}
	})
}

// addChange adds the result of change to c.changes, or counts it as omitted if there is no room or
// its path, of size bytes, is too long.
func (c *comparison) addChange(size int, change func() Changed) {
	if len(c.changes.Files) == c.maxFiles || size > MaxPath {
		c.changes.Omitted++
		return
	}
	c.changes.Files = append(c.changes.Files, change())
}
