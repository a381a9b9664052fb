//go:build terminals

package realterm

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/creack/pty"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// oracles is the folder of the emulators that are not of this module (make oracle installs them).
const oracles = "../oracle"

// core is the core of a terminal without its window, xtermjs or ghostty, by live.mjs in oracles: it
// reads the pty itself, as the terminal around it does, and takes a size at once, whatever it has
// not read yet.
type core struct {
	emulator, file string
	pty            *os.File
	orders         io.Writer
}

// coreVersion returns the version of the package that an emulator comes in.
func coreVersion(t *testing.T, emulator string) string {
	t.Helper()
	lib := map[string]string{"xtermjs": "@xterm/headless", "ghostty": "@coder/libghostty-vt-node"}[emulator]
	text, err := os.ReadFile(filepath.Join(oracles, "node_modules", lib, "package.json"))
	if err != nil {
		need.Missing(t, emulator, "no node_modules: make oracle")
	}
	var about struct{ Version string }
	if err := json.Unmarshal(text, &about); err != nil {
		t.Fatal(err)
	}
	return about.Version
}

func (c *core) start(t *testing.T, command string) {
	coreVersion(t, c.emulator)
	c.file = filepath.Join(t.TempDir(), "tape")
	shell := exec.Command("sh")
	shell.Env = append(os.Environ(), "TERM=xterm-256color", "TMUX=", "STY=", "PS1=$ ")
	var err error
	if c.pty, err = pty.StartWithSize(shell, &pty.Winsize{Cols: 80, Rows: 24}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.pty.Close(); _ = shell.Process.Kill(); _ = shell.Wait() })
	node := exec.Command("node", filepath.Join(oracles, "live.mjs"), "--emulator", c.emulator, "--cols", "80",
		"--rows", "24")
	node.ExtraFiles, node.Stderr = []*os.File{c.pty}, os.Stderr
	if c.orders, err = node.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	said, err := node.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = node.Process.Kill(); _ = node.Wait() })
	go c.sized(said)
	eventually(t, c.emulator+"'s shell", func() bool { return strings.Contains(c.tape(t), "$") })
	c.send(t, command+"\r")
}

// sized tells the pty of each size that the grid has taken.
func (c *core) sized(said io.Reader) {
	for lines := bufio.NewScanner(said); lines.Scan(); {
		var size pty.Winsize
		if _, err := fmt.Sscanf(lines.Text(), "size %d %d", &size.Cols, &size.Rows); err == nil {
			_ = pty.Setsize(c.pty, &size)
		}
	}
}

func (c *core) order(t *testing.T, words ...string) {
	t.Helper()
	if _, err := fmt.Fprintln(c.orders, strings.Join(words, " ")); err != nil {
		t.Fatal(err)
	}
}

func (c *core) resize(t *testing.T, cols, rows int) {
	c.order(t, "size", strconv.Itoa(cols), strconv.Itoa(rows))
}

func (c *core) send(t *testing.T, keys string) {
	if _, err := c.pty.WriteString(keys); err != nil {
		t.Fatal(err)
	}
}

func (c *core) tape(t *testing.T) string {
	_ = os.Remove(c.file)
	c.order(t, "tape", c.file)
	var out []byte
	eventually(t, c.emulator+"'s tape", func() bool {
		var err error
		out, err = os.ReadFile(c.file)
		return err == nil
	})
	return string(out)
}
