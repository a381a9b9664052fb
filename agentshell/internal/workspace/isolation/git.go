package isolation

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/git"
)

// maxGitOutputBytes is the number of bytes that are read of git's output.
const maxGitOutputBytes = 512 << 20

// userRepository describes the repository of the user's workspace.
type userRepository struct {
	workTree     string // workTree is the directory of its work tree.
	objectFormat string // objectFormat is the format of its object ids: sha1 or sha256.
	objectsDir   string
	excludeFile  string // excludeFile is the path of its info/exclude file.
	shallowFile  string // shallowFile is the path of the file that lists the commits whose parents are missing.
	// headCommit is the last commit; "": there is none, or the workspace is only a part of the work
	// tree.
	headCommit string
}

// findRepository finds the repository that contains dir. The error is ErrNoRepository if there is
// none.
func (s Store) findRepository(ctx context.Context, dir string) (userRepository, error) {
	top, ok := git.FindTop(dir)
	if !ok {
		return userRepository{}, ErrNoRepository
	}
	out, err := s.runGit(ctx, top, nil, nil, "rev-parse", "--show-object-format", "--git-path", "objects", "--git-path",
		"info/exclude", "--git-path", "shallow", "--show-toplevel")
	if err != nil {
		return userRepository{}, fmt.Errorf("%w (git says: %w)", ErrNoRepository, err)
	}
	lines := strings.SplitN(strings.TrimRight(string(out), "\n"), "\n", 5)
	if len(lines) != 5 {
		return userRepository{}, ErrNoRepository
	}
	o := userRepository{workTree: top, objectFormat: lines[0], objectsDir: absolutePath(top, lines[1]),
		excludeFile: absolutePath(top, lines[2]),
		shallowFile: absolutePath(top, lines[3])}
	if real, err := filepath.EvalSymlinks(lines[4]); err != nil || real != top {
		return userRepository{}, ErrNoRepository
	}
	if dir == top {
		if head, err := s.runGit(ctx, top, nil, nil, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"); err == nil {
			o.headCommit = strings.TrimSpace(string(head))
		}
	}
	return o, nil
}

func absolutePath(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// runGit runs git in dir and returns its output. It uses no configuration except the repository's
// own, and runs no program that the configuration names. in is the standard input, and env is added
// to the environment.
func (s Store) runGit(ctx context.Context, dir string, in io.Reader, env []string, args ...string) ([]byte, error) {
	program, err := s.Family.Programs.Path("git")
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdin = dir, in
	environ := slices.DeleteFunc(secret.ForCommands(s.Environ), func(v string) bool {
		return strings.HasPrefix(v, "GIT_")
	})
	cmd.Env = append(s.Family.Programs.Environ(git.Environ(environ)), "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_ATTR_NOSYSTEM=1", "GIT_NO_REPLACE_OBJECTS=1",
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	cmd.Env = append(cmd.Env, env...)
	out, problem, err := child.Output(ctx, s.Family.Run, cmd, maxGitOutputBytes)
	switch {
	case err == nil && len(out) >= maxGitOutputBytes:
		return nil, errors.New("git prints too much")
	case err != nil:
		return out, errors.Join(child.FirstLine(problem), err)
	}
	return out, nil
}

// runGitInBase runs git on the base repository.
func (c *Copy) runGitInBase(ctx context.Context, in io.Reader, args ...string) ([]byte, error) {
	return c.store.runGit(ctx, c.topDir(), in, []string{"GIT_DIR=" + c.baseRepository()}, args...)
}

// rawAttributes is an attributes file that makes git treat every file as raw bytes.
const rawAttributes = "* -text -filter -ident -working-tree-encoding\n"

// makeRepositories creates the base repository and the repository of the copy. Both use the objects
// of the user's repository (objects/info/alternates).
func (c *Copy) makeRepositories(o userRepository) error {
	base, own := c.baseRepository(), filepath.Join(c.Dir(), ".git")
	if err := makeRepository(base, o, true, o.objectsDir); err != nil {
		return err
	}
	return makeRepository(own, o, false, filepath.Join(base, "objects"), o.objectsDir)
}

func makeRepository(dir string, o userRepository, bare bool, alternates ...string) error {
	config := fmt.Sprintf("[core]\n\trepositoryformatversion = 0\n\tbare = %v\n\tautocrlf = false\n", bare)
	if o.objectFormat != "sha1" {
		config = strings.Replace(config, "= 0", "= 1", 1) + "[extensions]\n\tobjectformat = " + o.objectFormat + "\n"
	}
	var lines strings.Builder
	for _, a := range alternates {
		lines.WriteString(quote(a) + "\n")
	}
	files := [][2]string{{"HEAD", "ref: refs/heads/none\n"}, {"config", config}, {"objects/info/alternates",
		lines.String()}, {"info/attributes", rawAttributes}}
	for name, from := range map[string]string{"info/exclude": o.excludeFile, "shallow": o.shallowFile} {
		if text, err := regular.ReadFile(from); err == nil {
			files = append(files, [2]string{name, string(text)})
		}
	}
	for _, sub := range []string{"refs", "objects/info", "info"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return err
		}
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f[0]), []byte(f[1]), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// readAlternates returns the directories from which an objects directory borrows, in a file that
// this package has written.
func readAlternates(objects string) (list []string) {
	text, err := regular.ReadFile(filepath.Join(objects, "info", "alternates"))
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		list = append(list, unquote(strings.TrimSuffix(line, "\n")))
	}
	return list
}

// pathEscaper and pathUnescaper escape and unescape the characters with a meaning in git's quoted
// paths.
var (
	pathEscaper   = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	pathUnescaper = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n")
)

// quote returns a path as a quoted path of git.
func quote(path string) string { return `"` + pathEscaper.Replace(path) + `"` }

func unquote(text string) string {
	return pathUnescaper.Replace(strings.TrimSuffix(strings.TrimPrefix(text, `"`), `"`))
}

// checkOut sets HEAD and the index of the copy's repository to a commit whose files are there
// already.
func (c *Copy) checkOut(ctx context.Context, commit string) error {
	own := filepath.Join(c.Dir(), ".git")
	if err := os.WriteFile(filepath.Join(own, "HEAD"), []byte(commit+"\n"), 0o600); err != nil {
		return err
	}
	_, err := c.store.runGit(ctx, c.Dir(), nil, []string{"GIT_DIR=" + own}, "read-tree", commit)
	return err
}

// errImportEnded is the error of a write to git fast-import after git has ended.
var errImportEnded = errors.New("git fast-import has ended")

// runFastImport runs git fast-import on the base repository and returns its output. write produces
// the input.
func (c *Copy) runFastImport(ctx context.Context, write func(w *bufio.Writer) error) (string, error) {
	in, to := io.Pipe()
	var out []byte
	ended := make(chan error, 1)
	go func() {
		var err error
		out, err = c.runGitInBase(ctx, in, "fast-import", "--quiet", "--done", "--force")
		in.CloseWithError(errImportEnded) // who writes does not wait
		ended <- err
	}()
	w := bufio.NewWriterSize(to, 1<<16)
	err := write(w)
	if err == nil {
		_, err = w.WriteString("done\n")
	}
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		to.CloseWithError(err)
	} else {
		to.Close()
	}
	endErr := <-ended
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case err == nil || errors.Is(err, errImportEnded): // else git fails because its input ends early
		err = endErr
	}
	return strings.TrimSpace(string(out)), err
}
