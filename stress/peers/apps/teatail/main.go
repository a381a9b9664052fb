// Command teatail is tui/examples/tail with bubbletea: Println for the lines, a viewport for the
// pane.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
)

type line string

type model struct {
	name         string
	lines        []string
	pane         viewport.Model
	open, typing bool
	query        string
}

var (
	faint  = lipgloss.NewStyle().Foreground(lipgloss.Color("245"))
	levels = map[string]lipgloss.Style{
		"INFO":  lipgloss.NewStyle().Foreground(lipgloss.BrightBlue),
		"WARN":  lipgloss.NewStyle().Foreground(lipgloss.Yellow),
		"ERROR": lipgloss.NewStyle().Foreground(lipgloss.Red).Bold(true),
	}
)

// look styles a line as widget.Levels does: a faint time, a level in its colour, all of a DEBUG
// line faint.
func look(text string) string {
	time, rest, _ := strings.Cut(text, " ")
	level, rest, _ := strings.Cut(rest, " ")
	if level == "DEBUG" {
		return faint.Render(text)
	} else if style, ok := levels[level]; ok {
		return faint.Render(time) + " " + style.Render(level) + " " + rest
	}
	return text
}

func (m model) Init() tea.Cmd { return nil }

func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.pane.SetWidth(msg.Width)
		m.pane.SetHeight(msg.Height - 2)
	case line:
		m.lines = append(m.lines, look(string(msg)))
		if m.open {
			m.pane.SetContentLines(m.lines)
		}
	case tea.KeyPressMsg:
		switch key := msg.String(); {
		case key == "ctrl+c":
			return m, tea.Quit
		case !m.open && key == "/":
			m.open, m.typing, m.query = true, true, ""
			m.pane.SetContentLines(m.lines)
			m.pane.GotoBottom()
		case m.typing && key == "enter":
			m.typing = false
		case m.typing && key == "backspace" && m.query != "":
			m.query = m.query[:len(m.query)-1]
			m.search()
		case m.typing:
			m.query += msg.Text
			m.search()
		case m.open && key == "q":
			m.open = false
		case m.open && key == "n":
			m.pane.HighlightNext()
		case m.open:
			var cmd tea.Cmd
			m.pane, cmd = m.pane.Update(msg)
			return m, cmd
		}
	}
	return m, nil
}

func (m *model) search() {
	if m.query == "" {
		m.pane.ClearHighlights()
		return
	}
	re := regexp.MustCompile(regexp.QuoteMeta(m.query))
	m.pane.SetHighlights(re.FindAllStringIndex(strings.Join(m.lines, "\n"), -1))
}

func (m model) View() tea.View {
	if !m.open {
		return tea.NewView("/ searches")
	}
	hint := "q goes back"
	if m.query != "" || m.typing {
		hint = "/" + m.query
	}
	v := tea.NewView(m.name + "\n" + m.pane.View() + "\n" + hint)
	v.AltScreen = true
	return v
}

func follow(name string, p *tea.Program) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	text, r := "", bufio.NewReader(file)
	for {
		more, err := r.ReadString('\n')
		if text += more; err == nil {
			text = strings.TrimSuffix(text, "\n")
			p.Send(line(text))
			p.Println(look(text)) // as a command of Update each line would come on a goroutine of its own, in any order
			text = ""
		} else if !errors.Is(err, io.EOF) {
			return err
		} else {
			time.Sleep(100 * time.Millisecond)
		}
	}
}

func main() {
	m := model{name: os.Args[1], pane: viewport.New()}
	m.pane.HighlightStyle = lipgloss.NewStyle().Reverse(true)
	m.pane.SelectedHighlightStyle = lipgloss.NewStyle().Reverse(true).Bold(true)
	p := tea.NewProgram(m)
	failed := make(chan error, 1)
	go func() {
		failed <- follow(m.name, p)
		p.Quit()
	}()
	_, err := p.Run()
	select {
	case err = <-failed:
	default:
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "tail:", err)
		os.Exit(1)
	}
}
