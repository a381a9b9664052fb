package tool

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// found returns what a find gives, as whole paths in order; directories end with a slash.
func (b *bench) found(a args) (paths []string) {
	b.t.Helper()
	dir := "workspace/"
	for line := range strings.Lines(b.run("find", a).Text) {
		switch line = strings.TrimSuffix(line, "\n"); {
		case strings.HasPrefix(line, "# "):
			dir = strings.TrimPrefix(line, "# ")
		case !strings.HasPrefix(line, "[") && line != "No files found matching pattern":
			paths = append(paths, dir+line)
		}
	}
	slices.Sort(paths)
	return paths
}

func TestFindTellsTheNewestFirst(t *testing.T) {
	b := newBench(t, nil)
	now := time.Now()
	for i := range 1000 {
		name := fmt.Sprintf("d%d/f%03d.txt", i%3, i)
		b.write(name, "")
		at := now.Add(-time.Duration((i*7)%1000) * time.Minute)
		if err := os.Chtimes(filepath.Join(b.dir, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	r := b.run("find", args{"paths": []string{"*.txt"}, "limit": 3})
	// i*7 mod 1000 is 0, 1, 2 for 0, 143, 286.
	if want := "# workspace/d0/\nf000.txt\n# workspace/d2/\nf143.txt\n# workspace/d1/\nf286.txt\n" +
		"[3 of 1000 matches, those written last; use a narrower pattern]\n"; r.Text != want {
		t.Errorf("got\n%s\nwant\n%s", r.Text, want)
	}
	all := b.run("find", args{"paths": []string{"*.txt"}, "limit": 100_000})
	if n := strings.Count(all.Text, ".txt"); n != maxFound || all.Summary != "1000 matches" {
		t.Errorf("%d names, %s", n, all.Summary)
	}
}

// What a find gives are the newest of all files by time and then by path, whatever their order in
// the tree, and how many have the same time.
func TestFindGivesTheFirstOfAllSortedByTimeAndPath(t *testing.T) {
	began := time.Now().Truncate(time.Hour)
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 0))
		b := newBench(t, nil)
		dirs := []string{"a", "a.b", "a/b", "a-b/c", "b", "b/d/e"}
		files, times := 300+r.IntN(500), []int{1, 3, 5000}[r.IntN(3)]
		var want []finding
		for i := range files {
			name := fmt.Sprintf("%s/f%d", dirs[r.IntN(len(dirs))], r.IntN(1e6)*files+i)
			b.write(name, "")
			at := began.Add(-time.Duration(r.IntN(times)) * time.Millisecond)
			if err := os.Chtimes(filepath.Join(b.dir, name), at, at); err != nil {
				t.Fatal(err)
			}
			p, err := b.ws.Resolve(name)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, finding{path: p, written: at})
		}
		slices.SortFunc(want, func(a, b finding) int {
			return cmp.Or(b.written.Compare(a.written), strings.Compare(a.path.Rel(), b.path.Rel()))
		})
		limit := 1 + r.IntN(60)
		f := finder{env: b.env, hunts: []hunt{{base: b.ws.RootPath(), glob: "**"}}, limit: limit, patience: time.Minute}
		if r.IntN(2) == 0 { // what is found twice is one match
			f.hunts = append(f.hunts, f.hunts[0])
		}
		for _, h := range f.hunts {
			if err := f.look(t.Context(), h, nil); err != nil {
				t.Fatal(err)
			}
		}
		f.keep()
		for i, found := range f.found {
			if w := want[i]; found.path != w.path || !found.written.Equal(w.written) {
				t.Fatalf("seed %d, %d files with %d times: %d of %d is %v, want %v", seed, files, times, i, limit,
					found, w)
			}
		}
		if len(f.found) != limit || len(f.hunts) == 1 && f.total != files {
			t.Errorf("seed %d: %d of %d, want %d of %d", seed, len(f.found), f.total, limit, files)
		}
	}
}

// A file that is removed while others are looked at is no match.
func TestFindDoesNotCountWhatIsGone(t *testing.T) {
	b := newBench(t, nil)
	for i := range 10 {
		b.write(fmt.Sprintf("f%d", i), "")
	}
	f := finder{env: b.env, hunts: []hunt{{base: b.ws.RootPath(), glob: "**"}}, limit: 5, patience: time.Minute}
	what := looks{times: f.timed}
	err := walk(t.Context(), b.ws, b.ws.RootPath(), what, func(tree *workspace.Tree) error {
		f.total++
		if err := tree.ReadTime(); err != nil {
			return err
		}
		if tree.Name() != "f9" {
			return nil
		}
		return os.Remove(filepath.Join(b.dir, "f7"))
	})
	if f.keep(); err != nil || f.total != 9 || len(f.found) != 5 {
		t.Errorf("%v, %d matches, %d given", err, f.total, len(f.found))
	}
}

