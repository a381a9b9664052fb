package keep

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestTrim(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name   string
		bounds Bounds
		files  string // directory/name:bytes, the newest first, an hour apart
		stay   string
	}{
		{"no bounds", Bounds{}, "a/1:5 a/2:5", "a/1 a/2"},
		{"age", Bounds{Age: 90 * time.Minute}, "a/1:5 a/2:5 a/3:5", "a/1 a/2"},
		{"number", Bounds{Files: 2}, "a/1:5 b/2:5 a/3:5", "a/1 b/2"},
		{"bytes", Bounds{Bytes: 10}, "a/1:5 b/2:5 a/3:1", "a/1 b/2"},
		{"the newest is too large", Bounds{Bytes: 10, Each: 10}, "a/1:50 a/2:1", "a/1"},
		{"bytes of a directory", Bounds{Each: 10}, "a/1:5 b/2:50 a/3:5 a/4:1 b/5:1", "a/1 b/2 a/3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for i, f := range strings.Fields(c.files) {
				name, size := f[:strings.Index(f, ":")], 0
				fmt.Sscan(f[strings.Index(f, ":")+1:], &size)
				full := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(full, make([]byte, size), 0o600); err != nil {
					t.Fatal(err)
				}
				at := now.Add(-time.Duration(i) * time.Hour)
				if err := os.Chtimes(full, at, at); err != nil {
					t.Fatal(err)
				}
			}
			Trim(filepath.Join(dir, "*", "*"), c.bounds, now)
			var left []string
			for _, f := range strings.Fields(c.files) {
				name := f[:strings.Index(f, ":")]
				if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
					left = append(left, name)
				}
			}
			if got := strings.Join(left, " "); got != c.stay {
				t.Errorf("%q stay, want %q", got, c.stay)
			}
		})
	}
}
