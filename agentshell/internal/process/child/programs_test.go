//go:build unix

package child

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Programs are found outside of every root, whatever links and spellings lead into one, and stay
// what they were when they were found first.
func TestProgramsAreFoundOutsideOfEveryRoot(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(top, name) }
	for _, name := range []string{"ws/bin/git", "ws/bin/mine", "more/git", "sys/git", "sys/other"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(at(name)), 0o755),
			os.WriteFile(at(name), []byte("#!/bin/sh\n"), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"out": "ws/bin", "deep": "ws/through/bin", "ws/through": "../sys2",
		"sys/link": "../ws/bin/git", "sys/alias": "git", "sys2": "sys", "home": "sys/../ws/bin/../bin"} {
		if err := os.Symlink(to, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(".", at("sys/bin")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, name, want string }{
		{at("ws/bin") + ":" + at("sys"), "git", "sys/git"},
		{at("more") + ":" + at("ws/bin") + ":" + at("sys"), "git", "sys/git"},
		{at("out") + ":" + at("sys"), "git", "sys/git"},
		{at("home") + ":" + at("sys"), "git", "sys/git"},
		{top + "/sys/../ws/bin" + ":" + at("sys"), "git", "sys/git"},
		{top + "/ws/bin/../../sys", "git", "sys/git"},
		{at("deep") + ":" + at("sys"), "git", "sys/git"},
		{"ws/bin:.::" + at("sys"), "git", "sys/git"},
		{at("sys2"), "git", "sys2/git"},
		{at("sys"), "alias", "sys/alias"},
		{at("sys"), "link", ""},
		{at("ws/bin"), "mine", ""},
		{at("ws/bin") + ":" + at("nowhere") + ":" + at("sys"), "other", "sys/other"},
		{at("sys"), at("sys/other"), "sys/other"},
		{at("sys"), at("out/git"), ""},
		{at("sys"), "none", ""},
		{at("sys"), "", ""},
		{"", "git", ""},
	} {
		p := NewPrograms(c.path, at("ws"), at("more"))
		got, err := p.Path(c.name)
		want := c.want
		if want != "" {
			want = at(want)
		}
		if got != want || (err == nil) != (want != "") {
			t.Errorf("PATH %s, %s: %q, %v; want %q", c.path, c.name, got, err, want)
		}
	}
	p := NewPrograms(at("ws/bin")+":"+at("sys"), at("ws"))
	if _, err := p.Path("mine"); !errors.Is(err, ErrInside) ||
		!strings.Contains(err.Error(), "outside of the workspace") {
		t.Errorf("%v", err)
	}
	if _, err := p.Path("none"); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("%v", err)
	}
	if env := p.Environ([]string{"A=b", "PATH=x"}); strings.Join(env, " ") != "A=b PATH="+at("sys") {
		t.Errorf("%q", env)
	}
	first, err := p.Path("git")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(at("sys/git"), at("sys/gone")); err != nil {
		t.Fatal(err)
	}
	if again, err := p.Path("git"); err != nil || again != first {
		t.Errorf("%q, %v", again, err)
	}
	p.Exclude(at("sys"))
	if again, err := p.Path("git"); err == nil {
		t.Errorf("%q lies in what has become a root", again)
	}
	if whole := NewPrograms(at("sys"), "/"); whole.PathValue() != at("sys") {
		t.Error("nothing is left outside of the whole file system")
	}
	var any *Programs
	any.Exclude(top)
	if got, err := any.Path("sh"); err != nil || !filepath.IsAbs(got) || any.Environ(nil) != nil {
		t.Errorf("%q, %v", got, err)
	}
}
