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

// maxGitOutput is the number of bytes that are read of git's output.
const maxGitOutput = 512 << 20

// origin describes the repository of the user's workspace.
type origin struct {
	top     string // top is the directory of its work tree.
	format  string // format is the format of its object ids: sha1 or sha256.
	objects string
	exclude string // exclude is the path of its info/exclude file.
	shallow string // shallow is the path of the file that lists the commits whose parents are missing.
	head    string // head is the last commit; "": there is none, or the workspace is only a part of the work tree.
}

// inspect finds the repository that contains dir. The error is ErrNoRepository if there is none.
func (s Store) inspect(ctx context.Context, dir string) (origin, error) {
	top, ok := git.FindTop(dir)
	if !ok {
		return origin{}, ErrNoRepository
	}
	out, err := s.git(ctx, top, nil, nil, "rev-parse", "--show-object-format", "--git-path", "objects", "--git-path",
		"info/exclude", "--git-path", "shallow", "--show-toplevel")
	if err != nil {
		return origin{}, fmt.Errorf("%w (git says: %w)", ErrNoRepository, err)
	}
	lines := strings.SplitN(strings.TrimRight(string(out), "\n"), "\n", 5)
	if len(lines) != 5 {
		return origin{}, ErrNoRepository
	}
	o := origin{top: top, format: lines[0], objects: absolute(top, lines[1]), exclude: absolute(top, lines[2]),
		shallow: absolute(top, lines[3])}
	if real, err := filepath.EvalSymlinks(lines[4]); err != nil || real != top {
		return origin{}, ErrNoRepository
	}
	if dir == top {
		if head, err := s.git(ctx, top, nil, nil, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"); err == nil {
			o.head = strings.TrimSpace(string(head))
		}
	}
	return o, nil
}

func absolute(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// git runs git in dir and returns its output. It uses no configuration except the repository's own,
// and runs no program that the configuration names. in is the standard input, and env is added to
// the environment.
func (s Store) git(ctx context.Context, dir string, in io.Reader, env []string, args ...string) ([]byte, error) {
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
	out, problem, err := child.Output(ctx, s.Family.Run, cmd, maxGitOutput)
	switch {
	case err == nil && len(out) >= maxGitOutput:
		return nil, errors.New("git prints too much")
	case err != nil:
		return out, errors.Join(child.FirstLine(problem), err)
	}
	return out, nil
}

// inBase runs git on the base repository.
func (c *Copy) inBase(ctx context.Context, in io.Reader, args ...string) ([]byte, error) {
	return c.store.git(ctx, c.dir(), in, []string{"GIT_DIR=" + c.repository()}, args...)
}

// rawAttributes is an attributes file that makes git treat every file as raw bytes.
const rawAttributes = "* -text -filter -ident -working-tree-encoding\n"

// makeRepositories creates the base repository and the repository of the copy. Both use the objects
// of the user's repository (objects/info/alternates).
func (c *Copy) makeRepositories(o origin) error {
	base, own := c.repository(), filepath.Join(c.Dir(), ".git")
	if err := makeRepository(base, o, true, o.objects); err != nil {
		return err
	}
	return makeRepository(own, o, false, filepath.Join(base, "objects"), o.objects)
}

func makeRepository(dir string, o origin, bare bool, alternates ...string) error {
	config := fmt.Sprintf("[core]\n\trepositoryformatversion = 0\n\tbare = %v\n\tautocrlf = false\n", bare)
	if o.format != "sha1" {
		config = strings.Replace(config, "= 0", "= 1", 1) + "[extensions]\n\tobjectformat = " + o.format + "\n"
	}
	var lines strings.Builder
	for _, a := range alternates {
		lines.WriteString(quote(a) + "\n")
	}
	files := [][2]string{{"HEAD", "ref: refs/heads/none\n"}, {"config", config}, {"objects/info/alternates",
		lines.String()}, {"info/attributes", rawAttributes}}
	for name, from := range map[string]string{"info/exclude": o.exclude, "shallow": o.shallow} {
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

// quoting and unquoting escape and unescape the characters with a meaning in git's quoted paths.
var (
	quoting   = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	unquoting = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n")
)

// quote returns a path as a quoted path of git.
func quote(path string) string { return `"` + quoting.Replace(path) + `"` }

func unquote(text string) string {
	return unquoting.Replace(strings.TrimSuffix(strings.TrimPrefix(text, `"`), `"`))
}

// checkOut sets HEAD and the index of the copy's repository to a commit whose files are there
// already.
func (c *Copy) checkOut(ctx context.Context, commit string) error {
	own := filepath.Join(c.Dir(), ".git")
	if err := os.WriteFile(filepath.Join(own, "HEAD"), []byte(commit+"\n"), 0o600); err != nil {
		return err
	}
	_, err := c.store.git(ctx, c.Dir(), nil, []string{"GIT_DIR=" + own}, "read-tree", commit)
	return err
}

// errImportEnded is the error of a write to git fast-import after git has ended.
var errImportEnded = errors.New("git fast-import has ended")

// importing runs git fast-import on the base repository and returns its output. write produces the
// input.
func (c *Copy) importing(ctx context.Context, write func(w *bufio.Writer) error) (string, error) {
	in, to := io.Pipe()
	var out []byte
	ended := make(chan error, 1)
	go func() {
		var err error
		out, err = c.inBase(ctx, in, "fast-import", "--quiet", "--done", "--force")
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
