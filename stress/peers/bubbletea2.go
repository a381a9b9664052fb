package main

import (
	"io"

	tea "charm.land/bubbletea/v2"

	"github.com/scrollkeep/scrollkeep/stress/workload"
)

type model2 struct{ *model }

func (m model2) Init() tea.Cmd  { return nil }
func (m model2) View() tea.View { return tea.NewView(m.view()) }

func (m model2) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if o, ok := msg.(workload.Op); ok {
		if text := m.update(o); text != "" {
			return m, tea.Println(text)
		}
	}
	return m, nil
}

func start2(m *model, out io.Writer, cols, rows int) func(workload.Op) {
	p := tea.NewProgram(model2{m}, tea.WithInput(nil), tea.WithOutput(out), tea.WithoutSignalHandler(), tea.WithWindowSize(cols, rows))
	go p.Run()
	return func(o workload.Op) { p.Send(o) }
}
