// Package snapshot keeps the texts that a model has seen of files, by the tags that it names them
// with (`¶PATH#TAG`).
package snapshot

import (
	"cmp"
	"container/list"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"
)

// Bounds of a store.
const (
	mostKept = 32 << 20 // bytes of texts
	mostTags = 10_000
)

// Store mints the tags of a session and keeps the texts that they stand for. Of what is too much
// the least recently used goes: first texts, whose tags still tell whether a file is as it was,
// then tags. The zero value is empty. It is safe for use by several goroutines.
type Store struct {
	mu    sync.Mutex
	tags  map[place]*list.Element // of *snapshot
	used  list.List               // of *snapshot, the last used first
	texts map[sum]*content
	bytes int
	// most and mostTags are bounds for tests; 0: those of the package.
	most, mostTags int
}

// place is a tag of a path.
type place struct{ path, tag string }

type sum [sha256.Size]byte

// snapshot is a text of a path at some time.
type snapshot struct {
	place
	sum sum
}

// content is a text that is kept, once for all paths that have it.
type content struct {
	text string
	refs int
}

// Mint gives the tag of a text of a path: one text has one tag there as long as the tag is known.
func (s *Store) Mint(path, text string) (tag string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tags == nil {
		s.tags, s.texts = map[place]*list.Element{}, map[sum]*content{}
	}
	of := sum(sha256.Sum256([]byte(text)))
	number := binary.BigEndian.Uint16(of[:])
	for range 1 << 16 {
		at := place{path, fmt.Sprintf("%04X", number)}
		e := s.tags[at]
		if e == nil {
			s.tags[at] = s.used.PushFront(&snapshot{at, of})
			s.keep(of, text)
			s.bound()
			return at.tag
		}
		if e.Value.(*snapshot).sum == of {
			s.used.MoveToFront(e)
			if s.texts[of] == nil { // it went, and is here again
				s.keep(of, text)
				s.bound()
			}
			return at.tag
		}
		number++ // of another text of this path
	}
	panic("snapshot: more tags than a store holds") // mostTags is less
}

// keep keeps the text of one more snapshot.
func (s *Store) keep(of sum, text string) {
	c := s.texts[of]
	if c == nil {
		if len(text) > s.room() {
			return // all others would have to go for it
		}
		c = &content{text: text}
		s.texts[of] = c
		s.bytes += len(text)
	}
	c.refs++
}

// room returns how many bytes of texts are kept at most.
func (s *Store) room() int { return cmp.Or(s.most, mostKept) }

// bound forgets what is too much.
func (s *Store) bound() {
	tags := cmp.Or(s.mostTags, mostTags)
	for e := s.used.Back(); e != nil && s.bytes > s.room(); e = e.Prev() {
		s.drop(e.Value.(*snapshot).sum)
	}
	for s.used.Len() > tags {
		e := s.used.Back()
		snap := s.used.Remove(e).(*snapshot)
		delete(s.tags, snap.place)
		if c := s.texts[snap.sum]; c != nil {
			if c.refs--; c.refs <= 0 {
				s.drop(snap.sum)
			}
		}
	}
}

// drop forgets a text, also if it is still used.
func (s *Store) drop(of sum) {
	if c := s.texts[of]; c != nil {
		s.bytes -= len(c.text)
		delete(s.texts, of)
	}
}

// Is reports whether a tag of a path stands for a text.
func (s *Store) Is(path, tag, text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.tags[place{path, tag}]
	return e != nil && e.Value.(*snapshot).sum == sum(sha256.Sum256([]byte(text)))
}

// Text gives the text that a tag of a path stands for. known: the tag was minted here for this
// path, though its text may be gone (!kept).
func (s *Store) Text(path, tag string) (text string, known, kept bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.tags[place{path, tag}]
	if e == nil {
		return "", false, false
	}
	s.used.MoveToFront(e)
	c := s.texts[e.Value.(*snapshot).sum]
	if c == nil {
		return "", true, false
	}
	return c.text, true, true
}
