package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/shell"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// rootSet holds the directories that a session works in. The user can add directories while the
// session runs.
type rootSet struct {
	mu     sync.Mutex
	list   []workspace.Root
	copies []*project // The agents' copies of the workspace that are in use. Added directories are read-only there.
}

func newRootSet(list []workspace.Root) *rootSet { return &rootSet{list: list} }

// all returns all directories; the first one is the workspace.
func (s *rootSet) all() []workspace.Root {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.list)
}

// further returns the directories besides the workspace.
func (s *rootSet) further() []workspace.Root { return s.all()[1:] }

// follow adds all directories that are added to s from now on to work, an agent's copy of the
// workspace. It also adds those that came after the first known ones, which the copy already has.
func (s *rootSet) follow(work *project, known int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.copies = append(s.copies, work)
	var errs []error
	for _, root := range s.list[1+known:] {
		errs = append(errs, addReadOnly(work, root))
	}
	return errors.Join(errs...)
}

// unfollow ends what follow has begun: directories are no longer added to work.
func (s *rootSet) unfollow(work *project) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.copies = slices.DeleteFunc(s.copies, func(other *project) bool { return other == work })
	return nil
}

// addReadOnly adds a directory, read-only, to an agent's copy of the workspace.
func addReadOnly(work *project, root workspace.Root) error {
	root.ReadOnly = true
	if err := work.ws.AddRoot(root); err != nil {
		return err
	}
	work.roots.mu.Lock()
	defer work.roots.mu.Unlock()
	work.roots.list = append(work.roots.list, root)
	return nil
}

// addRoot adds a directory to the session: to its tools, MCP servers and running agents. Programs
// in the directory are not started without a question from then on.
func (r *project) addRoot(root workspace.Root) error {
	s := r.roots
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := r.ws.AddRoot(root); err != nil {
		return err
	}
	s.list = append(s.list, root)
	r.env.Commands.Family.Programs.Exclude(root.Dir)
	r.servers.AddRoot(root.Dir)
	var errs []error
	for _, work := range s.copies {
		errs = append(errs, addReadOnly(work, root))
	}
	return errors.Join(errs...)
}

// directoryAdder adds directories to a running session. Its function tell tells the model.
type directoryAdder struct {
	conv *conversation
	host Host
	tell func(text string)
}

// Add returns a question about adding a directory, together with the function that adds it after a
// yes. text is what the user has typed. Add returns an error if the directory cannot be added.
func (d directoryAdder) Add(_ context.Context, text string) (approval.Deed, error) {
	c := d.conv
	if c.demo {
		return approval.Deed{}, errors.New("the demo plays in a workspace of its own")
	}
	text = strings.TrimSpace(text)
	if text == "" {
		return approval.Deed{}, errors.New("name a directory: /add-dir ../lib, or /add-dir ~/lib:ro to read only")
	}
	root := workspace.Root{}
	root.Dir, root.ReadOnly = addedDir(text, d.host.getenv("HOME"))
	switch {
	case strings.HasPrefix(root.Dir, "~"):
		return approval.Deed{}, fmt.Errorf("%s: name a directory below your home directory, as ~/NAME", root.Dir)
	case !filepath.IsAbs(root.Dir):
		root.Dir = filepath.Join(c.dir, root.Dir)
	}
	if _, err := os.Stat(root.Dir); err == nil {
		if err := c.ws.CheckAdded(root.Dir); err != nil {
			return approval.Deed{}, err
		}
	}
	root, note, covered, err := nextRoot(c.roots.all(), root)
	if err == nil && covered {
		err = fmt.Errorf("%s is part of the session already", root.Dir)
	}
	if err == nil {
		root.Dir, err = filepath.EvalSymlinks(root.Dir) // so that the user sees the path that will be opened
	}
	if err == nil {
		err = c.ws.CheckAdded(root.Dir)
	}
	if err != nil {
		return approval.Deed{}, err
	}
	root.Name = c.freeName(root.Name)
	lines := d.meaning(root)
	if note != "" {
		lines = append([]string{note, ""}, lines...)
	}
	return approval.Deed{Question: &approval.Proposal{ID: rand.Text(), Tool: "workspace",
		Payload: approval.Prompts{Base: approval.Base{Kind: "prompts", Description: "Add the directory " + root.Dir},
			What: "the directory " + root.Dir, Verb: "add",
			Question: "Add this directory to the session? " + root.Dir, Text: strings.Join(lines, "\n") + "\n"}},
		Do: func(context.Context) ([]string, error) { return d.add(root) }}, nil
}

