package app

import (
	"regexp"
	"runtime/debug"
	"strings"
)

// next is the version that is being made, the one behind the newest in CHANGELOG.md. A program that
// was built from a tag has the tag's name.
const next = "0.4-dev"

// untagged is how Go calls a commit that has no tag: v0.0.0-20261122103000-0123456789ab.
var untagged = regexp.MustCompile(`[-.]\d{14}-([0-9a-f]{12})$`)

// Version returns the version of this program and the commit that it was built from.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return next
	}
	return versionOf(info)
}

// versionOf reads what Go writes into each program: the version that `go install` was asked for, or
// the state of the repository.
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
	if m := untagged.FindStringSubmatch(name); m != nil {
		name, commit = next, m[1]
	} else if name == "" || name == "(devel)" {
		name = next
	}
	switch {
	case commit == "":
		return name
	case changed:
		return name + " (" + commit + ", with changes)"
	}
	return name + " (" + commit + ")"
}
