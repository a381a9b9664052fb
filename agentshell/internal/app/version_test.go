package app

import (
	"os"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
)

func TestTheVersionNamesTheCommit(t *testing.T) {
	t.Parallel()
	const hash = "0123456789abcdef0123456789abcdef01234567"
	vcs := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs.revision", Value: hash}, {Key: "vcs.modified", Value: modified}}
	}
	for _, c := range []struct {
		how, version string
		settings     []debug.BuildSetting
		want         string
	}{
		{"go install ...@v0.4.1", "v0.4.1", nil, "0.4.1"},
		{"go install ...@main", "v0.0.0-20261122103000-0123456789ab", nil, nextVersion + " (0123456789ab)"},
		{"the same behind a tag", "v0.4.2-0.20261122103000-0123456789ab", nil, nextVersion + " (0123456789ab)"},
		{"behind a candidate", "v0.4.0-rc.1.0.20261122103000-0123456789ab", nil, nextVersion + " (0123456789ab)"},
		{"a tag in a clone", "v0.4.1", vcs("false"), "0.4.1 (0123456789ab)"},
		{"a candidate in a clone", "v0.4.1-rc.1", vcs("false"), "0.4.1-rc.1 (0123456789ab)"},
		{"a changed clone", "v0.4.1+dirty", vcs("true"), "0.4.1 (0123456789ab, with changes)"},
		{"a changed clone without a tag", "v0.0.0-20261122103000-0123456789ab+dirty", vcs("true"),
			nextVersion + " (0123456789ab, with changes)"},
		{"an old way to build in a clone", "(devel)", vcs("false"), nextVersion + " (0123456789ab)"},
		{"sources without a repository", "(devel)", nil, nextVersion},
		{"nothing known", "", nil, nextVersion},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: c.version}, Settings: c.settings}
		if got := versionOf(info); got != c.want {
			t.Errorf("%s: %q, want %q", c.how, got, c.want)
		}
	}
}

func TestTheNextVersionIsTheOneBehindTheChangelog(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	newest := regexp.MustCompile(`(?m)^## (\d+)\.(\d+)\.`).FindStringSubmatch(string(text))
	if newest == nil {
		t.Fatal("CHANGELOG.md has no version")
	}
	minor, err := strconv.Atoi(newest[2])
	if err != nil {
		t.Fatal(err)
	}
	if want := newest[1] + "." + strconv.Itoa(minor+1) + "-dev"; nextVersion != want {
		t.Errorf("next is %s; behind %s.%s comes %s", nextVersion, newest[1], newest[2], want)
	}
	if !strings.Contains(string(text), "\n## Unreleased\n") {
		t.Error("CHANGELOG.md has no place for what is not released")
	}
}
