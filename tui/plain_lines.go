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

// maxWaitingLines is the maximum number of lines of standard input that are read ahead.
const maxWaitingLines = 64

// inputLines holds lines of standard input that nobody has taken yet, when there is no terminal.
type inputLines struct {
	waiting []string      // the lines in order
	slots   chan struct{} // has one element for each waiting line, which limits how far the reader runs ahead
	eof     bool          // standard input has ended
}

// readLines reads standard input and queues its lines for the loop.
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
			case l.inputLines.slots <- struct{}{}:
			case <-l.state.ended:
				return
			}
			if !l.queue.add(op{kind: opLine, text: line}) {
				return
			}
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				l.queue.add(op{kind: opDo, fn: func() { l.inputLines.eof = true }})
			} else {
				l.queue.add(op{kind: opGone, err: err})
			}
			return
		}
	}
}

// feedLine writes the rows of the shown question, and passes one line of input to it or to the
// footer. After the last line it ends the question, or the run.
func (l *loop) feedLine() {
	q := l.state.shownQuestion()
	if q != nil && q.answered.Load() {
		return // the next one is not asked yet
	}
	var to Submitter
	if q != nil {
		if to = findSubmitter(q.comp); to == nil {
			q.fail(needsTerminalError{})
			return
		}
		if !q.rowsWritten {
			q.rowsWritten = true
			l.printQuestion(q.comp)
		}
	} else if o := l.state.topOverlay(); o != nil {
		to = findSubmitter(o.comp)
	}
	if to == nil && q == nil {
		if o := l.state.topOverlay(); o != nil && l.chrome.footer.comp == nil && takesKeys(o.comp) {
			l.state.quitWith(needsTerminalError{}) // it asks for keys, of which none will come
			return
		}
		to = findSubmitter(l.chrome.footer.comp)
	}
	if len(l.inputLines.waiting) == 0 {
		switch {
		case !l.inputLines.eof:
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
	line := strings.TrimSuffix(strings.TrimSuffix(l.inputLines.waiting[0], "\n"), "\r")
	l.inputLines.waiting = slices.Delete(l.inputLines.waiting, 0, 1)
	<-l.inputLines.slots
	if to != nil {
		l.runCallback(func() { to.Submit(line) })
	}
	l.markAllDirty()
	l.requestFrame(ordinary, "line")
	l.queue.signal()
}

// printQuestion writes the rows of a question above the row of its caret.
func (l *loop) printQuestion(c Component) {
	l.runCallback(func() {
		v := c.View(l.baseSpace(time.Now()))
		if v.Cursor != nil {
			v.Lines = v.Lines[:min(v.Cursor.Row, len(v.Lines))]
		}
		l.transcript.Print(slices.Clone(v.Lines)...)
	})
}

// takesKeys reports whether c, or a component in it, handles events.
func takesKeys(c Component) bool {
	if h, ok := c.(interface{ Components() []Component }); ok {
		return slices.ContainsFunc(h.Components(), takesKeys)
	}
	_, ok := c.(EventHandler)
	return ok
}

// findSubmitter returns the first Submitter in c, or nil if there is none.
func findSubmitter(c Component) Submitter {
	if h, ok := c.(interface{ Components() []Component }); ok {
		for _, child := range h.Components() {
			if s := findSubmitter(child); s != nil {
				return s
			}
		}
		return nil
	}
	s, _ := c.(Submitter)
	return s
}
