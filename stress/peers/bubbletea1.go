package main

import (
	"io"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/scrollkeep/scrollkeep/stress/workload"
)

type model1 struct{ *model }

func (m model1) Init() tea.Cmd { return nil }
func (m model1) View() string  { return m.view() }

func (m model1) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if o, ok := msg.(workload.Op); ok {
		if text := m.update(o); text != "" {
			return m, tea.Println(text)
		}
	}
	return m, nil
}

func start1(m *model, out io.Writer, cols, rows int) func(workload.Op) {
	p := tea.NewProgram(model1{m}, tea.WithInput(nil), tea.WithOutput(out), tea.WithoutSignalHandler())
	go p.Run()
	p.Send(tea.WindowSizeMsg{Width: cols, Height: rows})
	return func(o workload.Op) { p.Send(o) }
}
