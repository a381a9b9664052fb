package main

import (
	"io"
	"strings"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/scrollkeep/scrollkeep/stress/workload"
)

type model2 struct{ *chat }

// caret says where the cursor stands in the rows of a box.
type caret interface{ caret() *tea.Cursor }

func (m model2) Init() tea.Cmd { return nil }

func (m model2) View() tea.View {
	v := tea.NewView(m.view())
	if v.AltScreen = m.pane != nil; v.AltScreen {
		return v
	}
	v.Cursor = m.box.(caret).caret()
	v.Cursor.Y += strings.Count(v.Content, "\n") - 1 - strings.Count(m.box.view(), "\n")
	return v
}

func (m model2) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		m.box.key(msg)
	case workload.Op:
		if text := m.update(msg); text != "" {
			return m, tea.Println(text)
		}
	}
	return m, nil
}

func start2(c *chat, in io.Reader, out io.Writer, cols, rows int) func(any) {
	p := tea.NewProgram(model2{c}, tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler(),
		tea.WithWindowSize(cols, rows),
		tea.WithColorProfile(colorprofile.TrueColor),
		tea.WithEnvironment([]string{"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8"}))
	go p.Run()
	return func(msg any) {
		if o := msg.(workload.Op); o.K == "resize" {
			p.Send(tea.WindowSizeMsg{Width: o.W, Height: o.H})
		}
		p.Send(msg)
	}
}

// area2 is the editor of the bubbles, without colours of its own, with the terminal's cursor.
type area2 struct{ textarea.Model }

func newArea2() box {
	a := &area2{textarea.New()}
	a.Prompt, a.ShowLineNumbers, a.CharLimit = "> ", false, 0
	a.SetStyles(textarea.Styles{})
	a.SetVirtualCursor(false)
	a.SetHeight(1)
	a.Focus()
	return a
}

func (a *area2) resize(cols int)    { a.SetWidth(cols) }
func (a *area2) view() string       { return a.Model.View() }
func (a *area2) caret() *tea.Cursor { return a.Cursor() }

func (a *area2) key(msg any) {
	a.Model, _ = a.Update(msg.(tea.KeyPressMsg))
	a.SetHeight(a.LineInfo().Height)
}

// text2 is an input without an editor: text that grows.
type text2 struct {
	cols int
	text string
}

func (t *text2) resize(cols int) { t.cols = cols }
func (t *text2) key(msg any)     { t.text += msg.(tea.KeyPressMsg).Text }
func (t *text2) view() string    { return ansi.Hardwrap("> "+t.text, t.cols-1, true) }

func (t *text2) caret() *tea.Cursor {
	rows := strings.Split(t.view(), "\n")
	return tea.NewCursor(ansi.StringWidth(rows[len(rows)-1]), len(rows)-1)
}
