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

// Cache configures how long the texts of issues and pull requests are reused. The zero value stores
// nothing.
type Cache struct {
	Dir string // Dir is the directory of the stored texts, with one file each; "": nothing is stored.
	// Soft is the age from which a stored text is still used, but requested again in the
	// background. Hard is the age from which it is not used.
	Soft, Hard time.Duration
}

// These are the values of Cache.Soft and Cache.Hard if the user sets none.
const (
	DefaultSoft = 5 * time.Minute
	DefaultHard = 7 * 24 * time.Hour
)

// maxCached is the number of texts that a Cache stores.
const maxCached = 500

// cachedText is a file of the cache: one stored text.
type cachedText struct {
	Key  string    `json:"key"`
	Time time.Time `json:"time"`
	Text string    `json:"text"` // Text is the answer of GitHub, without API keys.
}

// cacheKey returns the cache key for parts, such as the kind and number of an issue. The key
// depends on the login, so that one account never sees the stored texts of another.
func (s *Service) cacheKey(parts ...string) string {
	login := sha256.Sum256([]byte(strings.Join(append(s.apiTokens(), s.hostsFile()), "\x00")))
	return strings.Join(append([]string{s.config.Host, hex.EncodeToString(login[:8])}, parts...), " ")
}

func (c Cache) path(key string) string {
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(c.Dir, hex.EncodeToString(sum[:12])+".json")
}

// get returns the stored text for a key. ok is false if there is none, or it is older than Hard.
func (c Cache) get(key string, now time.Time) (kept cachedText, ok bool) {
	if c.Dir == "" {
		return cachedText{}, false
	}
	text, err := regular.ReadFile(c.path(key))
	if err != nil || json.Unmarshal(text, &kept) != nil || kept.Key != key {
		return cachedText{}, false
	}
	age := now.Sub(kept.Time)
	return kept, age >= 0 && age < c.Hard
}

// put stores a text. It ignores errors: a text that is not stored is requested again.
func (c Cache) put(k cachedText) {
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
	if f.Close() != nil || err != nil || os.Rename(f.Name(), c.path(k.Key)) != nil {
		_ = os.Remove(f.Name())
	}
	c.tidy(k.Time)
}

// tidy removes stored texts older than Hard, and the oldest if there are more than maxCached.
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

// readCached returns the text for a cache key, and the time at which it was requested. If no usable
// text is stored, it calls fetch. If the stored text is older than Soft, it returns that and calls
// fetch in the background.
func (s *Service) readCached(ctx context.Context, key string,
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
		s.config.Cache.put(cachedText{key, now, text})
	}
	return text, now, err
}

// refresh calls fetch in the background and stores the text. It does nothing if a refresh of the
// key is running.
func (s *Service) refresh(key string, fetch func(ctx context.Context) (string, error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.refreshes[key] {
		return
	}
	s.refreshes[key] = true
	s.refreshing.Go(func() {
		ctx, cancel := context.WithTimeout(s.lifeContext, callTimeout)
		defer cancel()
		if text, err := fetch(ctx); err == nil {
			s.config.Cache.put(cachedText{key, s.config.Now(), text})
		}
		s.mu.Lock()
		delete(s.refreshes, key)
		s.mu.Unlock()
	})
}

// AwaitRefreshes waits until the requests in the background have ended. Tests use it.
func (s *Service) AwaitRefreshes() { s.refreshing.Wait() }
