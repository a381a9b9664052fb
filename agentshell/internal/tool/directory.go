package tool

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/ignore"
)

// treeDepth and the constants below limit a directory that read_file shows.
const (
	treeDepth   = 2      // treeDepth is the number of levels.
	treeEach    = 12     // treeEach is the number of entries shown of each subdirectory.
	treeLooked  = 20_000 // treeLooked is the number of entries that are visited.
	treeEntries = 500    // treeEntries is the number of entries shown of the directory itself.
)

// branch is an entry of a directory, with the entries below it if it is a directory.
type branch struct {
	name string
	mode fs.FileMode
	size int64
	// written is the modification time.
	written time.Time
	// link is the target of a symbolic link.
	link string
	// below holds the entries of a directory.
	below []*branch
}

// readDirectory returns the tree of a directory: two levels, with the last written entries first.
// It leaves out .git and what git ignores.
func (t *readFile) readDirectory(ctx context.Context, p workspace.Path) (Result, error) {
	top := &branch{}
	looked, err := grow(ctx, t.env.Workspace, p, top)
	if err != nil {
		return Result{}, err
	}
	var b strings.Builder
	if len(top.below) == 0 {
		b.WriteString("(empty directory)\n")
	}
	printer := treePrinter{left: roomOf(ctx), now: t.env.now(), out: &b}
	printer.print(top, "", treeEntries)
	if printer.more > 0 {
		fmt.Fprintf(&b, "[%d more entries; read a directory below, or use find]\n", printer.more)
	}
	if looked > treeLooked {
		fmt.Fprintf(&b, "[there is more: only %d entries were looked at; use find]\n", treeLooked)
	}
	return Result{Text: b.String(), Summary: count(len(top.below), "entry"), Detail: b.String()}, nil
}

// grow adds the entries of the directory p and of its subdirectories to top. looked is the number
// of entries that were visited.
func grow(ctx context.Context, w *workspace.Workspace, p workspace.Path, top *branch) (looked int, err error) {
	tree, err := w.Tree(ctx, p, ignore.File)
	if err != nil {
		return 0, err
	}
	defer tree.Close()
	ignored := ignore.New(w, tree)
	at := []*branch{top} // by depth
	for tree.Next() {
		depth := tree.Depth()
		if tree.Name() == ".git" || ignored.Ignores(tree) {
			tree.Skip()
			continue
		}
		if looked++; looked > treeLooked {
			break
		}
		e, err := tree.Stat()
		if err != nil {
			tree.Skip()
			continue // it is gone
		}
		n := &branch{name: tree.Name(), mode: tree.Mode(), size: e.Size, written: e.Modify}
		if n.mode&fs.ModeSymlink != 0 {
			n.link, _ = tree.Link() // "" if it is gone
		}
		at = at[:depth]
		at[depth-1].below = append(at[depth-1].below, n)
		switch {
		case !n.mode.IsDir():
		case depth == treeDepth:
			tree.Skip()
		default:
			at = append(at, n)
			ignored.Enter(tree)
		}
	}
	return looked, tree.Err()
}

// treePrinter writes the lines of a directory tree as long as there is room.
type treePrinter struct {
	out  *strings.Builder
	left room
	more int // more is the number of entries for which there was no room.
	now  time.Time
}

// print writes at most limit entries of n and what is below them, the last written entries first.
func (p *treePrinter) print(n *branch, indent string, limit int) {
	slices.SortFunc(n.below, func(x, y *branch) int {
		return cmp.Or(y.written.Compare(x.written), strings.Compare(x.name, y.name))
	})
	for i, e := range n.below {
		row := indent + e.row(p.now)
		if i == limit {
			row = fmt.Sprintf("%s[%d more]\n", indent, len(n.below)-i)
		}
		if p.more > 0 || !p.left.take(row) {
			p.more++
			continue
		}
		p.out.WriteString(row)
		if i == limit {
			return
		}
		p.print(e, indent+"  ", treeEach)
	}
}

// row returns the line for an entry.
func (n *branch) row(now time.Time) string {
	row := diff.Escape(n.name)
	switch {
	case n.mode.IsDir():
		row += "/"
	case n.mode.IsRegular():
		row += "  " + bytesWord(int(n.size))
	case n.mode&fs.ModeSymlink != 0:
		row += " -> " + diff.Escape(n.link)
	default:
		row += "  (special file)"
	}
	return row + ", " + age(now.Sub(n.written)) + "\n"
}

// age returns a duration as a text such as "3 hours ago".
func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return count(int(d.Minutes()), "minute") + " ago"
	case d < 48*time.Hour:
		return count(int(d.Hours()), "hour") + " ago"
	}
	return count(int(d.Hours()/24), "day") + " ago"
}
