//go:build unix

package workspace

import (
	"context"
	"strings"
	"testing"
)

// client is a backend that delegates text to somebody else, as an editor would be.
type client struct {
	TextOnly
	files map[string]string
}

func newClient(files map[string]string) *client {
	c := &client{files: files}
	c.TextOnly = TextOnly{Text: c, Label: "test client"}
	return c
}

func (c *client) ReadText(_ context.Context, p Path, line, limit int) (string, error) {
	s, ok := c.files[p.String()]
	if !ok {
		return "", &Error{Kind: NotFound, Path: p.String()}
	}
	return cutLines(s, line, limit)
}

func (c *client) WriteText(_ context.Context, p Path, content string) error {
	c.files[p.String()] = content
	return nil
}

var _ Backend = (*client)(nil)

func TestADelegatedBackendIsCheckedAndItsGuaranteeIsTheClients(t *testing.T) {
	c := newClient(map[string]string{"workspace/a": "old\n"})
	w, err := Open(Config{Roots: []Root{{Dir: t.TempDir()}}, Backend: c})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	f := snapshot(t, w, "a")
	if string(f.Data) != "old\n" || !f.Print.Exists {
		t.Fatalf("%+v", f)
	}
	r, err := w.Commit(t.Context(), Change{Path: f.Path, Base: f.Print, Data: []byte("new\n")})
	if err != nil || r.Guard != Client || c.files["workspace/a"] != "new\n" {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := w.Commit(t.Context(),
		Change{Path: f.Path, Base: f.Print, Data: []byte("x")}); KindOf(err) != Conflict ||
		c.files["workspace/a"] != "new\n" {
		t.Errorf("a stale write: %v", err)
	}
	n := snapshot(t, w, "n")
	if n.Print.Exists || n.Data != nil {
		t.Errorf("%+v", n)
	}
	if r, err := w.Commit(t.Context(), Change{Path: n.Path, Base: n.Print, Data: []byte("n")}); err != nil ||
		!r.Created {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := c.ReadBytes(t.Context(), f.Path, 10); KindOf(err) != NotPermitted {
		t.Errorf("%v", err)
	}
	if _, err := w.Resolve("../a"); KindOf(err) != NotPermitted {
		t.Errorf("a delegating workspace has no boundary: %v", err)
	}
	if _, err := w.Snapshot(t.Context(), f.Path, 2); KindOf(err) != TooLarge {
		t.Errorf("%v", err)
	}
}

func TestTheNoOpBackendRefusesEverything(t *testing.T) {
	w, err := Open(Config{Roots: []Root{{Dir: t.TempDir()}}, Backend: None{}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	p := resolve(t, w, "a")
	_, err1 := w.ReadText(t.Context(), p, 0, 0)
	_, err2 := w.Snapshot(t.Context(), p, 10)
	_, err3 := w.Commit(t.Context(), Change{Path: p})
	err4 := w.Backend().WriteText(t.Context(), p, "")
	for want, errs := range map[string][]error{"no-op backend cannot read": {err1, err2, err3},
		"no-op backend cannot write": {err4}} {
		for _, err := range errs {
			if KindOf(err) != NotPermitted || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		}
	}
}

func TestSniffing(t *testing.T) {
	for text, want := range map[string]Encoding{
		"": UTF8, "a\n": UTF8, "é": UTF8, BOM + "a": UTF8BOM, "a\x00": Binary, strings.Repeat("a", 8192) + "\x00": UTF8,
		"caf\xe9": Unknown, "\xff\xfea": Unknown, "\xff\xfea\x00": Binary,
	} {
		if got := Sniff([]byte(text)); got != want {
			t.Errorf("%.20q: %d, want %d", text, got, want)
		}
	}
	for text, want := range map[string]Ending{"": NoEnding, "a": NoEnding, "a\r": NoEnding, "a\n": LF, "a\r\n": CRLF,
		"a\r\nb\n": Mixed, "a\r\nb": CRLF} {
		if got := Endings([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	for text, want := range map[string]int{"": 0, "a": 1, "a\n": 1, "a\nb": 2, "\n\n": 2} {
		if got := Lines([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
