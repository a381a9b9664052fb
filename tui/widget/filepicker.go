package widget

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// FilePicker is a [Tree] of files, from which a person chooses one. Its keys are those of a tree,
// and "." shows and hides the names that begin with a dot. Esc and Ctrl+C leave, if OnLeave is set.
// A directory is read on the loop when it is opened, so that FS must answer at once. Paths are
// those of [fs.FS]: they have slashes, and are below its root. Names are shown harmlessly. In a
// space without a height it is the open rows, as text, for [FilePicker.Submit]. Fields and methods
// are for the loop.
type FilePicker struct {
	FS     fs.FS
	Title  string
	Hidden bool                                  // names that begin with a dot are shown
	Dirs   bool                                  // directories can be chosen, too; Space opens them
	Match  func(path string, d fs.DirEntry) bool // which files are shown; nil: all
	// At is the chosen path. If it is set before the first View its directories are opened.
	At       string
	Height   int               // the most rows; 0: all that the space has
	OnMove   func(path string) // another file or directory is the chosen one
	OnChoose func(path string) // Enter
	OnLeave  func()            // Esc, Ctrl+C; nil: they are not taken
	Mouse    bool              // a click chooses a row, the wheel scrolls
	// A bar at the right shows where the rows in sight stand.
	ScrollBar bool

	tree  Tree
	ready bool
}

// failedID begins the ID of a row that is no file: it tells why a directory cannot be read.
const failedID = "\x00"

// setUpTree sets the tree up by the fields.
func (f *FilePicker) setUpTree() {
	f.tree.Title, f.tree.Height, f.tree.Mouse, f.tree.Branches = f.Title, f.Height, f.Mouse, f.Dirs
	f.tree.ScrollBar = f.ScrollBar
	if f.ready {
		return
	}
	f.ready = true
	f.tree.Children = f.readDir
	f.tree.OnMove = func(n Node) {
		if strings.HasPrefix(n.ID, failedID) {
			return
		}
		if f.At = n.ID; f.OnMove != nil {
			f.OnMove(n.ID)
		}
	}
	f.tree.OnChoose = func(n Node) {
		if f.OnChoose != nil && !strings.HasPrefix(n.ID, failedID) {
			f.OnChoose(n.ID)
		}
	}
	if f.At != "" {
		for i := range f.At {
			if f.At[i] == '/' {
				f.tree.Open(f.At[:i])
			}
		}
		f.tree.Choose(f.At)
	}
}

// Changed says that files may have changed: open directories are read again.
func (f *FilePicker) Changed() { f.tree.Changed() }

// readDir returns the entries of a directory, directories first.
func (f *FilePicker) readDir(dir string) (nodes []Node) {
	name := cmp.Or(dir, ".")
	if f.FS == nil {
		return nil
	}
	all, err := fs.ReadDir(f.FS, name)
	for _, d := range all {
		file := path.Join(dir, d.Name())
		if !f.Hidden && strings.HasPrefix(d.Name(), ".") {
			continue
		}
		is := d.IsDir()
		if d.Type()&fs.ModeSymlink != 0 {
			info, err := fs.Stat(f.FS, file)
			is = err == nil && info.IsDir()
		}
		if !is && f.Match != nil && !f.Match(file, d) {
			continue
		}
		n := Node{ID: file, Text: d.Name(), Branch: is}
		if is {
			n.Text += "/"
		} else if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			n.Note = formatBytes(info.Size())
		}
		nodes = append(nodes, n)
	}
	slices.SortStableFunc(nodes, func(a, b Node) int {
		switch {
		case a.Branch == b.Branch:
			return compareNatural(a.Text, b.Text)
		case a.Branch:
			return -1
		}
		return 1
	})
	if err != nil {
		nodes = append(nodes, Node{ID: failedID + dir, Note: "cannot be read: " + reason(err)})
	}
	return nodes
}

// reason returns the text of err without its path, which stands in the row above it.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// View returns the title and the open rows in sight.
func (f *FilePicker) View(s tui.Space) tui.View {
	f.setUpTree()
	return f.tree.View(s)
}

// HandleEvent takes the keys of a tree, "." and the keys that leave.
func (f *FilePicker) HandleEvent(ev tui.Event, s tui.Space) bool {
	f.setUpTree()
	if f.tree.HandleEvent(ev, s) {
		return true
	}
	k, ok := ev.(tui.Key)
	switch {
	case !ok:
		return false
	case k.Mods == 0 && k.Code == '.':
		f.Hidden = !f.Hidden
		f.tree.Changed()
	case k.Mods == 0 && k.Code == terminal.KeyEscape, k.Mods == terminal.Ctrl && k.Code == 'c':
		if f.OnLeave == nil {
			return false
		}
		f.OnLeave()
	default:
		return false
	}
	return true
}

// Submit chooses without a terminal: a path, or the number of a row.
func (f *FilePicker) Submit(line string) {
	f.setUpTree()
	text := strings.TrimSpace(line)
	if text == "" || f.FS == nil {
		return
	}
	file := path.Clean(strings.TrimPrefix(text, "./"))
	info, err := fs.Stat(f.FS, file)
	if err != nil {
		f.tree.Submit(text)
		return
	}
	if info.IsDir() && !f.Dirs {
		return
	}
	if f.At = file; f.OnChoose != nil {
		f.OnChoose(file)
	}
}
