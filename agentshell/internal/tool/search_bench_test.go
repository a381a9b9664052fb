package tool

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// BenchmarkSearchBesideRipgrep searches a large tree, SCROLLKEEP_TREE or Go's own, and gives how
// many times as long as ripgrep it takes, which has two threads on the same cores.
func BenchmarkSearchBesideRipgrep(b *testing.B) {
	need.Program(b, "rg")
	tree := os.Getenv("SCROLLKEEP_TREE")
	if tree == "" {
		root, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			b.Fatal(err)
		}
		tree = filepath.Join(strings.TrimSpace(string(root)), "src")
	}
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: tree}}})
	if err != nil {
		b.Fatal(err)
	}
	defer ws.Close()
	reg := Builtin(Env{Workspace: ws})
	for name, pattern := range map[string]string{"literal": "ThisIsNowhereToBeFound",
		"pattern": `[a-z]+Nowhere[0-9]{3}`,
		"class":   `^\s*zz[a-z]{3}qq\b`} {
		b.Run(name, func(b *testing.B) {
			var ours, theirs time.Duration
			for range b.N {
				began := time.Now()
				input, _ := json.Marshal(args{"pattern": pattern})
				c, err := reg.Prepare(context.Background(), "search", "s", input)
				if err == nil {
					_, err = c.Run(context.Background(), nil)
				}
				if err != nil {
					b.Fatal(err)
				}
				ours += time.Since(began)
				began = time.Now()
				_ = exec.Command("rg", "--hidden", "-j", "2", pattern, tree).Run()
				theirs += time.Since(began)
			}
			b.ReportMetric(float64(ours)/float64(theirs), "times-rg")
			b.ReportMetric(float64(theirs.Milliseconds())/float64(b.N), "rg-ms")
		})
	}
}
