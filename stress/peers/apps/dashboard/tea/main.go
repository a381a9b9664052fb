// Command tea is the dashboard with bubbletea, the table of the bubbles and lipgloss.
package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"charm.land/bubbles/v2/table"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/scrollkeep/scrollkeep/stress/peers/apps/dashboard/feed"
	"github.com/scrollkeep/scrollkeep/tui"
)

type tick time.Time

func next() tea.Cmd { return tea.Tick(feed.Interval, func(t time.Time) tea.Msg { return tick(t) }) }

type model struct {
	feed       *feed.Feed
	table      table.Model
	cols, rows int
}

func (m model) Init() tea.Cmd { return next() }

func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tick:
		m.feed.Step()
		rows := make([]table.Row, len(m.feed.Rows))
		for i, r := range m.feed.Rows {
			rows[i] = r
		}
		m.table.SetRows(rows)
		return m, next()
	case tea.WindowSizeMsg:
		m.cols, m.rows = msg.Width, msg.Height
		m.table.SetWidth(m.cols/2 - 2)
		m.table.SetHeight(m.rows - 4)
	case tea.KeyPressMsg:
		if msg.String() == "q" {
			return m, tea.Quit
		}
		m.table, _ = m.table.Update(msg)
	}
	return m, nil
}

var (
	box    = lipgloss.NewStyle().Border(lipgloss.RoundedBorder()).BorderForeground(lipgloss.BrightBlack)
	title  = lipgloss.NewStyle().Bold(true)
	styles = map[tui.Style]lipgloss.Style{}
)

// style returns the style of lipgloss for one of tui.
func style(st tui.Style) lipgloss.Style {
	s, ok := styles[st]
	if !ok {
		s = lipgloss.NewStyle().Bold(st.Attr&tui.Bold != 0).Faint(st.Attr&tui.Faint != 0)
		if n, named := st.Fg.Index(); named {
			s = s.Foreground(lipgloss.Color(fmt.Sprint(n)))
		}
		styles[st] = s
	}
	return s
}

// pane returns a chart in a box.
func pane(name string, c tui.Component, cols, rows int) string {
	var b strings.Builder
	b.WriteString(title.Render(name))
	for _, l := range feed.Draw(c, cols-2, rows-3) {
		b.WriteByte('\n')
		for _, sp := range l.Spans {
			if sp.Style == (tui.Style{}) {
				b.WriteString(sp.Text)
			} else {
				b.WriteString(style(sp.Style).Render(sp.Text))
			}
		}
	}
	return box.Width(cols).Height(rows).Render(b.String())
}

func (m model) View() tea.View {
	if m.cols == 0 {
		return tea.NewView("")
	}
	rows, left := m.rows-1, m.cols/2
	upper := rows * 2 / 3
	processes := box.Width(left).Height(rows).Render(title.Render("Processes") + "\n" + m.table.View())
	right := lipgloss.JoinVertical(lipgloss.Left, pane("Traffic", m.feed.Traffic, m.cols-left, upper),
		pane("Hosts", m.feed.Hosts, m.cols-left, rows-upper))
	v := tea.NewView(lipgloss.JoinHorizontal(lipgloss.Top, processes, right) + "\n" + m.feed.Status())
	v.AltScreen = true
	return v
}

func main() {
	f := feed.New()
	columns := make([]table.Column, len(feed.Columns))
	for i, name := range feed.Columns {
		columns[i] = table.Column{Title: name, Width: feed.Widths[i]}
	}
	m := model{feed: f, table: table.New(table.WithColumns(columns), table.WithFocused(true))}
	if _, err := tea.NewProgram(m).Run(); err != nil {
		fmt.Fprintln(os.Stderr, "tea:", err)
		os.Exit(1)
	}
}
