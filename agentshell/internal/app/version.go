package app

import (
	"runtime/debug"
	"strings"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// nextVersion is the version in development, the one after the newest in CHANGELOG.md. A program
// built from a tag has the name of the tag.
const nextVersion = "0.4-dev"

// untagged is the form of Go's version for a commit without a tag, such as
// v0.0.0-20261122103000-0123456789ab.
var untagged = lazyregexp.New(`[-.]\d{14}-([0-9a-f]{12})$`)

// Version returns the version of this program, and the commit from which it was built.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nextVersion
	}
	return versionOf(info)
}

// versionOf returns the version from what Go stores in each program: the version that `go install`
// was asked for, or the state of the repository.
func versionOf(info *debug.BuildInfo) string {
	name, changed := strings.CutSuffix(strings.TrimPrefix(info.Main.Version, "v"), "+dirty")
	commit := ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			changed = changed || s.Value == "true"
		}
	}
	if m := untagged().FindStringSubmatch(name); m != nil {
		name, commit = nextVersion, m[1]
	} else if name == "" || name == "(devel)" {
		name = nextVersion
	}
	switch {
	case commit == "":
		return name
	case changed:
		return name + " (" + commit + ", with changes)"
	}
	return name + " (" + commit + ")"
}
