// Command teadownloads is tui/examples/downloads with bubbletea and the progress of the bubbles.
package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"charm.land/bubbles/v2/progress"
	tea "charm.land/bubbletea/v2"
)

type download struct {
	url         string
	began       time.Time
	done, total int64
	over        bool
}

// come says that a download has grown, or has ended.
type come struct {
	i           int
	done, total int64
	over        bool
	err         error
}

type allOver struct{}

type model struct {
	downloads []*download
	bar       progress.Model
}

func (m model) Init() tea.Cmd { return nil }

func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if msg.String() == "ctrl+c" {
			return m, tea.Quit
		}
	case allOver:
		return m, tea.Quit
	case come:
		d := m.downloads[msg.i]
		if d.began.IsZero() {
			d.began = time.Now()
		}
		d.done, d.total = msg.done, max(d.total, msg.total)
		if d.over = msg.over; d.over && msg.err != nil {
			return m, tea.Println("✗ " + d.url + "  " + msg.err.Error())
		} else if d.over {
			return m, tea.Println("✓ " + d.url + "  " + size(d.done))
		}
	}
	return m, nil
}

func (m model) View() tea.View {
	var b strings.Builder
	for _, d := range m.downloads {
		if d.over || d.total <= 0 {
			continue
		}
		title := d.url
		if len(title) > 26 {
			title = "…" + title[len(title)-25:]
		}
		fmt.Fprintf(&b, "• %-26s  %s  %3d%%", title, m.bar.ViewAs(float64(d.done)/float64(d.total)), 100*d.done/d.total)
		if took := time.Since(d.began).Seconds(); took >= 0.5 && d.done > 0 {
			rate := float64(d.done) / took
			fmt.Fprintf(&b, "  %9.0fs left  %8s/s", float64(d.total-d.done)/rate, size(int64(rate)))
		}
		b.WriteByte('\n')
	}
	return tea.NewView(strings.TrimSuffix(b.String(), "\n"))
}

func size(n int64) string {
	switch {
	case n < 1e3:
		return fmt.Sprint(n, " B")
	case n < 1e6:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	default:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
}

// counter tells the program of what is read.
type counter struct {
	r io.Reader
	n int64
	f func(n int64)
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	c.f(c.n)
	return n, err
}

func fetch(url string, told func(done, total int64)) (n int64, err error) {
	res, err := http.Get(url)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return 0, errors.New(res.Status)
	}
	file, err := os.Create(path.Base(url))
	if err != nil {
		return 0, err
	}
	n, err = io.Copy(file, &counter{r: res.Body, f: func(n int64) { told(n, res.ContentLength) }})
	return n, errors.Join(err, file.Close())
}

func main() {
	m := model{bar: progress.New(progress.WithWidth(16), progress.WithoutPercentage())}
	for _, url := range os.Args[1:] {
		m.downloads = append(m.downloads, &download{url: url})
	}
	p := tea.NewProgram(m)
	go func() {
		var all sync.WaitGroup
		slots := make(chan struct{}, 4)
		for i, d := range m.downloads {
			slots <- struct{}{}
			all.Go(func() {
				defer func() { <-slots }()
				n, err := fetch(d.url, func(done, total int64) { p.Send(come{i: i, done: done, total: total}) })
				p.Send(come{i: i, done: n, over: true, err: err})
			})
		}
		all.Wait()
		p.Send(allOver{})
	}()
	if _, err := p.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "downloads:", err)
		os.Exit(1)
	}
}
