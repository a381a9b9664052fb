package tool

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/memory"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// Memory holds the notes that sessions keep for later ones, and writes them.
type Memory struct {
	// Notes reads and searches the notes.
	Notes *memory.Store
	// Dir is the folder of the user's notes, which all workspaces share; "": there is none. Journal
	// is the field of the same name in [workspace.Config].
	Dir, Journal string

	mu     sync.Mutex
	opened *workspace.Workspace // opened is Dir, opened as a workspace; nil: it is not open.
}

// folder opens the folder of the user's notes as a workspace of its own, so that notes are written
// in the same way as all files. The workspace's root is the nearest existing parent directory:
// nothing is created before the user allows it.
func (m *Memory) folder() (*workspace.Workspace, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Dir == "" {
		return nil, errors.New("there is no folder for notes of the person: HOME is not set")
	}
	if m.opened != nil && m.opened.Alive() == nil {
		return m.opened, nil
	}
	root := m.Dir
	for {
		info, err := os.Stat(root)
		if err == nil && info.IsDir() {
			break
		}
		if parent := filepath.Dir(root); parent != root && errors.Is(err, fs.ErrNotExist) {
			root = parent
			continue
		}
		return nil, errors.New("the folder of the notes cannot be opened: " + root + " is no directory")
	}
	opened, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Name: "notes", Dir: root}},
		Journal: m.Journal})
	if err != nil {
		return nil, err
	}
	if m.opened != nil {
		_ = m.opened.Close() // its directory is gone
	}
	m.opened = opened
	return opened, nil
}

// Close closes the folder of the user's notes, if it is open.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.opened == nil {
		return nil
	}
	err := m.opened.Close()
	m.opened = nil
	return err
}

// isNote reports whether a request is the memory:// address of a note.
func isNote(request string) bool { return strings.HasPrefix(request, memory.Scheme+"://") }

// openNote loads the file of a note by its address, and returns the environment in which a tool can
// write it. The file need not exist.
func openNote(ctx context.Context, env Env, address string) (Env, noteFile, workspace.File, error) {
	var none workspace.File
	if env.Memory == nil || env.Memory.Notes == nil {
		return env, noteFile{}, none, failed(`there is no memory here: [memory] backend = "file" in the config file ` +
			`turns it on`)
	}
	scope, name, err := memory.ParseID(address)
	if err != nil {
		return env, noteFile{}, none, invalidArgs("%v", err)
	}
	note := noteFile{scope: scope, name: name, memory: env.Memory,
		address: memory.Scheme + "://" + string(scope) + "/" + name}
	path := filepath.Join(env.Workspace.Dir(), filepath.FromSlash(memory.WorkspaceDir), name+".md")
	if scope == memory.Person {
		folder, err := env.Memory.folder()
		if err != nil {
			return env, note, none, failed("%v", err)
		}
		// The history, the formatters and what the model has read belong to the workspace.
		env.Workspace, env.History, env.Past, env.Format, env.Tags = folder, nil, nil, nil, nil
		path = filepath.Join(env.Memory.Dir, name+".md")
	}
	f, err := loadTarget(ctx, env, path)
	return env, note, f, err
}

// note prepares a call that writes a note, or deletes it if the content is empty.
func (t *writeFile) note(ctx context.Context, id string, args writeArgs) (Call, error) {
	if strings.TrimSpace(args.Content) == "" {
		return Forget(ctx, t.env, id, args.Path)
	}
	env, note, f, err := openNote(ctx, t.env, args.Path)
	if err != nil {
		return Call{}, err
	}
	after, err := memory.Prepare(args.Content, env.Secrets, env.now())
	if err != nil {
		return Call{}, invalidArgs("%v", err)
	}
	if !f.Print.Exists && env.Memory.Notes.Count(note.scope) >= memory.MaxNotes {
		return Call{}, failed("there are %d notes already, and no more are read: change one, or forget one",
			memory.MaxNotes)
	}
	c := (&writeFile{env}).change(id, f, env.Workspace.Abs(f.Path), after)
	c.target = note
	return c.prepare()
}

// Forget prepares a call that deletes the note at an address. The call asks the user.
func Forget(ctx context.Context, env Env, id, address string) (Call, error) {
	env, note, f, err := openNote(ctx, env, address)
	if err != nil {
		return Call{}, err
	}
	if !f.Print.Exists {
		return Call{}, &Error{Code: "not_found", Text: "there is no note " + note.address}
	}
	c := change{env: env, call: id, tool: "write_file", file: f, asked: env.Workspace.Abs(f.Path),
		target: removal{note: &note}}
	c.payload = func(after []byte, s assessment) approval.Payload {
		return approval.Undo{Base: approval.Base{Kind: approval.KindForget, Description: "Forget the note " +
			note.address,
			Path: f.Path.String(), Sandbox: f.Path.Root()}, With: []int{}, Dirs: []string{}, FileExists: true,
			Removes: true, UnifiedDiff: s.unified, DiffLines: strings.Count(s.unified, "\n"),
			BaseFingerprint: f.Print.String(), Flags: s.names}
	}
	c.result = func(workspace.Receipt, assessment) Result {
		return Result{Text: "The note " + note.address + " is forgotten.", Summary: "forgotten"}
	}
	return c.prepare()
}

// noteFile is the target of a change that writes a note. Every such change asks the user, because
// later sessions read the note.
type noteFile struct {
	wholeFile
	// scope says whether the note belongs to the workspace or to the user.
	scope memory.Scope
	// name is the note's name, and address its memory:// address.
	name, address string
	memory        *Memory
}

// flags returns the warning that later sessions read the note.
func (n noteFile) flags() []approval.Flag {
	text := "later sessions read this note; /memory forgets it"
	if n.scope == memory.Person {
		text = "later sessions of all workspaces read this note; /memory forgets it, /undo does not"
	}
	return []approval.Flag{{Name: approval.FlagLasting, Text: text}}
}

// offer lets the user revise the text of the note.
func (n noteFile) offer(c change, s assessment, call *Call) {
	c.offerText(s, call)
	n.setPath(call)
}

// setPath sets the path that rules match. For a note of the user, which lies outside of the
// workspace, it is the note's address.
func (n noteFile) setPath(call *Call) {
	if n.scope == memory.Person { // it is no path of the workspace
		call.Path = n.address
		call.Proposal.Subject.Path = n.address
	}
}

// commit writes the note. A note of the workspace is also recorded as confirmed by the user.
func (n noteFile) commit(ctx context.Context, c change, s assessment) (workspace.Receipt, error) {
	r, err := c.commit(ctx, s, workspace.Change{Data: c.whole})
	if err == nil && n.scope == memory.Workspace {
		if agreeErr := n.memory.Notes.Agreed.Add(n.name, c.whole); agreeErr != nil {
			r.Notes = append(r.Notes,
				"Later sessions take the note for a file that nobody has confirmed: "+agreeErr.Error())
		}
	}
	return r, err
}
