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

// Archive is an opened archive in memory. It is a zip, a tar (plain, or compressed by gzip or
// bzip2), or a single file compressed by gzip or bzip2. [OpenArchive] creates it; the zero value is
// not valid.
type Archive struct {
	members []Member
	// skippedMembers counts the members that are left out, because their names lead out of the
	// archive.
	skippedMembers int
	// readMember unpacks the member whose name in the archive is name. More than limit bytes are an
	// error.
	readMember func(ctx context.Context, name string, limit int64) ([]byte, error)
}

// Member is a file in an archive, or a directory or link of which only the name is reported.
type Member struct {
	Name string // Name is a slash-separated path without "." and "..". It is unique in the archive.
	// Size is the unpacked size in bytes that the archive claims, which may be wrong; -1: it claims
	// none.
	Size int64
	Mode fs.FileMode
	Link string // Link is the target of a link, as it is written in the archive.

	rawName string // rawName is the name as it is written in the archive.
}

type archiveKind struct {
	ending string
	open   func(ctx context.Context, name string, data []byte) (*Archive, error)
}

// These are the file name endings of single compressed files, which hold no name for their content.
const (
	gzipEnding = ".gz"
	bzipEnding = ".bz2"
)

// archiveKinds lists the file name endings of archives and how to open each kind. Longer endings
// come first.
var archiveKinds = []archiveKind{
	{".tar.gz", openTarGzip}, {".tgz", openTarGzip}, {".tar.bz2", openTarBzip}, {".tbz2", openTarBzip},
	{".tar", openTar}, {".zip", openZip}, {".jar", openZip}, {".whl", openZip}, {gzipEnding, openGzip},
	{bzipEnding, openBzip},
}

// IsArchive reports whether a file name has the ending of an archive.
func IsArchive(name string) bool {
	return slices.ContainsFunc(archiveKinds, func(c archiveKind) bool { return hasEnding(name, c.ending) })
}

func hasEnding(name, ending string) bool {
	at := len(name) - len(ending)
	return at > 0 && name[at-1] != '/' && strings.EqualFold(name[at:], ending)
}

// OpenArchive reads the list of members of an archive. The ending of name tells the kind of
// archive. The caller must not change data afterwards.
func OpenArchive(ctx context.Context, name string, data []byte) (*Archive, error) {
	for _, kind := range archiveKinds {
		if hasEnding(name, kind.ending) {
			return kind.open(ctx, name, data)
		}
	}
	return nil, fmt.Errorf("%q is not named as an archive", name)
}

// Members returns the members, sorted by name. left is the number of members that are left out,
// because their names lead out of the archive.
func (a *Archive) Members() (members []Member, left int) { return a.members, a.skippedMembers }

// Single returns the only member of a single compressed file (gzip, bzip2), and false for other
// archives.
func (a *Archive) Single() (Member, bool) {
	if len(a.members) == 1 && a.members[0].rawName == "" {
		return a.members[0], true
	}
	return Member{}, false
}

// Find returns the member with a name. ok is false if there is none.
func (a *Archive) Find(name string) (m Member, ok bool) {
	i, ok := slices.BinarySearchFunc(a.members, name, func(m Member, name string) int {
		return strings.Compare(m.Name, name)
	})
	if !ok {
		return Member{}, false
	}
	return a.members[i], true
}

// Alike returns the members and directories that a misspelt name may mean: their names differ only
// in characters that look alike.
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

// Read unpacks a member, which must be a regular file. More than MaxText bytes are an error.
func (a *Archive) Read(ctx context.Context, m Member) ([]byte, error) {
	if !m.Mode.IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	return a.readMember(ctx, m.rawName, MaxText)
}

// Dir lists the files and directories directly within a directory of the archive; dir is "" for the
// top. ok is false if there is no such directory. Directories without a member of their own are
// listed too, with a mode that says so.
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

// addMember adds a member to the list, or counts it as odd if its name leads out of the archive. If
// two members have one name, sort keeps the last one, as an unpacking program does.
func (a *Archive) addMember(m Member) error {
	if len(a.members) >= maxMembers {
		return ErrMembers
	}
	m.rawName = m.Name
	name := strings.ReplaceAll(m.Name, "\\", "/")
	if slices.Contains(strings.Split(name, "/"), "..") {
		a.skippedMembers++
		return nil
	}
	if m.Name = strings.TrimPrefix(path.Clean("/"+name), "/"); m.Name != "" {
		a.members = append(a.members, m)
	}
	return nil
}

// sortMembers sorts the members by name. It keeps only the last member of each name.
func (a *Archive) sortMembers() {
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
		if err := a.addMember(m); err != nil {
			return nil, err
		}
		files[f.Name] = f
	}
	a.sortMembers()
	a.readMember = func(ctx context.Context, name string, limit int64) ([]byte, error) {
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
	return openTarStream(ctx, func() (io.Reader, error) { return bytes.NewReader(data), nil })
}

func openTarGzip(ctx context.Context, _ string, data []byte) (*Archive, error) {
	return openTarStream(ctx, func() (io.Reader, error) { return gzip.NewReader(bytes.NewReader(data)) })
}

func openTarBzip(ctx context.Context, _ string, data []byte) (*Archive, error) {
	return openTarStream(ctx, func() (io.Reader, error) { return bzip2.NewReader(bytes.NewReader(data)), nil })
}

// openTarStream opens a tar. open returns its uncompressed bytes from the beginning; it is called
// once for the list of members, and again for each member that is read.
func openTarStream(ctx context.Context, open func() (io.Reader, error)) (*Archive, error) {
	a := &Archive{}
	err := eachTarEntry(ctx, open, func(h *tar.Header, _ io.Reader) error {
		m := Member{Name: h.Name, Size: h.Size, Mode: h.FileInfo().Mode(), Link: h.Linkname}
		if h.Typeflag == tar.TypeLink {
			m.Mode |= fs.ModeSymlink // its content is that of another member
		}
		return a.addMember(m)
	})
	if err != nil {
		return nil, err
	}
	a.sortMembers()
	a.readMember = func(ctx context.Context, name string, limit int64) (data []byte, err error) {
		err = eachTarEntry(ctx, open, func(h *tar.Header, r io.Reader) (err error) {
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

func eachTarEntry(ctx context.Context, open func() (io.Reader, error),
	visit func(h *tar.Header, r io.Reader) error) error {
	r, err := open()
	if err != nil {
		return err
	}
	t := tar.NewReader(&limitedReader{ctx, r, maxUnpackBytes})
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

// openSingle opens a single compressed file. The name of its member is the archive's name without
// the ending. The name that gzip may store is ignored, because anybody can choose it.
func openSingle(name, ending string, open func() (io.Reader, error)) (*Archive, error) {
	if _, err := open(); err != nil {
		return nil, err
	}
	base := path.Base(name)
	return &Archive{
		members: []Member{{Name: base[:len(base)-len(ending)], Size: -1}},
		readMember: func(ctx context.Context, _ string, limit int64) ([]byte, error) {
			r, err := open()
			if err != nil {
				return nil, err
			}
			return readAll(ctx, r, limit)
		},
	}, nil
}

// SingleName returns the name of the only member in an archive with this file name. ok is false if
// such an archive has named members.
func SingleName(name string) (member string, ok bool) {
	for _, kind := range archiveKinds {
		if hasEnding(name, kind.ending) {
			base := path.Base(name)
			return base[:len(base)-len(kind.ending)], kind.ending == gzipEnding || kind.ending == bzipEnding
		}
	}
	return "", false
}
