package recall_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session/recall"
)

func texts(t *testing.T, h *recall.History) (list []string) {
	t.Helper()
	entries, err := h.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Text)
	}
	return list
}

func add(t *testing.T, h *recall.History, list ...string) {
	t.Helper()
	for _, text := range list {
		if err := h.Add(recall.Entry{Text: text}); err != nil {
			t.Fatal(err)
		}
	}
}

// file returns the one file of entries below dir.
func file(t *testing.T, dir string) string {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if len(names) != 1 {
		t.Fatalf("files %q", names)
	}
	return names[0]
}

func TestWhatWasSentIsThereInTheNextSession(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "history")
	add(t, recall.Open(dir, "/w", secret.Set{}), "one", "two\nlines", "/help", "!ls \"x\"")
	want := []string{"one", "two\nlines", "/help", `!ls "x"`}
	if got := texts(t, recall.Open(dir, "/w", secret.Set{})); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := texts(t, recall.Open(dir, "/other", secret.Set{})); got != nil {
		t.Errorf("another workspace has %q", got)
	}
	for _, name := range []string{file(t, dir), file(t, dir) + ".lock"} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
}

func TestSecretsAndLinesWithALeadingBlankAreNotKept(t *testing.T) {
	dir := t.TempDir()
	h := recall.Open(dir, "/w", secret.New("correct-horse-battery"))
	add(t, h, "kept", " with a blank", "\ttab", "", "  ", "the key is correct-horse-battery",
		strings.Repeat("x", 1<<20),
		"use sk-"+"ant-"+strings.Repeat("a1", 12), "export TOKEN=12345678", "-----BEGIN RSA PRIVATE KEY-----",
		"not\xffutf8",
		"what does the token bucket do?", "AKIAABCDEFGHIJKLMNOP", "curl -H 'Authorization: Bearer abcdefgh'")
	if got := texts(t, h); !slices.Equal(got, []string{"kept", "what does the token bucket do?"}) {
		t.Errorf("%q", got)
	}
	b, _ := os.ReadFile(file(t, dir))
	for _, part := range []string{"horse", "sk-ant", "12345678", "PRIVATE", "AKIA", "Bearer"} {
		if strings.Contains(string(b), part) {
			t.Errorf("%q is in the file", part)
		}
	}
}

func TestCorruptLinesCostNoOthers(t *testing.T) {
	dir := t.TempDir()
	h := recall.Open(dir, "/w", secret.Set{})
	add(t, h, "one")
	f, err := os.OpenFile(file(t, dir), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.WriteString("\x00\x00garbage\n{\"text\":12}\n[]\n{\"text\":\"torn in the mid")
	f.Close()
	add(t, h, "two")
	if got := texts(t, h); !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("%q", got)
	}
}

func TestNoLinkLeadsTheHistoryElsewhere(t *testing.T) {
	dir := t.TempDir()
	h := recall.Open(dir, "/w", secret.Set{})
	add(t, h, "one")
	name, out := file(t, dir), filepath.Join(t.TempDir(), "out")
	if err := os.WriteFile(out, []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(out, name); err != nil {
		t.Fatal(err)
	}
	if err := h.Add(recall.Entry{Text: "two"}); err == nil {
		t.Error("it was written through a link")
	}
	if b, _ := os.ReadFile(out); string(b) != "mine\n" {
		t.Errorf("the file behind the link is %q", b)
	}
}

func TestTwoSessionsKeepAllEntriesAndTheBound(t *testing.T) {
	dir := t.TempDir()
	const each = 4000
	first := recall.Open(dir, "/w", secret.Set{})
	for range 2 { // so many that they are cut on the way
		var both sync.WaitGroup
		for s := range 2 {
			both.Go(func() {
				h := recall.Open(dir, "/w", secret.Set{})
				_, _ = h.Load()
				for i := range each {
					if err := h.Add(recall.Entry{Text: fmt.Sprintf("s%d %d", s, i)}); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		both.Wait()
	}
	got := texts(t, first)
	if len(got) != recall.MaxEntries {
		t.Errorf("%d entries", len(got))
	}
	next := map[string]int{}
	for _, text := range slices.Backward(got) { // each session's own are in order, none is missing
		var s string
		var i int
		if _, err := fmt.Sscanf(text, "%s %d", &s, &i); err != nil {
			t.Fatalf("%q", text)
		}
		if _, seen := next[s]; !seen {
			next[s] = each - 1
		}
		if want := (next[s] + each) % each; i != want {
			t.Fatalf("%q, want number %d", text, want)
		}
		next[s]--
	}
	b, err := os.ReadFile(file(t, dir))
	if err != nil || strings.Count(string(b), "\n") > recall.MaxEntries*2 {
		t.Errorf("%d lines in the file, %v", strings.Count(string(b), "\n"), err)
	}
}
