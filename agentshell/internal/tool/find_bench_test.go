package tool

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// BenchmarkFindBesideGit looks for a name in the repository SCROLLKEEP_TREE, and gives how many
// times as long as git takes to list its files: the medians of calls that alternate.
func BenchmarkFindBesideGit(b *testing.B) {
	git := need.Program(b, "git")
	tree := os.Getenv("SCROLLKEEP_TREE")
	if tree == "" {
		need.Missing(b, "tree", "SCROLLKEEP_TREE names no repository")
	}
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: tree}}})
	if err != nil {
		b.Fatal(err)
	}
	defer ws.Close()
	reg := Builtin(Env{Workspace: ws})
	for name, glob := range map[string]string{"nothing": "*.nothing", "everything": "**"} {
		b.Run(name, func(b *testing.B) {
			var ours, theirs []time.Duration
			for range b.N {
				began := time.Now()
				input, _ := json.Marshal(args{"paths": []string{glob}, "timeout": 60})
				c, err := reg.Prepare(context.Background(), "find", "f", input)
				if err == nil {
					_, err = c.Run(context.Background(), nil)
				}
				if err != nil {
					b.Fatal(err)
				}
				ours = append(ours, time.Since(began))
				began = time.Now()
				cmd := exec.Command(git, "-C", tree, "ls-files", "--cached", "--others", "--exclude-standard")
				if err := cmd.Run(); err != nil {
					b.Fatal(err)
				}
				theirs = append(theirs, time.Since(began))
			}
			slices.Sort(ours)
			slices.Sort(theirs)
			b.ReportMetric(float64(ours[len(ours)/2])/float64(theirs[len(theirs)/2]), "times-git")
			b.ReportMetric(float64(theirs[len(theirs)/2].Milliseconds()), "git-ms")
		})
	}
}
