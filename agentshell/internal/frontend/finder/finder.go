// Package finder finds files of a workspace by some letters of their names, for completion.
package finder

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"
)

// Limits for the index of a workspace. Files beyond MaxFiles, or that are not reached within
// maxWalk, are not found.
const (
	MaxFiles = 200_000
	maxWalk  = 10 * time.Second
	maxAge   = 3 * time.Second // The age at which the index is too old, so that the workspace is walked again.
)

// Finder finds files of a workspace by parts of their names, for completion. It keeps an index of
// all file names for a few seconds. It is safe for several goroutines.
type Finder struct {
	// Walk calls yield for each file of the workspace, with the time of its last write, until yield
	// returns false.
	Walk func(ctx context.Context, yield func(path string, written time.Time) bool) error

	mu    sync.Mutex
	names []entry // The index: all files and directories, in the order of the walk.
	// When the index was made.
	indexedAt time.Time
}

// entry is one file or directory of the index. The path of a directory ends in a slash.
type entry struct {
	// The path relative to the workspace, as it is and in lower case.
	path, lower string
	written     time.Time // The time of the last write. For a directory it is the time of its newest file.
}

// Find returns at most n paths that match query, the best match first. Directories end in a slash.
// An empty query finds the files that were written last. A directory with a slash at its end finds
// what the directory contains.
//
// Find walks the workspace if the index is too old, so it may take long.
func (f *Finder) Find(ctx context.Context, query string, n int) ([]string, error) {
	names, err := f.index(ctx)
	if err != nil {
		return nil, err
	}
	query = strings.ToLower(strings.TrimPrefix(query, "./"))
	dir, base := query[:strings.LastIndexByte(query, '/')+1], query[strings.LastIndexByte(query, '/')+1:]
	inDir := dir != "" && slices.ContainsFunc(names, func(m entry) bool { return m.lower == dir })
	type found struct {
		rank int
		name *entry
	}
	var best []found
	compare := func(a, b found) int { // in the same rank, newer files come first
		return cmp.Or(cmp.Compare(a.rank, b.rank), b.name.written.Compare(a.name.written),
			cmp.Compare(a.name.path, b.name.path))
	}
	for i := range names {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m := &names[i]
		rank, ok := 0, false
		if inDir {
			var relative string
			if relative, ok = strings.CutPrefix(m.lower, dir); ok && relative != "" {
				if rank, ok = score(relative, base); ok && strings.Contains(strings.TrimSuffix(relative, "/"), "/") {
					rank += ranks // files in subdirectories come after the others
				}
			} else {
				ok = false
			}
		} else {
			rank, ok = score(m.lower, query)
		}
		if !ok {
			continue
		}
		candidate := found{rank, m}
		if len(best) == n && compare(candidate, best[n-1]) >= 0 {
			continue
		}
		position, _ := slices.BinarySearchFunc(best, candidate, compare)
		best = slices.Insert(best, position, candidate)
		best = best[:min(len(best), n)]
	}
	var paths []string
	for _, b := range best {
		paths = append(paths, b.name.path)
	}
	return paths, nil
}

// ranks is the number of different ranks that score returns.
const ranks = 7

// score returns how well query matches path: rank 0 is the best, 6 the worst. ok is false if query
// does not match. Both arguments must be in lower case.
func score(path, query string) (rank int, ok bool) {
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
	case hasInOrder(base, query):
		return 5, true
	case hasInOrder(path, query):
		return 6, true
	}
	return 0, false
}

// hasInOrder reports whether text contains all letters of query in the same order, with or without
// others in between.
func hasInOrder(text, query string) bool {
	for i := range len(query) {
		index := strings.IndexByte(text, query[i])
		if index < 0 {
			return false
		}
		text = text[index+1:]
	}
	return true
}

// index returns the entries of the workspace. It walks the workspace if the last walk was longer
// ago than maxAge.
func (f *Finder) index(ctx context.Context) ([]entry, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.names != nil && time.Since(f.indexedAt) < maxAge {
		return f.names, nil
	}
	bound, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxWalk) // ctx ends at the next key
	defer cancel()
	var names []entry
	dirIndex := map[string]int{} // the index in names, by the path of a directory
	err := f.Walk(bound, func(path string, written time.Time) bool {
		for i := strings.LastIndexByte(path, '/'); i >= 0; i = strings.LastIndexByte(path[:i], '/') {
			position, known := dirIndex[path[:i+1]]
			if !known {
				position = len(names)
				dirIndex[path[:i+1]] = position
				names = append(names, entry{path: path[:i+1], lower: strings.ToLower(path[:i+1]), written: written})
			}
			if known && !written.After(names[position].written) {
				break
			}
			names[position].written = written
		}
		names = append(names, entry{path: path, lower: strings.ToLower(path), written: written})
		return len(names) < MaxFiles
	})
	if err != nil && bound.Err() == nil {
		return nil, err
	}
	f.names, f.indexedAt = names, time.Now()
	return names, ctx.Err()
}
