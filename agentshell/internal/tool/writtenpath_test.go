package tool

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
)

// Where a sandbox lets a command write, a file that programs run is asked about wherever the line
// names it, and so is a name that cannot be known.
func TestAConfinedCommandIsAskedWhereItWritesWhatProgramsRun(t *testing.T) {
	b := newBench(t, map[string]string{"d/f": "x", "Makefile": "all:\n", "x.mk": "all:\n", "a.go": "", "b.go": ""})
	if err := os.Symlink("Makefile", filepath.Join(b.dir, "link")); err != nil {
		t.Fatal(err)
	}
	b.env.Confinement.Cell = func(*exec.Cmd, Reach) (*sandbox.Cell, error) {
		return nil, errors.New("it is not run here")
	}
	b.reg = Builtin(b.env)
	policy, err := approval.NewPolicy(approval.PolicyConfig{Mode: approval.ModeTrusted})
	if err != nil {
		t.Fatal(err)
	}
	decide := func(command string) approval.Action {
		t.Helper()
		s := b.must("bash", args{"command": command}).Proposal.Subject
		if !s.Confined {
			t.Fatal("it is not confined")
		}
		return policy.Decide(s).Action
	}
	for _, command := range []string{"make > log", "touch a > d/log", "touch Makefile", "echo $(date) > x",
		"cp a.go c.go", "sed -i s/a/b/ *.go", "for f in *.go; do sed -i s/a/b/ $f; done", "cd $d && make",
		"make 2>&1 | tee d/log",
		"eval true; echo y > c", "cat Makefile > /tmp/x", "echo y > /etc/Makefile"} {
		if decide(command) != approval.Allow {
			t.Errorf("%q is asked about", command)
		}
	}
	for _, command := range []string{"touch a > Makefile", "echo $(date) > Makefile", "cd d && touch a > ../Makefile",
		"case x in x) echo y > Makefile;; esac", "eval true; echo y > package.json", "true & echo y > AGENTS.md",
		"echo y | tee Makefile", "cp a.go Makefile", "sed -i s/a/b/ *.mk", "echo y > Make*",
		"sed -i s/a/b/ */*/*.go", "echo y > link",
		"echo y > d/../Makefile", "echo y > $PWD/Makefile", `echo y > "$f"`, "mkdir -p .github; cp x .github/y.yml",
		"cd .github/workflows && echo y > x.yml", "bash -c 'echo y > Makefile'", "echo y > Makefile\nif",
		"echo y > " + b.dir + "/Makefile", "cp d/Makefile .", "mv x .envrc", "ln -s x .bashrc"} {
		if decide(command) != approval.Ask {
			t.Errorf("%q is not asked about", command)
		}
	}
}
