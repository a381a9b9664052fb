package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"
)

// The bounds of the diagnostics that are held of one server.
const (
	maxFiles       = 2000
	maxDiagnostics = 1000 // of one file
)

// published are the diagnostics of a file that a server has sent by itself.
type published struct {
	version int // of the file; 0: the server does not tell
	count   int // how many times it has sent them
	at      time.Time
	list    []Diagnostic
}

// publish takes diagnostics that the server sends.
func (c *Client) publish(params json.RawMessage) {
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
	next := published{count: before.count + 1, at: time.Now(),
		list: p.Diagnostics[:min(len(p.Diagnostics), maxDiagnostics)]}
	if p.Version != nil {
		next.version = *p.Version
	}
	c.state.published[path] = next
	c.changedNow()
}

// Published returns the diagnostics that the server has sent for a file, and how many times it did.
func (c *Client) Published(path string) (list []Diagnostic, count int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.state.published[path]
	return p.list, p.count
}

// Diagnose returns the diagnostics of a file with this text. It waits for them at most for limit;
// complete says whether they came. The first ones of a server may take longer, and those of a
// server that begins with none. Servers that want to be asked are asked.
func (c *Client) Diagnose(ctx context.Context, path, text string, limit time.Duration) (list []Diagnostic,
	complete bool, err error) {
	return c.diagnoseWell(ctx, path, text, limit, sending{call: true})
}

// diagnoseWell does what Diagnose does, with a text that is sent as s says.
func (c *Client) diagnoseWell(ctx context.Context, path, text string, limit time.Duration, s sending) (
	list []Diagnostic, complete bool, err error) {
	_, before := c.Published(path)
	list, complete, err = c.diagnose(ctx, path, text, limit, s)
	if _, now := c.Published(path); complete && err == nil && len(list) == 0 && now > before {
		c.awaitMore(ctx, path)
		list, _ = c.Published(path)
	}
	return list, complete, err
}

// saveTime is how long a server may look at a text before it hears that it is on disk. Many begin
// anew then, and others look only then.
const saveTime = time.Second

// diagnose returns the first diagnostics of a file with this text.
func (c *Client) diagnose(ctx context.Context, path, text string, limit time.Duration, s sending) (list []Diagnostic,
	complete bool, err error) {
	_, before := c.Published(path)
	c.mu.Lock()
	pulls, known := c.state.pulls, c.state.documents[path] != nil
	if len(c.state.published) == 0 { // it has just started
		limit = max(limit, LoadTime)
	}
	c.mu.Unlock()
	s.saved = pulls
	version, fresh, err := c.sendText(ctx, path, text, s)
	if err != nil {
		return nil, false, err
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if pulls {
		return c.pull(limited, path)
	}
	if fresh && known {
		soon, cancel := context.WithTimeout(limited, saveTime)
		complete = c.awaitPublished(soon, path, version, before, fresh)
		cancel()
		if err := c.save(context.WithoutCancel(ctx), path); err != nil {
			return nil, false, err
		}
	}
	if !complete {
		complete = c.awaitPublished(limited, path, version, before, fresh)
	}
	list, _ = c.Published(path)
	return list, complete, nil
}

// awaitPublished waits until the server has sent the diagnostics of a version of a file. A server
// that names no versions has to send them once more than before, if the text was news to it.
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

// settleTime is how long a server may take to correct what it has sent first.
const settleTime = 300 * time.Millisecond

// awaitMore waits until the server has sent other diagnostics of a file, in a short time.
func (c *Client) awaitMore(ctx context.Context, path string) {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	_, before := c.Published(path)
	c.await(ctx, func() bool { return c.state.published[path].count > before })
}

// Settle waits until a server that was just given a text has looked at it, as far as it shows: it
// sends diagnostics. Before that some answer as if the text was empty.
func (c *Client) Settle(ctx context.Context, path string, version int) {
	c.mu.Lock()
	pulls, first := c.state.pulls, len(c.state.published) == 0
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

// pull asks the server for the diagnostics of a file. Those that it sends by itself are added: some
// servers do both.
func (c *Client) pull(ctx context.Context, path string) (list []Diagnostic, complete bool, err error) {
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

// SortDiagnostics puts errors first, then by place, and leaves out what is there twice.
func SortDiagnostics(list []Diagnostic) []Diagnostic {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Diagnostic) int {
		return cmp.Or(a.severity()-b.severity(), comparePositions(a.Range.Start, b.Range.Start),
			comparePositions(a.Range.End, b.Range.End), cmp.Compare(a.Message, b.Message))
	})
	return slices.CompactFunc(list, func(a, b Diagnostic) bool { return a.Range == b.Range && a.Message == b.Message })
}

// severity returns the severity; a finding without one counts as an error.
func (d Diagnostic) severity() int {
	if d.Severity < 1 || d.Severity > 4 {
		return 1
	}
	return d.Severity
}

// SeverityName returns the severity as a word.
func (d Diagnostic) SeverityName() string {
	return []string{"error", "warning", "info", "hint"}[d.severity()-1]
}

func comparePositions(a, b Position) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Character, b.Character))
}
