package finder_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/finder"
)

// of returns a finder for files; the last one is the newest.
func of(files ...string) *finder.Finder {
	return &finder.Finder{Walk: func(_ context.Context, yield func(string, time.Time) bool) error {
		for i, f := range files {
			if !yield(f, time.Unix(int64(i), 0)) {
				break
			}
		}
		return nil
	}}
}

func TestWhatIsTypedFindsTheFileThatIsMeant(t *testing.T) {
	f := of("README.md", "internal/parse/lexer.go", "internal/parse/lexer_test.go", "cmd/relex/main.go", "notes.md",
		"my dir/a b.txt", "docs/lex.md")
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"", []string{"docs/", "docs/lex.md", "my dir/", "my dir/a b.txt", "notes.md"}},
		{"lex", []string{"docs/lex.md", "internal/parse/lexer_test.go", "internal/parse/lexer.go", "cmd/relex/",
			"cmd/relex/main.go"}},
		{"LEXER.GO", []string{"internal/parse/lexer.go", "internal/parse/lexer_test.go"}},
		{"ilg", []string{"internal/parse/lexer_test.go", "internal/parse/lexer.go"}},
		{"internal/", []string{"internal/parse/", "internal/parse/lexer_test.go", "internal/parse/lexer.go"}},
		{"internal/parse/t", []string{"internal/parse/lexer_test.go"}},
		{"./not", []string{"notes.md"}},
		{"my dir/", []string{"my dir/a b.txt"}},
		{"zzz", nil},
	} {
		got, err := f.Find(t.Context(), c.query, 5)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q finds %q (%v), want %q", c.query, got, err, c.want)
		}
	}
}

func TestAnIndexHasABound(t *testing.T) {
	told := 0
	f := &finder.Finder{Walk: func(_ context.Context, yield func(string, time.Time) bool) error {
		for told = 1; yield(fmt.Sprintf("f%d", told), time.Time{}); told++ {
		}
		return nil
	}}
	got, err := f.Find(t.Context(), "f1", 3)
	if err != nil || len(got) != 3 || got[0] != "f1" || told != finder.MaxFiles {
		t.Errorf("%q, %v, after %d files", got, err, told)
	}
}

// A walk of a large workspace takes longer than a key comes: the next one goes on with it.
func TestAKeyThatOvertakesALookupDoesNotStopTheWalk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		walks := 0
		f := &finder.Finder{Walk: func(ctx context.Context, yield func(string, time.Time) bool) error {
			walks++
			select {
			case <-time.After(time.Second):
				yield("notes.md", time.Now())
			case <-ctx.Done():
			}
			return ctx.Err()
		}}
		for range 5 {
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			_, _ = f.Find(ctx, "n", 3)
			cancel()
		}
		if got, err := f.Find(t.Context(), "n", 3); err != nil || len(got) != 1 || walks != 1 {
			t.Errorf("%q, %v, after %d walks", got, err, walks)
		}
	})
}

func BenchmarkFindIn100000(b *testing.B) {
	var files []string
	for i := range 100_000 {
		files = append(files, fmt.Sprintf("internal/pkg%d/sub%d/file_%d.go", i%100, i%1000, i))
	}
	f := of(files...)
	for b.Loop() {
		if _, err := f.Find(b.Context(), "pk9fil", 50); err != nil {
			b.Fatal(err)
		}
	}
}
