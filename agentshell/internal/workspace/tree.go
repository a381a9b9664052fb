package workspace

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
	"syscall"
)

// maxPendingBytes is the number of bytes of names in the directories that a walk has not left, some
// three million names.
const maxPendingBytes = 64 << 20

// Tree is a walk through a directory: depth first, sorted by name, without following links. It
// opens each directory from its parent, so it sees nothing outside of the root even if directories
// are moved meanwhile. Of deep trees it keeps only some directories open (see [openLevels]), and
// opens them again when needed. It leaves out directories that cannot be opened. Use it like a
// bufio.Scanner, from one goroutine, and close it.
type Tree struct {
	ctx        context.Context
	startPath  Path
	textName   string
	startDepth int // startDepth is the number of directories from the root to start.

	levels     []level
	openLevels openLevels
	// names holds the names of the levels and of the entries in pending. The 8 bytes of the inode
	// number follow each of the latter.
	names       []byte
	pending     []treeName // pending holds the remaining entries, by level.
	current     treeName
	willDescend bool // willDescend says that current is a directory that Next will enter.
	err         error
	times       *timesReader // times is nil if no modification times are read.
}

// level is a directory on the path of the walk. The first one is the root.
type level struct {
	folder folder   // folder is nil while the directory is closed.
	name   treeName // name is its name in the level above.
	// pendingNext and pendingEnd are the range of its remaining entries in Tree.pending.
	pendingNext, pendingEnd int
	namesStart              int // namesStart is the position in Tree.names where the names of its entries begin.
	// pathLength is the number of bytes of its path relative to the root, with a slash at the end.
	pathLength int
	dir        DirInfo
	times      *timesList // times holds entries whose modification times are still to be read; nil: none.
}

// Tree begins a walk through the directory p. If textName is not "", the text of the file with that
// name is read in each directory, also in those above p: see [Tree.Dir]. The walk ends with an
// error when ctx ends.
func (w *Workspace) Tree(ctx context.Context, p Path, textName string) (*Tree, error) {
	b, ok := w.backend.(rootOpener)
	if !ok {
		return nil, refusedError("%s cannot list directories", w.backend.Name())
	}
	top, err := b.openRoot(p.root)
	if err != nil {
		return nil, err
	}
	return newTree(ctx, top, p, textName)
}

// newTree returns a walk through p. rootFolder is the root of p; the walk closes it.
func newTree(ctx context.Context, rootFolder folder, p Path, textName string) (*Tree, error) {
	t := &Tree{ctx: ctx, startPath: p, textName: textName}
	t.push(rootFolder, treeName{})
	if p.rel != "." {
		for part := range strings.SplitSeq(p.rel, "/") {
			l := &t.levels[t.startDepth]
			l.dir = DirInfo{t.readDirText(l.folder), t.hasGit(l.folder)}
			t.startDepth++
			n := treeName{offset: uint32(len(t.names)), size: uint16(len(part)), kind: dirKind}
			t.names = append(t.names, part...)
			if err := t.enter(n, false); err != nil {
				t.Close()
				if isSkippable(err) && !errors.Is(err, fs.ErrPermission) {
					err = conflictError(p)
				}
				return nil, systemError(p.String(), err)
			}
		}
	}
	if err := t.readNames(); err != nil {
		t.Close()
		return nil, systemError(p.String(), err)
	}
	return t, nil
}

// Close ends the walk. Further calls do nothing.
func (t *Tree) Close() {
	for _, i := range t.openLevels {
		t.closeFolder(&t.levels[i])
	}
	t.openLevels, t.levels = nil, t.levels[:0]
	if t.times != nil {
		t.times.finish()
		t.times = nil
	}
}

// Err returns the error that stopped the walk, or nil if it reached the end.
func (t *Tree) Err() error { return t.err }

// Next goes to the next entry. After a directory that was not skipped this is the first entry in
// it. It returns false at the end and after an error.
func (t *Tree) Next() bool {
	for t.err == nil {
		if err := t.ctx.Err(); err != nil {
			t.err = err
			break
		}
		if t.willDescend {
			t.willDescend = false
			err := t.enter(t.current, true)
			if err != nil && !isSkippable(err) {
				t.err = systemError(t.Path().String(), err)
				break
			}
		}
		if len(t.levels) <= t.startDepth {
			break
		}
		l := &t.levels[len(t.levels)-1]
		if l.pendingNext == l.pendingEnd {
			t.leave()
			continue
		}
		t.current = t.pending[l.pendingNext]
		l.pendingNext++
		if t.current.kind == unknownKind {
			e, err := t.Stat()
			if err != nil {
				continue // removed meanwhile
			}
			t.current.kind = kindOf(e.Mode.Type())
		}
		t.willDescend = t.current.kind == dirKind
		return true
	}
	return false
}

