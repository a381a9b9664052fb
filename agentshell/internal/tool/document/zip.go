package document

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// These are the signatures and fixed lengths of the records of a zip file, as in PKWARE's
// APPNOTE.TXT.
const (
	zipLocal     = "PK\x03\x04"
	zipEntry     = "PK\x01\x02"
	zipEnd       = "PK\x05\x06"
	zipEnd64     = "PK\x06\x06"
	zipLocator64 = "PK\x06\x07"

	zipLocalHead   = 30
	zipEntryHead   = 46
	zipEndHead     = 22
	zipEnd64Head   = 56
	zipLocatorHead = 20
)

// errZip is the error for a zip whose directory is malformed.
var errZip = errors.New("its directory cannot be read")

// zipFile is a zip file, split into the parts that move when one member changes: the members with
// their headers, and the directory after them.
type zipFile struct {
	data         []byte
	dirStart     int    // dirStart is the position of the directory.
	claimedStart uint64 // claimedStart is the position of the directory that the file claims.
	entries      []zipMember
	afterEntries []byte // afterEntries holds the bytes in the directory after its entries.
	comment      []byte // comment holds the archive's comment, from its length on.
}

// zipMember is one entry of the directory.
type zipMember struct {
	head []byte // head holds the bytes of the entry itself.
	name string
	// offset is the position in head of the number that says where the member starts. If is64Bit is
	// set, that number has 64 bits.
	offset     int
	is64Bit    bool
	start, end int // start and end are the positions of the member with its header and its packed bytes.
}

// putZip replaces the last member called old if had is true, or appends a new member. All other
// bytes of the archive are copied as they are.
func putZip(ctx context.Context, data []byte, old string, had bool, member string, content []byte,
	now time.Time) ([]byte, error) {
	if data == nil {
		data = append([]byte(zipEnd), make([]byte, zipEndHead-len(zipEnd))...)
	}
	z, err := parseZip(data)
	if err != nil {
		return nil, err
	}
	h, at := zip.FileHeader{Name: member, Method: zip.Deflate, Modified: now}, -1
	h.SetMode(newMemberMode)
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, err
	}
	if !slices.EqualFunc(r.File, z.entries, func(f *zip.File, e zipMember) bool { return f.Name == e.name }) {
		return nil, errZip
	}
	for i, f := range r.File {
		if had && f.Name == old {
			at = i
			h = zip.FileHeader{Name: f.Name, Comment: f.Comment, Method: zip.Deflate, Modified: now,
				CreatorVersion: f.CreatorVersion, ExternalAttrs: f.ExternalAttrs}
		}
	}
	one, err := zipOneMember(h, content)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return z.putMember(at, one)
}

// zipOneMember returns a new zip with one member.
func zipOneMember(h zip.FileHeader, content []byte) (z zipFile, err error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	f, err := w.CreateHeader(&h)
	if err == nil {
		_, err = f.Write(content)
	}
	if err := errors.Join(err, w.Close()); err != nil {
		return z, err
	}
	return parseZip(out.Bytes())
}

// parseZip finds the parts of a zip file.
func parseZip(data []byte) (z zipFile, err error) {
	z.data = data
	end := bytes.LastIndex(data[:max(0, len(data)-zipEndHead+len(zipEnd))], []byte(zipEnd))
	if end < 0 {
		return z, errZip
	}
	tail := data[end:]
	z.comment = tail[20:]
	count, size := uint64(zip16(tail[10:])), uint64(zip32(tail[12:]))
	z.claimedStart = uint64(zip32(tail[16:]))
	if int(zip16(tail[20:])) > len(tail)-zipEndHead || zip16(tail[4:]) != 0 && zip16(tail[4:]) != math.MaxUint16 {
		return z, errZip
	}
	if at := end - zipLocatorHead; at >= 0 && bytes.HasPrefix(data[at:], []byte(zipLocator64)) {
		end64 := binary.LittleEndian.Uint64(data[at+8:])
		if end64 > uint64(at) || at-int(end64) < zipEnd64Head || !bytes.HasPrefix(data[end64:], []byte(zipEnd64)) {
			return z, errZip
		}
		end = int(end64)
		count, size = binary.LittleEndian.Uint64(data[end+32:]), binary.LittleEndian.Uint64(data[end+40:])
		z.claimedStart = binary.LittleEndian.Uint64(data[end+48:])
	}
	if size > uint64(end) {
		return z, errZip
	}
	z.dirStart = end - int(size)
	switch {
	case !bytes.HasPrefix(data, []byte("PK")) || uint64(z.dirStart) != z.claimedStart:
		return z, errors.New("it begins with something else than an archive, which would be lost")
	case count > maxMembers:
		return z, ErrMembers
	}
	return z, z.parseEntries(data[z.dirStart:end], int(count))
}

