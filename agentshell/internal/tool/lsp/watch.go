package lsp

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// watch compares the diagnostics that a server sends after a change with those before it. A server
// may send them in several messages, and late.
type watch struct {
	server Server
	client *Client
	path   string // path is the changed file.
	after  []Diagnostic
	until  time.Time // until is the time after which diagnostics are not attributed to the change.
	// had counts the findings before the change, and those already reported.
	had   map[finding]int
	files map[string]bool // files holds the files for which the server had sent diagnostics.
}

// newWatch returns a watch that starts with the diagnostics that the server has sent so far. before
// replaces those of the changed file.
func newWatch(server Server, c *Client, path string, before []Diagnostic) *watch {
	w := &watch{server: server, client: c, path: path, had: map[finding]int{}, files: map[string]bool{}}
	published := c.allPublished(time.Now())
	published[path] = before
	for path, list := range published {
		w.files[path] = true
		for key, n := range findingsIn(path, list) {
			w.had[key] = n
		}
	}
	return w
}

// findingsIn counts the equal findings of a file.
func findingsIn(path string, list []Diagnostic) map[finding]int {
	count := map[finding]int{}
	for _, d := range list {
		count[finding{path, d.Message, d.Source, d.severity()}]++
	}
	return count
}

// fresh returns the news since its last call for the same watch. The caller holds the lock.
func (s *Service) fresh(w *watch) (all []News) {
	published := w.client.allPublished(w.until)
	if w.after != nil {
		published[w.path] = w.after
		w.after = nil
	}
	for _, path := range slices.Sorted(maps.Keys(published)) {
		n := w.news(s.relative(path), path, published[path])
		// A file that was opened meanwhile is told about for that, and not for the change.
		opened := path != w.path && !w.files[path] && w.client.Version(path) != 0
		if w.files[path] = true; len(n.Lines) > 0 && !opened {
			all = append(all, n)
		}
	}
	return all
}

// news returns the findings of a file that were not there before, and adds them to w.had.
func (w *watch) news(name, path string, list []Diagnostic) News {
	n := News{Server: w.server.Name, Path: name}
	had := map[finding]int{}
	for _, d := range SortDiagnostics(list) {
		key := finding{path, d.Message, d.Source, d.severity()}
		if had[key]++; had[key] <= w.had[key] {
			continue
		}
		w.had[key] = had[key]
		if d.severity() > 2 {
			continue
		}
		if d.severity() == 1 {
			n.Errors++
		}
		n.Lines = append(n.Lines, fmt.Sprintf("%s:%d: %s: %s", n.Path, d.Range.Start.Line+1, d.SeverityName(),
			bounded(strings.Join(strings.Fields(d.Message), " "), 300)))
	}
	return n
}

// unwatch ends the watches of a server's earlier changes, and returns their remaining news.
func (s *Service) unwatch(c *Client) (all []News) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watches = slices.DeleteFunc(s.watches, func(w *watch) bool {
		if w.client == c {
			all = append(all, s.fresh(w)...)
		}
		return w.client == c
	})
	return all
}