// A find that takes too long gives what it has; one that is stopped ends.
func TestFindEndsInTime(t *testing.T) {
	b := newBench(t, nil)
	const matches = 10 * findAsksEach
	for i := range matches {
		b.write(fmt.Sprintf("d%d/f%d", i%30, i), "")
	}
	n := 0
	start := time.Now()
	b.env.Now = func() time.Time { // the walk asks now and then
		n++
		return start.Add(time.Duration(n) * findTellsEach)
	}
	b.reg = Builtin(b.env)
	told := 0
	r, err := b.must("find", args{"paths": []string{"."}}).Run(context.Background(), func(string) { told++ })
	if err != nil || r.Summary != fmt.Sprint(matches, " matches") || told != 10 {
		t.Errorf("%v, %s, told %d times", err, r.Summary, told)
	}
	f := finder{env: b.env, hunts: []hunt{{base: b.ws.RootPath(), glob: "**"}}, patience: 1}
	r, err = f.run(context.Background(), nil)
	want := "No files found matching pattern\n" +
		"[find timed out after 1ns; returning 0 partial matches — increase timeout or narrow pattern]\n"
	if err != nil || r.Text != want {
		t.Errorf("%v, %q", err, r.Text)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := b.must("find", args{"paths": []string{"."}}).Run(ctx, nil); err == nil {
		t.Error("a stopped find went on")
	}
}

// A find tells what git tells, in trees of other people and for the same globs.
// SCROLLKEEP_SEARCHES=100 asks so often in each of three.
func TestFindTellsWhatGitTells(t *testing.T) {
	git := need.Program(t, "git")
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	queries, trees := treesOfOthers(t, 10)
	for _, tree := range trees {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(tree)); err != nil {
			t.Fatal(err)
		}
		listed := func(args ...string) (names []string) {
			cmd := exec.Command(git, append([]string{"-C", dir, "-c", "core.excludesFile=", "ls-files", "-z",
				"--others",
				"--exclude-standard"}, args...)...)
			cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			for name := range strings.SplitSeq(string(out), "\x00") {
				if name != "" {
					names = append(names, "workspace/"+name)
				}
			}
			slices.Sort(names)
			return names
		}
		if out, err := exec.Command(git, "-C", dir, "init", "-q").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("*.txt\n!go*.txt\ntestdata/\n/_*\n"),
			0o644); err != nil {
			t.Fatal(err)
		}
		b := benchIn(t, dir)
		all := listed()
		hits := 0
		for range queries {
			glob := globOf(r, strings.TrimPrefix(all[r.IntN(len(all))], "workspace/"))
			first, _, _ := strings.Cut(glob, "/")
			anywhere := glob
			if strings.ContainsAny(first, "*?[") && first != "**" {
				anywhere = "**/" + glob
			}
			want := listed("--", ":(glob)"+anywhere)
			if len(want) == 0 || len(want) > maxFound {
				continue
			}
			hits++
			if got := b.filesOf(glob); !slices.Equal(got, want) {
				t.Errorf("seed %d, %s, %q: got %d names, git has %d", seed, tree, glob, len(got), len(want))
			}
		}
		if hits == 0 {
			t.Errorf("seed %d: nothing was found in %s", seed, tree)
		}
	}
}

// filesOf returns what a find of a glob gives without directories.
func (b *bench) filesOf(glob string) []string {
	return slices.DeleteFunc(b.found(args{"paths": []string{glob}}), func(p string) bool {
		return strings.HasSuffix(p,
			"/")
	})
}

// globOf makes a glob that matches the path of a file.
func globOf(r *rand.Rand, name string) string {
	parts := strings.Split(name, "/")
	last := len(parts) - 1
	base := parts[last]
	ext := filepath.Ext(base)
	switch r.IntN(5) {
	case 0:
		parts[last] = "*" + ext
	case 1:
		parts[last] = base[:1] + "*" + ext
	case 2:
		parts[last] = "?" + base[1:]
	case 3:
		parts[last] = "[" + base[:1] + "xyz]" + base[1:]
	default:
		parts[last] = "*"
	}
	switch r.IntN(4) {
	case 0:
		return parts[last]
	case 1:
		return "**/" + parts[last]
	case 2:
		if last > 0 {
			parts[r.IntN(last)] = "*"
		}
	default:
		return parts[0] + "/**/" + parts[last]
	}
	return strings.Join(parts, "/")
}

// A file that a call has written is found by the next one.
func TestAFileThatWasJustWrittenIsFound(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": "reed\n"})
	for _, name := range []string{"new/b.txt", "new/c.txt"} {
		b.found(args{"paths": []string{"**/*.txt"}})
		b.run("write_file", args{"path": name, "content": "reed\n"})
		found := b.found(args{"paths": []string{"**/*.txt"}})
		matches := b.run("search", args{"pattern": "reed"}).Text
		if !slices.Contains(found, "workspace/"+name) || !strings.Contains(matches, "workspace/"+name) {
			t.Errorf("%s is not among %q, or in\n%s", name, found, matches)
		}
	}
}
