// Command teatimer counts a time down: teatimer 25m "write the report". Space pauses, q stops. What
// was done stays on the screen.
package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"charm.land/bubbles/v2/progress"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
)

const interval = 100 * time.Millisecond

type tick time.Time

func next() tea.Cmd { return tea.Tick(interval, func(t time.Time) tea.Msg { return tick(t) }) }

type model struct {
	label       string
	total, done time.Duration
	last        time.Time
	paused      bool
	bar         progress.Model
	result      string
}

func (m model) Init() tea.Cmd { return next() }

func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tick:
		now := time.Time(msg)
		if !m.paused && !m.last.IsZero() {
			m.done += now.Sub(m.last)
		}
		m.last = now
		if m.done >= m.total {
			m.done, m.result = m.total, "done"
			return m, tea.Quit
		}
		return m, next()
	case tea.WindowSizeMsg:
		m.bar.SetWidth(min(msg.Width-20, 60))
	case tea.KeyPressMsg:
		switch msg.String() {
		case "space":
			m.paused = !m.paused
		case "q", "ctrl+c":
			m.result = "stopped"
			return m, tea.Quit
		}
	}
	return m, nil
}

var (
	strong = lipgloss.NewStyle().Bold(true)
	dim    = lipgloss.NewStyle().Faint(true)
)

func (m model) View() tea.View {
	if m.result != "" {
		return tea.NewView("")
	}
	state := "Space pauses, q stops"
	if m.paused {
		state = "paused: Space goes on, q stops"
	}
	left := (m.total - m.done).Round(time.Second)
	return tea.NewView(strings.Join([]string{
		strong.Render(m.label),
		fmt.Sprintf("%s %s left", m.bar.ViewAs(float64(m.done)/float64(m.total)), left),
		dim.Render(state),
	}, "\n"))
}

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: teatimer 25m LABEL")
		os.Exit(2)
	}
	total, err := time.ParseDuration(os.Args[1])
	if err != nil || total <= 0 {
		fmt.Fprintln(os.Stderr, "teatimer: no time:", os.Args[1])
		os.Exit(2)
	}
	m := model{label: strings.Join(os.Args[2:], " "), total: total, bar: progress.New(progress.WithoutPercentage())}
	end, err := tea.NewProgram(m).Run()
	if err != nil {
		fmt.Fprintln(os.Stderr, "teatimer:", err)
		os.Exit(1)
	}
	if m := end.(model); m.result != "" {
		fmt.Printf("%s: %s after %s\n", m.label, m.result, m.done.Round(time.Second))
	}
}
