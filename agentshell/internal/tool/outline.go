package tool

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/ignore"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// outlineDepth and the constants below limit the outline of a workspace.
const (
	outlineDepth   = 3    // outlineDepth is the number of nested directory levels.
	outlineLines   = 80   // outlineLines is the number of lines from which on the deepest level is left out.
	outlineEntries = 25   // outlineEntries is the number of entries shown of each directory below the root.
	outlineTop     = 60   // outlineTop is the number of entries shown of the root.
	outlineLook    = 5000 // outlineLook is the number of entries that are visited.
	outlineName    = 80   // outlineName is the number of bytes shown of a name.
)

// Outline returns the directory tree of w's default root as an indented list for the model, with as
// many levels as fit into few lines. Directories end with a slash. Symbolic links are named but not
// followed. It leaves out .git and what git ignores.
func Outline(ctx context.Context, w *workspace.Workspace) (string, error) {
	t, err := w.Tree(ctx, w.RootPath(), ignore.File)
	if err != nil {
		return "", err
	}
	defer t.Close()
	ignored := ignore.New(w, t)
	o := outline{at: []int{0}}
	for n := 0; t.Next(); n++ {
		if n == outlineLook {
			o.cut = true
			break
		}
		depth := t.Depth()
		o.leave(depth)
		if t.Name() == ".git" || ignored.Ignores(t) {
			t.Skip()
			continue
		}
		if !o.add(depth, t.Name(), t.Mode()) || depth == outlineDepth {
			t.Skip()
			continue
		}
		if t.Mode().IsDir() {
			ignored.Enter(t)
		}
	}
	o.leave(1)
	return o.text(), t.Err()
}

// outline collects the lines of the tree during the walk.
type outline struct {
	rows []outlineRow
	at   []int // at holds, for each directory on the current path, the number of its entries so far.
	cut  bool  // cut is true if the walk ended before it had visited everything.
}

// outlineRow is one line of the outline, with the level of its entry, counted from 1.
type outlineRow struct {
	depth int
	text  string
}

// add adds a line for an entry. It returns false, and only counts the entry, if its directory has
// too many.
func (o *outline) add(depth int, name string, mode fs.FileMode) bool {
	for len(o.at) < depth {
		o.at = append(o.at, 0)
	}
	o.at[depth-1]++
	if o.at[depth-1] > most(depth) {
		return false
	}
	text := diff.Escape(width.Head(name, outlineName))
	switch {
	case mode.IsDir():
		text += "/"
	case mode&fs.ModeSymlink != 0:
		text += " (link)"
	}
	o.rows = append(o.rows, outlineRow{depth, text})
	return true
}

// leave ends the directories that are nested deeper than depth, and adds for each a line with the
// number of entries that were left out.
func (o *outline) leave(depth int) {
	for len(o.at) > depth {
		o.more(len(o.at))
		o.at = o.at[:len(o.at)-1]
	}
}

// most returns the number of entries that are shown of a directory at that depth.
func most(depth int) int {
	if depth == 1 {
		return outlineTop
	}
	return outlineEntries
}

// more adds the line "[N more]" if the directory at that depth has more entries than are shown.
func (o *outline) more(depth int) {
	if n := o.at[depth-1] - most(depth); n > 0 {
		o.rows = append(o.rows, outlineRow{depth, fmt.Sprintf("[%d more]", n)})
	}
}

// text returns the lines of as many levels as fit into outlineLines.
func (o *outline) text() string {
	o.more(1)
	depth := outlineDepth
	for ; depth > 1; depth-- {
		n := 0
		for _, r := range o.rows {
			if r.depth <= depth {
				n++
			}
		}
		if n <= outlineLines {
			break
		}
	}
	var b strings.Builder
	for _, r := range o.rows {
		if r.depth <= depth {
			b.WriteString(strings.Repeat("  ", r.depth-1) + r.text + "\n")
		}
	}
	if o.cut {
		b.WriteString("[more was not looked at]\n")
	}
	return b.String()
}
