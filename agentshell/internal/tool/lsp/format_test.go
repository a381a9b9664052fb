package lsp

import (
	"context"
	"path/filepath"
	"testing"
	"time"
)

func TestAServerThatRunsPutsATextInOrder(t *testing.T) {
	s, fake := fakeService(t, func(c *Config) { c.Format = true })
	file := filepath.Join(s.Dir(), "a.x")
	formats := func(path, text, want, by, fails string) {
		t.Helper()
		got, who, err := s.Format(context.Background(), path, []byte(text))
		why := ""
		if err != nil {
			why = err.Error()
		}
		if string(got) != want || who != by || why != fails {
			t.Errorf("%q becomes %q by %q, %q; want %q by %q, %q", text, got, who, why, want, by, fails)
		}
	}
	formats(file, "a  \n", "a  \n", "", "")
	if len(s.Status()) > 0 {
		t.Fatal("it has started a server")
	}
	fakeState(t, s, fake) // which starts it
	formats(file, "a  \nb\n", "a\nb\n", "fake", "")
	formats(file, "a  \r\nb\r\n", "a\r\nb\r\n", "fake", "")
	formats(file, "\ufeffa  \r\n", "\ufeffa\r\n", "fake", "")
	formats(file, "a  \r\nb\n", "a  \r\nb\n", "fake", "its line ends differ")
	formats(file, "odd  \n", "odd  \n", "fake", "it is odd")
	formats(filepath.Join(s.Dir(), "a.y"), "a  \n", "a  \n", "", "")
	formats(filepath.Join(filepath.Dir(s.Dir()), "a.x"), "a  \n", "a  \n", "", "")
	if state := fakeState(t, s, fake); len(state.Texts) > 0 || state.Saved > 0 {
		t.Errorf("afterwards it has %+v", state)
	}
	s.config.Format = false
	formats(file, "a  \n", "a  \n", "", "")
}

// A text that is only proposed is at the server while it is put in order, and not longer. What the
// server says of the file then is not taken for what it says of the text that is there.
func TestATextIsLentToAServerOnlyToPutItInOrder(t *testing.T) {
	s, fake := fakeService(t, func(c *Config) { c.Format, c.FormatTime = true, time.Minute })
	file := filepath.Join(s.Dir(), "a.x")
	ctx := context.Background()
	c, release, err := s.Use(ctx, fake)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Diagnose(ctx, file, "there\n", time.Minute); err != nil {
		t.Fatal(err)
	}
	done := make(chan string, 1)
	go func() {
		text, _, err := s.Format(ctx, file, []byte("bad  \n"))
		done <- string(text)
		if err != nil {
			t.Error(err)
		}
	}()
	var state fakeServer
	for range 100 { // while somebody counts on its texts it has those
		if state = fakeState(t, s, fake); state.Sent != 1 || state.Texts[URIOf(file)] != "there\n" {
			t.Fatalf("it has %+v", state)
		}
	}
	release()
	if text := <-done; text != "bad\n" {
		t.Errorf("%q", text)
	}
	if state = fakeState(t, s, fake); state.Texts[URIOf(file)] != "there\n" || state.Saved > 0 || state.Sent != 3 {
		t.Errorf("afterwards it has %+v", state)
	}
	list, complete, err := c.Diagnose(ctx, file, "there\n", time.Minute)
	if err != nil || !complete || len(list) > 0 {
		t.Errorf("it finds %+v, %v, %v", list, complete, err)
	}
	if state = fakeState(t, s, fake); state.Sent != 4 {
		t.Errorf("the text that is there was sent %d times", state.Sent)
	}
}

// A server that is slow is named, and has the text that is there all the same.
func TestASlowServerLeavesTheText(t *testing.T) {
	s, fake := fakeService(t, func(c *Config) { c.Format, c.FormatTime = true, 50*time.Millisecond })
	file := filepath.Join(s.Dir(), "a.x")
	c, release, err := s.Use(context.Background(), fake)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Open(context.Background(), file, "there\n"); err != nil {
		t.Fatal(err)
	}
	format := func() {
		t.Helper()
		text, by, err := s.Format(context.Background(), file, []byte("slow  \n"))
		if string(text) != "slow  \n" || by != "fake" || err == nil || err.Error() != "it took longer than 50ms" {
			t.Errorf("%q by %q, %v", text, by, err)
		}
	}
	format() // since the server is in use
	release()
	format()
	if state := fakeState(t, s, fake); state.Texts[URIOf(file)] != "there\n" {
		t.Errorf("afterwards it has %+v", state)
	}
}
