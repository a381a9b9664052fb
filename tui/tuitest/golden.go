package tuitest

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pmezard/go-difflib/difflib"
)

// init registers the flag -update. A flag must be defined before the flags are parsed, and no test
// calls this package before that. If the program has already defined a flag of that name it is used
// instead.
func init() {
	if testing.Testing() && flag.Lookup("update") == nil {
		flag.Bool("update", false, "write golden files and pictures anew, instead of comparing with them")
	}
}

// testDir is the directory of the tested package, in which the go tool starts its tests. Golden
// files are found there even if a test changes its directory (T.Chdir).
var testDir, _ = os.Getwd()

// Updating reports whether golden files are to be written instead of compared: if go test was
// called with -update, or if SCROLLKEEP_UPDATE=1 is in the environment. A test package that imports
// this one cannot define a flag -update itself, and calls Updating instead.
func Updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true" || os.Getenv("SCROLLKEEP_UPDATE") == "1"
}

// Golden compares history and grid, separated by a line of dashes, with the file
// testdata/<name>.golden. The default name is that of the test. The function [Golden] describes how
// to create the file.
func (s *Screen) Golden(name ...string) {
	s.tb.Helper()
	got := s.Visible() + "\n"
	if h := s.Scrollback(); h != "" {
		got = h + "\n----\n" + got
	}
	file := s.tb.Name()
	if len(name) > 0 {
		file = strings.Join(name, "_")
	}
	Golden(s.tb, filepath.Join("testdata", strings.ReplaceAll(file, "/", "_")+".golden"), []byte(got))
}

// Golden fails the test if the content of the file differs from got. It then shows the difference
// and the command that accepts it, which is go test with -update. With that flag it writes the file
// instead, and creates its directory. A relative name is relative to the directory of the test's
// package.
func Golden(tb testing.TB, file string, got []byte) {
	tb.Helper()
	if !filepath.IsAbs(file) {
		file = filepath.Join(testDir, file)
	}
	if Updating() {
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, got, 0o666)); err != nil {
			tb.Fatal(err)
		}
		return
	}
	name := filepath.ToSlash(file)
	if rel, err := filepath.Rel(testDir, file); err == nil {
		name = filepath.ToSlash(rel)
	}
	want, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		tb.Errorf("%s is not there; this writes it:\n    %s", name, acceptCommand(tb))
	case err != nil:
		tb.Error(err)
	case !bytes.Equal(want, got):
		tb.Errorf("%s is not as wanted:\n%s\nIf it is right as it is now, this accepts it:\n    %s", name,
			diffText(string(got), string(want)), acceptCommand(tb))
	}
}

// acceptCommand returns the command that runs this test with -update from the top of its module.
func acceptCommand(tb testing.TB) string {
	var parts []string
	for _, part := range strings.Split(tb.Name(), "/") {
		parts = append(parts, "^"+regexp.QuoteMeta(part)+"$")
	}
	return "go test " + packageFolder() + " -run '" + strings.Join(parts, "/") + "' -update"
}

// packageFolder returns the directory of the package, relative to the top of the module.
func packageFolder() string {
	for top := testDir; ; top = filepath.Dir(top) {
		if _, err := os.Stat(filepath.Join(top, "go.mod")); err == nil {
			if rel, err := filepath.Rel(top, testDir); err == nil && rel != "." {
				return "./" + filepath.ToSlash(rel)
			}
			return "."
		}
		if top == filepath.Dir(top) {
			return "."
		}
	}
}

// maxDiffLines is the maximum number of lines of a difference that are shown. maxDiffBytes is the
// maximum length of each.
const maxDiffLines, maxDiffBytes = 60, 200

// diffText returns the differences between want and got as a unified diff.
func diffText(got, want string) string {
	diff, err := difflib.GetUnifiedDiffString(difflib.UnifiedDiff{
		A: difflib.SplitLines(want), B: difflib.SplitLines(got), FromFile: "wanted", ToFile: "shown", Context: 3,
	})
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(diff, "\n")
	if len(lines) > maxDiffLines {
		lines = append(lines[:maxDiffLines], "...", "")
	}
	for i, l := range lines {
		if len(l) > maxDiffBytes {
			lines[i] = strings.ToValidUTF8(l[:maxDiffBytes], "") + "..."
		}
	}
	return strings.Join(lines, "\n")
}
