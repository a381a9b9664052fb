package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
)

// formatTimeout is how long a server may take to format a text.
const formatTimeout = 2 * time.Second

// holdTexts keeps others from changing the texts that the server has, until releaseTexts is called.
// It first waits until nobody has changed one temporarily. It returns false if ctx or the server
// ends before.
func (c *Client) holdTexts(ctx context.Context) bool {
	return c.await(ctx, func() bool {
		if c.state.isLent {
			return false
		}
		c.state.holders++
		return true
	})
}

func (c *Client) releaseTexts() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state.holders--
	c.signalChange()
}

// holdExclusively waits until nobody holds the server, and then keeps all others from it until
// releaseExclusive is called. It returns false if ctx or the server ends before.
func (c *Client) holdExclusively(ctx context.Context) bool {
	return c.await(ctx, func() bool {
		if c.state.isLent || c.state.holders > 0 {
			return false
		}
		c.state.isLent = true
		return true
	})
}

func (c *Client) releaseExclusive() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state.isLent = false
	c.signalChange()
}

// makeExclusive turns the caller's hold into an exclusive one, until releaseExclusive is called. It
// returns false if others hold the server too.
func (c *Client) makeExclusive() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state.isLent || c.state.holders != 1 {
		return false
	}
	c.state.isLent = true
	return true
}

// lendText gives the server another text of a file while do runs, and then restores the former
// text. It first waits until nobody else uses the server.
func (c *Client) lendText(ctx context.Context, path, text string, do func() error) error {
	if !c.holdExclusively(ctx) {
		return cmp.Or(ctx.Err(), helper.ErrEnded)
	}
	defer c.releaseExclusive()
	c.mu.Lock()
	before, known := c.state.documents[path]
	var had string
	if known {
		had = before.text
	}
	c.mu.Unlock()
	_, _, err := c.sendText(ctx, path, text, textOrigin{})
	if err == nil {
		err = do()
	}
	back := context.WithoutCancel(ctx)
	var restored error
	if known {
		_, _, restored = c.sendText(back, path, had, textOrigin{})
	} else {
		restored = c.Close(back, path)
	}
	c.mu.Lock()
	if d := c.state.documents[path]; d != nil {
		d.wasLent = true
	}
	c.mu.Unlock()
	return errors.Join(err, restored)
}

// requestFormat has the server format a text of a file. The kind of line ends stays the same; a
// text with mixed line ends is an error.
func (c *Client) requestFormat(ctx context.Context, path, text string) (formatted string, err error) {
	bare, marked := strings.CutPrefix(text, bom)
	plain := strings.ReplaceAll(bare, "\r\n", "\n")
	crlf := plain != bare
	if strings.Contains(plain, "\r") || crlf && strings.Count(bare, "\r\n") != strings.Count(bare, "\n") {
		return text, errors.New("its line ends differ")
	}
	err = c.lendText(ctx, path, plain, func() error {
		raw, err := c.Request(ctx, "textDocument/formatting", map[string]any{
			"textDocument": map[string]any{"uri": URIOf(path)}, "options": indentOptions(plain)})
		if err != nil {
			return err
		}
		var edits []TextEdit
		if !isNull(raw) {
			if err := json.Unmarshal(raw, &edits); err != nil {
				return fmt.Errorf("it sent edits that cannot be read: %w", err)
			}
		}
		formatted, err = ApplyEdits(plain, edits, c.Encoding)
		return err
	})
	if err != nil {
		return text, err
	}
	if crlf {
		formatted = strings.ReplaceAll(strings.ReplaceAll(formatted, "\r\n", "\n"), "\n", "\r\n")
	}
	if marked {
		formatted = bom + formatted
	}
	return formatted, nil
}

// indentOptions returns the options of a formatting request: whether text is indented by tabs or by
// blanks, and by how many.
func indentOptions(text string) map[string]any {
	tabs, spaces, width := 0, 0, 0
	for line := range strings.Lines(text) {
		blanks := len(line) - len(strings.TrimLeft(line, " "))
		switch {
		case strings.HasPrefix(line, "\t"):
			tabs++
		case blanks > 1:
			spaces++
			if width == 0 || blanks < width {
				width = blanks
			}
		}
	}
	if width != 2 && width != 8 {
		width = 4
	}
	return map[string]any{"tabSize": width, "insertSpaces": spaces > tabs}
}

// Format has a running server format the text of a file. by is the name of that server, or "" if
// none did; then the text is unchanged. It starts no server. It also returns the text unchanged if
// the server fails.
func (s *Service) Format(ctx context.Context, path string, text []byte) (formatted []byte, by string, err error) {
	if !s.config.Format || !s.isInWorkspace(path) {
		return text, "", nil
	}
	limit := cmp.Or(s.config.FormatTime, formatTimeout)
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for _, server := range s.Servers(path) {
		s.mu.Lock()
		h, used := s.helpers[server.Name]
		s.mu.Unlock()
		if !used || !h.Ready() {
			continue
		}
		c, release, err := h.Use(limited)
		if err != nil {
			continue // it has just ended
		}
		defer release()
		if !isOffered(c.capabilities.Formatting) {
			continue
		}
		out, err := c.requestFormat(limited, path, string(text))
		switch {
		case ctx.Err() != nil:
			return text, "", ctx.Err()
		case limited.Err() != nil:
			return text, server.Name, fmt.Errorf("it took longer than %v", limit)
		case err != nil:
			return text, server.Name, err
		}
		return []byte(out), server.Name, nil
	}
	return text, "", nil
}
