package tui

import (
	"bufio"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// maxLines is the most lines of standard input that wait for the loop.
const maxLines = 64

// inputLines holds the lines of standard input, without a terminal, that nobody has taken yet.
type inputLines struct {
	waiting []string      // lines that nobody has taken yet
	slots   chan struct{} // one element for each line that waits, so that the reader does not run ahead
	eof     bool
}

// readLines queues the lines of standard input for the loop.
func (l *loop) readLines() {
	in := l.app.Input
	if in == nil {
		in = os.Stdin
	}
	r := bufio.NewReader(in)
	for {
		line, err := r.ReadString('\n')
		if line != "" {
			select {
			case l.lines.slots <- struct{}{}:
			case <-l.state.ended:
				return
			}
			if !l.queue.add(op{kind: opLine, text: line}) {
				return
			}
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				l.queue.add(op{kind: opDo, fn: func() { l.lines.eof = true }})
			} else {
				l.queue.add(op{kind: opGone, err: err})
			}
			return
		}
	}
}

// feedLine prints the question that is shown, and gives one line to it or to the footer. After the
// last line there are no more answers.
func (l *loop) feedLine() {
	q := l.state.shownQuestion()
	if q != nil && q.answered.Load() {
		return // the next one is not asked yet
	}
	var to Submitter
	if q != nil {
		if to = submitter(q.comp); to == nil {
			q.fail(needsTerminal{})
			return
		}
		if !q.printed {
			q.printed = true
			l.printQuestion(q.comp)
		}
	} else if o := l.state.topOverlay(); o != nil {
		to = submitter(o.comp)
	}
	if to == nil && q == nil {
		if o := l.state.topOverlay(); o != nil && l.chrome.footer.comp == nil && takesKeys(o.comp) {
			l.state.quitWith(needsTerminal{}) // it asks for keys, of which none will come
			return
		}
		to = submitter(l.chrome.footer.comp)
	}
	if len(l.lines.waiting) == 0 {
		switch {
		case !l.lines.eof:
		case l.app.Main == nil:
			if !l.queue.hasOpenWriter() && !slices.ContainsFunc(l.transcript.blocks,
				func(b *Block) bool { return b.stream && !b.done }) {
				l.state.quitWith(nil)
			}
		case q != nil:
			q.fail(io.EOF)
		}
		return
	}
	if to == nil && l.app.Main != nil {
		return // somebody may still be asked
	}
	line := strings.TrimSuffix(strings.TrimSuffix(l.lines.waiting[0], "\n"), "\r")
	l.lines.waiting = slices.Delete(l.lines.waiting, 0, 1)
	<-l.lines.slots
	if to != nil {
		l.runCallback(func() { to.Submit(line) })
	}
	l.markAllDirty()
	l.requestFrame(ordinary, "line")
	l.queue.signal()
}

// printQuestion writes the rows of a question, down to the one with the caret.
func (l *loop) printQuestion(c Component) {
	l.runCallback(func() {
		v := c.View(l.baseSpace(time.Now()))
		if v.Cursor != nil {
			v.Lines = v.Lines[:min(v.Cursor.Row, len(v.Lines))]
		}
		l.transcript.Print(slices.Clone(v.Lines)...)
	})
}

// takesKeys reports whether c, or a component in it, takes events.
func takesKeys(c Component) bool {
	if h, ok := c.(interface{ Components() []Component }); ok {
		return slices.ContainsFunc(h.Components(), takesKeys)
	}
	_, ok := c.(EventHandler)
	return ok
}

// submitter returns the Submitter in c, nil if there is none.
func submitter(c Component) Submitter {
	if h, ok := c.(interface{ Components() []Component }); ok {
		for _, child := range h.Components() {
			if s := submitter(child); s != nil {
				return s
			}
		}
		return nil
	}
	s, _ := c.(Submitter)
	return s
}
