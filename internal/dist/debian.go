package main

import (
	"bytes"
	"crypto/md5"
	"fmt"
	"slices"
	"strings"
	"time"
)

// debian describes a Debian package of the program. The package has no scripts: it only installs
// files. After its removal only the user's files remain.
type debian struct {
	version, arch string
	time          time.Time
}

// debianVersion returns the version in a form that Debian sorts correctly: versions without a tag
// come before the release, in the order of their commits' times.
func debianVersion(version string, at time.Time) string {
	if name, commit, dev := strings.Cut(version, "-dev."); dev {
		return name + "~dev" + at.Format("200601021504") + "." + commit
	}
	return strings.Replace(version, "-", "~", 1)
}

// installedPath returns the path at which the package installs a file of the release archive. A
// file that it does not know is installed as documentation.
func (d debian) installedPath(name string) string {
	switch name {
	case program:
		return "usr/bin/" + program
	case "agentshell.1":
		return "usr/share/man/man1/agentshell.1.gz"
	case "completions/agentshell.bash":
		return "usr/share/bash-completion/completions/agentshell"
	case "completions/_agentshell":
		return "usr/share/zsh/vendor-completions/_agentshell"
	case "completions/agentshell.fish":
		return "usr/share/fish/vendor_completions.d/agentshell.fish"
	case "docs/config.toml":
		return "usr/share/doc/agentshell/examples/config.toml"
	case "changelog":
		return "usr/share/doc/agentshell/changelog.gz"
	}
	return "usr/share/doc/agentshell/" + name
}

// copyrightHead is the beginning of the file debian/copyright, before the text of the license.
const copyrightHead = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Scrollkeep
Source: https://github.com/scrollkeep/scrollkeep
Comment: The program holds libraries of others; their licenses are in LICENSES-OF-OTHERS.txt beside this file.

Files: *
Copyright: the Scrollkeep authors
License: MIT
`

// copyright returns the text of a license in the format of debian/copyright.
func copyright(license string) string {
	var b strings.Builder
	b.WriteString(copyrightHead)
	for line := range strings.Lines(strings.TrimSpace(license) + "\n") {
		if line = strings.TrimRight(line, "\n"); line == "" {
			line = "."
		}
		b.WriteString(" " + line + "\n")
	}
	return b.String()
}

const maintainer = "Scrollkeep authors <scrollkeep@users.noreply.github.com>"

// debianChangelog is a format string for the package's Debian changelog: version, maintainer and
// date. It refers to CHANGELOG.md for the changes.
const debianChangelog = `agentshell (%s) unstable; urgency=medium

  * CHANGELOG.md beside this file says what is new.

 -- %s  %s
`

// control is a format string for the package's control file: version, architecture, maintainer and
// installed size in KiB.
const control = `Package: agentshell
Version: %s
Architecture: %s
Maintainer: %s
Installed-Size: %d
Recommends: git, ripgrep
Suggests: bubblewrap, tmux
Section: utils
Priority: optional
Homepage: https://github.com/scrollkeep/scrollkeep
Description: shell for working with a language model on files
 Every change of a file is shown as a diff before a byte is written. The
 transcript stays in the scrollback of the terminal, each row once.
`

// packDebian returns the package as a .deb file. files are the files of the release archive.
func (d debian) packDebian(files []file) ([]byte, error) {
	var data []file
	var listed strings.Builder
	size := 0
	said := fmt.Appendf(nil, debianChangelog, d.version, maintainer, d.time.Format(time.RFC1123Z))
	for _, f := range append(slices.Clip(files), file{name: "changelog", data: said}) {
		if f.name == "LICENSE" {
			f.name, f.data = "copyright", []byte(copyright(string(f.data)))
		}
		f.name = d.installedPath(f.name)
		if strings.HasSuffix(f.name, ".gz") {
			packed, err := packGzip(f.data)
			if err != nil {
				return nil, err
			}
			f.data = packed
		}
		data = append(data, f)
	}
	for _, f := range sortByName(data) {
		size += (len(f.data) + 1023) / 1024
		fmt.Fprintf(&listed, "%x  %s\n", md5.Sum(f.data), f.name) // the format wants MD5, against accidents
	}
	about, err := packTar("./", []file{
		{name: "control", data: fmt.Appendf(nil, control, d.version, d.arch, maintainer, size)},
		{name: "md5sums", data: []byte(listed.String())},
	}, d.time)
	if err != nil {
		return nil, err
	}
	content, err := packTar("./", data, d.time)
	if err != nil {
		return nil, err
	}
	return d.packAr([]file{{name: "debian-binary", data: []byte("2.0\n")}, {name: "control.tar.gz", data: about},
		{name: "data.tar.gz", data: content}}), nil
}

// packAr returns the files as an ar archive, in the form that deb(5) requires.
func (d debian) packAr(files []file) []byte {
	var b bytes.Buffer
	b.WriteString("!<arch>\n")
	for _, f := range files {
		fmt.Fprintf(&b, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", f.name, d.time.Unix(), 0, 0, 0o100644, len(f.data))
		b.Write(f.data)
		if len(f.data)%2 == 1 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}
