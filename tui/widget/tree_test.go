package widget_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// family returns a tree of three generations; each branch has three children.
func family() *widget.Tree {
	return &widget.Tree{Title: "Family", Children: func(id string) (nodes []widget.Node) {
		for _, c := range "abc" {
			nodes = append(nodes, widget.Node{ID: id + string(c), Text: "person " + id + string(c),
				Branch: len(id) < 2, Note: []string{"grandparent", "parent", "child"}[len(id)]})
		}
		return nodes
	}}
}

func TestATreeIsOpenedClosedAndChosenFrom(t *testing.T) {
	a := &album{t: t}
	tree := func() tui.Component { return family() }
	a.scene("closed", 7, tree)
	a.scene("two branches open", 7, tree, "right", "right", "right", "down", "down")
	a.scene("from a child to its parent", 7, tree, "right", "right", "right", "right", "left")
	a.scene("closed again", 7, tree, "right", "right", "right", "left", "left", "left")
	a.scene("the end", 7, tree, "space", "down", "space", "end")
	a.scene("a click opens", 7, func() tui.Component {
		w := family()
		w.Mouse = true
		return w
	}, "@3,2", "@3,2")
	a.scene("nothing", 7, func() tui.Component { return &widget.Tree{} }, "right", "enter")
	open := family()
	open.Open("b")
	a.plain("a tree", open)
	a.compare("tree")
}

func TestATreeAsksForChildrenWhenTheyAreOpened(t *testing.T) {
	var asked, said []string
	w := family()
	children := w.Children
	w.Children = func(id string) []widget.Node {
		asked = append(asked, id)
		return children(id)
	}
	w.OnMove = func(n widget.Node) { said = append(said, "to "+n.ID) }
	w.OnChoose = func(n widget.Node) { said = append(said, "chose "+n.ID) }
	s := tui.Space{Width: 40, Height: 10}
	for _, code := range []rune{'j', terminal.KeyEnter, 'j', terminal.KeyEnter, 'j', terminal.KeyEnter} {
		w.View(s)
		w.HandleEvent(tui.Key{Code: code}, s)
	}
	if got := strings.Join(asked, ","); got != ",b,ba" {
		t.Errorf("asked for %q", got)
	}
	if got := strings.Join(said, ", "); got != "to b, to ba, to baa, chose baa" {
		t.Errorf("it said %s", got)
	}
	w.Close("b")
	if n, _ := w.Chosen(); n.ID != "b" {
		t.Errorf("the chosen row went with its branch: %v", n)
	}
	w.Open("c")
	w.Choose("cb")
	w.View(s)
	w.Open("a") // above: the chosen row stays
	if n, _ := w.Chosen(); n.ID != "cb" {
		t.Errorf("chosen: %v", n)
	}
	w.Children = func(string) []widget.Node { return []widget.Node{{ID: "x"}, {ID: "cb"}} }
	w.Changed()
	if n, _ := w.Chosen(); n.ID != "cb" {
		t.Errorf("after a change: %v", n)
	}
}

func TestATreeThatHoldsItselfIsOpenedOnce(t *testing.T) {
	w := &widget.Tree{Children: func(string) []widget.Node { return []widget.Node{{ID: "a", Text: "a", Branch: true}} }}
	w.Open("a")
	w.View(tui.Space{Width: 10, Height: 5})
	w.Changed()
	if rows := texts(w.View(tui.Space{Width: 10, Height: 5})); len(rows) != 2 {
		t.Errorf("got %q", rows)
	}
}

func TestARowOfATreeIsChosenWithoutATerminal(t *testing.T) {
	var said []string
	w := family()
	w.Branches = true
	w.OnChoose = func(n widget.Node) { said = append(said, n.ID) }
	w.Open("a")
	for _, line := range []string{"2", "ab", "PERSON C\n", "", "9", "nobody"} {
		w.Submit(line)
	}
	if got := strings.Join(said, ","); got != "aa,ab,c,c" {
		t.Errorf("chosen: %s", got)
	}
}

