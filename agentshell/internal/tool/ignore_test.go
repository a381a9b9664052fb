package tool

import (
	"os/exec"
	"sort"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// What find leaves out is what git leaves out.
func TestFindIgnoresWhatGitIgnores(t *testing.T) {
	files := map[string]string{
		".gitignore": "# comment\n*.log\n!keep.log\n/build\nnode_modules/\ndocs/*.tmp\na/**/z\n\\#odd\n" +
			"trailing  \n{x}\nfoo/\n*.o[ab]\n\n!/\n",
		"sub/.gitignore": "!special.log\nlocal\n/anchored\n",
		"a.log":          "", "keep.log": "", "sub/b.log": "", "sub/special.log": "", "sub/local/x": "",
		"sub/deep/local": "", "sub/anchored": "", "sub/deep/anchored": "", "local": "",
		"build/x": "", "sub/build/x": "", "node_modules/m/x": "", "sub/node_modules/x": "", "docs/x.tmp": "",
		"docs/deep/x.tmp": "", "a/z": "", "a/b/c/z": "", "b/z": "", "#odd": "", "odd": "",
		"trailing": "", "{x}": "", "x": "", "foo": "", "sub/foo/y": "", "m.oa": "", "m.oc": "", "build2/x": "",
	}
	b := newBench(t, files)
	git := need.Program(t, "git")
	run := func(args ...string) string {
		cmd := exec.Command(git, args...)
		cmd.Dir = b.dir
		cmd.Env = []string{"HOME=" + t.TempDir(), "GIT_CONFIG_NOSYSTEM=1", "PATH=/usr/bin:/bin"}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
		return string(out)
	}
	run("init", "-q")
	var want []string
	for name := range strings.SplitSeq(strings.TrimSuffix(run("ls-files", "-z", "--others", "--exclude-standard"),
		"\x00"), "\x00") {
		want = append(want, "workspace/"+name)
	}
	sort.Strings(want)
	got := b.found(args{"paths": []string{"."}})
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
	if n := len(b.found(args{"paths": []string{"**"}, "include_ignored": true})); n != len(files) {
		t.Errorf("%d of %d files", n, len(files))
	}
	// Rules above the directory count, too.
	if got := b.run("find", args{"paths": []string{"sub/deep"}}).Text; got != "# workspace/sub/deep/\nanchored\n" {
		t.Errorf("%q", got)
	}
	b.write("x.log", "needle\n")
	b.write("y.txt", "needle\n")
	if got := b.run("search", args{"pattern": "needle"}).Text; got != "# workspace/y.txt\n*1:needle\n" {
		t.Errorf("%q", got)
	}
}
