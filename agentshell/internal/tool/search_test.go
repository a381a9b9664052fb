package tool

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

func TestASearchShowsMatchesInTheirContext(t *testing.T) {
	b := newTagged(t, map[string]string{
		"a.txt": "1\n2\n3 x\n4\n5\n6\n7\n8 x\n9 x\n10\n", "d/b.txt": "a x\r\nb\r\n", "c.txt": "y\n",
	})
	r := b.run("search", args{"pattern": "x$"})
	want := b.head("a.txt") + "\n 2:2\n*3:3 x\n 4:4\n 5:5\n 6:6\n 7:7\n*8:8 x\n*9:9 x\n 10:10\n" + b.head("d/b.txt") +
		"\n*1:a x\n 2:b\n"
	if r.Text != want || r.Summary != "4 matches in 2 files" {
		t.Errorf("%s: %q, want %q", r.Summary, r.Text, want)
	}
	r = b.run("search", args{"pattern": `7\n8 x|a`, "context_after": 0, "paths": []string{"d", "a.txt", "none"}})
	want = b.head("d/b.txt") + "\n*1:a x\n" + b.head("a.txt") + "\n 6:6\n*7:7\n*8:8 x\n[not found: none]\n"
	if r.Text != want {
		t.Errorf("%q, want %q", r.Text, want)
	}
	// The tag is good for an edit.
	b.run("edit", args{"input": b.head("a.txt") + "\ndelete 3\n"})
	b.fails("search", args{"pattern": "x", "paths": []string{"none", "nor this"}}, "not_found")
	b.fails("search", args{"pattern": "x", "paths": []string{"d"}, "path": "d"}, "invalid_args")
	b.fails("search", args{"pattern": "x", "skip": -1}, "invalid_args")
}

func TestASearchGoesOnWithTheFilesThatItLeftOut(t *testing.T) {
	files := map[string]string{}
	for i := range 45 {
		files[fmt.Sprintf("f%02d", i)] = "hit\n"
	}
	b := newBench(t, files)
	var got []string
	for _, page := range []struct {
		skip, files int
		last        string
	}{{0, 20, "[more files match; call again with skip 20]\n"},
		{20, 20, "[more files match; call again with skip 40]\n"},
		{40, 5, "*1:hit\n"}, {45, 0, "no more files match: 45 files in all\n"}} {
		r := b.run("search", args{"pattern": "hit", "skip": page.skip})
		if n := strings.Count(r.Text, "# "); n != page.files || !strings.HasSuffix(r.Text, page.last) {
			t.Errorf("skip %d: %d files, %q", page.skip, n, r.Text)
		}
		for line := range strings.Lines(r.Text) {
			if strings.HasPrefix(line, "# ") {
				got = append(got, strings.TrimSpace(line))
			}
		}
	}
	if len(got) != 45 || len(slices.Compact(slices.Sorted(slices.Values(got)))) != 45 {
		t.Errorf("%d files: %q", len(got), got)
	}
}

// A file that goes away meanwhile ends no search, and is counted.
func TestAFileThatCannotBeOpenedEndsNoSearch(t *testing.T) {
	b := newBench(t, map[string]string{"a": "hit\n", "b": "hit\n", "c": "hit\n"})
	b.env.MayRead = func(path string) approval.Action { // it is asked before the file is opened
		if path == "b" {
			if err := os.Remove(filepath.Join(b.dir, "b")); err != nil {
				t.Error(err)
			}
		}
		return approval.Allow
	}
	b.reg = Builtin(b.env)
	const want = "# workspace/a\n*1:hit\n# workspace/c\n*1:hit\n" +
		"[1 file left out: binary, not UTF-8, too large or not readable]\n"
	if got := b.run("search", args{"pattern": "hit"}).Text; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// What finds lines fast finds those that the expression alone finds.
func TestAMatcherFindsTheLinesThatMatch(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	parts := strings.Fields(`a b ab ^ $ . .* [^a] \s \b (a|b) (?:ab)+ b? \A \z é (?i)B x{2} [[:blank:]]`)
	pieces := []string{"a", "b", "\n", "\n", " ", "x", "é", "B", "\t"}
	rounds := 5_000
	if os.Getenv("SCROLLKEEP_SEARCHES") != "" {
		rounds = 200_000 // `make fuzz`
	}
	for i := range rounds {
		expr, text := "", ""
		for range 1 + r.IntN(4) {
			expr += parts[r.IntN(len(parts))]
		}
		for range r.IntN(20) {
			text += pieces[r.IntN(len(pieces))]
		}
		if r.IntN(4) == 0 {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		re, err := regexp.Compile(expr)
		m, err2 := newMatcher(expr, false)
		if (err == nil) != (err2 == nil) {
			t.Fatalf("seed %d: %q: %v, %v", seed, expr, err, err2)
		}
		if err != nil {
			continue
		}
		lines := slices.Collect(strings.Lines(text))
		var got, want []spot
		m.find(lines, text, func(s spot) bool { got = append(got, s); return true })
		for n, line := range lines {
			if loc := re.FindStringIndex(strings.TrimRight(line, "\r\n")); loc != nil {
				want = append(want, spot{n, n, loc[0]})
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d, round %d: %q in %q: %v, want %v", seed, i, expr, text, got, want)
		}
	}
}
