package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
)

// waitFor waits until the element that s selects is visible.
func (t *Tab) waitFor(ctx context.Context, s selector) error {
	return t.waitElement(ctx, s, func(ctx context.Context, el element) (string, error) {
		r, err := t.callPageFunction(ctx, el.frame, "seen", el.object, true)
		if err == nil && string(r.Value) != "true" {
			return "is not visible", nil
		}
		return "", err
	})
}

// scrollIntoView waits for the element that s selects, and scrolls the page until it is visible.
func (t *Tab) scrollIntoView(ctx context.Context, s selector) error {
	return t.waitElement(ctx, s, func(ctx context.Context, el element) (string, error) {
		_, err := t.callPageFunction(ctx, el.frame, "scrollTo", el.object, true)
		return "", err
	})
}

// checkPresent returns an error if the page has no element that s selects, or the selector is
// wrong.
func (t *Tab) checkPresent(ctx context.Context, s selector) error {
	_, _, err := t.find(ctx, s)
	return err
}

// maxPageChars is the number of characters that are read of a page's HTML or text.
const maxPageChars = 8 << 20

// html returns the HTML of the page in its present state, after the changes of its scripts.
func (t *Tab) html(ctx context.Context) (string, error) { return t.content(ctx, "html") }

// text returns the visible text of the page.
func (t *Tab) text(ctx context.Context) (string, error) { return t.content(ctx, "text") }

func (t *Tab) content(ctx context.Context, form string) (text string, err error) {
	r, err := t.callPageFunction(ctx, t.target, form, "", true, maxPageChars)
	if err == nil {
		err = json.Unmarshal(r.Value, &text)
	}
	return text, err
}

// reload loads the page again.
func (t *Tab) reload(ctx context.Context, wait string) error {
	return t.awaitNavigation(ctx, wait, func() error { return t.call(ctx, "Page.reload", nil, nil) })
}

// moveInHistory goes back (by is -1) or forward (by is 1) in the tab's history, and waits for the
// page as wait says.
func (t *Tab) moveInHistory(ctx context.Context, by int, wait string) error {
	var h struct {
		Current int `json:"currentIndex"`
		Entries []struct {
			ID int `json:"id"`
		} `json:"entries"`
	}
	if err := t.call(ctx, "Page.getNavigationHistory", nil, &h); err != nil {
		return err
	}
	at := h.Current + by
	if at < 0 || at >= len(h.Entries) {
		return errors.New("the tab has no such page in its history")
	}
	return t.awaitNavigation(ctx, wait, func() error {
		return t.call(ctx, "Page.navigateToHistoryEntry", object{"entryId": h.Entries[at].ID}, nil)
	})
}

// awaitNavigation calls start, which begins a navigation, and then waits for the page as wait says:
// see [Waits].
func (t *Tab) awaitNavigation(ctx context.Context, wait string, start func() error) error {
	ctx, done := t.guard(ctx)
	defer done()
	t.mu.Lock()
	clear(t.reachedByLoader)
	t.mu.Unlock()
	if err := start(); err != nil {
		return err
	}
	return t.await(ctx, "", wait)
}

// uploadedFile is a file that is handed to an <input type=file> of a page.
type uploadedFile struct {
	name string
	data []byte
}

// upload hands files to the <input type=file> that s selects. The files are first copied to the
// browser's private folder, because the browser cannot read the workspace.
func (t *Tab) upload(ctx context.Context, s selector, files []uploadedFile) error {
	dir := t.engine.service.uploadDir()
	if dir == "" {
		return errors.New("files cannot be given to this browser")
	}
	var paths []string
	for i, f := range files {
		at := filepath.Join(dir, strconv.FormatInt(t.engine.service.uploadCount.Add(1), 10)+"-"+strconv.Itoa(i))
		if err := os.MkdirAll(at, 0o700); err != nil {
			return err
		}
		path := filepath.Join(at, filepath.Base(f.name))
		if err := os.WriteFile(path, f.data, 0o600); err != nil {
			return err
		}
		paths = append(paths, path)
	}
	return t.waitElement(ctx, s, func(ctx context.Context, el element) (string, error) {
		r, err := t.callPageFunction(ctx, el.frame, "isFileInput", el.object, true)
		if err != nil {
			return "", err
		}
		if string(r.Value) != "true" {
			return "", fmt.Errorf("%s is no <input type=file>", s)
		}
		return "", t.call(ctx, "DOM.setFileInputFiles", object{"objectId": el.object, "files": paths}, nil)
	})
}

// pngSize returns the width and height of a PNG picture in pixels, or 0, 0 if data is no PNG.
func pngSize(data []byte) (w, h int) {
	c, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return 0, 0
	}
	return c.Width, c.Height
}
