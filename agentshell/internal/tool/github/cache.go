package github

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// Cache says how long what was read of an issue or a pull request is used again. The zero value
// keeps nothing.
type Cache struct {
	Dir string // one file an answer; "": nothing is kept
	// Soft is the age from which an answer is used once more while it is read anew, and Hard the
	// age from which it is not used.
	Soft, Hard time.Duration
}

// The ages if the person sets none.
const (
	DefaultSoft = 5 * time.Minute
	DefaultHard = 7 * 24 * time.Hour
)

// maxCached is the number of answers that are kept.
const maxCached = 500

// cached is a kept answer.
type cached struct {
	Key  string    `json:"key"`
	Time time.Time `json:"time"`
	Text string    `json:"text"` // as GitHub gave it, without keys
}

// key returns the key of what is read by this login: an answer for one login is never given to
// another.
func (s *Service) key(parts ...string) string {
	login := sha256.Sum256([]byte(strings.Join(append(s.keys(), s.logins()), "\x00")))
	return strings.Join(append([]string{s.config.Host, hex.EncodeToString(login[:8])}, parts...), " ")
}

func (c Cache) file(key string) string {
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(c.Dir, hex.EncodeToString(sum[:12])+".json")
}

// get returns a kept answer that is not too old.
func (c Cache) get(key string, now time.Time) (kept cached, ok bool) {
	if c.Dir == "" {
		return cached{}, false
	}
	text, err := regular.ReadFile(c.file(key))
	if err != nil || json.Unmarshal(text, &kept) != nil || kept.Key != key {
		return cached{}, false
	}
	age := now.Sub(kept.Time)
	return kept, age >= 0 && age < c.Hard
}

// put keeps an answer. What cannot be kept is read again.
func (c Cache) put(k cached) {
	if c.Dir == "" || os.MkdirAll(c.Dir, 0o700) != nil {
		return
	}
	text, err := json.Marshal(k)
	if err != nil {
		return
	}
	f, err := os.CreateTemp(c.Dir, "new-")
	if err != nil {
		return
	}
	_, err = f.Write(text)
	if f.Close() != nil || err != nil || os.Rename(f.Name(), c.file(k.Key)) != nil {
		_ = os.Remove(f.Name())
	}
	c.tidy(k.Time)
}

// tidy removes answers that are too old, and the oldest of too many.
func (c Cache) tidy(now time.Time) {
	entries, err := os.ReadDir(c.Dir)
	if err != nil {
		return
	}
	type file struct {
		name string
		time time.Time
	}
	var files []file
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, file{filepath.Join(c.Dir, e.Name()), info.ModTime()})
		}
	}
	slices.SortFunc(files, func(a, b file) int { return b.time.Compare(a.time) })
	for i, f := range files {
		if i >= maxCached || now.Sub(f.time) > c.Hard {
			_ = os.Remove(f.name)
		}
	}
}

// read returns what fetch gives, or what it gave before, and when that was. What is older than Soft
// is read anew in the background.
func (s *Service) read(ctx context.Context, key string,
	fetch func(ctx context.Context) (string, error)) (text string, at time.Time, err error) {
	now := s.config.Now()
	if kept, ok := s.config.Cache.get(key, now); ok {
		if now.Sub(kept.Time) >= s.config.Cache.Soft {
			s.refresh(key, fetch)
		}
		return kept.Text, kept.Time, nil
	}
	text, err = fetch(ctx)
	if err == nil {
		s.config.Cache.put(cached{key, now, text})
	}
	return text, now, err
}

// refresh reads something anew in the background, once at a time.
func (s *Service) refresh(key string, fetch func(ctx context.Context) (string, error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.refreshes[key] {
		return
	}
	s.refreshes[key] = true
	s.refreshing.Go(func() {
		ctx, cancel := context.WithTimeout(s.life, callTime)
		defer cancel()
		if text, err := fetch(ctx); err == nil {
			s.config.Cache.put(cached{key, s.config.Now(), text})
		}
		s.mu.Lock()
		delete(s.refreshes, key)
		s.mu.Unlock()
	})
}

// AwaitRefreshes waits until nothing is read anew in the background.
func (s *Service) AwaitRefreshes() { s.refreshing.Wait() }
