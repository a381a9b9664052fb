package lsp

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strings"
)

// maxOpenFiles is the number of files that are open at a server. For one more, the file that was
// not used for longest is closed.
const maxOpenFiles = 100

// openDocument is a file that is open at the server, with the text that the server has.
type openDocument struct {
	version int
	text    string
	usedAt  uint64
	// sentForCallAt is the time, in the order of usedAt, when a text for a caller's own request was
	// sent; 0: never.
	sentForCallAt uint64
	// wasLent says that the server had another text of the file meanwhile, so its last diagnostics
	// may be about that.
	wasLent bool
}

// Open sends the server the text of a file, if it does not have it yet. It returns the version of
// the file, and in fresh whether the text was sent.
func (c *Client) Open(ctx context.Context, path, text string) (version int, fresh bool, err error) {
	return c.sendText(ctx, path, text, textOrigin{isOnDisk: true, isForCall: true})
}

// textOrigin describes a text that is sent to a server.
type textOrigin struct {
	isOnDisk  bool // isOnDisk says that the text is the one on disk.
	isForCall bool // isForCall says that a caller has just read the text from the disk for a request.
	// isFromChange says that the text is from a change of the file at the time changedAt. It is not
	// sent if a caller has sent another one after that, which is newer.
	isFromChange bool
	changedAt    uint64
}

// errOutdated is the error for a text that was not sent, because a caller has sent a newer one.
var errOutdated = errors.New("the file has changed since")

// sendText sends the server the text of a file, if the server does not have it yet.
func (c *Client) sendText(ctx context.Context, path, text string, s textOrigin) (version int, fresh bool, err error) {
	text = strings.TrimPrefix(text, bom)
	// Whoever finds a text known may ask about it: then the server has to have got it.
	c.sendTextMu.Lock()
	defer c.sendTextMu.Unlock()
	c.mu.Lock()
	c.state.sentCount++
	d, known := c.state.documents[path]
	switch {
	case known && s.isFromChange && d.sentForCallAt > s.changedAt && d.text != text:
		c.mu.Unlock()
		return 0, false, errOutdated
	case known && d.text == text && !d.wasLent:
		d.usedAt = c.state.sentCount
		d.noteSent(s)
		version = d.version
		c.mu.Unlock()
		return version, false, nil
	case known:
		d.version++
	default: // a higher version than any that it had before it was closed
		d = &openDocument{version: int(c.state.sentCount)}
		c.state.documents[path] = d
	}
	d.text, d.usedAt, d.wasLent = text, c.state.sentCount, false
	d.noteSent(s)
	version = d.version
	oldest := c.fileToClose()
	c.mu.Unlock()
	if oldest != "" {
		if err := c.Close(ctx, oldest); err != nil {
			return 0, false, err
		}
	}
	id := map[string]any{"uri": URIOf(path)}
	if !known {
		id["languageId"], id["version"], id["text"] = c.server.languageID(path), version, text
		return version, true, c.notify(ctx, "textDocument/didOpen", map[string]any{"textDocument": id})
	}
	id["version"] = version
	err = c.notify(ctx, "textDocument/didChange", map[string]any{"textDocument": id,
		"contentChanges": []any{map[string]any{"text": text}}})
	if err == nil && s.isOnDisk {
		err = c.sendSaved(ctx, path)
	}
	return version, true, err
}

// noteSent notes that the text was sent for a caller's request.
func (d *openDocument) noteSent(s textOrigin) {
	if s.isForCall {
		d.sentForCallAt = d.usedAt
	}
}

// sentTime returns the number of texts sent so far, which serves as a clock for their order.
func (c *Client) sentTime() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state.sentCount
}

// sendSaved tells the server that the text of a file was saved.
func (c *Client) sendSaved(ctx context.Context, path string) error {
	return c.notify(ctx, "textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": URIOf(path)}})
}

// fileToClose returns the open file that was not used for longest, or "" if at most maxOpenFiles
// files are open. The caller holds the lock.
func (c *Client) fileToClose() string {
	if len(c.state.documents) <= maxOpenFiles {
		return ""
	}
	oldest := ""
	for path, d := range c.state.documents {
		if oldest == "" || cmp.Less(d.usedAt, c.state.documents[oldest].usedAt) {
			oldest = path
		}
	}
	return oldest
}

// Close tells the server that a file is closed. It does nothing if the file is not open.
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

// OpenFiles returns the paths of the files that are open at the server.
func (c *Client) OpenFiles() (list []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for path := range c.state.documents {
		list = append(list, path)
	}
	return list
}

// textAtServer returns the text that the server has of a file. open is false if the file is not
// open.
func (c *Client) textAtServer(path string) (text string, open bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.state.documents[path]
	if d == nil {
		return "", false
	}
	return d.text, true
}

// Version returns the version number of an open file, or 0 if it is not open.
func (c *Client) Version(path string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if d := c.state.documents[path]; d != nil {
		return d.version
	}
	return 0
}

// Event is the kind of a file's change on disk.
type Event int

// These are the values of the protocol (FileChangeType).
const (
	Created Event = iota + 1
	Changed
	Deleted
)

// Watch tells the server which files have changed on disk. events holds the kinds of changes by
// path.
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

// languageID returns the language id for a file name, or "" if the server does not handle it.
func (s Server) languageID(path string) string {
	if id := s.Kinds[filepath.Base(path)]; id != "" {
		return id
	}
	return s.Kinds[filepath.Ext(path)]
}

// Note remembers that a file has changed on disk. [Client.TakeNoted] returns the changes before the
// next request.
func (c *Client) Note(path string, e Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state.fileEvents == nil || len(c.state.fileEvents) > 10_000 {
		c.state.fileEvents = map[string]Event{}
	}
	c.state.fileEvents[path] = e
}

// TakeNoted returns the noted changes by path, and forgets them.
func (c *Client) TakeNoted() map[string]Event {
	c.mu.Lock()
	defer c.mu.Unlock()
	noted := c.state.fileEvents
	c.state.fileEvents = nil
	return noted
}