// isSkippable reports whether the walk leaves out a directory that could not be opened with err:
// permissions are missing, or it is gone or no directory any more.
func isSkippable(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) ||
		errors.Is(err, syscall.ELOOP)
}

// Skip makes the walk leave out the content of the current directory.
func (t *Tree) Skip() { t.willDescend = false }

// Name returns the name of the current entry.
func (t *Tree) Name() string { return t.nameString(t.current) }

// Mode returns the type of the current entry. Entries other than files, directories and links have
// the type of a device.
func (t *Tree) Mode() fs.FileMode { return modeByKind[t.current.kind] }

// Depth returns the number of directories from the start of the walk to the current entry. An entry
// of the start directory has depth 1.
func (t *Tree) Depth() int { return len(t.levels) - t.startDepth }

// DirInfo is information about a directory of a walk.
type DirInfo struct {
	Text string // Text is the text of the file textName, or "".
	Git  bool   // Git says that the directory has an entry .git.
}

// Dir returns information about the directory of the current entry.
func (t *Tree) Dir() DirInfo { return t.levels[len(t.levels)-1].dir }

// Ancestors yields information about each directory above the start of the walk, the root first,
// with the name of the next directory on the way to the start.
func (t *Tree) Ancestors() iter.Seq2[DirInfo, string] {
	return func(yield func(dir DirInfo, name string) bool) {
		for i := range t.startDepth {
			if !yield(t.levels[i].dir, t.nameString(t.levels[i+1].name)) {
				return
			}
		}
	}
}

// StartPath returns the directory in which the walk began.
func (t *Tree) StartPath() Path { return t.startPath }

// DirPath returns the path of the current entry's directory. It takes as long as Path.
func (t *Tree) DirPath() Path {
	p := t.startPath
	p.rel = path.Dir(t.pathBelow(0))
	return p
}

// PathLength returns the number of bytes of the current entry's path relative to the root.
func (t *Tree) PathLength() int { return t.levels[len(t.levels)-1].pathLength + int(t.current.size) }

// Path returns the path of the current entry. Its time and memory grow with the depth.
func (t *Tree) Path() Path {
	p := t.startPath
	p.rel = t.pathBelow(0)
	return p
}

// RelativePath returns the path of the current entry relative to the start of the walk. It takes as
// long as Path.
func (t *Tree) RelativePath() string { return t.pathBelow(t.startDepth) }

// pathBelow returns the path of the current entry relative to the level with index depth.
func (t *Tree) pathBelow(depth int) string {
	var b strings.Builder
	b.Grow(t.PathLength() - t.levels[depth].pathLength)
	for _, l := range t.levels[depth+1:] {
		b.Write(t.nameBytes(l.name))
		b.WriteByte('/')
	}
	b.Write(t.nameBytes(t.current))
	return b.String()
}

// Stat returns the state of the current entry, which another program may have removed or replaced.
func (t *Tree) Stat() (Entry, error) {
	f, err := t.currentFolder()
	if err != nil {
		return Entry{}, err
	}
	return f.stat(t.nameString(t.current))
}

// Link returns the target of the current entry, which is a link.
func (t *Tree) Link() (string, error) {
	f, err := t.currentFolder()
	if err != nil {
		return "", err
	}
	return f.readLink(t.nameString(t.current))
}

// Read returns the content of the current entry, which is a regular file. The error has the kind
// TooLarge if it has more than max bytes.
func (t *Tree) Read(max int64) ([]byte, error) {
	f, err := t.currentFolder()
	if err != nil {
		return nil, err
	}
	return f.readFile(t.ctx, t.nameString(t.current), max)
}

// OpenedFile is a file of a walk that was opened for one Read.
type OpenedFile struct{ f readableFile }

// Open opens the current entry, which is a regular file. Call Read once, which also closes it;
// another goroutine may do so while the walk continues.
func (t *Tree) Open() (OpenedFile, error) {
	f, err := t.currentFolder()
	if err != nil {
		return OpenedFile{}, err
	}
	o, err := f.openFile(t.nameString(t.current))
	return OpenedFile{o}, err
}

// Read returns the content and closes the file. The error has the kind TooLarge if it has more than
// max bytes. It uses buf if that is large enough. It takes no lock, so it may see the bytes of a
// commit that is refused at that moment.
func (o OpenedFile) Read(buf []byte, max int64) ([]byte, error) { return o.f.read(buf, max) }

// inode returns the current entry's inode number from its directory, without reading the entry's
// state, or 0 if the system does not give it.
func (t *Tree) inode() uint64 {
	return binary.NativeEndian.Uint64(t.names[t.current.offset+uint32(t.current.size):])
}

