package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// shownMatches is what of a file with matches a search shows: how many there are, and the first
// lines.
type shownMatches struct {
	n     int
	lines string
}

// pagesOf runs a search to its last page.
func pagesOf(t *testing.T, b *bench, a args) map[string]shownMatches {
	found := map[string]shownMatches{}
	for skip := 0; ; {
		a["skip"] = skip
		text, at, more := b.run("search", a).Text, "", false
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			m := found[at]
			switch head, rest, _ := strings.Cut(line, ":"); {
			case strings.HasPrefix(line, "# "):
				at = strings.TrimPrefix(line, "# workspace/")
				continue
			case strings.HasPrefix(line, "[more files"):
				more = true
				fmt.Sscanf(line, "[more files match; call again with skip %d]", &skip)
			case strings.HasPrefix(line, "["):
				n := 0
				if _, err := fmt.Sscanf(line, "[%d match", &n); err == nil {
					m.n += n
					found[at] = m
				}
			case strings.HasPrefix(line, "*") && rest != head:
				m.n++
				m.lines += head[1:] + " "
				found[at] = m
			}
		}
		if !more {
			return found
		}
	}
}

// byRipgrep returns what ripgrep finds of that.
func byRipgrep(t *testing.T, dir, pattern string) map[string]shownMatches {
	cmd := exec.Command("rg", "--json", "--hidden", "--no-ignore-dot", "--no-ignore-global", "--no-ignore-exclude",
		"--no-ignore-parent", "--no-require-git", "--max-filesize", "4M", "--glob", "!.git", "--no-config", "--crlf",
		"--no-unicode", "-e", pattern, ".")
	cmd.Dir = dir
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() > 1 {
		t.Fatalf("rg %q: %s", pattern, exit.Stderr)
	}
	found := map[string]shownMatches{}
	for line := range bytes.Lines(out) {
		var r struct {
			Type string
			Data struct {
				Path struct{ Text string }
				Line int `json:"line_number"`
			}
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		if r.Type != "match" {
			continue
		}
		name := strings.TrimPrefix(r.Data.Path.Text, "./")
		m := found[name]
		if m.n++; m.n <= maxEach {
			m.lines += strconv.Itoa(r.Data.Line) + " "
		}
		found[name] = m
	}
	return found
}

// A search finds what ripgrep finds, in trees of other people. SCROLLKEEP_SEARCHES=100 asks so
// often in each of three.
func TestASearchFindsWhatRipgrepFinds(t *testing.T) {
	need.Program(t, "rg")
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	queries, trees := treesOfOthers(t, 5)
	for _, dir := range trees {
		b := benchIn(t, dir)
		var texts []string // that we read
		unread := map[string]bool{}
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			data, err := os.ReadFile(path)
			name, _ := filepath.Rel(dir, path)
			if workspace.Text(workspace.Path{}, data) != nil || bytes.IndexByte(data, 0) >= 0 {
				unread[filepath.ToSlash(name)] = true
			} else if len(data) > 0 {
				texts = append(texts, string(data))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		hits := 0
		for range queries {
			pattern := query(r, texts)
			got, want := pagesOf(t, b, args{"pattern": pattern, "context_before": 0, "context_after": 0}),
				byRipgrep(t, dir, pattern)
			for _, found := range []map[string]shownMatches{got, want} {
				for name := range unread {
					delete(found, name)
				}
			}
			hits += len(want)
			for name := range want {
				if got[name] != want[name] {
					t.Errorf("seed %d, %s, %q in %s: %+v, ripgrep has %+v", seed, dir, pattern, name, got[name],
						want[name])
				}
			}
			for name := range got {
				if _, ok := want[name]; !ok {
					t.Errorf("seed %d, %s, %q in %s: %+v, ripgrep has nothing", seed, dir, pattern, name, got[name])
				}
			}
		}
		if hits == 0 {
			t.Errorf("seed %d: nothing was found in %s", seed, dir)
		}
	}
}

// query makes an expression of what stands somewhere in texts.
func query(r *rand.Rand, texts []string) string {
	for {
		text := texts[r.IntN(len(texts))]
		at := r.IntN(len(text))
		line, _, _ := strings.Cut(text[at:], "\n")
		words := strings.FieldsFunc(line, func(c rune) bool { return c > 'z' || c < 'A' || c > 'Z' && c < 'a' })
		if len(words) < 2 {
			continue
		}
		a, b := words[0], words[1]
		return []string{a, b, a + "|" + b, a + ".*" + b, "^\\s*" + a, b + "$", `\b` + a + `\b`,
			a + `\W+` + b, "(?i)" + a,
			a[:1] + "[a-z]{2,5}" + b[:1], `[0-9]{4}` + a[:1], "^" + a + "|" + b + `\(`,
			a + "(" + b + ")?" + `[^a-z]`}[r.IntN(13)]
	}
}
