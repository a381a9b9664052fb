package lsp

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strings"
)

// maxOpen is how many files are open at a server; the one that was not used for longest is closed.
const maxOpen = 100

// document is a file that the server has from us.
type document struct {
	version int
	text    string
	used    uint64
	given   uint64 // when a call has sent a text of it, in the order of used; 0: none has
	lent    bool   // it had another text for a moment: what the server says of it may be about that
}

// Open makes sure that the server knows the present text of a file, and returns its version and
// whether the text was news to the server.
func (c *Client) Open(ctx context.Context, path, text string) (version int, fresh bool, err error) {
	return c.sendText(ctx, path, text, sending{saved: true, call: true})
}

// sending says what a text is that a server is sent.
type sending struct {
	saved bool // it is on disk
	call  bool // a call has just read it there
	// noted says that it was written at the time since, and is not sent once a call has sent
	// another one: that is newer, and answers to the call are about it.
	noted bool
	since uint64
}

// errOutdated is the error of a text that is not sent, since a call has sent a newer one.
var errOutdated = errors.New("the file has changed since")

// sendText makes sure that the server knows a text as that of a file.
func (c *Client) sendText(ctx context.Context, path, text string, s sending) (version int, fresh bool, err error) {
	text = strings.TrimPrefix(text, bom)
	// Whoever finds a text known may ask about it: then the server has to have got it.
	c.opening.Lock()
	defer c.opening.Unlock()
	c.mu.Lock()
	c.state.opened++
	d, known := c.state.documents[path]
	switch {
	case known && s.noted && d.given > s.since && d.text != text:
		c.mu.Unlock()
		return 0, false, errOutdated
	case known && d.text == text && !d.lent:
		d.used = c.state.opened
		d.give(s)
		version = d.version
		c.mu.Unlock()
		return version, false, nil
	case known:
		d.version++
	default: // a higher version than any that it had before it was closed
		d = &document{version: int(c.state.opened)}
		c.state.documents[path] = d
	}
	d.text, d.used, d.lent = text, c.state.opened, false
	d.give(s)
	version = d.version
	oldest := c.oldest()
	c.mu.Unlock()
	if oldest != "" {
		if err := c.Close(ctx, oldest); err != nil {
			return 0, false, err
		}
	}
	id := map[string]any{"uri": URIOf(path)}
	if !known {
		id["languageId"], id["version"], id["text"] = c.server.language(path), version, text
		return version, true, c.notify(ctx, "textDocument/didOpen", map[string]any{"textDocument": id})
	}
	id["version"] = version
	err = c.notify(ctx, "textDocument/didChange", map[string]any{"textDocument": id,
		"contentChanges": []any{map[string]any{"text": text}}})
	if err == nil && s.saved {
		err = c.save(ctx, path)
	}
	return version, true, err
}

// give notes that a call has sent the text of the document.
func (d *document) give(s sending) {
	if s.call {
		d.given = d.used
	}
}

// now returns the time in the order in which texts are sent.
func (c *Client) now() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state.opened
}

// save tells the server that the text that it has of a file is on disk.
func (c *Client) save(ctx context.Context, path string) error {
	return c.notify(ctx, "textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": URIOf(path)}})
}

// oldest returns the file to close, "" if no more than maxOpen are open. The caller holds the lock.
func (c *Client) oldest() string {
	if len(c.state.documents) <= maxOpen {
		return ""
	}
	oldest := ""
	for path, d := range c.state.documents {
		if oldest == "" || cmp.Less(d.used, c.state.documents[oldest].used) {
			oldest = path
		}
	}
	return oldest
}

// Close tells the server that a file is not open any more.
func (c *Client) Close(ctx context.Context, path string) error {
	c.mu.Lock()
	_, known := c.state.documents[path]
	delete(c.state.documents, path)
	c.mu.Unlock()
	if !known {
		return nil
	}
	return c.notify(ctx, "textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": URIOf(path)}})
}

// OpenFiles returns the files that are open at the server.
func (c *Client) OpenFiles() (list []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for path := range c.state.documents {
		list = append(list, path)
	}
	return list
}

// openText returns the text of a file that the server has from us.
func (c *Client) openText(path string) (text string, open bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.state.documents[path]
	if d == nil {
		return "", false
	}
	return d.text, true
}

// Version returns the version of an open file, 0 for another one.
func (c *Client) Version(path string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if d := c.state.documents[path]; d != nil {
		return d.version
	}
	return 0
}

// Event is a change of a file on disk.
type Event int

// The events of the protocol.
const (
	Created Event = iota + 1
	Changed
	Deleted
)

// Watch tells the server of files that have changed on disk.
func (c *Client) Watch(ctx context.Context, events map[string]Event) error {
	type change struct {
		URI  string `json:"uri"`
		Type Event  `json:"type"`
	}
	var changes []change
	for path, e := range events {
		changes = append(changes, change{URIOf(path), e})
	}
	if len(changes) == 0 {
		return nil
	}
	return c.notify(ctx, "workspace/didChangeWatchedFiles", map[string]any{"changes": changes})
}

// language returns the language id of a file.
func (s Server) language(path string) string {
	if id := s.Kinds[filepath.Base(path)]; id != "" {
		return id
	}
	return s.Kinds[filepath.Ext(path)]
}

// Note remembers a change of a file on disk, for the next time that the server is asked.
func (c *Client) Note(path string, e Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state.noted == nil || len(c.state.noted) > 10_000 {
		c.state.noted = map[string]Event{}
	}
	c.state.noted[path] = e
}

// TakeNoted returns the changes that were noted since the last call.
func (c *Client) TakeNoted() map[string]Event {
	c.mu.Lock()
	defer c.mu.Unlock()
	noted := c.state.noted
	c.state.noted = nil
	return noted
}
