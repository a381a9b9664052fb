package tui

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/renderer"
)

// benchLoop returns a loop without a terminal, driven by hand.
func benchLoop(app *App, cols, rows int) *loop {
	s := app.getState()
	l := &loop{app: app, state: s, queue: s.queue, transcript: &s.transcript,
		chrome: chrome{footer: slot{comp: app.Footer}},
		cols:   cols, rows: rows}
	l.caps = Caps{Unicode: true, Color: 16}
	l.theme = l.makeTheme()
	l.canvas = renderer.New(renderer.Config{Out: io.Discard, Cols: cols, Rows: rows})
	s.loop = l
	s.queue.allowWaiting()
	return l
}

func (l *loop) frame(now time.Time) {
	for _, o := range l.queue.takeAll() {
		l.applyOp(o)
	}
	for l.paintFrame(now) {
	}
}

// A spinner's tick: the whole path from the due time to the bytes.
func BenchmarkTick(b *testing.B) {
	app := &App{Footer: NewStack(&Status{Text: "working", Hint: "Esc stops"}, &Editor{},
		NewText("ask · demo script · main"))}
	l := benchLoop(app, 100, 30)
	now := time.Unix(0, 0)
	l.frame(now)
	b.ReportAllocs()
	for b.Loop() {
		now = now.Add(spinnerInterval)
		l.frame(now)
	}
}

// One line is appended above a footer, at different lengths of the transcript.
func BenchmarkAppendLine(b *testing.B) {
	for _, n := range []int{100, 100_000} {
		b.Run(fmt.Sprint(n, "rows"), func(b *testing.B) {
			app := &App{Footer: NewStack(&Editor{}, NewText("ask · demo script · main"))}
			l := benchLoop(app, 100, 30)
			now := time.Unix(0, 0)
			line := strings.Repeat("word ", 14) + "\n"
			for i := range n {
				fmt.Fprint(app.Transcript(), line)
				if i%100 == 0 {
					l.frame(now)
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				fmt.Fprint(app.Transcript(), line)
				l.frame(now)
			}
		})
	}
}

// A word is streamed into prose.
func BenchmarkStreamWord(b *testing.B) {
	app := &App{Footer: NewStack(&Editor{}, NewText("ask · demo script · main"))}
	l := benchLoop(app, 100, 30)
	now := time.Unix(0, 0)
	s := app.Transcript().Stream(&Prose{})
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		if n++; n%20_000 == 0 {
			s.Close()
			s = app.Transcript().Stream(&Prose{})
		}
		if n%200 == 0 {
			fmt.Fprint(s, "\n\n")
		}
		fmt.Fprint(s, "word ")
		l.frame(now)
	}
}

// A key is typed.
func BenchmarkKey(b *testing.B) {
	ed := &Editor{}
	app := &App{Footer: NewStack(ed, NewText("ask · demo script · main"))}
	l := benchLoop(app, 100, 30)
	now := time.Unix(0, 0)
	l.frame(now)
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		if n++; n%60 == 0 {
			ed.buf = buffer{}
		}
		l.handleEvent(Key{Code: 'a'}, now)
		l.frame(now)
	}
}

// A flood: 1 MiB in lines of 70 bytes.
func BenchmarkFlood(b *testing.B) {
	app := &App{Footer: NewText("f")}
	l := benchLoop(app, 100, 30)
	now := time.Unix(0, 0)
	data := []byte(strings.Repeat(strings.Repeat("x", 69)+"\n", 1<<20/70))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		l.queue.reportBacklog(0, false)
		app.Transcript().Write(data)
		l.frame(now)
	}
}
