package tool

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// The names that bash finds by a pattern are found here too, whatever the locale is, and also where
// a name is not valid UTF-8.
func TestPatternsMatchWhatBashMatches(t *testing.T) {
	b := newBench(t, nil)
	bash := need.Program(t, "bash")
	for _, name := range []string{"é", "\xc3\xa9\xff", "abc", "]", "a", "漢字", "[ab", "sub/-oé\xff", "x\xff/n"} {
		at := filepath.Join(b.dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, pattern := range []string{"?", "??", "???", "????", "??????", "*", "?*", "sub/?????", "sub/-o???", "??/n",
		"[a]", `[\]]`, "[]]", "[!a]", "[^a]?", "[ab", "??[!x]", "x[!a]/?", `\[ab`} {
		found, err := b.env.glob(".", pattern)
		if err != nil {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, locale := range []string{"C", "C.UTF-8"} {
			cmd := exec.Command(bash, "-c", `shopt -s nullglob; for f in `+pattern+`; do printf '%s\n' "$f"; done`)
			cmd.Dir, cmd.Env = b.dir, []string{"LC_ALL=" + locale}
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			for name := range strings.Lines(string(out)) {
				if name = strings.TrimSuffix(name, "\n"); !slices.Contains(found, name) {
					t.Errorf("%s: %s: bash finds %q, and here are %q", locale, pattern, name, found)
				}
			}
		}
	}
}
