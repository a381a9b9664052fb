package document

import (
	"archive/tar"
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
	"time"
)

// MemberName returns name as a valid name of an archive's member: a slash-separated path without
// "." and "..". It returns an error for other names and for directories.
func MemberName(name string) (string, error) {
	name = strings.ReplaceAll(name, "\\", "/")
	switch clean := strings.TrimPrefix(path.Clean("/"+name), "/"); {
	case slices.Contains(strings.Split(name, "/"), ".."):
		return "", errors.New("an archive path cannot contain '..'")
	case clean == "":
		return "", errors.New("an archive write path must target a file inside the archive")
	case strings.HasSuffix(name, "/"):
		return "", errors.New("an archive write path must target a file, not a directory")
	default:
		return clean, nil
	}
}

// Put returns the archive called name, with content as its member. An existing member of that name
// is replaced; otherwise the new member is the last one. The bytes of all other members stay the
// same. If data is nil, the archive is new.
func Put(ctx context.Context, name string, data []byte, member string, content []byte,
	now time.Time) ([]byte, error) {
	kind := slices.IndexFunc(archiveKinds, func(c archiveKind) bool { return hasEnding(name, c.ending) })
	if kind < 0 {
		return nil, fmt.Errorf("%q is not named as an archive", name)
	}
	var old Member
	had := false
	if data != nil {
		a, err := OpenArchive(ctx, name, data)
		if err != nil {
			return nil, err
		}
		if old, had, err = a.replacedMember(member); err != nil {
			return nil, err
		}
	}
	switch ending := archiveKinds[kind].ending; ending {
	case ".zip", ".jar", ".whl":
		return putZip(ctx, data, old.rawName, had, member, content, now)
	case ".tar":
		return putTar(ctx, data, old.rawName, had, member, content, now)
	case ".tar.gz", ".tgz":
		return putTarGzip(ctx, data, old.rawName, had, member, content, now)
	case ".tar.bz2", ".tbz2":
		return putTarBzip(ctx, data, old.rawName, had, member, content, now)
	default:
		return putSingle(name, data, member, content)
	}
}

// replacedMember returns the member that is to be replaced; had is false if there is none. It
// returns an error if no file can have this name, because a directory or a link has it or a file
// stands in its path.
func (a *Archive) replacedMember(name string) (m Member, had bool, err error) {
	for at := path.Dir(name); at != "."; at = path.Dir(at) {
		if m, is := a.Find(at); is && !m.Mode.IsDir() {
			return m, false, fmt.Errorf("%s is a file in it", at)
		}
	}
	if m, had = a.Find(name); had && !m.Mode.IsRegular() {
		what := "a link"
		if m.Mode.IsDir() {
			what = "a directory"
		}
		return m, false, fmt.Errorf("%s is %s in it", name, what)
	}
	if _, is := a.Dir(name); is && !had {
		return m, false, fmt.Errorf("%s is a directory in it", name)
	}
	return m, had, nil
}

// newMemberMode is the file mode of a new member.
const newMemberMode fs.FileMode = 0o644

// putTar replaces the content of the last member called old if had is true, or appends a new
// member.
func putTar(ctx context.Context, data []byte, old string, had bool, member string, content []byte,
	now time.Time) ([]byte, error) {
	h := tar.Header{Typeflag: tar.TypeReg, Name: member, Mode: int64(newMemberMode)}
	src := &countingReader{r: bytes.NewReader(data)}
	t := tar.NewReader(&limitedReader{ctx, src, maxUnpackBytes})
	var end, from, to int64 // of what is read; of what is replaced
	for {
		start := end
		next, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return nil, err
		}
		if _, err := io.Copy(io.Discard, t); err != nil {
			return nil, err
		}
		end = (src.n + tarBlock - 1) / tarBlock * tarBlock
		if had && next.Name == old && next.FileInfo().Mode().IsRegular() {
			from, to = start, end
			h = *next
		}
	}
	if to == 0 {
		from, to = end, end
	}
	if to > int64(len(data)) {
		return nil, io.ErrUnexpectedEOF
	}
	h.Size, h.ModTime, h.Format = int64(len(content)), now, tar.FormatUnknown
	h.Typeflag, h.AccessTime, h.ChangeTime = tar.TypeReg, time.Time{}, time.Time{}
	for name := range h.PAXRecords {
		if name == "size" || name == "mtime" || strings.HasPrefix(name, "GNU.sparse.") {
			delete(h.PAXRecords, name)
		}
	}
	var entry bytes.Buffer
	w := tar.NewWriter(&entry)
	if err := w.WriteHeader(&h); err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Flush(); err != nil {
		return nil, err
	}
	rest := data[to:]
	if len(rest) == 0 {
		rest = make([]byte, 2*tarBlock) // the end of a tar
	}
	return slices.Concat(data[:from], entry.Bytes(), rest), nil
}

const tarBlock = 512

// countingReader is a reader that counts the bytes it has read.
type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

func putTarGzip(ctx context.Context, data []byte, old string, had bool, member string, content []byte,
	now time.Time) ([]byte, error) {
	head, plain, err := unpackGzip(ctx, data)
	if err != nil {
		return nil, err
	}
	if plain, err = putTar(ctx, plain, old, had, member, content, now); err != nil {
		return nil, err
	}
	return packGzip(head, plain)
}

// unpackGzip returns the header and the unpacked content of a gzip file. Both are empty if data is
// nil.
func unpackGzip(ctx context.Context, data []byte) (head gzip.Header, plain []byte, err error) {
	if data == nil {
		return head, nil, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return head, nil, err
	}
	head = r.Header
	plain, err = readAll(ctx, r, maxRepackBytes)
	return head, plain, err
}

// packGzip compresses plain by gzip, with the header head.
func packGzip(head gzip.Header, plain []byte) ([]byte, error) {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Header = head
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	err := w.Close()
	return out.Bytes(), err
}

func putTarBzip(ctx context.Context, data []byte, old string, had bool, member string, content []byte,
	now time.Time) ([]byte, error) {
	var plain []byte
	if data != nil {
		var err error
		if plain, err = readAll(ctx, bzip2.NewReader(bytes.NewReader(data)), maxBzipBytes); err != nil {
			return nil, err
		}
	}
	plain, err := putTar(ctx, plain, old, had, member, content, now)
	if err != nil {
		return nil, err
	}
	return compressBzip(plain), nil
}

// putSingle returns a gzip or bzip2 file with the given content. member must be the name that
// [SingleName] returns.
func putSingle(name string, data []byte, member string, content []byte) ([]byte, error) {
	only, _ := SingleName(name)
	if member != only {
		return nil, fmt.Errorf("it holds one file, which is %s", only)
	}
	if hasEnding(name, bzipEnding) {
		return compressBzip(content), nil
	}
	var head gzip.Header
	if data != nil {
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		head = r.Header
	}
	return packGzip(head, content)
}
