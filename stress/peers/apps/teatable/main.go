// Command teatable is tui/examples/table with bubbletea and the table of the bubbles.
package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"strings"

	"charm.land/bubbles/v2/table"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
)

type tab struct {
	title string
	table table.Model
	err   error
}

type model struct {
	tabs    []tab
	current int
	chosen  []string
}

func (m model) Init() tea.Cmd { return nil }

func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	t := &m.tabs[m.current]
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		for i := range m.tabs {
			t := &m.tabs[i].table
			columns := t.Columns()
			for c := range columns {
				columns[c].Width = max(msg.Width/len(columns)-2, 1)
			}
			t.SetColumns(columns)
			t.SetWidth(msg.Width)
			t.SetHeight(msg.Height - 2)
		}
	case tea.KeyPressMsg:
		switch msg.String() {
		case "tab":
			m.current = (m.current + 1) % len(m.tabs)
			return m, nil
		case "shift+tab":
			m.current = (m.current + len(m.tabs) - 1) % len(m.tabs)
			return m, nil
		case "enter":
			m.chosen = t.table.SelectedRow()
			return m, tea.Quit
		case "ctrl+c":
			return m, tea.Quit
		}
	}
	var cmd tea.Cmd
	t.table, cmd = t.table.Update(msg)
	return m, cmd
}

var active, inactive = lipgloss.NewStyle().Reverse(true), lipgloss.NewStyle()

func (m model) View() tea.View {
	var b strings.Builder
	for i, t := range m.tabs {
		style := inactive
		if i == m.current {
			style = active
		}
		b.WriteString(style.Render(" "+t.title+" ") + " ")
	}
	if t := m.tabs[m.current]; t.err != nil {
		b.WriteString("\n" + t.err.Error())
	} else {
		b.WriteString("\n" + t.table.View())
	}
	b.WriteString("\nEnter chooses, Tab changes tabs")
	v := tea.NewView(b.String())
	v.AltScreen = true
	return v
}

func read(name string) (t tab) {
	t.title = name
	file, err := os.Open(name)
	if err != nil {
		t.err = err
		return t
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.err = err
		return t
	}
	var columns []table.Column
	for _, title := range rows[0] {
		columns = append(columns, table.Column{Title: title, Width: 10})
	}
	var body []table.Row
	for _, row := range rows[1:] {
		body = append(body, row)
	}
	t.table = table.New(table.WithColumns(columns), table.WithRows(body), table.WithFocused(true))
	return t
}

func main() {
	var m model
	for _, name := range os.Args[1:] {
		m.tabs = append(m.tabs, read(name))
	}
	end, err := tea.NewProgram(m).Run()
	if err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
	if chosen := end.(model).chosen; chosen != nil {
		fmt.Println(strings.Join(chosen, ", "))
		return
	}
	os.Exit(130)
}
