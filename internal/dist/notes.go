package main

import (
	"fmt"
	"strings"
)

// releaseNotes returns the section of the changelog with the given heading. A date in parentheses
// may follow the heading. An empty section is an error.
func releaseNotes(changelog, heading string) (string, error) {
	_, section, found := strings.Cut("\n"+changelog, "\n## "+heading+"\n")
	if !found {
		_, section, found = strings.Cut("\n"+changelog, "\n## "+heading+" (")
		_, section, _ = strings.Cut(section, "\n")
	}
	if !found {
		return "", fmt.Errorf("CHANGELOG.md has no heading %q", "## "+heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	if section = strings.TrimSpace(section); section == "" {
		return "", fmt.Errorf("CHANGELOG.md says nothing below %q", "## "+heading)
	}
	return section + "\n", nil
}
