package lsp

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// diagnosticsWatch compares the diagnostics that a server sends after a change with those before
// it. A server may send them in several messages, and late.
type diagnosticsWatch struct {
	server Server
	client *Client
	path   string // path is the changed file.
	after  []Diagnostic
	until  time.Time // until is the time after which diagnostics are not attributed to the change.
	// seenCounts counts the findings before the change, and those already reported.
	seenCounts map[diagnosticKey]int
	seenFiles  map[string]bool // seenFiles holds the files for which the server had sent diagnostics.
}

// newWatch returns a watch that starts with the diagnostics that the server has sent so far. before
// replaces those of the changed file.
func newWatch(server Server, c *Client, path string, before []Diagnostic) *diagnosticsWatch {
	w := &diagnosticsWatch{server: server, client: c, path: path, seenCounts: map[diagnosticKey]int{},
		seenFiles: map[string]bool{}}
	published := c.allPublished(time.Now())
	published[path] = before
	for path, list := range published {
		w.seenFiles[path] = true
		for key, n := range countFindings(path, list) {
			w.seenCounts[key] = n
		}
	}
	return w
}

// countFindings counts the equal findings of a file.
func countFindings(path string, list []Diagnostic) map[diagnosticKey]int {
	count := map[diagnosticKey]int{}
	for _, d := range list {
		count[diagnosticKey{path, d.Message, d.Source, d.severity()}]++
	}
	return count
}

// freshNews returns the news since its last call for the same watch. The caller holds the lock.
func (s *Service) freshNews(w *diagnosticsWatch) (all []News) {
	published := w.client.allPublished(w.until)
	if w.after != nil {
		published[w.path] = w.after
		w.after = nil
	}
	for _, path := range slices.Sorted(maps.Keys(published)) {
		n := w.newFindings(s.relativePath(path), path, published[path])
		// A file that was opened meanwhile is told about for that, and not for the change.
		opened := path != w.path && !w.seenFiles[path] && w.client.Version(path) != 0
		if w.seenFiles[path] = true; len(n.Lines) > 0 && !opened {
			all = append(all, n)
		}
	}
	return all
}

// newFindings returns the findings of a file that were not there before, and adds them to
// w.seenCounts.
func (w *diagnosticsWatch) newFindings(name, path string, list []Diagnostic) News {
	n := News{Server: w.server.Name, Path: name}
	had := map[diagnosticKey]int{}
	for _, d := range SortDiagnostics(list) {
		key := diagnosticKey{path, d.Message, d.Source, d.severity()}
		if had[key]++; had[key] <= w.seenCounts[key] {
			continue
		}
		w.seenCounts[key] = had[key]
		if d.severity() > 2 {
			continue
		}
		if d.severity() == 1 {
			n.Errors++
		}
		n.Lines = append(n.Lines, fmt.Sprintf("%s:%d: %s: %s", n.Path, d.Range.Start.Line+1, d.SeverityName(),
			cutText(strings.Join(strings.Fields(d.Message), " "), 300)))
	}
	return n
}

// endWatches ends the watches of a server's earlier changes, and returns their remaining news.
func (s *Service) endWatches(c *Client) (all []News) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.activeWatches = slices.DeleteFunc(s.activeWatches, func(w *diagnosticsWatch) bool {
		if w.client == c {
			all = append(all, s.freshNews(w)...)
		}
		return w.client == c
	})
	return all
}
