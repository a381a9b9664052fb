package tool

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/eval"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// confinedCells returns a workspace whose cells run in a sandbox.
func confinedCells(t *testing.T) *cellBench {
	t.Helper()
	for _, program := range []string{"python3", "node"} {
		need.Program(t, program)
	}
	b := &cellBench{bench: confined(t)}
	// A python of the person's home is not seen in this sandbox, which has no home.
	path := "/usr/bin:/bin:" + os.Getenv("PATH")
	b.env.Family.Programs = child.NewPrograms(path)
	b.env.Environ[0] = "PATH=" + path
	b.begin()
	return b
}

// Cells run where commands of the model do: in the workspace, without network and secrets.
func TestCellsAreConfinedAsCommandsAre(t *testing.T) {
	b := confinedCells(t)
	c, err := b.prepare(py("1"))
	if err != nil || !c.Confined || c.Proposal.Payload.(approval.Command).Note != noteConfined {
		t.Errorf("%+v, %v", c.Proposal, err)
	}
	outside := filepath.Join(t.TempDir(), "f")
	for code, want := range map[string]string{
		"open('made', 'w').write('x')": "1\n[workspace files changed: workspace/made (new)]\n",
		"import os; sorted(k for k in os.environ if 'KEY' in k or 'SECRET' in k), os.environ['OTHER']": "([], " +
			"'kept')\n",
		"try: open('" + outside + "', 'w')\nexcept OSError as e: " +
			"print(type(e).__name__)": "FileNotFoundError\n",
		"import socket\ntry: socket.create_connection(('192.0.2.1', 80), 1)\nexcept OSError as e: print('no " +
			"network')": "no network\n",
	} {
		if r, err := b.run(py(code)); err != nil || r.Text != want {
			t.Errorf("%s: %q, %v, want %q", code, r.Text, err, want)
		}
	}
	r, err := b.run(js("fs.writeFileSync('js', 'x'); try { fs.writeFileSync('" + outside +
		"', 'x') } catch (e) { return e.code }"))
	if err != nil || r.Text != "ENOENT\n[workspace files changed: workspace/js (new)]\n" {
		t.Errorf("%q, %v", r.Text, err)
	}
	if _, err := os.Lstat(outside); err == nil {
		t.Error("a cell wrote outside")
	}
}

// Nothing that cells have started outlives the conversation, nor an interrupt that ends a program.
func TestTheProcessesOfCellsEndWithThem(t *testing.T) {
	for name, b := range map[string]*cellBench{"confined": confinedCells(t), "free": newCellBench(t, nil)} {
		if name == "free" {
			ctx, cancel := context.WithCancel(context.Background())
			b.env.Family = new(child.Family)
			if err := b.env.Family.AdoptOrphans(ctx); err != nil {
				t.Fatal(err)
			}
			defer cancel()
			b.begin()
		}
		mark := strings.ReplaceAll(filepath.Base(t.TempDir())+name, "/", "")
		const start = "import subprocess\nsubprocess.Popen(['sh', '-c', 'exec -a %s sleep 1000 || exec sleep " +
			"1000'], start_new_session=True)\n"
		spawn := strings.Replace(start, "sh', '-c", "bash', '-c", 1)
		spawn = strings.Replace(spawn, "%s", mark, 1)
		if r, err := b.run(py(spawn+"print('up')"), js("require('child_process').spawn('bash', ['-c', 'exec -a "+mark+
			" sleep 1000'], {detached: true, stdio: 'ignore'}); print('up')")); err != nil || strings.Count(r.Text,
			"up\n") != 2 {
			t.Fatalf("%s: %q, %v", name, r.Text, err)
		}
		if _, err := b.run(args{"language": "js", "code": "while (true);", "timeout": 1}); err == nil {
			t.Error("a cell that never ends has ended")
		}
		if _, err := b.run(py(spawn)); err != nil {
			t.Error(err)
		}
		b.cells.Close()
		if out, _ := exec.Command("pgrep", "-f", "^"+mark).Output(); len(out) > 0 {
			t.Errorf("%s: left %s", name, out)
		}
		if _, err := b.cells.service.Run(t.Context(), eval.Cell{Language: eval.Python, Code: "1",
			Out: io.Discard}); err == nil {
			t.Error("a cell runs after the end")
		}
	}
}
