package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/shell"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// Editor is the person's own editor, for key e (PANE-12). The zero value is vi in the system's
// directory for temporary files.
type Editor struct {
	// The value of VISUAL or EDITOR; split by the shell grammar, never run by a shell.
	Command string
	Env     []string // of the editor; nil: none
	// Where the scratch directory is made; it must be outside of every root.
	Dir      string
	Programs *child.Programs // finds it; nil: on the PATH of this process
	// Run runs it on the process's own terminal; nil: without a family.
	Run func(ctx context.Context, cmd *exec.Cmd) error
}

// known reports whether there is an editor: one that is named, or vi.
func (e Editor) known() bool {
	if strings.TrimSpace(e.Command) != "" {
		return true
	}
	_, err := e.Programs.Path("vi")
	return err == nil
}

// edit lets the person edit data, the text of a proposal or of the prompt, which is called name,
// and returns what came of it. It has the terminal.
func (e Editor) edit(ctx context.Context, what, name string, data []byte) ([]byte, error) {
	argv, err := e.argv()
	if err != nil {
		return nil, err
	}
	if e.Dir != "" {
		if err := os.MkdirAll(e.Dir, 0o700); err != nil {
			return nil, err
		}
	}
	dir, err := os.MkdirTemp(e.Dir, what+"-") // 0700
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, what+plainExt(name))
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return nil, err
	}
	program := argv[0]
	if e.Programs != nil {
		if program, err = e.Programs.Path(program); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command(program, append(argv[1:], filepath.Base(file))...)
	cmd.Args[0] = argv[0]
	cmd.Dir, cmd.Env = dir, e.Env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	run := e.Run
	if run == nil {
		run = new(child.Family).Lend
	}
	if err := run(ctx, cmd); err != nil {
		return nil, fmt.Errorf("%s: %w", argv[0], err)
	}
	return os.ReadFile(file)
}

// argv returns the command in words. vi and vim read no swap file, no configuration and no
// modelines: the text is not to be trusted.
func (e Editor) argv() ([]string, error) {
	argv := []string{"vi"}
	if strings.TrimSpace(e.Command) != "" {
		var err error
		argv, err = shell.Fields(e.Command, func(name string) string {
			for _, kv := range slices.Backward(e.Env) {
				if k, v, _ := strings.Cut(kv, "="); k == name {
					return v
				}
			}
			return ""
		})
		if err != nil {
			return nil, fmt.Errorf("the editor %q: %w", e.Command, err)
		}
		if len(argv) == 0 {
			return nil, errors.New("the editor's name is empty")
		}
	}
	switch filepath.Base(argv[0]) {
	case "vi", "vim", "nvim", "view":
		argv = append(argv, "-n", "-c", "set nomodeline noexrc")
	}
	return argv, nil
}

// plainExt returns the extension of name if it is plain letters, so that an editor knows the
// language and nothing else.
func plainExt(name string) string {
	ext := filepath.Ext(name)
	for _, r := range strings.TrimPrefix(ext, ".") {
		if r < 'A' || r > 'z' || r > 'Z' && r < 'a' {
			return ""
		}
	}
	if len(ext) < 2 || len(ext) > 12 {
		return ""
	}
	return ext
}

// canEdit reports whether p is text that an editor can take.
func canEdit(p *approval.Proposal) bool {
	switch p.Payload.(type) {
	case approval.Write, approval.Edit, approval.Undo, approval.Plan, approval.Form:
		return p.Revisable()
	}
	return false
}

// edit handles key e: the person's editor gets the terminal, and what comes back is a new proposal.
// Nothing is written on return. A change of the file waits until the editor has ended. A key that
// comes before that one has the terminal starts no second one. On the loop.
func (sh *Shell) edit(ctx context.Context, n *pane) {
	if sh.lent {
		return
	}
	sh.lent, n.editing = true, true
	go func() {
		var after []byte
		what, name := "proposal", n.prop.Path
		if _, ok := aPlan(n.prop); ok {
			what, name = "plan", "plan.md"
		}
		if _, ok := n.prop.Payload.(approval.Form); ok {
			what, name = "form", "answers.toml"
		}
		err := sh.app.Suspend(ctx, func() (err error) {
			after, err = sh.cfg.Editor.edit(ctx, what, name, n.prop.After)
			return err
		})
		sh.app.Do(func() {
			sh.lent, n.editing = false, false
			switch {
			case err != nil:
				n.note = "not edited: " + err.Error()
			case string(after) == string(n.prop.After):
				n.note = "nothing was edited"
			default:
				n.give(approval.Revise{ID: n.prop.ID, After: after})
			}
			if n.missed {
				n.markStale()
			}
		})
	}()
}

// maxPrompt is the longest prompt that comes back from an editor, in bytes.
const maxPrompt = 4 << 20

// editPrompt gives the text of the prompt to the person's editor. What comes back takes its place;
// if the editor fails or is left with an error, the text stays. On the loop.
func (sh *Shell) editPrompt() {
	switch {
	case sh.lent || sh.open != nil:
		return
	case sh.cfg.Editor == nil || !sh.cfg.Editor.known():
		sh.append(notice, problem("No editor is known.", "Set VISUAL or EDITOR to the one that you use."))
		return
	}
	sh.lent = true
	text := sh.editor.Text()
	go func() {
		var after []byte
		ctx := context.Background()
		err := sh.app.Suspend(ctx, func() (err error) {
			after, err = sh.cfg.Editor.edit(ctx, "prompt", "prompt.md", []byte(text+"\n"))
			return err
		})
		sh.app.Do(func() {
			sh.lent = false
			if err == nil && len(after) > maxPrompt {
				err = fmt.Errorf("it has become longer than %s", size(maxPrompt))
			}
			if err != nil {
				sh.append(notice, problem("The prompt stays as it was: "+err.Error()))
				return
			}
			if now := strings.TrimRight(strings.ToValidUTF8(string(after), "\uFFFD"), "\r\n"); now != text {
				sh.editor.SetText(now)
			}
		})
	}()
}
