// Package snapshot keeps the texts of files that a model has seen, under tags by which the model
// names them (`
//
// PATH#TAG`).
package snapshot

import (
	"cmp"
	"container/list"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"
)

// These constants limit a store.
const (
	maxTextBytes = 32 << 20 // maxTextBytes is the number of bytes of all texts together.
	maxTags      = 10_000
)

// Store issues tags for texts of files, and keeps the texts of a session by their tags. Beyond its
// limits it drops the texts that were not used for longest; their tags still tell whether a file is
// unchanged. Later it drops tags too. The zero value is empty. It is safe for use by several
// goroutines.
type Store struct {
	mu           sync.Mutex
	tags         map[pathTag]*list.Element // tags holds elements of used, whose values are *snapshot.
	recentlyUsed list.List                 // recentlyUsed holds the snapshots, the most recently used first.
	texts        map[textHash]*sharedText
	// textBytes is the number of bytes of all texts.
	textBytes int
	// textLimit and tagLimit replace the limits in tests; 0: the constants apply.
	textLimit, tagLimit int
}

// pathTag is the tag of a file's text, together with the path of the file.
type pathTag struct{ path, tag string }

type textHash [sha256.Size]byte

// snapshot is the text of a file at one time.
type snapshot struct {
	pathTag
	sum textHash
}

// sharedText is a text that several snapshots can share. refs is their number.
type sharedText struct {
	text string
	refs int
}

// Mint returns the tag of a text of the file path. The same text of the same file keeps its tag, as
// long as the store has it.
func (s *Store) Mint(path, text string) (tag string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tags == nil {
		s.tags, s.texts = map[pathTag]*list.Element{}, map[textHash]*sharedText{}
	}
	hash := textHash(sha256.Sum256([]byte(text)))
	number := binary.BigEndian.Uint16(hash[:])
	for range 1 << 16 {
		key := pathTag{path, fmt.Sprintf("%04X", number)}
		e := s.tags[key]
		if e == nil {
			s.tags[key] = s.recentlyUsed.PushFront(&snapshot{key, hash})
			s.addText(hash, text)
			s.evict()
			return key.tag
		}
		if e.Value.(*snapshot).sum == hash {
			s.recentlyUsed.MoveToFront(e)
			if s.texts[hash] == nil { // it was forgotten, and is added again
				s.addText(hash, text)
				s.evict()
			}
			return key.tag
		}
		number++ // the number is taken by another text of this path
	}
	panic("snapshot: more tags than a store holds") // the limit of tags is lower
}

// addText adds a reference to a text, and stores the text if the store does not have it.
func (s *Store) addText(hash textHash, text string) {
	c := s.texts[hash]
	if c == nil {
		if len(text) > s.maxBytes() {
			return // there would be no space for any other
		}
		c = &sharedText{text: text}
		s.texts[hash] = c
		s.textBytes += len(text)
	}
	c.refs++
}

// maxBytes returns the limit for the bytes of all texts.
func (s *Store) maxBytes() int { return cmp.Or(s.textLimit, maxTextBytes) }

// evict drops texts and tags until the store is within its limits.
func (s *Store) evict() {
	tags := cmp.Or(s.tagLimit, maxTags)
	for e := s.recentlyUsed.Back(); e != nil && s.textBytes > s.maxBytes(); e = e.Prev() {
		s.dropText(e.Value.(*snapshot).sum)
	}
	for s.recentlyUsed.Len() > tags {
		e := s.recentlyUsed.Back()
		snap := s.recentlyUsed.Remove(e).(*snapshot)
		delete(s.tags, snap.pathTag)
		if c := s.texts[snap.sum]; c != nil {
			if c.refs--; c.refs <= 0 {
				s.dropText(snap.sum)
			}
		}
	}
}

// dropText drops a text, even if snapshots refer to it.
func (s *Store) dropText(hash textHash) {
	if c := s.texts[hash]; c != nil {
		s.textBytes -= len(c.text)
		delete(s.texts, hash)
	}
}

// Is reports whether a tag of the file path stands for text.
func (s *Store) Is(path, tag, text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.tags[pathTag{path, tag}]
	return e != nil && e.Value.(*snapshot).sum == textHash(sha256.Sum256([]byte(text)))
}

// Text returns the text for a tag of the file path. known says that the store has issued the tag
// for this file. hasText is false if the text was dropped.
func (s *Store) Text(path, tag string) (text string, known, hasText bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.tags[pathTag{path, tag}]
	if e == nil {
		return "", false, false
	}
	s.recentlyUsed.MoveToFront(e)
	c := s.texts[e.Value.(*snapshot).sum]
	if c == nil {
		return "", true, false
	}
	return c.text, true, true
}
