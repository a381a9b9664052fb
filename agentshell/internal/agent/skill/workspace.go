package skill

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/briefing"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/streamrule"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// Dir is the name of the folder with commands, skills and so on in a workspace.
const Dir = ".agentshell"

// Limits on the content of a workspace's folder. The user has to read all of it.
const (
	maxOne = 64 << 10  // the size of one file
	maxAll = 256 << 10 // the total size of all files
)

// LoadWorkspace reads the folder of a workspace, and those of other programs in it: .claude,
// .agents and .cursor. It reads agent definitions only if agents is true. It follows no link out of
// the workspace, and skips files that the user's rules do not allow reading. isTaken is as in
// [Load].
//
// The content must not be used before the user has seen Text and agreed.
func LoadWorkspace(ctx context.Context, ws *workspace.Workspace, agents bool, allows func(tool, path string) bool,
	isTaken func(name string) bool) Folder {
	o := offer{ctx: ctx, ws: ws, allows: allows, agents: agents, digest: sha256.New()}
	var f Folder
	f.load(o.source(Dir, "commands", "skills", "rules", "agents"), isTaken)
	if ws.WhyBroad() == "" { // in the home directory they are the user's own
		f.load(o.source(claudeDir, "commands", "skills", "agents"), isTaken)
		f.load(o.source(agentsDir, "skills"), isTaken)
		f.load(o.source(cursorDir, "guides"), isTaken)
	}
	if f.items() > 0 {
		f.Text, f.Digest = strings.TrimRight(o.text.String(), "\n")+"\n", hex.EncodeToString(o.digest.Sum(nil))
	}
	return f
}

// offer collects the text and the digest of all files that LoadWorkspace reads, so that the user
// can be asked about them.
type offer struct {
	ctx    context.Context
	ws     *workspace.Workspace
	allows func(tool, path string) bool
	agents bool
	text   strings.Builder
	digest hash.Hash
	size   int
}

// source returns the source for a folder of the workspace.
func (o *offer) source(dir string, kinds ...string) source {
	fullPath := func(name string) string { return filepath.Join(o.ws.Dir(), dir, name) }
	return source{where: dir, kinds: kinds, fixed: true,
		list: func(sub string) []string {
			if sub == "agents" && !o.agents {
				return nil
			}
			p, err := o.ws.ResolveDir(fullPath(sub))
			if err != nil {
				return nil
			}
			return listDir(o.ws.Abs(p))
		},
		exists: func(name string) bool {
			_, err := os.Lstat(fullPath(name))
			return err == nil
		},
		read:  func(name string) (string, error) { return o.read(dir, name) },
		below: func(sub, path string) (string, error) { return o.readBelow(fullPath(sub), path) },
	}
}

// read returns the text of a file, and adds it to the text that the user is shown.
func (o *offer) read(dir, name string) (string, error) {
	p, err := o.ws.Resolve(filepath.Join(o.ws.Dir(), dir, name))
	if err != nil {
		return "", err
	}
	if !o.allows("read_file", p.Match()) {
		return "", errors.New("a rule does not let it be read")
	}
	file, err := o.ws.Snapshot(o.ctx, p, maxOne)
	accepted, err := briefing.Accept(file.Data, err)
	switch o.size += len(accepted); {
	case err != nil:
		return "", err
	case o.size > maxAll:
		return "", fmt.Errorf("all files together are longer than %d KiB", maxAll>>10)
	}
	shown := name
	if dir != Dir { // what is there is named as before
		shown = dir + "/" + name
	}
	fmt.Fprintf(o.digest, "%d %s %d ", len(shown), shown, len(file.Data))
	o.digest.Write(file.Data)
	fmt.Fprintf(&o.text, "---- %s\n%s\n\n", filepath.ToSlash(filepath.Join(dir, name)),
		strings.TrimRight(accepted, "\n"))
	return accepted, nil
}

// readBelow returns the current text of a file in the folder of a skill. The user need not see it
// before, because the model could also read it by its path. It returns an error for a link that
// leads out of dir.
func (o *offer) readBelow(dir, path string) (string, error) {
	folder, err := o.ws.ResolveDir(dir)
	if err != nil {
		return "", err
	}
	p, err := o.ws.Resolve(filepath.Join(dir, path))
	switch {
	case err != nil:
		return "", err
	case p.Top() != folder.Top() || !strings.HasPrefix(p.Rel(), folder.Rel()+"/"):
		return "", errors.New("it leads out of the folder of the skill")
	case !o.allows("read_file", p.Match()):
		return "", errors.New("a rule does not let it be read")
	}
	file, err := o.ws.Snapshot(context.Background(), p, maxOne)
	if err == nil && !file.Print.Exists {
		err = errors.New("there is no such file in the folder of the skill")
	}
	return briefing.Accept(file.Data, err)
}

// Merge returns the content of both folders. Where both have a command, skill or rule with the same
// name, the one of f is used; of agent definitions, the one of other.
func (f Folder) Merge(other Folder) Folder {
	both := Folder{Commands: slices.Clone(f.Commands), Skills: slices.Clone(f.Skills), Rules: slices.Clone(f.Rules)}
	both.Notices = slices.Concat(f.Notices, other.Notices)
	for _, c := range other.Commands {
		if !slices.ContainsFunc(f.Commands, func(own Command) bool { return own.Name == c.Name }) {
			both.Commands = append(both.Commands, c)
		}
	}
	for _, s := range other.Skills {
		if slices.ContainsFunc(f.Skills, func(own Skill) bool { return own.Name == s.Name }) {
			both.Notices = append(both.Notices, fmt.Sprintf(
				"the skill %s of the workspace is not used: you have one of that name", s.Name))
			continue
		}
		both.Skills = append(both.Skills, s)
	}
	both.Agents = slices.Clone(other.Agents) // those of a workspace come first
	for _, a := range f.Agents {
		if !slices.ContainsFunc(other.Agents, func(o Definition) bool { return o.Name == a.Name }) {
			both.Agents = append(both.Agents, a)
		}
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

// Answers is the directory that stores whether the user lets the folders of workspaces be used. If
// it is "", nothing is stored.
type Answers string

type answer struct {
	Workspace string `json:"workspace"` // the path of the workspace
	Digest    string `json:"digest"`    // the digest of the text that the user was shown
	Use       bool   `json:"use"`
}

func (a Answers) path(workspace string) string {
	sum := sha256.Sum256([]byte(workspace))
	return filepath.Join(string(a), hex.EncodeToString(sum[:16])+".json")
}

// Lookup returns the user's answer for a workspace whose folder has that digest. known is false if
// the user has not answered.
func (a Answers) Lookup(workspace, digest string) (use, known bool) {
	if a == "" {
		return false, false
	}
	info, err := os.Lstat(a.path(workspace))
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxOne {
		return false, false
	}
	data, err := regular.ReadFile(a.path(workspace))
	var stored answer
	if err != nil || json.Unmarshal(data, &stored) != nil || stored.Workspace != workspace || stored.Digest != digest ||
		digest == "" {
		return false, false
	}
	return stored.Use, true
}

// Store stores the user's answer for a workspace. It replaces an earlier one.
func (a Answers) Store(workspace, digest string, use bool) error {
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
		err = os.Rename(temp.Name(), a.path(workspace))
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return err
}
