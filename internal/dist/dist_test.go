package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// some returns what an archive of a small release holds.
func some() []file {
	return []file{
		{name: program, mode: 0o755, data: []byte("#!/bin/sh\necho here\n")},
		{name: "LICENSE", data: []byte("MIT License\n\nDo what you like.\n")},
		{name: "CHANGELOG.md", data: []byte("# Changelog\n")},
		{name: "agentshell.1", data: []byte(".TH AGENTSHELL 1\n")},
		{name: "completions/agentshell.bash", data: []byte("complete agentshell\n")},
		{name: "docs/config.toml", data: []byte("# nothing\n")},
	}
}

var at = time.Date(2026, 11, 22, 10, 30, 0, 0, time.UTC)

// unpacked lists a tar.gz: mode, owner, name and content.
func unpacked(t *testing.T, packed []byte) (all []string) {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		if !h.ModTime.Equal(at) || h.Uid != 0 || h.Gid != 0 {
			t.Errorf("%s: %v, owner %d:%d", h.Name, h.ModTime, h.Uid, h.Gid)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%o %s %s %s", h.Mode, h.Uname, h.Name, strings.TrimSpace(string(data))))
	}
}

func TestAnArchiveDoesNotDependOnTheOrderOfItsFiles(t *testing.T) {
	forth, back := some(), some()
	slices.Reverse(back)
	for name, pack := range map[string]func([]file) ([]byte, error){
		"tar.gz": func(f []file) ([]byte, error) { return packTar("top/", f, at) },
		"zip":    func(f []file) ([]byte, error) { return packZip("top", f, at) },
		"deb":    debian{version: "1", arch: "amd64", time: at}.packDebian,
	} {
		a, err := pack(forth)
		b, err2 := pack(back)
		if err := errors.Join(err, err2); err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: %v; the same files in another order make another archive", name, err)
		}
	}
}

func TestATarHoldsEachFileBelowItsDirectory(t *testing.T) {
	packed, err := packTar("top/", some(), at)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"755 root top/ ",
		"644 root top/CHANGELOG.md # Changelog",
		"644 root top/LICENSE MIT License\n\nDo what you like.",
		"755 root top/agentshell #!/bin/sh\necho here",
		"644 root top/agentshell.1 .TH AGENTSHELL 1",
		"755 root top/completions/ ",
		"644 root top/completions/agentshell.bash complete agentshell",
		"755 root top/docs/ ",
		"644 root top/docs/config.toml # nothing",
	}
	if got := unpacked(t, packed); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestAZipHoldsTheProgramAsOneThatCanBeStarted(t *testing.T) {
	packed, err := packZip("top", some(), at)
	if err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.File) != len(some()) {
		t.Errorf("%d files", len(r.File))
	}
	f, err := r.Open("top/" + program)
	if err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil || info.Mode().Perm() != 0o755 || !info.ModTime().Equal(at) {
		t.Errorf("%v, %v", info, err)
	}
}

func TestDebiansOwnToolsReadThePackage(t *testing.T) {
	tool := need.Program(t, "dpkg-deb")
	packed, err := debian{version: "0.4~dev202611221030.0123456789ab", arch: "all", time: at}.packDebian(some())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	deb := filepath.Join(dir, "agentshell.deb")
	if err := os.WriteFile(deb, packed, 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) string {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s %v: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	about := run(tool, "--info", deb)
	for _, want := range []string{" Package: agentshell\n", " Version: 0.4~dev202611221030.0123456789ab\n",
		" Installed-Size: 7\n", " Description: shell for working"} {
		if !strings.Contains(about, want) {
			t.Errorf("no %q in\n%s", want, about)
		}
	}
	run(tool, "--extract", deb, "root")
	run(tool, "--control", deb, "control")
	if out := run("sh", "-c", "cd root && md5sum --strict -c ../control/md5sums"); strings.Count(out, ": OK\n") != 7 {
		t.Errorf("the sums of the package:\n%s", out)
	}
	if out := run(filepath.Join("root", "usr", "bin", "agentshell")); out != "here\n" {
		t.Errorf("the program says %q", out)
	}
	for _, name := range []string{"usr/share/man/man1/agentshell.1.gz", "usr/share/doc/agentshell/changelog.gz",
		"usr/share/bash-completion/completions/agentshell", "usr/share/doc/agentshell/examples/config.toml",
		"usr/share/doc/agentshell/copyright"} {
		if _, err := os.Stat(filepath.Join(dir, "root", name)); err != nil {
			t.Error(err)
		}
	}
}

func TestVersionsOfDebianAreInOrder(t *testing.T) {
	tool := need.Program(t, "dpkg")
	order := []string{
		debianVersion("0.3.0", at),
		debianVersion("0.4-dev.ffffffffffff", at),
		debianVersion("0.4-dev.0123456789ab", at.Add(time.Minute)),
		debianVersion("0.4.0-rc.1", at),
		debianVersion("0.4.0", at),
		debianVersion("0.5-dev.0123456789ab", at),
	}
	for i := range order[1:] {
		cmd := exec.Command(tool, "--compare-versions", order[i], "lt", order[i+1])
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s is not before %s: %v %s", order[i], order[i+1], err, out)
		}
	}
}

