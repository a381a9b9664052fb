//go:build unix

package tool

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// What looks upwards for its project or repository does the same below the top as at the top, as
// long as nothing in between is another one.
func TestWhatLooksUpwardsRunsBelowTheTop(t *testing.T) {
	b := readingPlace(t)
	b.write("go.mod", "module x\n")
	for _, name := range []string{"a/b", "module/b", "work", "repo", "bare/b", "file"} {
		if err := os.MkdirAll(filepath.Join(b.dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	b.write("module/go.mod", "module evil\n")
	b.write("work/go.work", "go 1.26\n")
	b.write("repo/.git/HEAD", "ref: refs/heads/main\n")
	b.write("file/.git", "gitdir: ../repo/.git\n")
	b.write("bare/HEAD", "ref: refs/heads/main\n")
	if err := os.Symlink("a", filepath.Join(b.dir, "alias")); err != nil {
		t.Fatal(err)
	}
	const goTest = "bash(go test *)"
	for _, c := range []struct {
		rules, line string
		want        approval.Action
	}{
		{goTest, "cd a && go test ./...", approval.Allow},
		{goTest, "cd a/b && go test ./... 2>&1 | tail -5", approval.Allow},
		{goTest, "cd a && go test . && cd b && go test .", approval.Allow},
		{goTest, "cd " + b.dir + "/a && go test .", approval.Allow},
		{goTest, "cd a && go test -exec ./x .", approval.Ask},
		{goTest, "cd a && go vet .", approval.Ask},
		{goTest, "cd a && ./x && go test .", approval.Ask},
		{goTest, "cd module && go test .", approval.Ask},
		{goTest, "cd module/b && go test .", approval.Ask},
		{goTest, "cd a && go test . && cd ../module && go test .", approval.Ask},
		{goTest, "cd work && go test .", approval.Ask},
		{goTest, "cd alias && go test .", approval.Ask},
		{goTest, "cd dirlink && go test .", approval.Ask},
		{goTest, "cd none && go test .", approval.Ask},
		{goTest, "cd .. && go test .", approval.Ask},
		{goTest + ", write_file(**)", "cd a && echo > go.mod; go test .", approval.Ask},
		{goTest + ", bash(cp *)", "cp module/go.mod a/go.mod; cd a && go test .", approval.Ask},
		{goTest + ", bash(git checkout *)", "git checkout topic && cd a && go test .", approval.Ask},
		{"bash(go run x)", "cd a && go run x", approval.Ask},
		{"bash(npm test)", "cd a && npm test", approval.Ask},

		{"bash(none)", "cd a && git log -1", approval.Allow},
		{"bash(none)", "cd a/b && git status && cat ../../f", approval.Allow},
		{"bash(none)", "git -C a/b log -1 && git status", approval.Allow},
		{"bash(none)", "git -C a -C b log", approval.Ask},
		{"bash(none)", "git -C a --git-dir=../repo/.git log", approval.Ask},
		{"bash(none)", "git -C a -c core.fsmonitor=./x status", approval.Ask},
		{"bash(none)", "git -C a commit -m x", approval.Ask},
		{"bash(none)", "git -C a", approval.Ask},
		{"bash(none)", "git -C ../out log", approval.Ask},
		{"bash(none)", "git -C a/../../out log", approval.Ask},
		{"bash(none)", "git -C / log", approval.Ask},
		{"bash(none)", "git -C alias log", approval.Ask},
		{"bash(none)", "git -C dirlink log", approval.Ask},
		{"bash(none)", "git -C none log", approval.Ask},
		{"bash(none)", "git -C repo log", approval.Ask},
		{"bash(none)", "git -C file status", approval.Ask},
		{"bash(none)", "git -C bare status", approval.Ask},
		{"bash(none)", "cd bare/b && git status", approval.Ask},
		{"bash(none)", "cd a && git diff --no-index f ../../out/secret", approval.Ask},
		{"bash(none)", "git -C a \"$(./x)\"", approval.Ask},
	} {
		if got := b.decided(c.rules, c.line); got.Action != c.want {
			t.Errorf("%s: %q: %+v, want %v", c.rules, c.line, got, c.want)
		}
	}
}
