package main

import (
	"io"

	"github.com/charmbracelet/bubbles/textarea"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"github.com/scrollkeep/scrollkeep/stress/workload"
)

type model1 struct{ *chat }

func (m model1) Init() tea.Cmd { return nil }
func (m model1) View() string  { return m.view() }

func (m model1) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		m.box.key(msg)
	case workload.Op:
		text := m.update(msg)
		if msg.K == "pane" {
			return m, tea.EnterAltScreen
		}
		if text != "" {
			return m, tea.Println(text)
		}
	}
	return m, nil
}

func start1(c *chat, in io.Reader, out io.Writer, cols, rows int) func(any) {
	p := tea.NewProgram(model1{c}, tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler())
	go p.Run()
	p.Send(tea.WindowSizeMsg{Width: cols, Height: rows})
	return func(msg any) {
		if o := msg.(workload.Op); o.K == "resize" {
			p.Send(tea.WindowSizeMsg{Width: o.W, Height: o.H})
		}
		p.Send(msg)
	}
}

// area1 is the editor of the bubbles, without colours of its own. It shows the cursor as a cell,
// since the library cannot place the terminal's.
type area1 struct{ textarea.Model }

func newArea1() box {
	lipgloss.SetColorProfile(termenv.TrueColor)
	a := &area1{textarea.New()}
	a.Prompt, a.ShowLineNumbers, a.CharLimit = "> ", false, 0
	a.FocusedStyle = textarea.Style{}
	a.SetHeight(1)
	a.Focus()
	return a
}

func (a *area1) resize(cols int) { a.SetWidth(cols) }
func (a *area1) view() string    { return a.Model.View() }

func (a *area1) key(msg any) {
	a.Model, _ = a.Update(msg.(tea.KeyMsg))
	a.SetHeight(a.LineInfo().Height)
}

// text1 is an input without an editor: text that grows, and a cell for the cursor.
type text1 struct {
	cols int
	text string
}

func (t *text1) resize(cols int) { t.cols = cols }
func (t *text1) key(msg any)     { t.text += string(msg.(tea.KeyMsg).Runes) }
func (t *text1) view() string    { return ansi.Hardwrap("> "+t.text, t.cols-1, true) + "\x1b[7m \x1b[0m" }
