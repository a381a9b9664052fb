package ignore

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"slices"
	"sort"
)

// These constants limit an index.
const (
	maxIndexBytes = 256 << 20 // maxIndexBytes is the number of bytes of the file, and of the paths in version 4.
	maxPathBytes  = 4096      // maxPathBytes is the number of bytes of a path.
)

var errIndex = errors.New("not an index that can be read")

// index holds the paths that a repository tracks, from git's index file, version 2 to 4 (see
// gitformat-index). A file that breaks the format is rejected completely.
type index struct {
	lists []sortedPaths // lists has two elements for a split index.
}

// sortedPaths holds sorted paths in one text.
type sortedPaths struct {
	text  []byte
	spans []textRange
}

type textRange struct{ from, to uint32 }

// readIndex parses an index file. hash is the length of object ids. shared reads another file in
// the same directory, for a split index.
func readIndex(data []byte, hash int, shared func(name string) ([]byte, error)) (*index, error) {
	own, link, err := parseIndex(data, hash, true)
	switch {
	case err != nil:
		return nil, err
	case link == nil:
		return &index{lists: []sortedPaths{own}}, nil
	case len(link) < hash:
		return nil, errIndex
	}
	base, err := shared("sharedindex." + hex.EncodeToString(link[:hash]))
	if err != nil {
		return nil, err
	}
	list, nested, err := parseIndex(base, hash, false)
	if err != nil || nested != nil {
		return nil, errIndex
	}
	if link = link[hash:]; len(link) > 0 {
		gone, err := readBitmap(link, len(list.spans))
		if err != nil {
			return nil, err
		}
		for _, at := range gone {
			list.spans[at] = textRange{} // no path is empty
		}
		list.spans = slices.DeleteFunc(list.spans, func(s textRange) bool { return s == textRange{} })
	}
	return &index{lists: []sortedPaths{own, list}}, nil
}

// entryHeadBytes is the number of bytes of an index entry before its object id.
const entryHeadBytes = 40

// parseIndex parses one file of an index. link is the content of its extension for a split index,
// or nil. split allows entries without a name, which replace those of a shared index.
func parseIndex(data []byte, hash int, split bool) (list sortedPaths, link []byte, err error) {
	if len(data) < 12+hash || string(data[:4]) != "DIRC" || len(data) > maxIndexBytes {
		return list, nil, errIndex
	}
	version, n := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 || int64(n)*int64(entryHeadBytes+hash+3) > int64(len(data)) {
		return list, nil, errIndex
	}
	r := indexReader{data: data[:len(data)-hash], at: 12, hashBytes: hash, version: version, isSplit: split}
	r.list.spans = make([]textRange, 0, n)
	if version < 4 {
		r.list.text = r.data
	}
	for range n {
		if !r.parseEntry() {
			return list, nil, errIndex
		}
	}
	if link, err = r.parseExtensions(); err != nil {
		return list, nil, err
	}
	if !split || link == nil { // what has no name replaces nothing
		if len(r.list.spans) != int(n) {
			return list, nil, errIndex
		}
	}
	return r.list, link, nil
}

// indexReader is the state of parsing the entries of an index.
type indexReader struct {
	data      []byte // data is the file without its checksum.
	at        int
	hashBytes int
	version   uint32
	isSplit   bool
	list      sortedPaths
	lastPath  []byte // lastPath is the path of the last entry.
}

// parseEntry parses one entry. It returns false if the entry is malformed.
func (r *indexReader) parseEntry() bool {
	from := r.at
	flags := from + entryHeadBytes + r.hashBytes
	name := flags + 2
	if name > len(r.data) {
		return false
	}
	if r.data[flags]&0x40 != 0 { // extended
		if name += 2; r.version < 3 || name > len(r.data) {
			return false
		}
	}
	cut := 0
	if r.version == 4 {
		var ok bool
		if cut, name, ok = parseVarint(r.data, name); !ok || cut > len(r.lastPath) {
			return false
		}
	}
	end := bytes.IndexByte(r.data[name:min(len(r.data), name+maxPathBytes+1)], 0)
	if end < 0 {
		return false
	}
	end += name
	s := textRange{uint32(name), uint32(end)}
	if r.version < 4 {
		r.at = from + (end-from)&^7 + 8 // at least one zero, up to a multiple of 8
	} else {
		r.at = end + 1
		s = r.expandPath(len(r.lastPath)-cut, r.data[name:end])
	}
	return r.at <= len(r.data) && r.addPath(s)
}

// expandPath stores a path whose first same bytes are those of the last path.
func (r *indexReader) expandPath(same int, rest []byte) textRange {
	from := len(r.list.text)
	r.list.text = append(r.list.text, r.lastPath[:same]...)
	r.list.text = append(r.list.text, rest...)
	return textRange{uint32(from), uint32(len(r.list.text))}
}

// addPath adds a path. It returns false if the path is not in order: it must be greater than the
// last one, or equal for another stage of a conflict.
func (r *indexReader) addPath(s textRange) bool {
	path := r.list.text[s.from:s.to]
	switch {
	case len(path) == 0:
		return r.isSplit && len(r.list.spans) == 0
	case len(path) > maxPathBytes || len(r.list.text) > maxIndexBytes || bytes.Compare(path, r.lastPath) < 0:
		return false
	}
	r.list.spans = append(r.list.spans, s)
	r.lastPath = path
	return true
}

// parseVarint decodes a variable-length number at the position at, in the format of packs and of
// index version 4. behind is the position after it.
func parseVarint(data []byte, at int) (n, behind int, ok bool) {
	for i := 0; i < 4 && at < len(data); i++ {
		c := data[at]
		at++
		n = n<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return n, at, true
		}
		n++
	}
	return 0, 0, false
}

// parseExtensions parses what follows the entries. An unknown extension that readers must
// understand is an error.
func (r *indexReader) parseExtensions() (link []byte, err error) {
	for at := r.at; at < len(r.data); {
		if at+8 > len(r.data) {
			return nil, errIndex
		}
		name, size := string(r.data[at:at+4]), int64(binary.BigEndian.Uint32(r.data[at+4:]))
		if at += 8; size > int64(len(r.data)-at) {
			return nil, errIndex
		}
		switch body := r.data[at : at+int(size)]; {
		case name == "link":
			link = body
		case name == "sdir", name[0] >= 'A' && name[0] <= 'Z':
		default:
			return nil, errIndex
		}
		at += int(size)
	}
	return link, nil
}

// isTracked reports whether a path is tracked or, if dir is set, a file in that directory.
func (i *index) isTracked(path string, dir bool) bool {
	if i == nil {
		return false
	}
	for _, l := range i.lists {
		if at, found := l.search(path); found || dir && l.below(at, path) {
			return true
		}
	}
	return false
}

// search returns the index at which a path is or would be.
func (p sortedPaths) search(path string) (at int, found bool) {
	return sort.Find(len(p.spans), func(i int) int { return bytes.Compare([]byte(path), p.at(i)) })
}

func (p sortedPaths) at(i int) []byte { return p.text[p.spans[i].from:p.spans[i].to] }

// below reports whether path, which is not in the list, is the directory of a path at index at or
// later.
func (p sortedPaths) below(at int, path string) bool {
	more := p.spans[at:]
	path += "/"
	i, found := sortedPaths{p.text, more}.search(path)
	return found || i < len(more) && bytes.HasPrefix(p.text[more[i].from:more[i].to], []byte(path))
}
