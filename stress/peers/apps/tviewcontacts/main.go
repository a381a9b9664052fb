// Command tviewcontacts shows a CSV file of people, and prints the address of the one that is
// chosen. "/" searches.
package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"strings"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"
)

func main() {
	file, err := os.Open(os.Args[len(os.Args)-1])
	if err != nil {
		fail(err)
	}
	people, err := csv.NewReader(file).ReadAll()
	if err != nil {
		fail(err)
	}
	app := tview.NewApplication()
	table := tview.NewTable().SetFixed(1, 0).SetSelectable(true, false)
	detail := tview.NewTextView()
	search := tview.NewInputField().SetLabel("/")
	note := tview.NewTextView().SetText("Enter chooses, / searches, q leaves")
	chosen := ""

	for row, person := range people {
		for column, text := range person {
			cell := tview.NewTableCell(text).SetSelectable(row > 0)
			if row == 0 {
				cell.SetAttributes(tcell.AttrBold)
			}
			table.SetCell(row, column, cell)
		}
	}
	show := func(row, _ int) {
		if row < 1 || row >= len(people) {
			return
		}
		var b strings.Builder
		for i, title := range people[0] {
			fmt.Fprintf(&b, "%s: %s\n", title, people[row][i])
		}
		detail.SetText(b.String())
	}
	table.SetSelectionChangedFunc(show)
	table.SetSelectedFunc(func(row, _ int) {
		chosen = people[row][1]
		app.Stop()
	})
	table.SetBorder(true).SetTitle("People")
	detail.SetBorder(true).SetTitle("Person")

	body := tview.NewFlex().AddItem(table, 0, 2, true).AddItem(detail, 0, 1, false)
	root := tview.NewFlex().SetDirection(tview.FlexRow).AddItem(body, 0, 1, true).AddItem(note, 1, 0, false)
	find := func(text string) {
		from, _ := table.GetSelection()
		for i := range people {
			row := (from + 1 + i) % len(people)
			if row > 0 && strings.Contains(strings.ToLower(strings.Join(people[row], "\n")), strings.ToLower(text)) {
				table.Select(row, 0)
				return
			}
		}
	}
	last := ""
	search.SetDoneFunc(func(key tcell.Key) {
		if last = search.GetText(); key == tcell.KeyEnter && last != "" {
			find(last)
		}
		root.RemoveItem(search).AddItem(note, 1, 0, false)
		app.SetFocus(table)
	})
	table.SetInputCapture(func(ev *tcell.EventKey) *tcell.EventKey {
		switch ev.Rune() {
		case '/':
			search.SetText("")
			root.RemoveItem(note).AddItem(search, 1, 0, true)
			app.SetFocus(search)
			return nil
		case 'n':
			find(last)
			return nil
		case 'q':
			app.Stop()
			return nil
		}
		return ev
	})
	table.Select(1, 0)
	if err := app.SetRoot(root, true).EnableMouse(true).Run(); err != nil {
		fail(err)
	}
	if chosen != "" {
		fmt.Println(chosen)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "tviewcontacts:", err)
	os.Exit(1)
}
