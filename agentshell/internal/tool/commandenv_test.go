//go:build unix

package tool

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// repositoryWithConflict makes the workspace a repository whose rebase waits for a message.
func repositoryWithConflict(t *testing.T, b *bench) {
	t.Helper()
	cmd := exec.Command("bash", "-c", `git init -q -b main . && git config user.email a@b && git config user.name n &&
		echo 1 > f && git add f && git commit -qm one && git checkout -qb side && echo 2 > f && git commit -qam two &&
		git checkout -q main && echo 3 > f && git commit -qam three && git checkout -q side
		git rebase -q main; echo 4 > f; git add f`)
	cmd.Dir = b.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// What would wait in an editor or for an answer fails at once, with what to do instead. What needs
// nobody works (PANE-13).
func TestNothingWaitsForAnEditorOrAnAnswer(t *testing.T) {
	need.Program(t, "git")
	const none, no = "There is no editor here: ", "[a command has no terminal"
	b := newBench(t, nil)
	b.env.Commands.Environ = append(os.Environ(), "EDITOR=sleep 100", "visual=sleep 100", "GIT_EDITOR=sleep 100",
		"GIT_SEQUENCE_EDITOR=sleep 100", "SSH_ASKPASS_REQUIRE=force", "Debian_Frontend=dialog")
	b.reg = Builtin(b.env)
	repositoryWithConflict(t, b)
	for _, c := range []struct{ command, fails, want string }{
		{"git rebase --continue", "exit 1", none + "give the text by an option such as -m or -F; GIT_EDITOR=true"},
		{"GIT_EDITOR=true git rebase --continue", "", "1 file changed"},
		{"git commit --allow-empty", "exit 1", none},
		{"git commit --allow-empty --amend", "exit 1", none},
		{"git commit -q --allow-empty -m x", "", "[no output, exit 0]"},
		{"git rebase -i HEAD~1", "exit 1", none + "set GIT_SEQUENCE_EDITOR to a command"},
		{"GIT_SEQUENCE_EDITOR='sed -i s/^pick/drop/' git rebase -i HEAD~1", "", "rebased"},
		{"${EDITOR:-vi} f", "exit 1", none + "give the text by an option, by a file"},
		{"env -u GIT_EDITOR git commit --allow-empty", "exit 1", none + "give the text by an option, by a file"},
		{"sh -c '$EDITOR f; echo goes on'", "", "goes on"},
		{`eval "$VISUAL f"`, "exit 1", none + "give the text by an option, by a file"},
		{"echo $SSH_ASKPASS_REQUIRE $DEBIAN_FRONTEND $PIP_NO_INPUT $GH_PROMPT_DISABLED", "",
			"never noninteractive 1 1\n"},
		{"env | grep -ci ^visual=; env | grep -i frontend=dialog", "exit 1", "1\n"},
		{"read -r x < /dev/tty", "exit 1", no},
		{"echo 'x: standard input is not a terminal'; exit 2", "exit 2", no},
		{"echo 'a terminal of the railway'; exit 2", "exit 2", "railway\n[exit 2]\n[workspace"},
	} {
		r := b.run("bash", args{"command": c.command, "timeout_s": 20})
		if want := c.fails; want == "" && r.Summary != exitDone || want != "" && r.Summary != want ||
			!strings.Contains(strings.ReplaceAll(r.Text+"[workspace", "Successfully rebased", "rebased"), c.want) {
			t.Errorf("%s: %s, %q, want %q", c.command, r.Summary, r.Text, c.want)
		}
	}
}
