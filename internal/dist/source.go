package main

import (
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// program is the name of the program, of its package and of its folder.
const program = "agentshell"

// target is an operating system and an architecture for which releases are made.
type target struct{ os, arch string }

func (t target) String() string { return t.os + "/" + t.arch }

// targets returns all targets for which releases are made.
func targets() []target {
	return []target{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"},
		{"windows", "amd64"}}
}

// chooseTargets returns the targets that only lists, separated by commas. If only is empty, it
// returns all targets.
func chooseTargets(only string) ([]target, error) {
	if only == "" {
		return targets(), nil
	}
	var some []target
	for _, name := range strings.Split(only, ",") {
		i := slices.IndexFunc(targets(), func(t target) bool { return t.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("no release is made for %q; there are %v", name, targets())
		}
		some = append(some, targets()[i])
	}
	return some, nil
}

// source is a clone of the repository at the commit to release, with the files that are the same
// for all targets.
type source struct {
	dir     string
	time    time.Time // The time of the commit, which all released files get.
	version string    // The version in names of files: 0.4.0, or 0.4-dev.0123456789ab for a commit without a tag.
	notes   string    // The release note: the changes of this version.
	common  []file    // The files that each archive contains.
	// changelog is the text of CHANGELOG.md, to which unreleased changes were added.
	changelog string
}

// versionOutput matches the output of the program with --version. The groups are the version and
// the commit.
var versionOutput = regexp.MustCompile(`^agentshell (\S+) \(([0-9a-f]{12})\)$`)

// newSource prepares the clone in dir. It builds the program for this machine and runs it to get
// its version, its manual page and its completions.
func newSource(ctx context.Context, dir string) (*source, error) {
	head, err := command(ctx, dir, nil, "git", "log", "-1", "--format=%H %ct")
	if err != nil {
		return nil, err
	}
	commit, at, _ := strings.Cut(head, " ")
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return nil, err
	}
	s := &source{dir: dir, time: time.Unix(seconds, 0).UTC()}
	here, err := s.build(ctx, target{})
	if err != nil {
		return nil, err
	}
	printed, err := command(ctx, dir, nil, here, "--version")
	if err != nil {
		return nil, err
	}
	m := versionOutput.FindStringSubmatch(printed)
	if m == nil || !strings.HasPrefix(commit, m[2]) {
		return nil, fmt.Errorf("%s was built, and calls itself %q", commit, printed)
	}
	s.version = m[1]
	heading := m[1]
	if strings.HasSuffix(m[1], "-dev") {
		s.version, heading = m[1]+"."+m[2], "Unreleased"
	}
	if err := s.readNews(heading); err != nil {
		return nil, err
	}
	for _, made := range []struct {
		name string
		args []string
	}{
		{"agentshell.1", []string{"man"}},
		{"completions/agentshell.bash", []string{"completion", "bash"}},
		{"completions/_agentshell", []string{"completion", "zsh"}},
		{"completions/agentshell.fish", []string{"completion", "fish"}},
	} {
		text, err := command(ctx, dir, nil, here, made.args...)
		if err != nil {
			return nil, err
		}
		s.common = append(s.common, file{name: made.name, data: []byte(text + "\n")})
	}
	return s, s.addPages()
}

// readNews reads the changelog and the release note of a version. heading is the version's heading
// in the changelog. If it is not "Unreleased", unreleased changes in fragmentDir are an error.
func (s *source) readNews(heading string) error {
	text, err := os.ReadFile(filepath.Join(s.dir, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	changes, err := readFragments(s.dir)
	if err != nil {
		return err
	}
	if len(changes) > 0 && heading != "Unreleased" {
		return fmt.Errorf("%s is a release, and %s is not in CHANGELOG.md: go run ./internal/dist -changelog %s",
			heading, changes[0].file, heading)
	}
	if s.changelog, err = joinChanges(string(text), changes); err != nil {
		return err
	}
	s.notes, err = releaseNotes(s.changelog, heading)
	return err
}

// addPages adds the license, the readme, the changelog and the documentation to the files of each
// archive.
func (s *source) addPages() error {
	docs, err := filepath.Glob(filepath.Join(s.dir, "docs", "*"))
	if err != nil {
		return err
	}
	for _, path := range append([]string{"LICENSE", "README.md", "CHANGELOG.md"}, docs...) {
		if filepath.IsAbs(path) {
			if path, err = filepath.Rel(s.dir, path); err != nil {
				return err
			}
		}
		info, err := os.Stat(filepath.Join(s.dir, path))
		if err != nil {
			return err
		} else if info.IsDir() {
			continue
		}
		data, err := os.ReadFile(filepath.Join(s.dir, path))
		if err != nil {
			return err
		}
		if path == "CHANGELOG.md" {
			data = []byte(s.changelog)
		}
		s.common = append(s.common, file{name: filepath.ToSlash(path), data: data})
	}
	return nil
}

// buildEnv returns the environment variables for a build. They override all Go settings of this
// machine.
func (t target) buildEnv() []string {
	return []string{"CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off", "GOPROXY=off", "GOTOOLCHAIN=local", "GOEXPERIMENT=",
		"GOAMD64=v1", "GOARM64=v8.0", "GOOS=" + t.os, "GOARCH=" + t.arch}
}

// build builds the program and returns the path of the executable. The zero target is this machine.
func (s *source) build(ctx context.Context, t target) (string, error) {
	bin := filepath.Join(s.dir+"-bin", t.os+"-"+t.arch, program)
	_, err := command(ctx, s.dir, t.buildEnv(), "go", "build", "-trimpath", "-buildvcs=true", "-ldflags", "-s -w",
		"-o", bin, "./"+program)
	if err != nil && strings.Contains(err.Error(), "GOPROXY=off") {
		err = fmt.Errorf("%w\na module is missing: go mod download fetches all of them", err)
	}
	return bin, err
}

// packagesToVet returns the packages that are checked with go vet for a target on which tests
// cannot run here: all packages that build for it. For each operating system one architecture is
// checked. For other targets it returns nil.
func (t target) packagesToVet() []string {
	switch t.String() {
	case "darwin/arm64":
		return []string{"./..."}
	case "windows/amd64":
		return []string{"./terminal/...", "./renderer/...", "./stdinbuf/...", "./tui/...", "./agentshell/...",
			"./internal/..."}
	}
	return nil
}

// packTarget builds the program for a target and returns the release files: an archive, an SBOM,
// and for Linux a Debian package.
func (s *source) packTarget(ctx context.Context, t target) ([]file, error) {
	if packages := t.packagesToVet(); packages != nil {
		args := append([]string{"vet", "-trimpath"}, packages...)
		if _, err := command(ctx, s.dir, t.buildEnv(), "go", args...); err != nil {
			return nil, err
		}
	}
	bin, err := s.build(ctx, t)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(bin)
	if err != nil {
		return nil, err
	}
	info, err := buildinfo.ReadFile(bin)
	if err != nil {
		return nil, err
	}
	licenses, err := s.licenses(ctx, t, info)
	if err != nil {
		return nil, err
	}
	exe := file{name: program, mode: 0o755, data: data}
	all := append([]file{licenses}, s.common...)
	base := fmt.Sprintf("%s_%s_%s_%s", program, s.version, t.os, t.arch)
	parts := file{name: base + ".cdx.json", data: sbom(info, s.version, s.time, sha256.Sum256(data))}
	if t.os == "windows" {
		exe.name += ".exe"
		packed, err := packZip(base, append(all, exe), s.time)
		return []file{{name: base + ".zip", data: packed}, parts}, err
	}
	packed, err := packTar(base+"/", append(all, exe), s.time)
	if err != nil {
		return nil, err
	}
	files := []file{{name: base + ".tar.gz", data: packed}, parts}
	if t.os == "linux" {
		d := debian{version: debianVersion(s.version, s.time), arch: t.arch, time: s.time}
		packed, err := d.packDebian(append(all, exe))
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: fmt.Sprintf("%s_%s_%s.deb", program, d.version, t.arch), data: packed})
	}
	return files, nil
}

// checksums returns the file SHA256SUMS with the checksums of files, in the format of sha256sum -c.
func checksums(files []file) file {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(f.data), f.name)
	}
	return file{name: "SHA256SUMS", data: []byte(b.String())}
}
