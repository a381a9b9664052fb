package document

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/nearest"
)

// Archive is an archive in memory: zip, tar (plain, gzip or bzip2), or one file packed by gzip or
// bzip2. Its zero value is none; OpenArchive makes one.
type Archive struct {
	members []Member
	odd     int // members whose names lead out of the archive
	// read unpacks the member of that name in the archive.
	read func(ctx context.Context, name string, limit int64) ([]byte, error)
}

// Member is a file in an archive, or something else of which only the name is told.
type Member struct {
	Name string // slash path without "." and "..", unique
	Size int64  // bytes unpacked as the archive says, which may be wrong; -1: it does not say
	Mode fs.FileMode
	Link string // target of a link, as written

	raw string // the name in the archive
}

type container struct {
	ending string
	open   func(ctx context.Context, name string, data []byte) (*Archive, error)
}

// Endings of files that are packed without a name.
const (
	gzipEnding = ".gz"
	bzipEnding = ".bz2"
)

// archives are the endings by which an archive is known, the longer ones first.
var archives = []container{
	{".tar.gz", openTarGzip}, {".tgz", openTarGzip}, {".tar.bz2", openTarBzip}, {".tbz2", openTarBzip},
	{".tar", openTar}, {".zip", openZip}, {".jar", openZip}, {".whl", openZip}, {gzipEnding, openGzip},
	{bzipEnding, openBzip},
}

// IsArchive reports whether a file is named as an archive.
func IsArchive(name string) bool {
	return slices.ContainsFunc(archives, func(c container) bool { return hasEnding(name, c.ending) })
}

func hasEnding(name, ending string) bool {
	at := len(name) - len(ending)
	return at > 0 && name[at-1] != '/' && strings.EqualFold(name[at:], ending)
}

// OpenArchive reads which members the archive name has. data stays the archive's.
func OpenArchive(ctx context.Context, name string, data []byte) (*Archive, error) {
	for _, kind := range archives {
		if hasEnding(name, kind.ending) {
			return kind.open(ctx, name, data)
		}
	}
	return nil, fmt.Errorf("%q is not named as an archive", name)
}

// Members returns the members in the order of their names. Left tells how many others there are,
// whose names lead out of the archive.
func (a *Archive) Members() (members []Member, left int) { return a.members, a.odd }

// Single returns the only member of what holds one file without a name for it (gzip, bzip2).
func (a *Archive) Single() (Member, bool) {
	if len(a.members) == 1 && a.members[0].raw == "" {
		return a.members[0], true
	}
	return Member{}, false
}

// Find returns the member of a name; !ok: there is none.
func (a *Archive) Find(name string) (m Member, ok bool) {
	i, ok := slices.BinarySearchFunc(a.members, name, func(m Member, name string) int {
		return strings.Compare(m.Name, name)
	})
	if !ok {
		return Member{}, false
	}
	return a.members[i], true
}

// Alike returns what a name that is not in the archive may mean: the members and directories whose
// names are the same but for characters that look alike.
func (a *Archive) Alike(name string) []string {
	there := func(path string) bool {
		_, is := a.Find(path)
		_, dir := a.Dir(path)
		return is || dir
	}
	return nearest.Path(name, there, func(folder string) (names []string) {
		list, _ := a.Dir(strings.TrimSuffix(folder, "/"))
		for _, m := range list {
			names = append(names, path.Base(m.Name))
		}
		return names
	})
}

// Read unpacks a member of at most MaxText bytes.
func (a *Archive) Read(ctx context.Context, m Member) ([]byte, error) {
	if !m.Mode.IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	return a.read(ctx, m.raw, MaxText)
}

// Dir returns what is directly in a directory of the archive, "" for its top; !ok: there is no such
// directory. Directories, which an archive need not name, have a mode that says so.
func (a *Archive) Dir(dir string) (list []Member, ok bool) {
	at := ""
	if dir != "" {
		at = dir + "/"
	}
	for _, m := range a.members {
		rest, in := strings.CutPrefix(m.Name, at)
		if m.Name == dir && m.Mode.IsDir() {
			ok = true
		}
		if !in || rest == "" {
			continue
		}
		ok = true
		name, _, deeper := strings.Cut(rest, "/")
		if deeper {
			m = Member{Name: at + name, Mode: fs.ModeDir}
		}
		i, there := slices.BinarySearchFunc(list, m.Name, func(m Member, name string) int {
			return strings.Compare(m.Name, name)
		})
		if there {
			continue
		}
		list = slices.Insert(list, i, m)
	}
	return list, ok || dir == ""
}

// add notes a member. Of several of one name the last one counts, as it does when they are
// unpacked.
func (a *Archive) add(m Member) error {
	if len(a.members) >= maxMembers {
		return ErrMembers
	}
	m.raw = m.Name
	name := strings.ReplaceAll(m.Name, "\\", "/")
	if slices.Contains(strings.Split(name, "/"), "..") {
		a.odd++
		return nil
	}
	if m.Name = strings.TrimPrefix(path.Clean("/"+name), "/"); m.Name != "" {
		a.members = append(a.members, m)
	}
	return nil
}

