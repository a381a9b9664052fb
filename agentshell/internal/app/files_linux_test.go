package app_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// filesAtStart are files of the person's and of a workspace that a start reads, and what a good one
// holds: the controls.
var filesAtStart = map[string]string{
	"home/.config/agentshell/config.toml":       "max_steps = 9\ntheme = \"mine\"\n",
	"home/.config/agentshell/AGENTS.md":         "Be brief.\n",
	"home/.config/agentshell/themes/mine.toml":  "",
	"home/.config/agentshell/commands/go.md":    "go\n",
	"home/.config/agentshell/skills/x/SKILL.md": "---\nname: x\ndescription: y\n---\nz\n",
	"home/.config/agentshell/rules/r.md":        "---\npattern: zzz\n---\nno\n",
	"home/.gitconfig":                           "[user]\n\tname = n\n",
	"work/AGENTS.md":                            "Be brief.\n",
	"work/.mcp.json":                            `{"mcpServers": {}}`,
	"work/.gitignore":                           "*.o\n",
	"work/.git/HEAD":                            "ref: refs/heads/main\n",
	"work/.git/config":                          "[core]\n\tbare = false\n",
	"work/.git/index":                           "",
	"work/.agentshell/commands/c.md":            "c\n",
	"work/.agentshell/skills/s/SKILL.md":        "---\nname: s\ndescription: y\n---\nz\n",
	"work/.agentshell/rules/r.md":               "---\npattern: zzz\n---\nno\n",
}

// ends runs agentshell, and fails if the process does not end by itself.
func (p place) ends(what string, args ...string) result {
	p.t.Helper()
	cmd := p.command(args...)
	detach(cmd)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(""), &out, &errs
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { _ = cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		_ = cmd.Process.Kill()
		<-done
		p.t.Fatalf("%s: it waits", what)
	}
	return result{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// A named pipe in the place of any file that a start reads, of the person's, of ours or of the
// workspace's, holds up nothing.
func TestAPipeInTheWayHoldsUpNoStart(t *testing.T) {
	script := func(p place) []string {
		return []string{"-p", "hi", "--script", p.script(hi), "--mode", "edits"}
	}
	lay := func(p place, skip string) {
		for name, text := range filesAtStart {
			at := p.at(name)
			if name == skip {
				p.pipe(at)
			} else {
				p.write(at, text)
			}
		}
	}
	p := newPlace(t)
	lay(p, "")
	if r := p.ends("nothing", script(p)...); r.code != 0 { // the control
		t.Fatalf("%+v", r)
	}
	for name := range filesAtStart {
		p := newPlace(t)
		lay(p, name)
		r := p.ends(name, script(p)...)
		if r.code != 0 && !strings.Contains(r.stderr, "named pipe") {
			t.Errorf("%s: %+v", name, r)
		}
	}
	mine := p.left() // by the first run: the log of its session
	if len(mine) == 0 {
		t.Fatal("the first run left nothing")
	}
	for _, at := range mine {
		if err := os.Remove(at); err != nil {
			t.Fatal(err)
		}
		p.pipe(at)
		id := strings.TrimSuffix(filepath.Base(at), ".jsonl")
		for _, c := range []struct {
			more []string
			ok   bool
		}{{nil, true}, {[]string{"--continue"}, true}, {[]string{"--resume", id}, false}} {
			if r := p.ends(at, append(script(p), c.more...)...); (r.code == 0) != c.ok {
				t.Errorf("%s %q: %+v", at, c.more, r)
			}
		}
	}
}

// at returns the path of a file of filesAtStart.
func (p place) at(name string) string {
	if rest, ok := strings.CutPrefix(name, "home/"); ok {
		return filepath.Join(p.home, rest)
	}
	return filepath.Join(p.work, strings.TrimPrefix(name, "work/"))
}

func (p place) pipe(at string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := syscall.Mkfifo(at, 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// left returns the files in the home that are none of the table.
func (p place) left() (list []string) {
	_ = filepath.WalkDir(p.home, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(p.home, path)
		if _, known := filesAtStart["home/"+rel]; err == nil && d.Type().IsRegular() && !known {
			list = append(list, path)
		}
		return nil
	})
	slices.Sort(list)
	return list
}
