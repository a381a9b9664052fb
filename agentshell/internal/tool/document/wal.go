package document

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// These are sizes and marks in a write-ahead log, as the page "WAL-mode File Format" of SQLite
// describes them.
const (
	logHeadBytes   = 32
	logMagic       = 0x377f0682 // logMagic is followed by a last bit that is set if the checksums are big-endian.
	frameHeadBytes = 24
)

// withLog returns the database as a program sees it that has it open. data ends with the
// write-ahead log, whose committed pages are copied into the database. A log that does not belong
// to the database is ignored.
func (r Request) withLog(data []byte) ([]byte, error) {
	if r.Log < 0 || r.Log > len(data) {
		return nil, errors.New("its log is cut off")
	}
	data, log := data[:len(data)-r.Log], data[len(data)-r.Log:]
	if len(data) < 100 || data[18] != 2 {
		return data, nil
	}
	data = bytes.Clone(data)
	defer func() { data[18], data[19] = 1, 1 }() // in memory it has no log
	if len(log) < logHeadBytes || binary.BigEndian.Uint32(log)&^1 != logMagic {
		return data, nil
	}
	size := int(binary.BigEndian.Uint32(log[8:]))
	if size < 512 || size > 65536 || size&(size-1) != 0 {
		return data, nil
	}
	var order binary.ByteOrder = binary.LittleEndian
	if log[3]&1 == 1 {
		order = binary.BigEndian
	}
	sum := logSum{order: order}
	sum.add(log[:24])
	if !sum.matches(log[24:]) {
		return data, nil
	}
	pages := map[int][]byte{} // that no commit follows yet
	for at := logHeadBytes; at+frameHeadBytes+size <= len(log); at += frameHeadBytes + size {
		head, page := log[at:at+frameHeadBytes], log[at+frameHeadBytes:at+frameHeadBytes+size]
		sum.add(head[:8])
		sum.add(page)
		if !sum.matches(head[16:]) {
			break // of an earlier use of the file: the sum begins with that of the head, which has another salt
		}
		number := int(binary.BigEndian.Uint32(head))
		count := int(binary.BigEndian.Uint32(head[4:]))
		if number < 1 || number > MaxFile/size || count > MaxFile/size {
			return nil, fmt.Errorf("with its log it has more than %d MiB", MaxFile>>20)
		}
		pages[number] = page
		if count == 0 {
			continue
		}
		data = append(data[:min(len(data), count*size)], make([]byte, max(0, count*size-len(data)))...)
		for number, page := range pages {
			if number <= count {
				copy(data[(number-1)*size:], page)
			}
		}
		clear(pages)
	}
	return data, nil
}

// logSum is the running checksum of a write-ahead log.
type logSum struct {
	order binary.ByteOrder
	a, b  uint32
}

func (s *logSum) add(p []byte) {
	for ; len(p) >= 8; p = p[8:] {
		s.a += s.order.Uint32(p) + s.b
		s.b += s.order.Uint32(p[4:]) + s.a
	}
}

// matches reports whether p begins with this checksum.
func (s *logSum) matches(p []byte) bool {
	return binary.BigEndian.Uint32(p) == s.a && binary.BigEndian.Uint32(p[4:]) == s.b
}
