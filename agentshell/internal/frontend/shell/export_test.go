package shell

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/export"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

func TestExportSaysWhereItWroteTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var (
			asked  []export.Target
			answer error
			wait   chan bool
			file   = "/w/a\x1b[2Jb.html"
		)
		s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24}, func(cfg *Config) {
			cfg.Session.Export = func(ctx context.Context, to export.Target, progress export.Progress) (string, error) {
				asked = append(asked, to)
				progress(64, 200)
				if wait != nil {
					select {
					case <-wait:
					case <-ctx.Done():
						return "", ctx.Err()
					}
				}
				return file, answer
			}
		}, `{"say":"hi","hang":true}`)
		sees := func(line string, want ...string) {
			t.Helper()
			s.send(line)
			s.pass(time.Second)
			for _, w := range want {
				if v := s.Visible(); !strings.Contains(v, w) {
					t.Errorf("after %s there is no %q in\n%s", line, w, v)
				}
			}
		}
		sees("/export", "Wrote the session to /w/a␛[2Jb.html", "Read it before you pass it on.")
		sees("/export --format json --force my file", "Wrote the session")
		if want := (export.Target{File: "my file", Format: export.JSON, Force: true}); len(asked) != 2 ||
			asked[0] != (export.Target{}) || asked[1] != want {
			t.Errorf("it was asked for %+v", asked)
		}
		repository := t.TempDir()
		if err := os.Mkdir(filepath.Join(repository, ".git"), 0o777); err != nil {
			t.Fatal(err)
		}
		file = filepath.Join(repository, "docs", "a.html")
		sees("/export named.html", "Wrote the session")
		if strings.Contains(s.Visible(), "git add") {
			t.Error("it tells of git where the person has named the file")
		}
		sees("/export", "git add -A adds it", "writes elsewhere")
		asked = asked[:2]
		sees("/export --frob", "Nothing was written: there is no --frob")
		answer = errors.New("/w/b exists")
		sees("/export b.md", "Nothing was written: /w/b exists.")
		if len(asked) != 3 {
			t.Errorf("it was asked %d times", len(asked))
		}
		s.send("hello")
		sees("/export", "A turn is running.")
		s.Press("escape")
		s.pass(5 * time.Second)
		if len(asked) != 3 {
			t.Errorf("it was asked %d times", len(asked))
		}
		wait, answer = make(chan bool), nil
		sees("/export", "writing the session, 64 of 200 messages")
		s.Press("escape")
		s.pass(time.Second)
		if v := s.Visible(); !strings.Contains(v, "stopped: nothing was written") {
			t.Errorf("after Esc:\n%s", v)
		}
	})
}

func TestExportNeedsALog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begin(t, tuitest.Config{Cols: 80, Rows: 24}, nil)
		s.send("/export")
		s.pass(time.Second)
		if v := s.Visible(); !strings.Contains(v, "/export needs a session log") {
			t.Errorf("without a log:\n%s", v)
		}
	})
}
