package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// fragmentDir is the directory with one file per unreleased change. A release moves these changes
// into CHANGELOG.md.
const fragmentDir = "changelog/unreleased"

// fragment is one unreleased change: its file, the section of the changelog that it belongs to, and
// its list items.
type fragment struct{ file, section, items string }

// parseFragment parses a file of fragmentDir: the heading of a section, and list items.
func parseFragment(name, text string) (fragment, error) {
	head, items, _ := strings.Cut(strings.TrimSpace(text)+"\n", "\n")
	section, headed := strings.CutPrefix(head, "### ")
	items = strings.Trim(items, "\n") + "\n"
	switch {
	case !headed || strings.TrimSpace(section) == "":
		return fragment{}, fmt.Errorf("%s: its first line is no heading of a section, such as ### agentshell", name)
	case !strings.HasPrefix(items, "- "):
		return fragment{}, fmt.Errorf("%s: behind the heading comes a line that begins with \"- \"", name)
	}
	for line := range strings.Lines(items) {
		if !strings.HasPrefix(line, "- ") && !strings.HasPrefix(line, "  ") {
			return fragment{}, fmt.Errorf("%s: %q is neither an item nor indented under one", name,
				strings.TrimSpace(line))
		}
	}
	return fragment{name, section, items}, nil
}

// readFragments returns the unreleased changes of the repository in dir, sorted by file name.
func readFragments(dir string) (all []fragment, err error) {
	entries, err := os.ReadDir(filepath.Join(dir, filepath.FromSlash(fragmentDir)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := e.Name()
		if name == "README.md" {
			continue
		}
		if !e.Type().IsRegular() || filepath.Ext(name) != ".md" {
			return nil, fmt.Errorf("%s/%s is no file NAME.md", fragmentDir, name)
		}
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(fragmentDir), name))
		if err != nil {
			return nil, err
		}
		f, err := parseFragment(fragmentDir+"/"+name, string(text))
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// splitAtUnreleased splits a changelog at its heading "Unreleased". It returns the text up to and
// including the heading, the list below it, and the sections of releases.
func splitAtUnreleased(changelog string) (before, list, releases string, err error) {
	const heading = "\n## Unreleased\n"
	i := strings.Index(changelog, heading)
	if i < 0 {
		return "", "", "", errors.New("CHANGELOG.md has no heading ## Unreleased")
	}
	before, list = changelog[:i+len(heading)], changelog[i+len(heading):]
	if j := strings.Index(list, "\n## "); j >= 0 {
		list, releases = list[:j+1], list[j+1:]
	}
	return before, strings.Trim(list, "\n"), releases, nil
}

// joinChanges returns the changelog with changes added under "Unreleased", each at the end of its
// section.
func joinChanges(changelog string, changes []fragment) (string, error) {
	before, list, releases, err := splitAtUnreleased(changelog)
	if err != nil {
		return "", err
	}
	for _, c := range changes {
		list = insertChange(list, c)
	}
	text := before
	if list != "" {
		text += "\n" + list + "\n"
	}
	if releases != "" {
		text += "\n" + releases
	}
	return text, nil
}

// insertChange returns list, which consists of sections, with the change c added at the end of its
// section.
func insertChange(list string, c fragment) string {
	lines := strings.Split(list, "\n")
	at := slices.Index(lines, "### "+c.section)
	if at < 0 {
		return strings.TrimLeft(list+"\n\n### "+c.section+"\n"+strings.TrimSuffix(c.items, "\n"), "\n")
	}
	end := at + 1
	for end < len(lines) && !strings.HasPrefix(lines[end], "### ") {
		end++
	}
	for end > at+1 && strings.TrimSpace(lines[end-1]) == "" {
		end--
	}
	return strings.Join(slices.Insert(lines, end, strings.TrimSuffix(c.items, "\n")), "\n")
}

// versionPattern matches the version of a release, such as 0.4.0.
var versionPattern = regexp.MustCompile(`^\d+\.\d+\.\d+$`)

// closeUnreleased returns the changelog with the list under "Unreleased" turned into the section of
// a release, and an empty "Unreleased" above it.
func closeUnreleased(changelog, version, date string) (string, error) {
	before, list, releases, err := splitAtUnreleased(changelog)
	switch {
	case err != nil:
		return "", err
	case !versionPattern.MatchString(version):
		return "", fmt.Errorf("%q is no version such as 0.4.0", version)
	case strings.Contains(changelog, "\n## "+version+" ") || strings.Contains(changelog, "\n## "+version+"\n"):
		return "", fmt.Errorf("CHANGELOG.md has %s already", version)
	case list == "":
		return "", errors.New("nothing is new: CHANGELOG.md says nothing under Unreleased")
	}
	text := before + "\n## " + version + " (" + date + ")\n\n" + list + "\n"
	if releases != "" {
		text += "\n" + releases
	}
	return text, nil
}

// closeChangelog moves all unreleased changes of the repository in dir into its CHANGELOG.md, as
// the section of one release, and removes their files.
func closeChangelog(dir, version, date string) error {
	changes, err := readFragments(dir)
	if err != nil {
		return err
	}
	name := filepath.Join(dir, "CHANGELOG.md")
	old, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	text, err := joinChanges(string(old), changes)
	if err != nil {
		return err
	}
	if text, err = closeUnreleased(text, version, date); err != nil {
		return err
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		return err
	}
	for _, c := range changes {
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(c.file))); err != nil {
			return err
		}
	}
	return nil
}
