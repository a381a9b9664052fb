package ignore_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/ignore"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

var (
	trees = flag.Int("trees", 100, "random trees that are compared with git")
	seed  = flag.Uint64("seed", 0, "of the random trees; 0: another one each time")
)

// treesOfBatch is how many trees are looked at by one git: each is a folder of one repository.
const treesOfBatch = 50

// What a random tree is made of.
var (
	plainNames = []string{"a", "b", "ab", "A", "x", "xy", "aB"}
	oddNames   = []string{"build", "x.o", "keep.txt", "foo bar", "#x", "!y", "é", "[z]", "a ", "{a}", `a\b`, "Icon\r",
		"-", "]", "^", "z1", ".b", "*", "a\tb"}
	pieces = []string{"a", "b", "ab", "A", "x", "y", ".o", "foo bar", "é", "*", "*", "**", "***", "?", "/", "/", "/**",
		"**/", "/**/", `\/`, `**\/`, "[a-c]", "[A-C]", "[!a]", "[^b]", "[[:lower:]]", "[[:upper:]x]", "[[:space:]]",
		"[[:punct:]]", "[[:bogus:]]", "[]a]", `[a\]b]`, "[/]", "[!x]", "[a-", "[a", "[!]", "[]-]", "[a-z-9]", `[\a-c]`,
		"[[:]", "[[:alpha:", `\`, `\*`, `\a`, `\A`, `\ `, " ", "  ", "\t", "\r", "{a,b}", `\{`, "#", "!", "]", "-",
		"^", "\x00", "\xff"}
	forLetter = []string{"?", "*", "[%s]", "[!z]", "[%s-z]", "[[:lower:]]", "[[:alpha:]]", `\%s`, "**", "*%s", "%s*",
		""}
	forSlash = []string{"/**/", "**/", "/**", `\/`, "[/]", "[!a]", "*", "**", "?", "/*/", `/**\/`, "//"}
)

// A batch is random trees in one repository.
type batch struct {
	r     *rand.Rand
	dir   string
	all   []string // files and directories
	files []string
	git   func(stdin string, args ...string) string
}

func TestWhatIsIgnoredIsWhatGitIgnores(t *testing.T) {
	git := need.Program(t, "git")
	start := *seed
	if start == 0 {
		start = rand.Uint64()
	}
	var hits, tracked, total int
	for n := range uint64(max(1, *trees/treesOfBatch)) {
		b := newBatch(t, git, rand.New(rand.NewPCG(start, n)))
		want := b.byGit()
		got := b.byUs(t)
		if d := differences(got, want); d != "" {
			t.Fatalf("-seed %d, batch %d in %s:\n%s\n%s", start, n, b.dir, d, b.patterns(d))
		}
		checked, not := b.byCheckIgnore()
		if d := differences(slices.DeleteFunc(got, glob), not); d != "" {
			t.Fatalf("-seed %d, batch %d in %s, check-ignore:\n%s", start, n, b.dir, d)
		}
		if checked < len(b.files)*3/4 {
			t.Errorf("only %d files are checked", checked)
		}
		total += len(b.files)
		hits += len(b.files) - len(want)
		tracked += len(b.tracked())
	}
	t.Logf("%d of %d files are ignored, %d tracked", hits, total, tracked)
	if hits < total/10 || hits > total*9/10 || tracked == 0 {
		t.Errorf("-seed %d: %d of %d files are ignored, %d tracked: that proves little", start, hits, total, tracked)
	}
}

func newBatch(t *testing.T, git string, r *rand.Rand) *batch {
	b := &batch{r: r, dir: t.TempDir()}
	home := t.TempDir()
	b.git = func(stdin string, args ...string) string {
		cmd := exec.Command(git, args...)
		cmd.Dir, cmd.Stdin = b.dir, strings.NewReader(stdin)
		cmd.Env = []string{"HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "PATH=/usr/bin:/bin"}
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() > 1) {
			t.Fatalf("git %s: %v\n%s", args, err, errs.String())
		}
		return string(out)
	}
	b.git("", "init", "-q", "--template=")
	for i := range treesOfBatch {
		b.grow(fmt.Sprintf("t%d", i), 0)
	}
	b.write(".git/info/exclude", b.pattern(b.pick(b.all))+"\n"+b.pattern("x")+"\n")
	b.write(".personal", b.pattern(b.pick(b.all))+"\n"+b.pattern("x"))
	b.git("", "config", "core.excludesFile", filepath.Join(b.dir, ".personal"))
	if r.IntN(2) == 0 {
		b.git("", "config", "core.ignorecase", "true")
	}
	var add strings.Builder
	for _, f := range b.files {
		if r.IntN(12) == 0 {
			add.WriteString("100644 " + strings.Repeat("1", 40) + "\t" + f + "\x00")
		}
	}
	b.git(add.String(), "-c", "core.ignorecase=false", "update-index", "-z", "--index-info")
	return b
}

func (b *batch) pick(from []string) string { return from[b.r.IntN(len(from))] }

// grow makes a random directory.
func (b *batch) grow(dir string, depth int) {
	b.all = append(b.all, dir)
	from := len(b.all)
	_ = os.MkdirAll(filepath.Join(b.dir, dir), 0o755)
	seen := map[string]bool{}
	for range 1 + b.r.IntN(5) {
		name := b.name()
		if seen[strings.ToLower(name)] {
			continue
		}
		seen[strings.ToLower(name)] = true
		path := dir + "/" + name
		if depth < 3 && b.r.IntN(3) == 0 {
			b.grow(path, depth+1)
			continue
		}
		b.write(path, "")
		b.files, b.all = append(b.files, path), append(b.all, path)
	}
	if depth == 0 || b.r.IntN(4) == 0 {
		var text strings.Builder
		if b.r.IntN(8) == 0 {
			text.WriteString("\ufeff")
		}
		for range 1 + b.r.IntN(5) {
			text.WriteString(b.pattern(b.below(dir, from)) + b.pick([]string{"\n", "\n", "\n", "\r\n", "\n\n"}))
		}
		out := text.String()
		if b.r.IntN(4) == 0 {
			out = strings.TrimSuffix(out, "\n")
		}
		b.write(dir+"/.gitignore", out)
		b.files, b.all = append(b.files, dir+"/.gitignore"), append(b.all, dir+"/.gitignore")
	}
}

func (b *batch) name() string {
	switch b.r.IntN(6) {
	case 0:
		return b.pick(oddNames)
	case 1:
		return b.pick(plainNames) + b.pick(oddNames)
	}
	return b.pick(plainNames)
}

// below returns a path from dir to something that has been made since.
func (b *batch) below(dir string, from int) string {
	if from == len(b.all) {
		return "a"
	}
	return b.pick(b.all[from:])[len(dir)+1:]
}

// pattern makes a line, often one like the end of a path.
func (b *batch) pattern(path string) (s string) {
	if b.r.IntN(3) == 0 {
		for range 1 + b.r.IntN(5) {
			s += b.pick(pieces)
		}
	} else {
		names := strings.Split(path, "/")
		if b.r.IntN(3) == 0 {
			names = names[b.r.IntN(len(names)):]
		}
		s = b.altered(strings.Join(names, "/"))
	}
	if b.r.IntN(4) == 0 {
		s = "!" + s
	}
	if b.r.IntN(6) == 0 {
		s = "/" + s
	}
	if b.r.IntN(6) == 0 {
		s += b.pick([]string{"/", "/", "/**", " ", "\r"})
	}
	return s
}

// altered returns a path with patterns in the place of some of its bytes.
func (b *batch) altered(path string) (s string) {
	for _, c := range path {
		is := string(c)
		switch {
		case b.r.IntN(4) > 0:
		case c == '/':
			is = b.pick(forSlash)
		case b.r.IntN(3) == 0:
			is = swapCase(is)
		default:
			is = strings.ReplaceAll(b.pick(forLetter), "%s", is)
		}
		s += is
	}
	return s
}

func swapCase(s string) string {
	if up := strings.ToUpper(s); up != s {
		return up
	}
	return strings.ToLower(s)
}

func (b *batch) write(name, text string) {
	full := filepath.Join(b.dir, name)
	_ = os.MkdirAll(filepath.Dir(full), 0o755)
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		panic(err)
	}
}

// byGit returns the files that git does not ignore.
func (b *batch) byGit() []string {
	return sorted(b.git("", "ls-files", "-z", "--cached", "--others", "--exclude-standard"))
}

// glob reports whether git check-ignore takes a name for a pattern, which may name other files that
// are tracked.
func glob(name string) bool { return strings.ContainsAny(name, `*?[\`) }

// byCheckIgnore returns how many files it asks git check-ignore about, and those that are not
// ignored as it has it.
func (b *batch) byCheckIgnore() (asked int, not []string) {
	not = slices.DeleteFunc(append(slices.Clone(b.files), ".personal"), glob)
	asked = len(not)
	ignored := sorted(b.git(strings.Join(not, "\x00")+"\x00", "check-ignore", "-z", "--stdin"))
	slices.Sort(not)
	return asked, slices.DeleteFunc(not, func(f string) bool {
		_, is := slices.BinarySearch(ignored, f)
		return is
	})
}

func (b *batch) tracked() []string { return sorted(b.git("", "ls-files", "-z")) }

func sorted(list string) []string {
	names := strings.Split(strings.TrimSuffix(list, "\x00"), "\x00")
	slices.Sort(names)
	return slices.Compact(names)
}

// byUs returns the files that a walk does not leave out.
func (b *batch) byUs(t *testing.T) []string {
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: b.dir}},
		GitIgnore: filepath.Join(b.dir, ".personal")})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	files := walk(t, ws, ws.RootPath())
	b.fromBelow(t, ws, files)
	look, all := ignore.NewLookup(ws), slices.Sorted(slices.Values(b.files))
	for _, f := range append(all, ".personal") {
		p, err := ws.Resolve(f)
		if err != nil {
			continue // a name that no tool takes
		}
		if _, walked := slices.BinarySearch(files, f); walked == look.Ignores(p, false) {
			t.Errorf("%q: a walk meets it: %v, a lookup ignores it: %v", f, walked, !walked)
		}
	}
	return files
}

// fromBelow compares walks that begin in directories of these files with the walk that met them.
func (b *batch) fromBelow(t *testing.T, ws *workspace.Workspace, files []string) {
	tracked := b.tracked()
	for range 20 {
		dir := filepath.Dir(b.pick(files)) + "/"
		in := func(f string) bool { return strings.HasPrefix(f, dir) }
		p, err := ws.ResolveDir(dir)
		if err != nil || dir == "./" || slices.ContainsFunc(tracked, in) { // it may be ignored but for that
			continue
		}
		want := slices.DeleteFunc(slices.Clone(files), func(f string) bool { return !in(f) })
		if d := differences(walk(t, ws, p), want); d != "" {
			t.Errorf("in %s, from %s: the walk from the top instead of git\n%s", b.dir, dir, d)
		}
	}
}

func walk(t *testing.T, ws *workspace.Workspace, from workspace.Path) (files []string) {
	t.Helper()
	tree, err := ws.Tree(context.Background(), from, ignore.File)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	m, leaveOut := ignore.New(ws, tree), tree.Skip
	for tree.Next() {
		switch {
		case tree.Name() == ".git" || m.Ignores(tree):
			leaveOut()
		case tree.Mode().IsDir():
			m.Enter(tree)
		default:
			files = append(files, tree.Path().Rel())
		}
	}
	if err := tree.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	return files
}

// differences returns what stands in one list only.
func differences(got, want []string) string {
	var b strings.Builder
	for _, f := range got {
		if b.Len() < 2000 && !slices.Contains(want, f) {
			fmt.Fprintf(&b, "ignored by git only: %q\n", f)
		}
	}
	for _, f := range want {
		if b.Len() < 2000 && !slices.Contains(got, f) {
			fmt.Fprintf(&b, "ignored by us only: %q\n", f)
		}
	}
	return b.String()
}

// patterns returns what git says of the first file that differs, and the patterns near it.
func (b *batch) patterns(differs string) string {
	line, _, _ := strings.Cut(differs, "\n")
	var path string
	if _, err := fmt.Sscanf(line[strings.Index(line, ": ")+2:], "%q", &path); err != nil {
		return err.Error()
	}
	out := "git: " + b.git(path, "check-ignore", "--no-index", "-v", "--stdin")
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if text, err := os.ReadFile(filepath.Join(b.dir, dir, ".gitignore")); err == nil {
			out += fmt.Sprintf("%s: %q\n", dir, text)
		}
		if dir == "." {
			return out
		}
	}
}
