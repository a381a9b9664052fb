package skill

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/briefing"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/streamrule"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// Dir is the folder of a workspace.
const Dir = ".agentshell"

// Bounds of what a workspace may offer: a person has to read it.
const (
	maxOne = 64 << 10  // bytes of a file
	maxAll = 256 << 10 // of all
)

// Of reads the folder of a workspace. No link leads out of it, and a file that rules deny to read
// is left out; may reports what they say. taken is as in [Load]. Nothing of it may be used before
// the person has seen Text and said yes.
func Of(ctx context.Context, ws *workspace.Workspace, may func(tool, path string) bool,
	taken func(name string) bool) Folder {
	var text strings.Builder
	digest, size := sha256.New(), 0
	full := func(name string) string { return filepath.Join(ws.Dir(), Dir, name) }
	f := load(place{where: Dir, fixed: true,
		names: func(sub string) []string {
			p, err := ws.ResolveDir(full(sub))
			if err != nil {
				return nil
			}
			return entries(ws.Abs(p))
		},
		there: func(name string) bool {
			_, err := os.Lstat(full(name))
			return err == nil
		},
		read: func(name string) (string, error) {
			p, err := ws.Resolve(full(name))
			if err != nil {
				return "", err
			}
			if !may("read_file", p.Match()) {
				return "", errors.New("a rule does not let it be read")
			}
			file, err := ws.Snapshot(ctx, p, maxOne)
			said, err := briefing.Accept(file.Data, err)
			switch size += len(said); {
			case err != nil:
				return "", err
			case size > maxAll:
				return "", fmt.Errorf("all files together are longer than %d KiB", maxAll>>10)
			}
			fmt.Fprintf(digest, "%d %s %d ", len(name), name, len(file.Data))
			digest.Write(file.Data)
			fmt.Fprintf(&text, "---- %s\n%s\n\n", filepath.ToSlash(filepath.Join(Dir, name)),
				strings.TrimRight(said, "\n"))
			return said, nil
		},
	}, taken)
	if len(f.Commands)+len(f.Skills)+len(f.Rules) > 0 {
		f.Text, f.Digest = strings.TrimRight(text.String(), "\n")+"\n", hex.EncodeToString(digest.Sum(nil))
	}
	return f
}

// With returns f with what other holds besides: a name that f has stays f's.
func (f Folder) With(other Folder) Folder {
	both := Folder{Commands: slices.Clone(f.Commands), Skills: slices.Clone(f.Skills), Rules: slices.Clone(f.Rules)}
	both.Notices = slices.Concat(f.Notices, other.Notices)
	for _, c := range other.Commands {
		if !slices.ContainsFunc(f.Commands, func(own Command) bool { return own.Name == c.Name }) {
			both.Commands = append(both.Commands, c)
		}
	}
	for _, s := range other.Skills {
		if slices.ContainsFunc(f.Skills, func(own Skill) bool { return own.Name == s.Name }) {
			both.Notices = append(both.Notices, fmt.Sprintf("the skill %s in %s is not used: you have one of that name",
				s.Name, Dir))
			continue
		}
		both.Skills = append(both.Skills, s)
	}
	for _, r := range other.Rules {
		if slices.ContainsFunc(f.Rules, func(own streamrule.Rule) bool { return own.Name == r.Name }) {
			both.Notices = append(both.Notices, fmt.Sprintf("the rule %s in %s is not used: you have one of that name",
				r.Name, Dir))
			continue
		}
		both.Rules = append(both.Rules, r)
	}
	return both
}

// Answers is what the person has said to the folders of workspaces, kept in a directory of theirs.
// "" keeps nothing.
type Answers string

type answer struct {
	Workspace string `json:"workspace"` // its directory
	Digest    string `json:"digest"`    // of what they were shown
	Use       bool   `json:"use"`
}

func (a Answers) file(workspace string) string {
	sum := sha256.Sum256([]byte(workspace))
	return filepath.Join(string(a), hex.EncodeToString(sum[:16])+".json")
}

// Of returns the answer to what has this digest; known is false if there is none.
func (a Answers) Of(workspace, digest string) (use, known bool) {
	if a == "" {
		return false, false
	}
	info, err := os.Lstat(a.file(workspace))
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxOne {
		return false, false
	}
	data, err := regular.ReadFile(a.file(workspace))
	var said answer
	if err != nil || json.Unmarshal(data, &said) != nil || said.Workspace != workspace || said.Digest != digest ||
		digest == "" {
		return false, false
	}
	return said.Use, true
}

// Keep keeps an answer, in place of an earlier one.
func (a Answers) Keep(workspace, digest string, use bool) error {
	if a == "" {
		return errors.New("there is no folder to keep it in")
	}
	data, err := json.Marshal(answer{workspace, digest, use})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(string(a), 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(string(a), "new-")
	if err != nil {
		return err
	}
	_, err = temp.Write(append(data, '\n'))
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), a.file(workspace))
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return err
}
