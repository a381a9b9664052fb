package workspace

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"syscall"
)

// maxPending is how many bytes of names a walk keeps of directories that it has not left: some
// three million names.
const maxPending = 64 << 20

// Tree is a walk over what is below a directory: depth first, in each directory by name, no link
// followed. It opens each directory from the one above it, so its calls grow with the entries and
// not with their depth, and it keeps few of them open (see [held]); one that it needs again is
// reached anew from one above it, downwards only. Thus nothing outside of the root is ever seen,
// whatever is moved or swapped meanwhile. A directory that cannot be opened is left out. Use it as
// a bufio.Scanner, from one goroutine, and close it.
type Tree struct {
	ctx    context.Context
	top    Path
	beside string
	depth  int // of top below its root

	levels []level
	held   held
	// Of the levels on the path, and of the entries in todo; behind each of those its inode number
	// in 8 bytes.
	names []byte
	todo  []name // the entries of each level, one level behind the other
	at    name
	into  bool // at is a directory and not skipped
	err   error
}

// level is a directory on the path; the first one is the root.
type level struct {
	f         folder // nil while it is not held
	name      name   // in the level above
	next, end int    // what is to come of it in todo
	first     int    // where its names begin
	length    int    // bytes of its path below the root, with a slash behind it
	beside    string
}

// Tree begins a walk below the directory p. If beside is the name of a file, its text is read in
// each directory that has it, those above p too. The walk ends with an error when ctx does.
func (w *Workspace) Tree(ctx context.Context, p Path, beside string) (*Tree, error) {
	b, ok := w.backend.(walker)
	if !ok {
		return nil, refused("%s cannot list directories", w.backend.Name())
	}
	top, err := b.top(p.root)
	if err != nil {
		return nil, err
	}
	return newTree(ctx, top, p, beside)
}

// newTree walks below p, whose root is top; it closes top.
func newTree(ctx context.Context, top folder, p Path, beside string) (*Tree, error) {
	t := &Tree{ctx: ctx, top: p, beside: beside}
	t.push(top, name{})
	if p.rel != "." {
		for part := range strings.SplitSeq(p.rel, "/") {
			t.levels[t.depth].beside = t.text(t.levels[t.depth].f)
			t.depth++
			n := name{off: uint32(len(t.names)), size: uint16(len(part)), kind: dirKind}
			t.names = append(t.names, part...)
			if err := t.enter(n, false); err != nil {
				t.Close()
				if left(err) && !errors.Is(err, fs.ErrPermission) {
					err = conflict(p)
				}
				return nil, systemError(p.String(), err)
			}
		}
	}
	if err := t.list(); err != nil {
		t.Close()
		return nil, systemError(p.String(), err)
	}
	return t, nil
}

// Close ends the walk. It may be called twice.
func (t *Tree) Close() {
	for _, i := range t.held {
		t.levels[i].f.close()
	}
	t.held, t.levels = nil, t.levels[:0]
}

// Err returns what ended the walk before its end.
func (t *Tree) Err() error { return t.err }

// Next goes to the next entry; after a directory that was not skipped, to the first one in it.
// False: the end, or an error.
func (t *Tree) Next() bool {
	for t.err == nil {
		if err := t.ctx.Err(); err != nil {
			t.err = err
			break
		}
		if t.into {
			t.into = false
			err := t.enter(t.at, true)
			if err != nil && !left(err) {
				t.err = systemError(t.Path().String(), err)
				break
			}
		}
		if len(t.levels) <= t.depth {
			break
		}
		l := &t.levels[len(t.levels)-1]
		if l.next == l.end {
			t.leave()
			continue
		}
		t.at = t.todo[l.next]
		l.next++
		if t.at.kind == unknownKind {
			e, err := t.Stat()
			if err != nil {
				continue // removed meanwhile
			}
			t.at.kind = kindOf(e.Mode.Type())
		}
		t.into = t.at.kind == dirKind
		return true
	}
	return false
}

// left reports whether err is one of a directory that is left out: no rights, or it is gone, or no
// directory any more.
func left(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) ||
		errors.Is(err, syscall.ELOOP)
}

// Skip leaves out what is in the directory that the walk is at.
func (t *Tree) Skip() { t.into = false }

// Name returns the name of the entry.
func (t *Tree) Name() string { return t.str(t.at) }

// Mode returns the type of the entry; of what is neither file nor directory nor link it is a
// device.
func (t *Tree) Mode() fs.FileMode { return modes[t.at.kind] }

// Depth returns how many directories the entry is below the one that the walk began in: 1 in that
// one itself.
func (t *Tree) Depth() int { return len(t.levels) - t.depth }

// Beside returns the text of the file that was asked for, in the directory of the entry: "" if
// there is none or it is not text.
func (t *Tree) Beside() string { return t.levels[len(t.levels)-1].beside }

// Above gives for each directory above the walk, the root first, the text of the file that was
// asked for and the name that leads on.
func (t *Tree) Above() iter.Seq2[string, string] {
	return func(yield func(text, name string) bool) {
		for i := range t.depth {
			if !yield(t.levels[i].beside, t.str(t.levels[i+1].name)) {
				return
			}
		}
	}
}

// Size returns how many bytes the path of the entry has below the root.
func (t *Tree) Size() int { return t.levels[len(t.levels)-1].length + int(t.at.size) }

// Path returns the path of the entry. It takes time and memory in proportion to the depth.
func (t *Tree) Path() Path {
	p := t.top
	p.rel = t.below(0)
	return p
}

// Below returns the path from the directory that the walk began in. It costs what Path does.
func (t *Tree) Below() string { return t.below(t.depth) }