// files returns a folder with names of many kinds.
func files() fstest.MapFS {
	return fstest.MapFS{
		"README.md": {Data: []byte("# Title\n")}, "main.go": {Data: make([]byte, 12_345)},
		"src/a.go": {}, "src/deep/b.go": {}, ".git/config": {}, "evil\x1b[2J\u202e.txt": {}, "10.txt": {}, "9.txt": {},
		"locked": {Mode: fs.ModeDir | 0o700}, "link": {Mode: fs.ModeSymlink, Data: []byte("src")},
	}
}

// shut is a file system of which one folder cannot be read.
type shut struct{ fstest.MapFS }

func (s shut) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "locked" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return s.MapFS.ReadDir(name)
}

func TestAFilePickerShowsFilesHarmlessly(t *testing.T) {
	a := &album{t: t}
	picker := func() tui.Component { return &widget.FilePicker{FS: shut{files()}, Title: "Open"} }
	a.scene("the root", 12, picker)
	a.scene("hidden files", 12, picker, ".")
	a.scene("a folder that cannot be read", 12, picker, "down", "right", "right", "enter")
	a.scene("a path that is given", 12, func() tui.Component {
		return &widget.FilePicker{FS: files(), At: "src/deep/b.go"}
	})
	a.scene("no files", 4, func() tui.Component { return &widget.FilePicker{} })
	a.plain("a picker", picker())
	a.compare("filepicker")
}

func TestAFilePickerChoosesAPath(t *testing.T) {
	var said []string
	f := &widget.FilePicker{FS: shut{files()}, OnChoose: func(path string) { said = append(said, path) },
		OnMove:  func(path string) { said = append(said, "at "+path) },
		OnLeave: func() { said = append(said, "left") },
		Match:   func(path string, _ fs.DirEntry) bool { return strings.HasSuffix(path, ".go") }}
	s := tui.Space{Width: 40, Height: 10}
	for _, code := range []rune{'G', terminal.KeyEnter, 'g', terminal.KeyEscape} {
		f.View(s)
		f.HandleEvent(tui.Key{Code: code}, s)
	}
	for _, line := range []string{"src/a.go", "./main.go", "src", "../main.go", "none", "", "/etc/passwd"} {
		f.Submit(line)
	}
	want := []string{"at main.go", "main.go", "at link", "left", "src/a.go", "main.go"}
	if !slices.Equal(said, want) {
		t.Errorf("got  %q\nwant %q", said, want)
	}
	if f.Submit("3"); f.At != "main.go" { // a folder is opened
		t.Errorf("a number of a folder chose %q", f.At)
	}
}

func TestARowThatIsNoFileIsNotChosen(t *testing.T) {
	f := &widget.FilePicker{FS: shut{files()}, OnMove: func(path string) { t.Errorf("at %q", path) }}
	f.OnChoose = func(path string) { t.Errorf("chose %q", path) }
	f.At = "locked"
	s := tui.Space{Width: 40, Height: 10}
	for _, code := range []rune{terminal.KeyRight, terminal.KeyRight, terminal.KeyEnter} {
		f.View(s)
		f.HandleEvent(tui.Key{Code: code}, s)
	}
	if rows := strings.Join(texts(f.View(s)), "\n"); !strings.Contains(rows, "›       cannot be read: permission") {
		t.Errorf("shown:\n%s", rows)
	}
}

func ExampleTree() {
	tree := &widget.Tree{Children: func(id string) []widget.Node {
		return []widget.Node{{ID: id + "x", Text: "a branch", Branch: true}, {ID: id + "y", Text: "a leaf"}}
	}}
	tree.Open("x")
	show(tree)
	// Output:
	// 1 ▾ a branch
	// 2   ▸ a branch
	// 3     a leaf
	// 4   a leaf
}

func ExampleNode() {
	n := widget.Node{ID: "usr/bin", Text: "bin", Note: "812 files", Branch: true}
	show(&widget.Tree{Children: func(string) []widget.Node { return []widget.Node{n} }})
	// Output: 1 ▸ bin  812 files
}

func ExampleFilePicker() {
	files := fstest.MapFS{"notes.txt": {Data: []byte("text")}, "src/main.go": {}}
	picker := &widget.FilePicker{FS: files, OnChoose: func(path string) { fmt.Println("chose", path) }}
	show(picker)
	picker.Submit("2")
	// Output:
	// 1 ▸ src/
	// 2   notes.txt  4 B
	// chose notes.txt
}
