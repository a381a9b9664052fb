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

// FilePicker is a [Tree] of files, in which the user chooses one. It has the keys of a tree. The
// key "." shows and hides names that begin with a dot. Esc and Ctrl+C leave if OnLeave is set.
//
// A directory is read on the App's loop when it is opened, so FS must answer at once. Paths are
// relative to the root of FS, with slashes, as in [fs.FS]. Control characters in names are shown as
// visible tokens. If the Space has no height, the open rows are shown as text and
// [FilePicker.Submit] chooses. Access fields and methods only on the loop.
type FilePicker struct {
	FS     fs.FS
	Title  string
	Hidden bool                                  // shows names that begin with a dot
	Dirs   bool                                  // directories can be chosen, too; Space opens them
	Match  func(path string, d fs.DirEntry) bool // reports whether to show a file; nil: all files are shown
	// At is the highlighted path. If it is set before the first View its parent directories are
	// opened.
	At       string
	Height   int               // the maximum number of rows; 0: the height of the Space
	OnMove   func(path string) // called when another path is highlighted
	OnChoose func(path string) // called on Enter with the path
	OnLeave  func()            // called on Esc and Ctrl+C; nil: FilePicker does not handle them
	Mouse    bool              // a click highlights a row, a second click chooses it, the wheel scrolls
	// ScrollBar shows a scroll bar at the right.
	ScrollBar bool

	tree      Tree
	treeReady bool // the callbacks of tree are set
}

// failedIDPrefix is the prefix of the ID of a row that represents no file: the row says why a
// directory cannot be read.
const failedIDPrefix = "\x00"

// setUpTree copies the fields to the tree. At the first call it also sets the tree's callbacks and
// opens the parents of At.
func (f *FilePicker) setUpTree() {
	f.tree.Title, f.tree.Height, f.tree.Mouse, f.tree.Branches = f.Title, f.Height, f.Mouse, f.Dirs
	f.tree.ScrollBar = f.ScrollBar
	if f.treeReady {
		return
	}
	f.treeReady = true
	f.tree.Children = f.readDir
	f.tree.OnMove = func(n Node) {
		if strings.HasPrefix(n.ID, failedIDPrefix) {
			return
		}
		if f.At = n.ID; f.OnMove != nil {
			f.OnMove(n.ID)
		}
	}
	f.tree.OnChoose = func(n Node) {
		if f.OnChoose != nil && !strings.HasPrefix(n.ID, failedIDPrefix) {
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

// Changed must be called after files have changed. It makes the next View read the open directories
// again.
func (f *FilePicker) Changed() { f.tree.Changed() }

// readDir returns the entries of a directory as tree nodes: directories first, then in natural
// order. If the directory cannot be read the last node says why.
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
		nodes = append(nodes, Node{ID: failedIDPrefix + dir, Note: "cannot be read: " + errorWithoutPath(err)})
	}
	return nodes
}

// errorWithoutPath returns the text of err without the path, which the row above already shows.
func errorWithoutPath(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// View returns the title and the visible rows of the tree.
func (f *FilePicker) View(s tui.Space) tui.View {
	f.setUpTree()
	return f.tree.View(s)
}

// HandleEvent handles the events of a [Tree], the key "." and the keys that leave.
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

// Submit chooses a file without a terminal. line is a path or the number of a row.
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
