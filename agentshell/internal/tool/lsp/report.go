package lsp

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// News describes the new diagnostics of one file after a change.
type News struct {
	Server string
	Path   string // Path is relative to the workspace, with slashes.
	Errors int    // Errors is the number of lines that are errors; the other lines are warnings.
	Lines  []string
}

// Summary returns a short text such as "gopls: 2 new errors in main.go".
func (n News) Summary() string {
	word := "error"
	count := n.Errors
	if count == 0 {
		word, count = "warning", len(n.Lines)
	}
	if count != 1 {
		word += "s"
	}
	return fmt.Sprintf("%s: %d new %s in %s", n.Server, count, word, n.Path)
}

// analysisTimeout is how long all servers together may take to analyse one change.
const analysisTimeout = 15 * time.Second

// maxPendingChanges is the number of changes that wait to be analysed. If there are more, the
// oldest are dropped.
const maxPendingChanges = 100

// fileChange is a change of a file. isBeforeKnown is false if before is not known, because a
// command has changed the file.
type fileChange struct {
	path          string
	before, after string
	isBeforeKnown bool
	// notedAt holds the time of the change, in the order of sent texts, for each server that was
	// running.
	notedAt map[*Client]uint64
}

// Note takes note of a change of a file. A nil before or after means that the file does not exist.
// known says whether before is valid. Running servers are told of the change. If Config.Report is
// set, they are asked for new diagnostics in the background.
func (s *Service) Note(path string, before, after []byte, known bool) {
	s.mu.Lock()
	idle := len(s.helpers) == 0 || s.closed
	s.mu.Unlock()
	if idle || !s.isInWorkspace(path) {
		return
	}
	event := Changed
	switch {
	case after == nil:
		event = Deleted
	case known && before == nil:
		event = Created
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	at := map[*Client]uint64{}
	s.RunningClients(ctx, func(_ Server, c *Client) {
		c.Note(path, event)
		at[c] = c.sentTime()
	})
	if !s.config.Report || after == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.IndexFunc(s.pending, func(o fileChange) bool { return o.path == path }); i >= 0 {
		s.pending[i].after, s.pending[i].notedAt = string(after), at // two changes are one: only the last text is sent
		return
	}
	s.pending = append(s.pending, fileChange{path, string(before), string(after), known, at})
	s.pending = s.pending[max(len(s.pending)-maxPendingChanges, 0):]
	if s.analysisDone == nil {
		s.analysisDone = make(chan struct{})
		go s.analyseChanges(s.analysisDone)
	}
}

// analyseChanges asks the servers about the pending changes, one after the other. It closes done
// when none is left.
func (s *Service) analyseChanges(done chan struct{}) {
	defer close(done)
	for {
		s.mu.Lock()
		if len(s.pending) == 0 || s.closed {
			s.analysisDone = nil
			s.mu.Unlock()
			return
		}
		change := s.pending[0]
		s.pending = s.pending[1:]
		s.mu.Unlock()
		ctx, cancel := context.WithTimeout(context.Background(), analysisTimeout)
		s.RunningClients(ctx, func(server Server, c *Client) {
			if !server.Handles(change.path) || !c.holdTexts(ctx) {
				return
			}
			defer c.releaseTexts()
			news := s.newsAfterChange(ctx, server, c, change)
			s.mu.Lock()
			s.news = append(s.news, news...)
			s.mu.Unlock()
		})
		cancel()
	}
}

// diagnosticKey identifies a diagnostic without its position, because the position moves with the
// lines before it.
type diagnosticKey struct {
	path, message, source string
	severity              int
}

// newsAfterChange returns the diagnostics that are new after a change, in all files for which the
// server has sent any. It also starts a watch for those that the server sends later.
func (s *Service) newsAfterChange(ctx context.Context, server Server, c *Client, change fileChange) (all []News) {
	all = s.endWatches(c)
	before, known := c.diagnosticsBefore(ctx, change)
	noted := textOrigin{isFromChange: true, changedAt: change.notedAt[c]}
	if !known {
		_, _, _ = c.diagnose(ctx, change.path, change.after, analysisTimeout/3, noted)
		return all
	}
	w := newWatch(server, c, change.path, before)
	after, complete, err := c.diagnose(ctx, change.path, change.after, analysisTimeout/3, noted)
	if err != nil {
		return all
	}
	if complete {
		w.after = after
	}
	w.until = time.Now().Add(analysisTimeout)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.activeWatches = append(s.activeWatches, w)
	return append(all, s.freshNews(w)...)
}

// beforeTimeout is how long a server may be kept from others while it analyses the text from before
// a change.
const beforeTimeout = 2 * time.Second

// diagnosticsBefore returns the diagnostics of a file before a change. known is false if they
// cannot be found out. If the file is not open and nobody else uses the server, it sends the text
// from before the change for a moment.
func (c *Client) diagnosticsBefore(ctx context.Context, change fileChange) (before []Diagnostic, known bool) {
	text, open := c.textAtServer(change.path)
	switch list, seen := c.Published(change.path); {
	case open && change.isBeforeKnown && text == change.before:
		before, _, err := c.diagnoseSettled(ctx, change.path, change.before, analysisTimeout/3,
			textOrigin{isFromChange: true, changedAt: change.notedAt[c]})
		return before, err == nil
	case open || !change.isBeforeKnown:
		return list, seen > 0
	}
	if !c.makeExclusive() {
		return nil, false
	}
	defer c.releaseExclusive()
	ctx, cancel := context.WithTimeout(ctx, beforeTimeout)
	defer cancel()
	before, complete, err := c.diagnoseSettled(ctx, change.path, change.before, beforeTimeout, textOrigin{})
	return before, complete && err == nil
}

// isInWorkspace reports whether a path lies in the directory of the workspace.
func (s *Service) isInWorkspace(path string) bool {
	rel, err := filepath.Rel(s.config.Dir, path)
	return err == nil && filepath.IsLocal(rel)
}

func (s *Service) relativePath(path string) string {
	rel, err := filepath.Rel(s.config.Dir, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

// allPublished returns the diagnostics that the server has sent, by file. It leaves out files for
// which it has sent any after the time until.
func (c *Client) allPublished(until time.Time) map[string][]Diagnostic {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := map[string][]Diagnostic{}
	for path, p := range c.state.published {
		if !p.at.After(until) {
			all[path] = p.list
		}
	}
	return all
}

// newsWaitPause is the time after one wait of News during which it does not wait again. So a group
// of changes waits only once.
const newsWaitPause = time.Second

// News returns the new diagnostics after the changes since the last call. It waits at most for
// limit while servers analyse changes. Diagnostics that come later are returned by the next call.
func (s *Service) News(limit time.Duration) []News {
	s.mu.Lock()
	judging := s.analysisDone
	if limit == 0 || time.Since(s.lastNewsWait) < newsWaitPause {
		judging = nil
	}
	s.mu.Unlock()
	if judging != nil {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		select {
		case <-judging:
		case <-timer.C:
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if judging != nil {
		s.lastNewsWait = time.Now()
	}
	news := s.news
	s.news = nil
	for _, w := range s.activeWatches {
		news = append(news, s.freshNews(w)...)
	}
	s.activeWatches = slices.DeleteFunc(s.activeWatches,
		func(w *diagnosticsWatch) bool { return time.Now().After(w.until) })
	return news
}

// Judged waits until all changes are analysed. Tests use it.
func (s *Service) Judged() {
	s.mu.Lock()
	judging := s.analysisDone
	s.mu.Unlock()
	if judging != nil {
		<-judging
	}
}

// Diagnostics returns the errors and warnings that running servers have sent, as one line each.
func (s *Service) Diagnostics(ctx context.Context) (lines []string) {
	s.RunningClients(ctx, func(server Server, c *Client) {
		for path, list := range c.allPublished(time.Now()) {
			for _, d := range SortDiagnostics(list) {
				if d.severity() <= 2 {
					lines = append(lines, fmt.Sprintf("%s:%d: %s: %s (%s)", s.relativePath(path), d.Range.Start.Line+1,
						d.SeverityName(), cutText(strings.Join(strings.Fields(d.Message), " "), 300), server.Name))
				}
			}
		}
	})
	slices.Sort(lines)
	return lines
}