// parseEntries parses the count entries of a directory.
func (z *zipFile) parseEntries(dir []byte, count int) error {
	for range count {
		if len(dir) < zipEntryHead || !bytes.HasPrefix(dir, []byte(zipEntry)) {
			return errZip
		}
		name := zipEntryHead + int(zip16(dir[28:]))
		extra := name + int(zip16(dir[30:]))
		all := extra + int(zip16(dir[32:]))
		if all > len(dir) {
			return errZip
		}
		e := zipMember{head: dir[:all], name: string(dir[zipEntryHead:name]), offset: 42}
		if err := e.findMember(z.data[:z.dirStart], name, extra); err != nil {
			return err
		}
		z.entries, dir = append(z.entries, e), dir[all:]
	}
	z.afterEntries = dir
	return nil
}

// findMember finds the position of a member in data. extra and end are the range of the extra
// fields in the entry, which hold the numbers that have more than 32 bits.
func (m *zipMember) findMember(data []byte, extra, end int) error {
	size, start := uint64(zip32(m.head[20:])), uint64(zip32(m.head[42:]))
	for at := extra; at+4 <= end; at += 4 + int(zip16(m.head[at+2:])) {
		if zip16(m.head[at:]) != 1 {
			continue
		}
		field := at + 4
		for i, number := range []*uint64{nil, &size, &start} {
			if zip32(m.head[[]int{24, 20, 42}[i]:]) != math.MaxUint32 {
				continue
			}
			if field+8 > min(end, at+4+int(zip16(m.head[at+2:]))) {
				return errZip
			}
			if number != nil {
				*number = binary.LittleEndian.Uint64(m.head[field:])
			}
			if number == &start {
				m.offset, m.is64Bit = field, true
			}
			field += 8
		}
		break
	}
	if start > uint64(len(data)) || len(data)-int(start) < zipLocalHead ||
		!bytes.HasPrefix(data[start:], []byte(zipLocal)) {
		return errZip
	}
	m.start = int(start)
	body := m.start + zipLocalHead + int(zip16(data[start+26:])) + int(zip16(data[start+28:]))
	if body > len(data) || size > uint64(len(data)-body) {
		return errZip
	}
	m.end = body + int(size)
	return nil
}

// putMember returns a zip in which the only member of one replaces entry i; if i is -1, the member
// is appended. Unknown bytes between two members belong to the first of them.
func (z zipFile) putMember(i int, one zipFile) ([]byte, error) {
	from, to := z.dirStart, z.dirStart
	if i >= 0 {
		e := z.entries[i]
		from = e.start
		for j, other := range z.entries {
			next := other.start
			switch {
			case j == i || other.end <= from:
				continue
			case next < e.end:
				return nil, errors.New("two of its members overlap")
			}
			to = min(to, next)
		}
	}
	moved := one.dirStart - (to - from)
	out := slices.Concat(z.data[:from], one.data[:one.dirStart], z.data[to:z.dirStart])
	start := len(out)
	if start > math.MaxInt32 {
		return nil, fmt.Errorf("it would have more than %d MiB", math.MaxInt32>>20)
	}
	place := func(e zipMember, at int) {
		head := slices.Clone(e.head)
		if e.is64Bit {
			binary.LittleEndian.PutUint64(head[e.offset:], uint64(at))
		} else {
			binary.LittleEndian.PutUint32(head[e.offset:], uint32(at))
		}
		out = append(out, head...)
	}
	for j, e := range z.entries {
		switch {
		case j == i:
			place(one.entries[0], from)
		case e.start > from:
			place(e, e.start+moved)
		default:
			place(e, e.start)
		}
	}
	count := len(z.entries)
	if i < 0 {
		place(one.entries[0], from)
		count++
	}
	out = append(out, z.afterEntries...)
	return appendZipEnd(out, start, count, z.comment), nil
}

// appendZipEnd appends the end records of a zip. The directory is out[start:], with count entries.
func appendZipEnd(out []byte, start, count int, comment []byte) []byte {
	le, size := binary.LittleEndian, len(out)-start
	short := uint16(min(count, math.MaxUint16))
	if count >= math.MaxUint16 {
		end := len(out)
		out = append(out, zipEnd64...)
		out = le.AppendUint64(out, zipEnd64Head-12)
		out = le.AppendUint32(out, 45|45<<16) // the version that knows this record
		out = append(out, make([]byte, 8)...)
		for _, n := range []int{count, count, size, start} {
			out = le.AppendUint64(out, uint64(n))
		}
		out = append(append(out, zipLocator64...), make([]byte, 4)...)
		out = le.AppendUint64(out, uint64(end))
		out = le.AppendUint32(out, 1)
	}
	out = append(append(out, zipEnd...), make([]byte, 4)...)
	out = le.AppendUint16(le.AppendUint16(out, short), short)
	out = le.AppendUint32(le.AppendUint32(out, uint32(size)), uint32(start))
	return append(out, comment...)
}

func zip16(b []byte) uint16 { return binary.LittleEndian.Uint16(b) }
func zip32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
