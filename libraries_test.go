package scrollkeep

import (
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// versionSuffix is the end of the path of a module.
var versionSuffix = regexp.MustCompile(`/v\d+$`)

// README.md and ARCHITECTURE.md say which libraries the engine brings: a few by name for all of it,
// and others in the row of the package that brings them, itself or by what it imports.
func TestThePagesNameTheLibrariesThatTheEngineBrings(t *testing.T) {
	for file, common := range map[string]string{
		"README.md":       "x/sys, x/term, uniseg and go-runewidth (which brings uax29)",
		"ARCHITECTURE.md": "x/sys, x/term, uniseg, go-runewidth (uax29)",
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), common) {
			t.Errorf("%s does not say %q", file, common)
		}
		seen := 0
		for _, p := range packages(t) {
			if !within(p.ImportPath, "tui", "renderer", "terminal", "stdinbuf") ||
				within(p.ImportPath, "tui/examples") {
				continue
			}
			row := rowOf(string(text), strings.TrimPrefix(p.ImportPath, module))
			for _, library := range libraries(p) {
				seen++
				if !strings.Contains(common, library) && !strings.Contains(row, library) {
					t.Errorf("%s: %s brings %s, and its row is %q", file, p.ImportPath, library, row)
				}
			}
		}
		if seen < 20 {
			t.Errorf("%s: only %d libraries are found", file, seen)
		}
	}
}

// rowOf returns the row of a table that has a package in its first cell, alone or as the second
// part of a list.
func rowOf(text, name string) string {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "| `"+name+"`") {
			return line
		}
	}
	for line := range strings.Lines(text) {
		cell, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		if strings.HasPrefix(line, "| `"+path.Dir(path.Dir(name))) && strings.Contains(cell, "/"+path.Base(name)+"`") {
			return line
		}
	}
	return ""
}

// libraries returns the names of the modules outside of this one that p brings. What a library
// brings with it, and that is named by the library, counts as that: tcell's.
func libraries(p pkg) (names []string) {
	for _, dep := range p.Deps {
		parts := strings.SplitN(dep, "/", 5)
		if !strings.Contains(parts[0], ".") || strings.HasPrefix(dep+"/", module) {
			continue
		}
		name := strings.Join(parts[:min(len(parts), 3)], "/")
		name, ok := strings.CutPrefix(name, "golang.org/")
		if !ok {
			name = path.Base(versionSuffix.ReplaceAllString(name, ""))
		}
		switch name {
		case "encoding", "go-colorful", "x/text":
			name = "tcell"
		case "pty":
			name = "creack/pty"
		}
		names = append(names, name)
	}
	return names
}
