package streamrule

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/scratch"
)

// Text is the content that a call would give to a file.
type Text struct {
	Path string
	Data []byte
}

// Structures reports whether an ast-grep pattern matches in the source text of a program. It is
// used by one goroutine only.
type Structures interface {
	Find(ctx context.Context, pattern, language string, text []byte) (bool, error)
}

// FindIn reports whether an ast-grep pattern of the rule matches in one of texts. It ignores texts
// whose language is unknown or whose path does not match the globs. If nothing is found, err says
// why a search has failed.
func (r Rule) FindIn(ctx context.Context, in Structures, texts []Text) (found bool, err error) {
	for _, t := range texts {
		language := languages[strings.ToLower(filepath.Ext(t.Path))]
		if language == "" || !r.appliesToPath(t.Path) {
			continue
		}
		for _, pattern := range r.structures {
			found, findErr := in.Find(ctx, pattern, language, t.Data)
			if found {
				return true, nil
			}
			if err == nil && findErr != nil {
				err = findErr
			}
		}
	}
	return false, err
}

// languages maps file extensions to ast-grep's names of programming languages.
var languages = map[string]string{
	".bash": "bash", ".c": "c", ".cc": "cpp", ".cjs": "js", ".cpp": "cpp", ".cs": "csharp", ".css": "css",
	".cts": "ts", ".cxx": "cpp", ".ex": "elixir", ".exs": "elixir", ".go": "go", ".h": "c", ".hcl": "hcl",
	".hpp": "cpp", ".hs": "haskell", ".htm": "html", ".html": "html", ".java": "java", ".js": "js",
	".json": "json", ".jsx": "jsx", ".kt": "kotlin", ".kts": "kotlin", ".lua": "lua", ".mjs": "js", ".mts": "ts",
	".nix": "nix", ".php": "php", ".py": "python", ".pyi": "python", ".rb": "ruby", ".rs": "rust",
	".scala": "scala", ".sh": "bash", ".sol": "solidity", ".swift": "swift", ".tf": "hcl", ".ts": "ts",
	".tsx": "tsx", ".yaml": "yaml", ".yml": "yaml",
}

// ErrNoProgram is returned if ast-grep is not installed.
var ErrNoProgram = errors.New("ast-grep is not installed (npm install --global @ast-grep/cli)")

// maxFound is the number of bytes of ast-grep's output that are read. One match is enough.
const maxFound = 64 << 10

// Program runs ast-grep. The text goes to its standard input, and its working directory is empty.
// So it reads no configuration of a workspace, which could name libraries to load.
type Program struct {
	Programs *child.Programs
	Env      []string // environment variables for ast-grep, without secrets
	TempDir  string   // where the empty working directories are created
	// Cell puts ast-grep into a sandbox that is confined to a folder; nil: it runs without one.
	Cell func(cmd *exec.Cmd, dir string) (*sandbox.Cell, error)
	// Run runs a program and waits for its end. When ctx ends, it stops the program.
	Run func(ctx context.Context, cmd *exec.Cmd) error

	prepare sync.Once
	path    string
	err     error
}

// Find implements [Structures].
func (p *Program) Find(ctx context.Context, pattern, language string, text []byte) (bool, error) {
	p.prepare.Do(func() { p.path, p.err = p.find(ctx) })
	if p.err != nil {
		return false, p.err
	}
	out, problem, err := p.run(ctx, p.path, bytes.NewReader(text), "run", "--stdin", "--color", "never", "--lang",
		language, "--json=stream", "--pattern="+pattern)
	found := bytes.HasPrefix(out, []byte("{")) // an object for each match
	var exit *exec.ExitError
	message := child.FirstLine(problem)
	switch {
	case ctx.Err() != nil:
		return false, errors.New("ast-grep took too long")
	case found:
		return true, nil
	case message != nil:
		return false, fmt.Errorf("ast-grep: %w", message)
	case errors.Is(err, errNothing), errors.As(err, &exit) && exit.ExitCode() == 1: // as with grep
		return false, nil
	case err != nil:
		return false, fmt.Errorf("ast-grep: %w", err)
	}
	return false, nil
}

// start runs cmd and waits for its end, in a sandbox if there is one.
func (p *Program) start(ctx context.Context, cmd *exec.Cmd) error {
	if p.Cell == nil {
		return p.Run(ctx, cmd)
	}
	cell, err := p.Cell(cmd, cmd.Dir)
	if err != nil {
		return err
	}
	process, err := cell.Begin()
	if err == nil {
		err = process.Within(ctx, 0)
	}
	if ending, ok := cell.End(); err == nil && ok && ending.Exit == 1 { // the cell itself ends well
		return errNothing
	}
	return err
}

// errNothing is returned if ast-grep has found no match.
var errNothing = errors.New("exit status 1")

// find returns the path of ast-grep. Its short name "sg" also belongs to another program, which
// runs a command as another group; so find checks the version that the program prints.
func (p *Program) find(ctx context.Context) (string, error) {
	for _, name := range []string{"ast-grep", "sg"} {
		path, err := p.Programs.Path(name)
		if err != nil {
			continue
		}
		if out, _, err := p.run(ctx, path, nil, "--version"); err == nil && bytes.HasPrefix(out, []byte("ast-grep ")) {
			return path, nil
		}
	}
	return "", ErrNoProgram
}

func (p *Program) run(ctx context.Context, path string, stdin *bytes.Reader, args ...string) (out, problem []byte,
	err error) {
	folder, err := scratch.New(p.TempDir, "rules")
	if err != nil {
		return nil, nil, err
	}
	defer folder.Remove()
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Env = folder.Path, p.Env
	if stdin != nil {
		cmd.Stdin = stdin
	}
	return child.Output(ctx, p.start, cmd, maxFound)
}