func TestTheNoteIsTheSectionOfTheChangelog(t *testing.T) {
	const log = "# Changelog\n\n## Unreleased\n\n### engine\n- b\n\n## 0.3.0 (2026-11-22)\n- a\n\n" +
		"## 0.2.0 (x)\n\n## 0.1\n- z\n"
	for _, c := range []struct{ heading, want string }{
		{"Unreleased", "### engine\n- b\n"}, {"0.3.0", "- a\n"}, {"0.1", "- z\n"}, {"0.2.0", ""}, {"0.3", ""},
		{"Changelog", ""},
	} {
		if got, err := releaseNotes(log, c.heading); got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s: %q, %v", c.heading, got, err)
		}
	}
}

func TestTheListOfPartsNamesEachModuleOfTheProgram(t *testing.T) {
	info := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Path: "example.com/main"}, Deps: []*debug.Module{
		{Path: "example.com/a", Version: "v1.2.3"},
		{Path: "example.com/old", Version: "v1", Replace: &debug.Module{Path: "example.com/new", Version: "v2.0.0"}},
	}}
	text := sbom(info, "0.4.0", at, [32]byte{0xab})
	var b bom
	if err := json.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range b.Components {
		got = append(got, p.URL)
	}
	want := []string{"pkg:golang/std@1.26.8", "pkg:golang/example.com/a@v1.2.3", "pkg:golang/example.com/new@v2.0.0"}
	if !slices.Equal(got, want) || b.Metadata.Timestamp != "2026-11-22T10:30:00Z" ||
		!strings.HasPrefix(b.Metadata.Component.Hashes[0].Content, "ab00") {
		t.Errorf("%s", text)
	}
}

func TestADifferenceOfTwoBuildsIsNamed(t *testing.T) {
	a, b := some(), some()
	if err := compareBuilds(a, b); err != nil {
		t.Error(err)
	}
	b[2].data = append([]byte("x"), b[2].data[1:]...)
	if err := compareBuilds(a, b); err == nil || !strings.Contains(err.Error(), "another CHANGELOG.md") {
		t.Errorf("%v", err)
	}
	if err := compareBuilds(a, b[1:]); err == nil {
		t.Error("a missing file is not seen")
	}
}

func TestChecksumsAreThoseOfSha256sum(t *testing.T) {
	tool := need.Program(t, "sha256sum")
	dir := t.TempDir()
	files := []file{{name: "a.zip", data: []byte("a")}, {name: "b~1.deb", data: []byte("b")}}
	if err := writeFiles(filepath.Join(dir, "dist"), append(files, checksums(files))); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(tool, "--strict", "-c", "SHA256SUMS")
	cmd.Dir = filepath.Join(dir, "dist")
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "a.zip: OK\nb~1.deb: OK\n" {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestALicenseIsCopiedAndAMissingOneIsAnError(t *testing.T) {
	dir := t.TempDir()
	var b strings.Builder
	if err := writeLicense(&b, "example.com/a v1", dir); err == nil {
		t.Error("a module without a license is taken")
	}
	for _, name := range []string{"LICENSE.md", "NOTICE", "license_test.go"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("text of "+name+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeLicense(&b, "example.com/a v1", dir); err != nil {
		t.Error(err)
	}
	want := "example.com/a v1: LICENSE.md\n\ntext of LICENSE.md\n\nexample.com/a v1: NOTICE\n\ntext of NOTICE\n\n"
	if b.String() != want {
		t.Errorf("%q", b.String())
	}
}

func TestOnlySystemsOfTheListAreBuiltFor(t *testing.T) {
	if all, err := chooseTargets(""); err != nil || len(all) != len(targets()) {
		t.Errorf("%v, %v", all, err)
	}
	some, err := chooseTargets("windows/amd64,linux/arm64")
	if err != nil || fmt.Sprint(some) != "[windows/amd64 linux/arm64]" {
		t.Errorf("%v, %v", some, err)
	}
	if _, err := chooseTargets("plan9/amd64"); err == nil {
		t.Error("a system that no release is for is taken")
	}
}

// The program prints its name, its version and the commit. A release is made only from such a
// program.
func TestTheVersionOfTheProgramIsUnderstood(t *testing.T) {
	m := versionOutput.FindStringSubmatch("agentshell 0.4-dev (0123456789ab)")
	if m == nil || m[1] != "0.4-dev" || m[2] != "0123456789ab" {
		t.Errorf("%q", m)
	}
}
