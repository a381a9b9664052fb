package tool

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A linked folder in a searched one is named, and one that is named is searched.
func TestALinkedFolderIsNotSearchedInSilence(t *testing.T) {
	b := newBench(t, map[string]string{".gitignore": "store/\n", "store/dep/x.go": "needle\n", "pkgs/a.go": "needle\n",
		"pkgs/v1/c.go": "needle\n", "other/d.go": "none\n"})
	link := func(to, name string) {
		t.Helper()
		if err := os.Symlink(to, filepath.Join(b.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	link("../store/dep", "pkgs/dep")
	link("v1", "pkgs/latest") // met in its own place
	link("a.go", "pkgs/file")
	link("nowhere", "pkgs/broken")
	link(t.TempDir(), "pkgs/outside")
	const searched = "[1 linked folder was not searched: pkgs/dep; name it to have it searched]\n"
	const looked = "[1 linked folder was not looked into: pkgs/dep; name it to have it looked into]\n"
	for _, c := range []struct {
		tool string
		a    args
		want string
	}{
		{"search", args{"pattern": "needle"}, searched},
		{"search", args{"pattern": "nothing at all"}, searched},
		{"search", args{"pattern": "needle", "path": "pkgs"}, searched},
		{"search", args{"pattern": "needle", "path": "other"}, ""},
		{"search", args{"pattern": "needle", "glob": "other/**"}, ""},
		{"search", args{"pattern": "needle", "path": "pkgs/dep"}, ""},
		{"search", args{"pattern": "needle", "include_ignored": true}, ""}, // store/dep is met
		{"find", args{"paths": []string{"*.go"}}, looked},
		{"find", args{"paths": []string{"pkgs"}}, looked},
		{"find", args{"paths": []string{"other"}}, ""},
	} {
		got := b.run(c.tool, c.a).Text
		at := strings.Index(got, "[")
		if at < 0 {
			at = len(got)
		}
		if got[at:] != c.want {
			t.Errorf("%s %v: %q, want %q", c.tool, c.a, got, c.want)
		}
	}
	got := b.run("search", args{"pattern": "needle", "path": "pkgs/dep"}).Text
	if !strings.Contains(got, "store/dep/x.go") {
		t.Errorf("%q", got)
	}
	for _, name := range []string{"1", "2", "3", "4", "5", "6"} {
		link("../store/dep", "other/"+name)
	}
	want := "[6 linked folders were not searched: other/1, other/2, other/3, other/4, other/5 and 1 more; " +
		"name it to have it searched]\n"
	if got := b.run("search", args{"pattern": "needle", "path": "other"}).Text; !strings.HasSuffix(got, want) {
		t.Errorf("%q", got)
	}
}