func (t *Tree) nameBytes(n treeName) []byte  { return t.names[n.offset : n.offset+uint32(n.size)] }
func (t *Tree) nameString(n treeName) string { return string(t.nameBytes(n)) }

// readDirText returns the text of the file textName in f, or "".
func (t *Tree) readDirText(f folder) string {
	if t.textName == "" {
		return ""
	}
	data, err := f.readFile(t.ctx, t.textName, MaxRead)
	if err != nil {
		return ""
	}
	return string(data)
}

// hasGit reports whether f has an entry .git.
func (t *Tree) hasGit(f folder) bool {
	_, err := f.stat(".git")
	return err == nil
}

// push makes f the innermost level.
func (t *Tree) push(f folder, n treeName) {
	l := level{folder: f, name: n, pendingNext: len(t.pending), pendingEnd: len(t.pending), namesStart: len(t.names)}
	if i := len(t.levels); i > 0 {
		l.pathLength = t.levels[i-1].pathLength + int(n.size) + 1
	}
	t.levels = append(t.levels, l)
	t.keepOpen(len(t.levels) - 1)
}

// keepOpen notes that level i is open, and closes another one if there are too many.
func (t *Tree) keepOpen(i int) {
	if closed, ok := t.openLevels.add(i); ok {
		t.closeFolder(&t.levels[closed])
	}
}

// enter enters the directory n of the innermost level. It reads the names in it if list is true.
func (t *Tree) enter(n treeName, list bool) error {
	f, err := t.currentFolder()
	if err != nil {
		return err
	}
	if f, err = f.openSub(t.nameString(n)); err != nil {
		return err
	}
	t.push(f, n)
	if !list {
		return nil
	}
	if err := t.readNames(); err != nil {
		t.leave()
		return err
	}
	return nil
}

// readNames reads the names of the innermost level.
func (t *Tree) readNames() error {
	l := &t.levels[len(t.levels)-1]
	hasText := false
	err := l.folder.readNames(t.ctx, func(b []byte, k entryKind, ino uint64) error {
		if len(t.names)+len(b) > maxPendingBytes {
			return &Error{Kind: Failed, Cause: errors.New("too many entries in one directory")}
		}
		hasText = hasText || t.textName != "" && string(b) == t.textName
		l.dir.Git = l.dir.Git || string(b) == ".git"
		// append would grow a long list by a quarter, and copy it many times. This doubles it.
		if len(t.pending) == cap(t.pending) {
			t.pending = slices.Grow(t.pending, len(t.pending)+64)
		}
		if len(t.names)+len(b)+8 > cap(t.names) {
			t.names = slices.Grow(t.names, len(t.names)+1024)
		}
		t.pending = append(t.pending, treeName{offset: uint32(len(t.names)), size: uint16(len(b)), kind: k})
		t.names = append(t.names, b...)
		t.names = binary.NativeEndian.AppendUint64(t.names, ino)
		return nil
	})
	if err != nil {
		return err
	}
	all := t.pending[l.pendingNext:]
	sortNames(all, t.nameBytes)
	// If a directory changes while it is read, the system may give a name twice.
	all = slices.CompactFunc(all, func(a, b treeName) bool {
		return a.key == b.key &&
			bytes.Equal(t.nameBytes(a), t.nameBytes(b))
	})
	l.pendingEnd = l.pendingNext + len(all)
	t.pending = t.pending[:l.pendingEnd]
	if hasText {
		l.dir.Text = t.readDirText(l.folder)
	}
	return nil
}

// leave goes up one level.
func (t *Tree) leave() {
	i := len(t.levels) - 1
	l := &t.levels[i]
	if l.folder != nil {
		t.closeFolder(l)
		t.openLevels.drop(i)
	}
	t.names = t.names[:l.namesStart]
	t.levels = t.levels[:i]
	if i > 0 {
		t.pending = t.pending[:t.levels[i-1].pendingEnd]
	}
}

// currentFolder returns the open directory of the innermost level. If it was closed, it opens it
// again from the nearest open level above. If that fails, it drops the remaining entries of the
// levels in between.
func (t *Tree) currentFolder() (folder, error) {
	last := len(t.levels) - 1
	i := t.openLevels[len(t.openLevels)-1]
	for ; i < last; i++ {
		f, err := t.levels[i].folder.openSub(t.nameString(t.levels[i+1].name))
		if err != nil {
			for k := i + 1; k <= last; k++ {
				t.levels[k].pendingNext = t.levels[k].pendingEnd
			}
			return nil, err
		}
		t.levels[i+1].folder = f
		t.keepOpen(i + 1)
	}
	return t.levels[last].folder, nil
}
