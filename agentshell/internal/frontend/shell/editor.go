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

// Editor starts the user's text editor for the prompt and, by key e in a pane, for proposals
// (PANE-12). The zero value starts vi in the system's temporary directory.
type Editor struct {
	// The value of VISUAL or EDITOR; "": vi. It is split into words by the rules of a shell, but no
	// shell runs it.
	Command string
	Env     []string // The environment variables of the editor; nil: none.
	// The directory in which the temporary file gets a directory of its own; "": the system's
	// temporary directory. It must be outside every directory that the model may use.
	Dir      string
	Programs *child.Programs // Finds the editor's program; nil: it is searched in the PATH of this process.
	// Run runs the editor on the terminal of this process; nil: [child.Family.Lend] does.
	Run func(ctx context.Context, cmd *exec.Cmd) error
}

// available reports whether Command names an editor, or vi is installed.
func (e Editor) available() bool {
	if strings.TrimSpace(e.Command) != "" {
		return true
	}
	_, err := e.Programs.Path("vi")
	return err == nil
}

// edit opens the editor with data and returns the text after the editor has ended. prefix is the
// beginning of the temporary file's name, and name supplies its extension. The caller must have
// released the terminal.
func (e Editor) edit(ctx context.Context, prefix, name string, data []byte) ([]byte, error) {
	argv, err := e.argv()
	if err != nil {
		return nil, err
	}
	if e.Dir != "" {
		if err := os.MkdirAll(e.Dir, 0o700); err != nil {
			return nil, err
		}
	}
	dir, err := os.MkdirTemp(e.Dir, prefix+"-") // 0700
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, prefix+letterExt(name))
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

// argv returns the editor's program and arguments, without the file. Because the text is not
// trusted, vi and its variants get options that turn off modelines, the local configuration and the
// swap file.
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

// letterExt returns the extension of a file name, such as ".go", if it consists of at most 11 ASCII
// letters, or else "". The editor uses it to choose the syntax colours.
func letterExt(name string) string {
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

// canEdit reports whether an editor can change the proposal: it holds a text and may be revised.
func canEdit(p *approval.Proposal) bool {
	switch p.Payload.(type) {
	case approval.Write, approval.Edit, approval.Undo, approval.Plan, approval.Form:
		return p.Revisable()
	}
	return false
}

// nothingEdited is the note above a proposal whose text did not change in the editor. It is shown
// until the next key.
const nothingEdited = "nothing was edited"

// editProposal handles key e in pane n: the editor opens with the proposed text, and the edited
// text becomes a new proposal. Nothing is written to the file. If the file has changed meanwhile,
// the pane becomes stale after the editor has ended. It does nothing while another editor has the
// terminal. It is called on the event loop.
func (sh *Shell) editProposal(ctx context.Context, n *pane) {
	if sh.terminalLent {
		return
	}
	sh.terminalLent, n.editing = true, true
	go func() {
		var after []byte
		prefix, name := "proposal", n.proposal.Path
		if _, ok := planOf(n.proposal); ok {
			prefix, name = "plan", "plan.md"
		}
		if _, ok := n.proposal.Payload.(approval.Form); ok {
			prefix, name = "form", "answers.toml"
		}
		err := sh.app.Suspend(ctx, func() (err error) {
			after, err = sh.cfg.Prompt.Editor.edit(ctx, prefix, name, n.proposal.After)
			return err
		})
		sh.app.Do(func() {
			sh.terminalLent, n.editing = false, false
			switch {
			case err != nil:
				n.editNote = "not edited: " + err.Error()
			case string(after) == string(n.proposal.After):
				n.editNote = nothingEdited
			default:
				n.giveAnswer(approval.Revise{ID: n.proposal.ID, After: after})
			}
			if n.changedMeanwhile {
				n.markStale()
			}
		})
	}()
}

// maxEditedPrompt is the size in bytes of the longest text that the prompt accepts from an editor.
const maxEditedPrompt = 4 << 20

// editPrompt opens the text of the prompt in the user's editor and then replaces it by the edited
// text. If the editor fails, the prompt stays as it was. It is called on the event loop.
func (sh *Shell) editPrompt() {
	switch {
	case sh.terminalLent || sh.question != nil:
		return
	case sh.cfg.Prompt.Editor == nil || !sh.cfg.Prompt.Editor.available():
		sh.addBlock(notice, problem("No editor is known.", "Set VISUAL or EDITOR to the one that you use."))
		return
	}
	sh.terminalLent = true
	text := sh.editor.Text()
	go func() {
		var after []byte
		ctx := context.Background()
		err := sh.app.Suspend(ctx, func() (err error) {
			after, err = sh.cfg.Prompt.Editor.edit(ctx, "prompt", "prompt.md", []byte(text+"\n"))
			return err
		})
		sh.app.Do(func() {
			sh.terminalLent = false
			if err == nil && len(after) > maxEditedPrompt {
				err = fmt.Errorf("it has become longer than %s", byteSize(maxEditedPrompt))
			}
			if err != nil {
				sh.addBlock(notice, problem("The prompt stays as it was: "+err.Error()))
				return
			}
			if now := strings.TrimRight(strings.ToValidUTF8(string(after), "\uFFFD"), "\r\n"); now != text {
				sh.editor.SetText(now)
			}
		})
	}()
}