// freeName returns a name for an added directory, by default name. The result is neither the name
// of another directory nor of a file in the workspace, so that the paths of both differ.
func (c *conversation) freeName(name string) string {
	free := name
	for n := 2; ; n++ {
		taken := slices.ContainsFunc(c.roots.all(), func(r workspace.Root) bool { return r.Name == free })
		if _, err := os.Lstat(filepath.Join(c.dir, free)); err != nil && !taken {
			return free
		}
		free = name + "-" + strconv.Itoa(n)
	}
}

// meaning returns lines that say what the model can do in the directory once it is added.
func (d directoryAdder) meaning(root workspace.Root) []string {
	c := d.conv
	rules := approval.ModeAbout(c.policy.Mode())
	lines := []string{"reads     the model reads files there without a question, as it does in the workspace"}
	switch {
	case root.ReadOnly:
		lines = append(lines, "writes    nothing: the directory is read-only")
	default:
		lines = append(lines, "writes    as in the workspace ("+c.policy.Mode()+": "+lowerFirst(rules)+")")
	}
	if c.confinement.current() != nil {
		does := "commands  read and write there, as in the workspace"
		if root.ReadOnly {
			does = "commands  read there"
		}
		lines = append(lines, does+"; programs that run already do not")
	}
	return append(lines,
		"rules     those about "+root.Name+"/ and about ** hold there",
		"programs  none that lies there is started without a question",
		"paths     begin with "+root.Name+"/",
		"until     the session ends; add_dirs in config.toml adds it to each one")
}

// add adds a directory, tells the model, and returns lines for the user.
func (d directoryAdder) add(root workspace.Root) ([]string, error) {
	c := d.conv
	if err := c.addRoot(root); err != nil {
		return nil, err
	}
	about := root.Name + " (" + root.Dir + ")"
	if root.ReadOnly {
		about = root.Name + " (" + root.Dir + ", read-only)"
	}
	d.tell("The user has added a root. Its name stands in front of a path, as in " + root.Name + "/file: " + about +
		".")
	lines := []string{"Added " + root.Dir + ". Its paths begin with " + root.Name + "/."}
	if c.log != nil {
		if slices.ContainsFunc(c.log.Directories(), func(s string) bool {
			return strings.TrimSuffix(s, ":ro") == root.Dir
		}) {
			return lines, nil
		}
		if err := c.log.AddDirectory(root.Dir, root.ReadOnly); err != nil {
			lines = append(lines, "The session does not remember it: "+err.Error()+".")
		}
	}
	return lines, nil
}

// lostDirectories returns the directories that a resumed session had and that it does not have now.
func (c *conversation) lostDirectories() (missing []string) {
	if c.log == nil {
		return nil
	}
	for _, text := range c.log.Directories() {
		dir := strings.TrimSuffix(text, ":ro")
		if !slices.ContainsFunc(c.roots.all(), func(r workspace.Root) bool { return isWithin(r.Dir, dir) }) {
			missing = append(missing, text)
		}
	}
	return missing
}

// lostDirectoriesNotice returns a line that lists the directories that a resumed session had and
// does not have now, or "" if there are none.
func (c *conversation) lostDirectoriesNotice() string {
	missing := c.lostDirectories()
	if len(missing) == 0 {
		return ""
	}
	for i, dir := range missing {
		missing[i] = "/add-dir " + dir
	}
	return "This session had more directories. To add them again: " + strings.Join(missing, ", ")
}

// offerLost returns a question for each directory that a resumed session had and does not have now.
// notices holds lines about directories that cannot be added again.
func (d directoryAdder) offerLost(ctx context.Context) (offers []*shell.Offer, notices []string) {
	for _, dir := range d.conv.lostDirectories() {
		deed, err := d.Add(ctx, dir)
		if err != nil {
			notices = append(notices, "This session had the directory "+dir+", which is not added: "+err.Error())
			continue
		}
		payload, _ := deed.Question.Payload.(approval.Prompts)
		payload.Question = "This session had another directory. Add it again? " + strings.TrimSuffix(dir, ":ro")
		deed.Question.Payload = payload
		offers = append(offers, &shell.Offer{Deed: &deed})
	}
	return offers, notices
}
