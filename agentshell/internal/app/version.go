package app

import (
	"runtime/debug"
	"strings"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// nextVersion is the version that is being developed, the one after the newest in CHANGELOG.md. A
// binary that is built from a tag has the version of the tag.
const nextVersion = "0.4-dev"

// untagged matches the end of the version that Go gives a commit without a tag, such as
// v0.0.0-20261122103000-0123456789ab.
var untagged = lazyregexp.New(`[-.]\d{14}-([0-9a-f]{12})$`)

// Version returns the version of agentshell, and the commit that it was built from.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nextVersion
	}
	return versionOf(info)
}

// versionOf returns the version by the build information that Go stores in each binary: the version
// that `go install` was asked for, or the state of the repository.
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
