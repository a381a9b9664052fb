// Package finder finds files of a workspace by the letters of their names that a person has typed.
package finder

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"
)

// Bounds of an index: what lies beyond them is not offered.
const (
	MaxFiles = 200_000
	maxWalk  = 10 * time.Second
	fresh    = 3 * time.Second // how long an index is used without another walk
)

// Finder keeps the names of a workspace's files. It is for several goroutines.
type Finder struct {
	// Walk tells all files with the time when they were written, until yield returns false.
	Walk func(ctx context.Context, yield func(path string, written time.Time) bool) error

	mu    sync.Mutex
	names []name // newest first
	at    time.Time
}

// name is a file, or a directory with a slash behind it.
type name struct {
	path, lower string
	written     time.Time // of a directory: the newest file below it
}

// Find returns at most n paths for query, the best first; directories end with a slash. Nothing
// typed finds what was written last, a directory with a slash what is in it. It walks the workspace
// if that was some time ago, so it is not for a loop that must not wait.
func (f *Finder) Find(ctx context.Context, query string, n int) ([]string, error) {
	names, err := f.index(ctx)
	if err != nil {
		return nil, err
	}
	query = strings.ToLower(strings.TrimPrefix(query, "./"))
	dir, rest := query[:strings.LastIndexByte(query, '/')+1], query[strings.LastIndexByte(query, '/')+1:]
	below := dir != "" && slices.ContainsFunc(names, func(m name) bool { return m.lower == dir })
	type found struct {
		rank int
		name *name
	}
	var best []found
	worse := func(a, b found) int { // of names of one rank the newer comes first
		return cmp.Or(cmp.Compare(a.rank, b.rank), b.name.written.Compare(a.name.written),
			cmp.Compare(a.name.path, b.name.path))
	}
	for i := range names {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m := &names[i]
		rank, ok := 0, false
		if below {
			var in string
			if in, ok = strings.CutPrefix(m.lower, dir); ok && in != "" {
				if rank, ok = rate(in, rest); ok && strings.Contains(strings.TrimSuffix(in, "/"), "/") {
					rank += ranks // what lies deeper comes behind
				}
			} else {
				ok = false
			}
		} else {
			rank, ok = rate(m.lower, query)
		}
		if !ok {
			continue
		}
		it := found{rank, m}
		if len(best) == n && worse(it, best[n-1]) >= 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, it, worse)
		best = slices.Insert(best, at, it)
		best = best[:min(len(best), n)]
	}
	var paths []string
	for _, b := range best {
		paths = append(paths, b.name.path)
	}
	return paths, nil
}

// ranks is how many there are.
const ranks = 7

// rate says how well query names path, both in small letters: 0 is best.
func rate(path, query string) (rank int, ok bool) {
	base := strings.TrimSuffix(path, "/")
	base = base[strings.LastIndexByte(base, '/')+1:]
	switch i := strings.Index(base, query); {
	case query == "":
		return 0, true
	case base == query || path == query:
		return 0, true
	case i == 0:
		return 1, true
	case i > 0 && strings.IndexByte("._- ", base[i-1]) >= 0:
		return 2, true
	case i > 0:
		return 3, true
	case strings.Contains(path, query):
		return 4, true
	case within(base, query):
		return 5, true
	case within(path, query):
		return 6, true
	}
	return 0, false
}

// within reports whether the letters of query stand in text in their order.
func within(text, query string) bool {
	for i := range len(query) {
		at := strings.IndexByte(text, query[i])
		if at < 0 {
			return false
		}
		text = text[at+1:]
	}
	return true
}

// index returns the names, walked anew if they are old.
func (f *Finder) index(ctx context.Context) ([]name, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.names != nil && time.Since(f.at) < fresh {
		return f.names, nil
	}
	bound, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxWalk) // the next key would stop it for ever
	defer cancel()
	var names []name
	dirs := map[string]int{} // where it is in names
	err := f.Walk(bound, func(path string, written time.Time) bool {
		for i := strings.LastIndexByte(path, '/'); i >= 0; i = strings.LastIndexByte(path[:i], '/') {
			at, known := dirs[path[:i+1]]
			if !known {
				at = len(names)
				dirs[path[:i+1]] = at
				names = append(names, name{path: path[:i+1], lower: strings.ToLower(path[:i+1]), written: written})
			}
			if known && !written.After(names[at].written) {
				break
			}
			names[at].written = written
		}
		names = append(names, name{path: path, lower: strings.ToLower(path), written: written})
		return len(names) < MaxFiles
	})
	if err != nil && bound.Err() == nil {
		return nil, err
	}
	f.names, f.at = names, time.Now()
	return names, ctx.Err()
}
