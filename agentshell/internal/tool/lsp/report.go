package lsp

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// News is what a change of a file has brought in one file, as a server sees it.
type News struct {
	Server string
	Path   string // relative to the workspace, with slashes
	Errors int    // the number of new errors; the other lines are warnings
	Lines  []string
}

// Summary returns the news in a few words.
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

// judgeTime is how long the servers may take for one change.
const judgeTime = 15 * time.Second

// maxPending is how many changes wait for the servers; of more the first ones are not judged.
const maxPending = 100

// fileChange is a change of a file. The text before is unknown where a command made it.
type fileChange struct {
	path          string
	before, after string
	known         bool
	at            map[*Client]uint64 // when it was noted, for each server that ran
}

// Note takes a change of a file: nil stands for no file. known says that before is what it was.
// Servers that run are told of it, and if the person wants that they are asked what it brings.
func (s *Service) Note(path string, before, after []byte, known bool) {
	s.mu.Lock()
	idle := len(s.helpers) == 0 || s.closed
	s.mu.Unlock()
	if idle || !s.inside(path) {
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
		at[c] = c.now()
	})
	if !s.config.Report || after == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.IndexFunc(s.pending, func(o fileChange) bool { return o.path == path }); i >= 0 {
		s.pending[i].after, s.pending[i].at = string(after), at // two changes are one: only the last text is sent
		return
	}
	s.pending = append(s.pending, fileChange{path, string(before), string(after), known, at})
	s.pending = s.pending[max(len(s.pending)-maxPending, 0):]
	if s.judging == nil {
		s.judging = make(chan struct{})
		go s.judge(s.judging)
	}
}

// judge asks the servers about the pending changes, one after the other. It closes done when there
// are no more.
func (s *Service) judge(done chan struct{}) {
	defer close(done)
	for {
		s.mu.Lock()
		if len(s.pending) == 0 || s.closed {
			s.judging = nil
			s.mu.Unlock()
			return
		}
		change := s.pending[0]
		s.pending = s.pending[1:]
		s.mu.Unlock()
		ctx, cancel := context.WithTimeout(context.Background(), judgeTime)
		s.RunningClients(ctx, func(server Server, c *Client) {
			if !server.Handles(change.path) || !c.hold(ctx) {
				return
			}
			defer c.letGo()
			news := s.newsOf(ctx, server, c, change)
			s.mu.Lock()
			s.news = append(s.news, news...)
			s.mu.Unlock()
		})
		cancel()
	}
}

// finding is a diagnostic without its place, which moves when lines come before it.
type finding struct {
	path, message, source string
	severity              int
}

// newsOf returns what a change has brought, in all files that the server has told about. What it
// tells later is watched for.
func (s *Service) newsOf(ctx context.Context, server Server, c *Client, change fileChange) (all []News) {
	all = s.unwatch(c)
	before, known := c.foundBefore(ctx, change)
	noted := sending{noted: true, since: change.at[c]}
	if !known {
		_, _, _ = c.diagnose(ctx, change.path, change.after, judgeTime/3, noted)
		return all
	}
	w := newWatch(server, c, change.path, before)
	after, complete, err := c.diagnose(ctx, change.path, change.after, judgeTime/3, noted)
	if err != nil {
		return all
	}
	if complete {
		w.after = after
	}
	w.until = time.Now().Add(judgeTime)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watches = append(s.watches, w)
	return append(all, s.fresh(w)...)
}

// beforeTime is how long a server may be kept from others to look at the text from before a change.
const beforeTime = 2 * time.Second

// foundBefore returns what the server had found in a file before a change; known is false if that
// cannot be told. The text from before is sent only to a server that has none of the file, and that
// nobody else uses: a text that is on disk no more would spoil what others ask.
func (c *Client) foundBefore(ctx context.Context, change fileChange) (before []Diagnostic, known bool) {
	text, open := c.openText(change.path)
	switch list, seen := c.Published(change.path); {
	case open && change.known && text == change.before:
		before, _, err := c.diagnoseWell(ctx, change.path, change.before, judgeTime/3,
			sending{noted: true, since: change.at[c]})
		return before, err == nil
	case open || !change.known:
		return list, seen > 0
	}
	if !c.becomeOnly() {
		return nil, false
	}
	defer c.letOthers()
	ctx, cancel := context.WithTimeout(ctx, beforeTime)
	defer cancel()
	before, complete, err := c.diagnoseWell(ctx, change.path, change.before, beforeTime, sending{})
	return before, complete && err == nil
}

// inside reports whether a file lies in the workspace of the servers: not in a copy of it, nor in
// another folder.
func (s *Service) inside(path string) bool {
	rel, err := filepath.Rel(s.config.Dir, path)
	return err == nil && filepath.IsLocal(rel)
}

func (s *Service) relative(path string) string {
	rel, err := filepath.Rel(s.config.Dir, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

// allPublished returns what the server has sent until then, by file. A file of which it has sent
// more since is left out.
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

// waitAgain is the time after a wait of News in which it does not wait again: a set of changes
// waits once, not for each of them.
const waitAgain = time.Second

// News returns what changes have brought since the last call. It waits for servers that are still
// busy with them, at most for limit; what they find later comes with the next call.
func (s *Service) News(limit time.Duration) []News {
	s.mu.Lock()
	judging := s.judging
	if limit == 0 || time.Since(s.waited) < waitAgain {
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
		s.waited = time.Now()
	}
	news := s.news
	s.news = nil
	for _, w := range s.watches {
		news = append(news, s.fresh(w)...)
	}
	s.watches = slices.DeleteFunc(s.watches, func(w *watch) bool { return time.Now().After(w.until) })
	return news
}

// Judged waits until the servers were asked about all changes.
func (s *Service) Judged() {
	s.mu.Lock()
	judging := s.judging
	s.mu.Unlock()
	if judging != nil {
		<-judging
	}
}

// Diagnostics returns all errors and warnings that running servers know, one line each.
func (s *Service) Diagnostics(ctx context.Context) (lines []string) {
	s.RunningClients(ctx, func(server Server, c *Client) {
		for path, list := range c.allPublished(time.Now()) {
			for _, d := range SortDiagnostics(list) {
				if d.severity() <= 2 {
					lines = append(lines, fmt.Sprintf("%s:%d: %s: %s (%s)", s.relative(path), d.Range.Start.Line+1,
						d.SeverityName(), bounded(strings.Join(strings.Fields(d.Message), " "), 300), server.Name))
				}
			}
		}
	})
	slices.Sort(lines)
	return lines
}
