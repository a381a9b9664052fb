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

// Bounds of an outline.
const (
	outlineDepth   = 3    // directories below each other
	outlineLines   = 80   // rows
	outlineEntries = 25   // of one directory
	outlineTop     = 60   // of the root
	outlineLook    = 5000 // entries that are looked at
	outlineName    = 80   // bytes of a name
)

// Outline returns a short tree of the default root of w, as deep as few rows allow: one name a row,
// directories with a slash. Links are named and not followed; .git and what git ignores are left
// out.
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

// outline is the rows of a tree while it is walked.
type outline struct {
	rows []outlineRow
	at   []int // entries that were met in each directory on the path
	cut  bool  // there is more that was not looked at
}

type outlineRow struct {
	depth int
	text  string
}

// add adds an entry and reports whether there was room for it.
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

// leave ends the directories below depth: what of them has no row is counted.
func (o *outline) leave(depth int) {
	for len(o.at) > depth {
		o.more(len(o.at))
		o.at = o.at[:len(o.at)-1]
	}
}

// most returns how many entries of a directory have rows.
func most(depth int) int {
	if depth == 1 {
		return outlineTop
	}
	return outlineEntries
}

func (o *outline) more(depth int) {
	if n := o.at[depth-1] - most(depth); n > 0 {
		o.rows = append(o.rows, outlineRow{depth, fmt.Sprintf("[%d more]", n)})
	}
}

// text returns the rows down to the depth that has room.
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
