// Command tviewtable is tui/examples/table with tview.
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
	app, pages, names := tview.NewApplication(), tview.NewPages(), os.Args[1:]
	var chosen []string
	tabs := tview.NewTextView().SetRegions(true).SetDynamicColors(true)
	for i, name := range names {
		fmt.Fprintf(tabs, `["%d"] %s [""] `, i, tview.Escape(name))
		file, err := os.Open(name)
		if err != nil {
			pages.AddPage(fmt.Sprint(i), tview.NewTextView().SetText(err.Error()), true, i == 0)
			continue
		}
		rows, err := csv.NewReader(file).ReadAll()
		file.Close()
		if err != nil {
			pages.AddPage(fmt.Sprint(i), tview.NewTextView().SetText(err.Error()), true, i == 0)
			continue
		}
		table := tview.NewTable().SetSelectable(true, false).SetFixed(1, 0)
		for r, row := range rows {
			for c, text := range row {
				cell := tview.NewTableCell(tview.Escape(text)).SetExpansion(1).SetSelectable(r > 0)
				if r == 0 {
					cell.SetAttributes(tcell.AttrBold)
				}
				table.SetCell(r, c, cell)
			}
		}
		table.SetSelectedFunc(func(row, _ int) {
			chosen = rows[row]
			app.Stop()
		})
		pages.AddPage(fmt.Sprint(i), table, true, i == 0)
	}
	current := 0
	turn := func(by int) {
		current = (current + by + len(names)) % len(names)
		pages.SwitchToPage(fmt.Sprint(current))
		tabs.Highlight(fmt.Sprint(current))
	}
	turn(0)
	app.SetInputCapture(func(ev *tcell.EventKey) *tcell.EventKey {
		switch ev.Key() {
		case tcell.KeyTab:
			turn(1)
		case tcell.KeyBacktab:
			turn(-1)
		default:
			return ev
		}
		return nil
	})
	hint := tview.NewTextView().SetText("Enter chooses, Tab changes tabs")
	all := tview.NewFlex().SetDirection(tview.FlexRow).AddItem(tabs, 1, 0, false).AddItem(pages, 0, 1, true).
		AddItem(hint, 1, 0, false)
	if err := app.SetRoot(all, true).Run(); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
	if chosen == nil {
		os.Exit(130)
	}
	fmt.Println(strings.Join(chosen, ", "))
}
