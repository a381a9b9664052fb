//go:build unix

package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// corpus reads a list of paths; a line "# name" begins a section.
func corpus(t *testing.T, name string) (paths, sections []string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	section := ""
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSuffix(line, "\n")
		if s, ok := strings.CutPrefix(line, "# "); ok {
			section = s
			continue
		}
		paths, sections = append(paths, line), append(sections, section)
	}
	return paths, sections
}

// reason returns what is said of a file of a section.
func reason(section string) string {
	if section == "hidden" {
		return "programs run what their hidden files say"
	}
	return "this file is run by " + section
}

func TestFilesThatBecomeCommands(t *testing.T) {
	paths, sections := corpus(t, "runs.txt")
	if len(paths) < 700 {
		t.Fatalf("%d paths", len(paths))
	}
	for i, p := range paths {
		want := reason(sections[i])
		for _, spelling := range []string{
			p, "deep/" + p, strings.ToUpper(p), strings.ReplaceAll(p, "/", "\u200c/"), p + ".", p + "::$DATA",
		} {
			if got := whyRun(runnerTable, spelling); got != want {
				t.Errorf("%s: %q, want %q", spelling, got, want)
			}
		}
	}
}

func TestOrdinaryFilesAreNotFlagged(t *testing.T) {
	paths, _ := corpus(t, "ordinary.txt")
	if len(paths) < 100 {
		t.Fatalf("%d paths", len(paths))
	}
	dir := t.TempDir()
	tree(t, dir, ".git/HEAD", ".git/config", ".git/hooks/x")
	w := openWorkspace(t, Root{Dir: dir})
	for _, p := range paths {
		at, err := w.Resolve(p)
		if err != nil {
			t.Fatal(err)
		}
		if why := w.RunsCode(at, p, 0o644); why != "" {
			t.Errorf("%s: %s", p, why)
		}
	}
}

// A table with any one of its patterns left out says something else of a file of the corpus; the
// same holds for the plain hidden files.
func TestEveryPatternOfTheTableIsNeeded(t *testing.T) {
	paths, sections := corpus(t, "runs.txt")
	in := map[string][]string{}
	for i, p := range paths {
		in[sections[i]] = append(in[sections[i]], p)
	}
	patterns := 0
	for i, r := range runnerTable {
		words := strings.Fields(r.patterns)
		for j, dropped := range words {
			patterns++
			table := append([]runner{}, runnerTable...)
			table[i].patterns = strings.Join(append(append([]string{}, words[:j]...), words[j+1:]...), " ")
			noticed := false
			for _, p := range in[r.program] {
				noticed = noticed || whyRun(table, p) != reason(r.program)
			}
			if !noticed {
				t.Errorf("%s: nobody misses %s", r.program, dropped)
			}
		}
	}
	t.Logf("%d patterns, %d paths", patterns, len(paths))
	ordinary, _ := corpus(t, "ordinary.txt")
	words := strings.Fields(harmlessDotFiles)
	for j, dropped := range words {
		rest := strings.Join(append(append([]string{}, words[:j]...), words[j+1:]...), " ")
		noticed := false
		for _, p := range ordinary {
			noticed = noticed || hasHiddenName(p) && !matchesAny(rest, strings.ToLower(p))
		}
		if !noticed {
			t.Errorf("nobody misses %s", dropped)
		}
	}
}

func TestThePartsBesideAHeadAreFlagged(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "bare/HEAD", "plain/x")
	w := openWorkspace(t, Root{Dir: dir})
	for name, want := range map[string]bool{
		"commondir": true, "packed-refs": true, "index": true, "refs/heads/main": true, "objects/ab/c": true,
		"FETCH_HEAD": true, "README.txt": false, "src/config": false,
	} {
		for in, want := range map[string]bool{"bare/": want, "plain/": false} {
			if got := w.RunsCode(resolve(t, w, in+name), in+name, 0) != ""; got != want {
				t.Errorf("%s%s: %v, want %v", in, name, got, want)
			}
		}
	}
}
