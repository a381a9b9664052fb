package lsp

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// watch tells what a change brings from what a server had found before it. A server may tell in
// several pieces, and long after the change.
type watch struct {
	server Server
	client *Client
	path   string // of the changed file
	after  []Diagnostic
	until  time.Time // what it tells later is not put down to the change
	had    map[finding]int
	files  map[string]bool // that it had told about
}

// newWatch returns a watch that begins with what the server has told, and before as what it finds
// in the changed file.
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

// findingsIn counts the findings of a file.
func findingsIn(path string, list []Diagnostic) map[finding]int {
	count := map[finding]int{}
	for _, d := range list {
		count[finding{path, d.Message, d.Source, d.severity()}]++
	}
	return count
}

// fresh returns what the server has told since the last call. The caller holds the lock.
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

// news returns those findings of a file that are more than there were, and takes them for known.
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

// unwatch ends the watches of a server's earlier changes, and returns what they have not told yet.
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
