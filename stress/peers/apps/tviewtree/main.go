// Command tviewtree is tui/examples/tree with tview.
package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"
)

func main() {
	app, files := tview.NewApplication(), os.DirFS(os.Args[1])
	var chosen string
	fill := func(node *tview.TreeNode, dir string) {
		entries, err := fs.ReadDir(files, dir)
		if err != nil {
			return
		}
		slices.SortStableFunc(entries, func(a, b fs.DirEntry) int {
			if a.IsDir() == b.IsDir() {
				return 0
			} else if a.IsDir() {
				return -1
			}
			return 1
		})
		for _, e := range entries {
			name, size := e.Name(), ""
			if info, err := e.Info(); err == nil && !e.IsDir() {
				size = fmt.Sprintf("  %d B", info.Size())
			} else if e.IsDir() {
				name += "/"
			}
			node.AddChild(tview.NewTreeNode(tview.Escape(name + size)).SetReference(path.Join(dir, e.Name())).
				SetExpanded(false))
		}
	}
	root := tview.NewTreeNode(os.Args[1]).SetReference(".")
	fill(root, ".")
	tree := tview.NewTreeView().SetRoot(root).SetTopLevel(1)
	if children := root.GetChildren(); len(children) > 0 {
		tree.SetCurrentNode(children[0])
	}
	title := tview.NewTextView()
	text := tview.NewTextView()
	tree.SetChangedFunc(func(node *tview.TreeNode) {
		name := node.GetReference().(string)
		title.SetText(name)
		content, err := fs.ReadFile(files, name)
		if err != nil {
			content = []byte(err.Error())
		}
		text.SetText(string(content)).ScrollToBeginning()
	})
	tree.SetSelectedFunc(func(node *tview.TreeNode) {
		name := node.GetReference().(string)
		if info, err := fs.Stat(files, name); err == nil && !info.IsDir() {
			chosen = name
			app.Stop()
		}
	})
	tree.SetInputCapture(func(ev *tcell.EventKey) *tcell.EventKey {
		node := tree.GetCurrentNode()
		switch name := node.GetReference().(string); ev.Key() {
		case tcell.KeyRight:
			if info, err := fs.Stat(files, name); err == nil && info.IsDir() && len(node.GetChildren()) == 0 {
				fill(node, name)
			}
			node.SetExpanded(true)
		case tcell.KeyLeft:
			node.SetExpanded(false)
		default:
			return ev
		}
		return nil
	})
	app.SetInputCapture(func(ev *tcell.EventKey) *tcell.EventKey {
		if ev.Key() != tcell.KeyTab && ev.Key() != tcell.KeyBacktab {
			return ev
		}
		if tree.HasFocus() {
			app.SetFocus(text)
		} else {
			app.SetFocus(tree)
		}
		return nil
	})
	heading := tview.NewTextView().SetText(os.Args[1])
	hint := tview.NewTextView().SetText("Enter chooses, Tab changes sides")
	rows := func(items ...tview.Primitive) *tview.Flex { // the middle one grows
		f := tview.NewFlex().SetDirection(tview.FlexRow)
		for i, item := range items {
			f.AddItem(item, 1-i%2, i%2, i == 1)
		}
		return f
	}
	all := tview.NewFlex().AddItem(rows(heading, tree), 0, 1, true).AddItem(rows(title, text, hint), 0, 2, false)
	if err := app.SetRoot(all, true).Run(); err != nil {
		fmt.Fprintln(os.Stderr, "tree:", err)
		os.Exit(1)
	}
	if chosen == "" {
		os.Exit(130)
	}
	fmt.Println(chosen)
}
