//go:build unix

package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestLateWritesAreKeptWithinBounds(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name  string
		files int
		size  int64 // sparse
		age   func(i int) time.Duration
		stay  int
	}{
		{"few and young", 5, 10, func(i int) time.Duration { return time.Hour }, 5},
		{"one too old", 3, 10, func(i int) time.Duration {
			return maxLateAge - time.Hour + time.Duration(i)*time.Hour
		}, 2},
		{"too many", maxLateFiles + 7, 10, func(i int) time.Duration { return time.Duration(i) * time.Minute },
			maxLateFiles},
		{"too large", 4, maxLateBytes / 3, func(i int) time.Duration { return time.Duration(i) * time.Minute }, 3},
		{"one that is too large by itself", 2, maxLateBytes + 1, func(i int) time.Duration {
			return time.Duration(i) * time.Minute
		}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			base := t.TempDir()
			journal := base + "/journal"
			tree(t, base, "ws/f", "journal/other")
			for i := range c.files {
				name := filepath.Join(journal, fmt.Sprintf("late-%03d", i))
				put(t, name, "")
				if err := os.Truncate(name, c.size); err != nil {
					t.Fatal(err)
				}
				at := now.Add(-c.age(i))
				if err := os.Chtimes(name, at, at); err != nil {
					t.Fatal(err)
				}
			}
			w, err := Open(Config{Roots: []Root{{Dir: base + "/ws"}}, Journal: journal, Now: func() time.Time {
				return now
			}})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			left, err := filepath.Glob(journal + "/late-*")
			if err != nil || len(left) != c.stay || !strings.HasSuffix(slices.Min(left), "000") {
				t.Errorf("%d stay, want %d, the newest first: %v %v", len(left), c.stay, left, err)
			}
			if content(t, journal+"/other") != "journal/other" {
				t.Error("something else was touched")
			}
		})
	}
}