// sort orders the members by name and keeps the last of those of one name.
func (a *Archive) sort() {
	slices.SortStableFunc(a.members, func(x, y Member) int { return strings.Compare(x.Name, y.Name) })
	kept := a.members[:0]
	for i, m := range a.members {
		if i+1 < len(a.members) && a.members[i+1].Name == m.Name {
			continue
		}
		kept = append(kept, m)
	}
	a.members = kept
}

func openZip(_ context.Context, _ string, data []byte) (*Archive, error) {
	// The reader keeps all of the directory in memory; each entry there begins with this.
	if bytes.Count(data, []byte("PK\x01\x02")) > maxMembers {
		return nil, ErrMembers
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, err
	}
	a := &Archive{}
	files := map[string]*zip.File{}
	for _, f := range z.File {
		m := Member{Name: f.Name, Size: int64(min(f.UncompressedSize64, 1<<62)), Mode: f.Mode()}
		if strings.HasSuffix(f.Name, "/") {
			m.Mode |= fs.ModeDir
		}
		if err := a.add(m); err != nil {
			return nil, err
		}
		files[f.Name] = f
	}
	a.sort()
	a.read = func(ctx context.Context, name string, limit int64) ([]byte, error) {
		f := files[name]
		if f.UncompressedSize64 > uint64(limit) {
			return nil, ErrTooLarge
		}
		if f.Flags&1 != 0 {
			return nil, errors.New("it is encrypted")
		}
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return readAll(ctx, r, limit)
	}
	return a, nil
}

func openTar(ctx context.Context, _ string, data []byte) (*Archive, error) {
	return tarred(ctx, func() (io.Reader, error) { return bytes.NewReader(data), nil })
}

func openTarGzip(ctx context.Context, _ string, data []byte) (*Archive, error) {
	return tarred(ctx, func() (io.Reader, error) { return gzip.NewReader(bytes.NewReader(data)) })
}

func openTarBzip(ctx context.Context, _ string, data []byte) (*Archive, error) {
	return tarred(ctx, func() (io.Reader, error) { return bzip2.NewReader(bytes.NewReader(data)), nil })
}

// tarred reads a tar from its beginning, once for its members and once for each that is read.
func tarred(ctx context.Context, open func() (io.Reader, error)) (*Archive, error) {
	a := &Archive{}
	err := eachTarred(ctx, open, func(h *tar.Header, _ io.Reader) error {
		m := Member{Name: h.Name, Size: h.Size, Mode: h.FileInfo().Mode(), Link: h.Linkname}
		if h.Typeflag == tar.TypeLink {
			m.Mode |= fs.ModeSymlink // its content is that of another member
		}
		return a.add(m)
	})
	if err != nil {
		return nil, err
	}
	a.sort()
	a.read = func(ctx context.Context, name string, limit int64) (data []byte, err error) {
		err = eachTarred(ctx, open, func(h *tar.Header, r io.Reader) (err error) {
			if h.Name == name && h.FileInfo().Mode().IsRegular() {
				if h.Size > limit {
					return ErrTooLarge
				}
				data, err = readAll(ctx, r, limit)
			}
			return err
		})
		return data, err
	}
	return a, nil
}

func eachTarred(ctx context.Context, open func() (io.Reader, error),
	visit func(h *tar.Header, r io.Reader) error) error {
	r, err := open()
	if err != nil {
		return err
	}
	t := tar.NewReader(&bounded{ctx, r, maxUnpack})
	for {
		h, err := t.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.Is(err, tar.ErrInsecurePath):
			return err
		}
		if err := visit(h, t); err != nil {
			return err
		}
	}
}

func openGzip(_ context.Context, name string, data []byte) (*Archive, error) {
	return openSingle(name, gzipEnding, func() (io.Reader, error) { return gzip.NewReader(bytes.NewReader(data)) })
}

func openBzip(_ context.Context, name string, data []byte) (*Archive, error) {
	return openSingle(name, bzipEnding, func() (io.Reader, error) {
		if !bytes.HasPrefix(data, []byte("BZh")) {
			return nil, bzip2.StructuralError("bad magic value")
		}
		return bzip2.NewReader(bytes.NewReader(data)), nil
	})
}

// openSingle returns one file. Its name is that of the archive without the ending: the one that
// gzip keeps is anybody's.
func openSingle(name, ending string, open func() (io.Reader, error)) (*Archive, error) {
	if _, err := open(); err != nil {
		return nil, err
	}
	base := path.Base(name)
	return &Archive{
		members: []Member{{Name: base[:len(base)-len(ending)], Size: -1}},
		read: func(ctx context.Context, _ string, limit int64) ([]byte, error) {
			r, err := open()
			if err != nil {
				return nil, err
			}
			return readAll(ctx, r, limit)
		},
	}, nil
}

// SingleName returns the name of the only member that an archive of this name can have; ok is false
// for one that has members by their names.
func SingleName(name string) (member string, ok bool) {
	for _, kind := range archives {
		if hasEnding(name, kind.ending) {
			base := path.Base(name)
			return base[:len(base)-len(kind.ending)], kind.ending == gzipEnding || kind.ending == bzipEnding
		}
	}
	return "", false
}
