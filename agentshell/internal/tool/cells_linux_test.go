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
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
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
	b.env.Commands.Environ[0] = "PATH=" + systemPath
	b.env.Commands.Family.Programs = child.NewPrograms(systemPath)
	b.begin()
	return b
}

// systemPath leads to a python that is seen in this sandbox, which has no home.
var systemPath = "/usr/bin:/bin:" + os.Getenv("PATH")

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

// What the sandbox refused a cell is told with that cell, and not again.
func TestARefusedHostIsToldWithItsCell(t *testing.T) {
	b := confinedCells(t)
	b.env.Confinement.Hosts = new(proxy.Hosts)
	b.begin()
	r, err := b.run(py("import socket; s = socket.create_connection(('127.0.0.1', 3128)); " +
		`s.sendall(b'CONNECT new.example:443 HTTP/1.1\r\nHost: x\r\n\r\n'); s.recv(12)`))
	if err != nil || !strings.HasPrefix(r.Text, "b'HTTP/1.1 403'\n[the sandbox refused the network: ") {
		t.Errorf("%q, %v", r.Text, err)
	}
	if r, err = b.run(py("1")); err != nil || r.Text != "1\n" {
		t.Errorf("%q, %v", r.Text, err)
	}
}

// A kernel of Jupyter is reached from outside, and reaches what other cells reach.
func TestAKernelOfJupyterIsConfinedAsCommandsAre(t *testing.T) {
	t.Parallel()
	b := confinedCells(t)
	if err := exec.Command("/usr/bin/python3", "-c", "import ipykernel").Run(); err != nil {
		need.Missing(t, "ipykernel", err)
	}
	b.jupyter = true
	b.begin()
	outside := filepath.Join(t.TempDir(), "f")
	for _, c := range []struct{ code, want string }{
		{"display({'a': 1}); get_ipython().__class__.__name__",
			"{\n  \"a\": 1\n}\n'ZMQInteractiveShell'\n"},
		{"open('made', 'w').write('x')", "1\n[workspace files changed: workspace/made (new)]\n"},
		{"try: open('" + outside + "', 'w')\nexcept OSError as e: print(type(e).__name__)", "FileNotFoundError\n"},
		{"import socket\ntry: socket.create_connection(('192.0.2.1', 80), 1)\nexcept OSError as e: print('no " +
			"network')", "no network\n"},
		// Of the temporary files it sees its own folder, and sockets of the system it does not see.
		{"import os; print([n[:11] for n in os.listdir('/tmp') if n[0] == 's'], " +
			"os.path.exists('/run/dbus'))", "['scrollkeep-'] False\n"},
	} {
		if r, err := b.run(py(c.code)); err != nil || r.Text != c.want {
			t.Errorf("%s: %q, %v, want %q", c.code, r.Text, err, c.want)
		}
	}
	if _, err := b.run(args{"language": "py", "code": "while True: pass", "timeout": 1}); err == nil ||
		!strings.HasPrefix(err.Error(), "Cell timed out after 1s of its own time\n") {
		t.Errorf("%v", err)
	}
	if status := b.cells.Status(); !strings.HasPrefix(status[0].Name, "Python (ipykernel ") {
		t.Errorf("%+v", status)
	}
	b.cells.Close()
}

// Nothing that cells have started outlives the conversation, nor an interrupt that ends a program.
func TestTheProcessesOfCellsEndWithThem(t *testing.T) {
	for name, b := range map[string]*cellBench{"confined": confinedCells(t), "free": newCellBench(t, nil)} {
		if name == "free" {
			ctx, cancel := context.WithCancel(context.Background())
			b.env.Commands.Family = new(child.Family)
			if err := b.env.Commands.Family.AdoptOrphans(ctx); err != nil {
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
