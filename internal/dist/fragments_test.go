package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const someLog = "# Changelog\n\nText.\n\n## Unreleased\n\n### engine\n- b\n  more of b\n\n### agentshell\n- c\n\n" +
	"## 0.3.0 (2026-11-22)\n\n### engine\n- a\n"

// logged makes a folder with a changelog and changes that are not in it.
func logged(t *testing.T, changelog string, changes map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, fragmentDir), 0o755); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"README.md": "How it is done.\n", "../../CHANGELOG.md": changelog}
	for name, text := range changes {
		if text != "" {
			files[name] = text
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, fragmentDir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestAReleaseJoinsWhatIsListedAndWhatHasAFile(t *testing.T) {
	dir := logged(t, someLog, map[string]string{"one.md": "### engine\n- of one\n  and more\n",
		"two.md": "### proof\n\n- of two\n- and another\n\n", "three.md": "### engine\n- of three"})
	if err := closeChangelog(dir, "0.4.0", "2026-11-28"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "CHANGELOG.md"))
	want := "# Changelog\n\nText.\n\n## Unreleased\n\n## 0.4.0 (2026-11-28)\n\n### engine\n- b\n  more of b\n" +
		"- of one\n  and more\n- of three\n\n### agentshell\n- c\n\n### proof\n- of two\n- and another\n\n" +
		"## 0.3.0 (2026-11-22)\n\n### engine\n- a\n"
	if err != nil || string(got) != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
	}
	left, err := os.ReadDir(filepath.Join(dir, fragmentDir))
	if err != nil || len(left) != 1 || left[0].Name() != "README.md" {
		t.Errorf("%v, left are %v", err, left)
	}
	if note, err := releaseNotes(string(got), "0.4.0"); err != nil || !strings.HasPrefix(note, "### engine\n- b\n") ||
		!strings.HasSuffix(note, "- and another\n") {
		t.Errorf("the note is %q, %v", note, err)
	}
	// The same list without a file, and files without a list.
	for name, dir := range map[string]string{"a list": logged(t, someLog, nil),
		"a file": logged(t, "# C\n\n## Unreleased\n", map[string]string{"one.md": "### engine\n- b\n  more of b\n"})} {
		if err := closeChangelog(dir, "0.4.0", "2026-11-28"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		got, _ := os.ReadFile(filepath.Join(dir, "CHANGELOG.md"))
		note, err := releaseNotes(string(got), "0.4.0")
		if err != nil || !strings.HasPrefix(note, "### engine\n- b\n  more of b\n") {
			t.Errorf("%s: the note is %q, %v", name, note, err)
		}
	}
}

func TestWhatCannotBeJoinedChangesNothing(t *testing.T) {
	for name, c := range map[string]struct{ log, change, version, want string }{
		"no heading":          {someLog, "- x\n", "0.4.0", "one.md: its first line is no heading"},
		"an empty heading":    {someLog, "### \n- x\n", "0.4.0", "one.md: its first line is no heading"},
		"no item":             {someLog, "### engine\n", "0.4.0", "one.md: behind the heading comes"},
		"text":                {someLog, "### engine\nwords\n", "0.4.0", "one.md: behind the heading comes"},
		"two sections":        {someLog, "### engine\n- x\n\n### proof\n- y\n", "0.4.0", "one.md: \"\" is neither"},
		"a release of old":    {someLog, "### engine\n- x\n", "0.3.0", "has 0.3.0 already"},
		"no version":          {someLog, "### engine\n- x\n", "v0.4", "is no version"},
		"no Unreleased":       {"# C\n\n## 0.3.0 (x)\n- a\n", "### engine\n- x\n", "0.4.0", "no heading ## Unreleased"},
		"nothing that is new": {"# C\n\n## Unreleased\n\n## 0.3.0 (x)\n- a\n", "", "0.4.0", "nothing is new"},
	} {
		dir := logged(t, c.log, map[string]string{"one.md": c.change})
		if err := closeChangelog(dir, c.version, "2026-11-28"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "CHANGELOG.md")); err != nil || string(got) != c.log {
			t.Errorf("%s: the changelog is %q, %v", name, got, err)
		}
		if _, err := os.Stat(filepath.Join(dir, fragmentDir, "one.md")); (err == nil) != (c.change != "") {
			t.Errorf("%s: the file of the change: %v", name, err)
		}
	}
	dir := logged(t, someLog, nil)
	if err := os.WriteFile(filepath.Join(dir, fragmentDir, "change.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := readFragments(dir); err == nil || !strings.Contains(err.Error(), "change.txt is no file NAME.md") {
		t.Error(err)
	}
}

func TestAReleaseWithChangesThatAreNotJoinedIsAnError(t *testing.T) {
	dir := logged(t, someLog, map[string]string{"one.md": "### engine\n- of one\n"})
	s := &source{dir: dir}
	if err := s.readNews("Unreleased"); err != nil || !strings.Contains(s.notes, "- b\n  more of b\n- of one\n") ||
		!strings.Contains(s.changelog, "- of one\n") {
		t.Errorf("%v: %q", err, s.notes)
	}
	if err := s.readNews("0.3.0"); err == nil ||
		!strings.Contains(err.Error(), "changelog/unreleased/one.md is not in") {
		t.Errorf("%v", err)
	}
	if err := os.Remove(filepath.Join(dir, fragmentDir, "one.md")); err != nil {
		t.Fatal(err)
	}
	if err := s.readNews("0.3.0"); err != nil || s.notes != "### engine\n- a\n" {
		t.Errorf("%v: %q", err, s.notes)
	}
}

// The changes of this repository can be joined, and no line is lost.
func TestTheChangesOfThisRepositoryCanBeJoined(t *testing.T) {
	changes, err := readFragments("../..")
	if err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := joinChanges(string(old), nil); err != nil || text != string(old) {
		t.Errorf("without changes it is another changelog: %v", err)
	}
	text, err := joinChanges(string(old), changes)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(old)) {
		if !strings.Contains(text, line) {
			t.Errorf("%q is lost", line)
		}
	}
	note, err := releaseNotes(text, "Unreleased")
	for _, c := range changes {
		if err != nil || !strings.Contains(note, c.items) {
			t.Errorf("%s is not in what is new: %v", c.file, err)
		}
	}
}