func (t *Tree) below(from int) string {
	var b strings.Builder
	b.Grow(t.Size() - t.levels[from].length)
	for _, l := range t.levels[from+1:] {
		b.Write(t.bytes(l.name))
		b.WriteByte('/')
	}
	b.Write(t.bytes(t.at))
	return b.String()
}

// Stat looks at the entry, which may be gone or another one by now.
func (t *Tree) Stat() (Entry, error) {
	f, err := t.here()
	if err != nil {
		return Entry{}, err
	}
	return f.stat(t.str(t.at))
}

// Link returns the target of a link as it is written.
func (t *Tree) Link() (string, error) {
	f, err := t.here()
	if err != nil {
		return "", err
	}
	return f.link(t.str(t.at))
}

// Read gives the content of a regular file of at most max bytes.
func (t *Tree) Read(max int64) ([]byte, error) {
	f, err := t.here()
	if err != nil {
		return nil, err
	}
	return f.read(t.ctx, t.str(t.at), max)
}

// Opened is a file that a walk has met, held open for one Read.
type Opened struct{ f opened }

// Open opens the regular file that the walk is at. The Read may come from another goroutine while
// the walk goes on, and must come: it closes the file.
func (t *Tree) Open() (Opened, error) {
	f, err := t.here()
	if err != nil {
		return Opened{}, err
	}
	o, err := f.open(t.str(t.at))
	return Opened{o}, err
}

// Read gives the content of at most max bytes, in buf if that has room. It is a glance, without the
// lock of a snapshot: while a refused commit puts a file back, it may see what was refused.
func (o Opened) Read(buf []byte, max int64) ([]byte, error) { return o.f.read(buf, max) }

// ino returns the inode number of the entry as its directory tells it, without a look at the entry:
// 0 where the system gives none.
func (t *Tree) ino() uint64 {
	return binary.NativeEndian.Uint64(t.names[t.at.off+uint32(t.at.size):])
}

func (t *Tree) bytes(n name) []byte { return t.names[n.off : n.off+uint32(n.size)] }
func (t *Tree) str(n name) string   { return string(t.bytes(n)) }

// text returns the text beside the entries of f.
func (t *Tree) text(f folder) string {
	if t.beside == "" {
		return ""
	}
	data, err := f.read(t.ctx, t.beside, MaxRead)
	if err != nil || Text(Path{}, data) != nil {
		return ""
	}
	return string(data)
}

// push makes f the innermost level.
func (t *Tree) push(f folder, n name) {
	l := level{f: f, name: n, next: len(t.todo), end: len(t.todo), first: len(t.names)}
	if i := len(t.levels); i > 0 {
		l.length = t.levels[i-1].length + int(n.size) + 1
	}
	t.levels = append(t.levels, l)
	t.hold(len(t.levels) - 1)
}

// hold notes that level i is open, and lets another one go if they are too many.
func (t *Tree) hold(i int) {
	if out, ok := t.held.add(i); ok {
		t.levels[out].f.close()
		t.levels[out].f = nil
	}
}

// enter goes into the directory n of the innermost level.
func (t *Tree) enter(n name, list bool) error {
	f, err := t.here()
	if err != nil {
		return err
	}
	if f, err = f.sub(t.str(n)); err != nil {
		return err
	}
	t.push(f, n)
	if !list {
		return nil
	}
	if err := t.list(); err != nil {
		t.leave()
		return err
	}
	return nil
}

// list reads the names of the innermost level.
func (t *Tree) list() error {
	l := &t.levels[len(t.levels)-1]
	beside := false
	err := l.f.names(t.ctx, func(b []byte, k kind, ino uint64) error {
		if len(t.names)+len(b) > maxPending {
			return &Error{Kind: Failed, Cause: errors.New("too many entries in one directory")}
		}
		beside = beside || t.beside != "" && string(b) == t.beside
		// Doubled: append makes a long list longer by a quarter, and would copy these many times.
		if len(t.todo) == cap(t.todo) {
			t.todo = slices.Grow(t.todo, len(t.todo)+64)
		}
		if len(t.names)+len(b)+8 > cap(t.names) {
			t.names = slices.Grow(t.names, len(t.names)+1024)
		}
		t.todo = append(t.todo, name{off: uint32(len(t.names)), size: uint16(len(b)), kind: k})
		t.names = append(t.names, b...)
		t.names = binary.NativeEndian.AppendUint64(t.names, ino)
		return nil
	})
	if err != nil {
		return err
	}
	all := t.todo[l.next:]
	order(all, t.bytes)
	// A directory that changes while it is read may tell a name twice.
	all = slices.CompactFunc(all, func(a, b name) bool { return a.key == b.key && bytes.Equal(t.bytes(a), t.bytes(b)) })
	l.end = l.next + len(all)
	t.todo = t.todo[:l.end]
	if beside {
		l.beside = t.text(l.f)
	}
	return nil
}

// leave goes up one level.
func (t *Tree) leave() {
	i := len(t.levels) - 1
	l := t.levels[i]
	if l.f != nil {
		l.f.close()
		t.held.drop(i)
	}
	t.names = t.names[:l.first]
	t.levels = t.levels[:i]
	if i > 0 {
		t.todo = t.todo[:t.levels[i-1].end]
	}
}

// here returns the innermost level, opened anew from the nearest one above it that is held if it
// was let go. If the way is gone, what was to come of it is left out.
func (t *Tree) here() (folder, error) {
	last := len(t.levels) - 1
	i := t.held[len(t.held)-1]
	for ; i < last; i++ {
		f, err := t.levels[i].f.sub(t.str(t.levels[i+1].name))
		if err != nil {
			for k := i + 1; k <= last; k++ {
				t.levels[k].next = t.levels[k].end
			}
			return nil, err
		}
		t.levels[i+1].f = f
		t.hold(i + 1)
	}
	return t.levels[last].f, nil
}
