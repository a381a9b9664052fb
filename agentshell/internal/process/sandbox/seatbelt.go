package sandbox

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// seatbeltProfile returns the text of the macOS sandbox profile for a policy. guards lists paths
// that commands cannot change. All paths are without links. Later rules of a profile win, so that a
// rule which denies comes after the one which allows.
//
// The profile has never been run, because no macOS was available where it was written.
func seatbeltProfile(p Policy, guards []string) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	rule := func(verb string, paths []string) {
		if len(paths) == 0 {
			return
		}
		say("(%s", verb)
		for _, path := range paths {
			say("  (subpath %s)", quote(path))
		}
		say(")")
	}
	writable, readable := p.defaultDirs()
	say("(version 1)")
	say("(deny default)")
	say("(allow process-exec)")
	say("(allow process-fork)")
	say("(allow signal (target same-sandbox))")
	say("(allow process-info* (target same-sandbox))")
	say("(allow sysctl-read)")
	say("(allow ipc-posix-sem)")
	say("(allow file-read-metadata)")
	say("(allow file-ioctl (literal \"/dev/dtracehelper\"))")
	rule("allow file-read*", slices.Concat(strings.Fields("/bin /sbin /usr /System /Library /opt /etc /private/etc "+
		"/dev /private/var/db/timezone /private/var/select"), readable, p.Readable))
	rule("deny file-read*", strings.Fields("/private/etc/ssh /private/etc/sudoers.d /private/etc/master.passwd "+
		"/private/etc/sudoers /Library/Keychains"))
	ours := []string{p.Workspace}
	if p.Shared != "" {
		ours = append(ours, p.Shared)
	}
	rule("allow file-read* file-write*", slices.Concat(ours, writable, p.Writable))
	say("(allow file-write-data (literal \"/dev/null\") (literal \"/dev/zero\") (literal \"/dev/dtracehelper\"))")
	rule("deny file-write*", slices.Concat(guards, p.ReadOnly))
	// Otherwise a closed path could be moved away together with the directory in which it lies.
	for _, g := range slices.Concat(guards, p.ReadOnly) {
		if up := filepath.Dir(g); within(up, p.Workspace) && up != p.Workspace {
			say("(deny file-write-unlink (literal %s))", quote(up))
		}
	}
	rule("deny file-read* file-write*", p.Hidden)
	say("(deny network*)")
	return b.String()
}

// quote returns s as a quoted string of a macOS sandbox profile.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
