package app

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/mention"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// pictureFinder reads the pictures that a user's message names ([mention.Pictures]). A path in the
// workspace is read unless an approval rule denies that. A path outside is read only if the user
// surely means a picture. The model cannot use pictureFinder, because its texts are not messages of
// the user.
type pictureFinder struct {
	ws      *workspace.Workspace
	home    string // The home directory, which "~/" in a path stands for.
	mayRead func(path string) approval.Action
}

// find reads the pictures that text names. problems holds lines about pictures that cannot be sent.
// A path that may not be meant as a picture is ignored if there is no such file.
func (a pictureFinder) find(ctx context.Context, text string) (found []picture.Picture, problems []string) {
	for _, m := range mention.Pictures(text) {
		name := diff.Escape(m.Path)
		file, err := a.readFile(ctx, m)
		var p picture.Picture
		if err == nil {
			p, err = picture.New(name, file)
		}
		switch {
		case err == nil:
			found = append(found, p)
		case missing(err):
			if m.Certain {
				problems = append(problems, fmt.Sprintf("The picture %s is not sent: there is no such file", name))
			}
		default:
			problems = append(problems, fmt.Sprintf("The picture %s is not sent: %v", name, err))
		}
	}
	return found, problems
}

// missing reports whether err says that a file does not exist.
func missing(err error) bool {
	return os.IsNotExist(err) || workspace.KindOf(err) == workspace.NotFound
}

// readFile reads the picture file that a message names.
func (a pictureFinder) readFile(ctx context.Context, m mention.Picture) ([]byte, error) {
	name := m.Path
	if relative, ok := strings.CutPrefix(name, "~/"); ok && a.home != "" {
		name = filepath.Join(a.home, relative)
	}
	p, err := a.ws.Resolve(name)
	if err == nil {
		if a.mayRead != nil && a.mayRead(p.Match()) == approval.Deny {
			return nil, fmt.Errorf("a rule denies reading it")
		}
		f, err := a.ws.Snapshot(ctx, p, picture.MaxFile)
		if err == nil && !f.Print.Exists {
			return a.readAlike(ctx, m, p)
		}
		return f.Data, err
	}
	if !filepath.IsAbs(name) {
		return nil, err
	}
	if list := pathsAlike(name); len(list) > 1 {
		return nil, fmt.Errorf("several names look like it; did you mean %+q or %+q", list[0], list[1])
	} else if len(list) == 1 {
		name = list[0]
	}
	if _, err := os.Stat(name); err != nil {
		return nil, err
	}
	if !m.Certain {
		return nil, fmt.Errorf("it lies outside the workspace; put @ before the path to send it")
	}
	return readOutside(name)
}

// readAlike reads the picture whose name looks like that of missing, a file that does not exist.
func (a pictureFinder) readAlike(ctx context.Context, m mention.Picture, missing workspace.Path) ([]byte, error) {
	switch found := a.ws.Alike(missing); {
	case len(found) > 1:
		return nil, fmt.Errorf("several names look like it; did you mean %+q or %+q", found[0].Match(),
			found[1].Match())
	case len(found) == 1 && found[0] != missing:
		m.Path = a.ws.Abs(found[0])
		return a.readFile(ctx, m)
	}
	return nil, fs.ErrNotExist
}

// readOutside reads a picture file outside of the workspace. The file must be a regular one of at
// most picture.MaxFile bytes.
func readOutside(name string) ([]byte, error) {
	f, err := regular.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, picture.MaxFile+1))
	if err == nil && len(b) > picture.MaxFile {
		err = fmt.Errorf("it has more than %d MiB", picture.MaxFile>>20)
	}
	return b, err
}
