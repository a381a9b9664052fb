package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"
)

// These constants limit the diagnostics that are stored for one server.
const (
	maxFiles       = 2000
	maxDiagnostics = 1000 // maxDiagnostics is the number of diagnostics of one file.
)

// publishedDiagnostics holds the diagnostics of one file that a server has sent without being
// asked.
type publishedDiagnostics struct {
	version int // version is the version of the file; 0: the server does not tell it.
	count   int // count is how many times the server has sent diagnostics for the file.
	at      time.Time
	list    []Diagnostic
}

// handlePublish handles the notification textDocument/publishDiagnostics.
func (c *Client) handlePublish(params json.RawMessage) {
	var p struct {
		URI         string       `json:"uri"`
		Version     *int         `json:"version"`
		Diagnostics []Diagnostic `json:"diagnostics"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	path, err := PathOf(p.URI)
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	before, known := c.state.published[path]
	if !known && len(c.state.published) >= maxFiles {
		return
	}
	next := publishedDiagnostics{count: before.count + 1, at: time.Now(),
		list: p.Diagnostics[:min(len(p.Diagnostics), maxDiagnostics)]}
	if p.Version != nil {
		next.version = *p.Version
	}
	c.state.published[path] = next
	c.signalChange()
}

// Published returns the diagnostics that the server has sent last for a file. count is how many
// times it has sent any for it.
func (c *Client) Published(path string) (list []Diagnostic, count int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.state.published[path]
	return p.list, p.count
}

// Diagnose sends the server the text of a file, and returns the diagnostics. It waits for them at
// most for limit, but longer if the server has just started. complete is false if they did not come
// in that time. It requests them if the server registered for that.
func (c *Client) Diagnose(ctx context.Context, path, text string, limit time.Duration) (list []Diagnostic,
	complete bool, err error) {
	return c.diagnoseSettled(ctx, path, text, limit, textOrigin{isForCall: true})
}

// diagnoseSettled does the work of [Client.Diagnose]. s describes the text. If the server first
// sends an empty list, it waits a moment for another one.
func (c *Client) diagnoseSettled(ctx context.Context, path, text string, limit time.Duration, s textOrigin) (
	list []Diagnostic, complete bool, err error) {
	_, before := c.Published(path)
	list, complete, err = c.diagnose(ctx, path, text, limit, s)
	if _, now := c.Published(path); complete && err == nil && len(list) == 0 && now > before {
		c.awaitMore(ctx, path)
		list, _ = c.Published(path)
	}
	return list, complete, err
}

// saveDelay is how long to wait for diagnostics before the server is told that the text was saved.
// Many servers start again then, and some check only saved files.
const saveDelay = time.Second

// diagnose returns the first diagnostics that the server has for a text.
func (c *Client) diagnose(ctx context.Context, path, text string, limit time.Duration, s textOrigin) (list []Diagnostic,
	complete bool, err error) {
	_, before := c.Published(path)
	c.mu.Lock()
	pulls, known := c.state.wantsPulls, c.state.documents[path] != nil
	if len(c.state.published) == 0 { // it has just started
		limit = max(limit, LoadTime)
	}
	c.mu.Unlock()
	s.isOnDisk = pulls
	version, fresh, err := c.sendText(ctx, path, text, s)
	if err != nil {
		return nil, false, err
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if pulls {
		return c.requestDiagnostics(limited, path)
	}
	if fresh && known {
		soon, cancel := context.WithTimeout(limited, saveDelay)
		complete = c.awaitPublished(soon, path, version, before, fresh)
		cancel()
		if err := c.sendSaved(context.WithoutCancel(ctx), path); err != nil {
			return nil, false, err
		}
	}
	if !complete {
		complete = c.awaitPublished(limited, path, version, before, fresh)
	}
	list, _ = c.Published(path)
	return list, complete, nil
}

// awaitPublished waits until the server has sent diagnostics for a version of a file. Some servers
// send no versions: for a fresh text they must have sent diagnostics more than before times.
func (c *Client) awaitPublished(ctx context.Context, path string, version, before int, fresh bool) bool {
	return c.await(ctx, func() bool {
		p := c.state.published[path]
		switch {
		case p.version != 0:
			return p.version >= version
		case fresh:
			return p.count > before
		}
		return p.count > 0
	})
}

// settleDelay is how long to wait for a server to correct the diagnostics that it has sent first.
const settleDelay = 300 * time.Millisecond

// awaitMore waits for further diagnostics of a file, at most for settleDelay.
func (c *Client) awaitMore(ctx context.Context, path string) {
	ctx, cancel := context.WithTimeout(ctx, settleDelay)
	defer cancel()
	_, before := c.Published(path)
	c.await(ctx, func() bool { return c.state.published[path].count > before })
}

// Settle waits until a server has probably analysed a file that was just opened: it has sent
// diagnostics. Some servers answer requests before that as if the file was empty.
func (c *Client) Settle(ctx context.Context, path string, version int) {
	c.mu.Lock()
	pulls, first := c.state.wantsPulls, len(c.state.published) == 0
	before := c.state.published[path].count
	c.mu.Unlock()
	if pulls {
		return
	}
	limit := time.Second
	if first {
		limit *= 3
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c.awaitPublished(ctx, path, version, before, true)
}

// requestDiagnostics requests the diagnostics of a file. It adds those that the server has sent
// without a request, because some servers do both. complete is false if there was no answer.
func (c *Client) requestDiagnostics(ctx context.Context, path string) (list []Diagnostic, complete bool, err error) {
	raw, err := c.Request(ctx, "textDocument/diagnostic",
		map[string]any{"textDocument": map[string]any{"uri": URIOf(path)}})
	pushed, _ := c.Published(path)
	switch {
	case ctx.Err() != nil:
		return pushed, false, nil
	case err != nil:
		return pushed, false, err
	}
	var report struct {
		Items []Diagnostic `json:"items"`
	}
	if !isNull(raw) {
		if err := json.Unmarshal(raw, &report); err != nil {
			return nil, false, err
		}
	}
	return append(report.Items[:min(len(report.Items), maxDiagnostics)], pushed...), true, nil
}

// SortDiagnostics returns the diagnostics without duplicates, sorted by severity and then by
// position.
func SortDiagnostics(list []Diagnostic) []Diagnostic {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Diagnostic) int {
		return cmp.Or(a.severity()-b.severity(), comparePositions(a.Range.Start, b.Range.Start),
			comparePositions(a.Range.End, b.Range.End), cmp.Compare(a.Message, b.Message))
	})
	return slices.CompactFunc(list, func(a, b Diagnostic) bool { return a.Range == b.Range && a.Message == b.Message })
}

// severity returns the severity, 1 to 4. It returns 1, an error, if the server sent none.
func (d Diagnostic) severity() int {
	if d.Severity < 1 || d.Severity > 4 {
		return 1
	}
	return d.Severity
}

// SeverityName returns the severity as a word: error, warning, info or hint.
func (d Diagnostic) SeverityName() string {
	return []string{"error", "warning", "info", "hint"}[d.severity()-1]
}

func comparePositions(a, b Position) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Character, b.Character))
}
