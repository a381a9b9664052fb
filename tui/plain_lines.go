package tui

import (
	"bufio"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal"
)

// maxLines is how many lines of standard input wait at most for somebody who takes them.
const maxLines = 64

// lines are those of standard input, where there is no terminal, that nobody has taken yet.
type lines struct {
	waiting []string
	room    chan struct{} // one for each that waits, so that the reader does not run ahead
	ended   bool
}

// readLines hands the lines of standard input to the loop.
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
			case l.lines.room <- struct{}{}:
			case <-l.state.ended:
				return
			}
			if !l.q.add(op{kind: opLine, note: line}) {
				return
			}
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				l.q.add(op{kind: opDo, f: func() { l.lines.ended = true }})
			} else {
				l.q.add(op{kind: opGone, err: err})
			}
			return
		}
	}
}

// feed shows a question and gives one line to what asks. After the last line there are no more
// answers.
func (l *loop) feed() {
	q := l.state.asked()
	if q != nil && q.answered.Load() {
		return // the next one is not asked yet
	}
	var to Submitter
	if q != nil {
		if to = submitter(q.comp); to == nil {
			q.fail(terminal.ErrNotTerminal)
			return
		}
		if !q.told {
			q.told = true
			l.tell(q.comp)
		}
	} else if o := l.state.top(); o != nil {
		to = submitter(o.comp)
	}
	if to == nil && q == nil {
		if o := l.state.top(); o != nil && l.chrome.footer.comp == nil && takesKeys(o.comp) {
			l.state.stop(terminal.ErrNotTerminal) // it asks for keys, of which none will come
			return
		}
		to = submitter(l.chrome.footer.comp)
	}
	if len(l.lines.waiting) == 0 {
		switch {
		case !l.lines.ended:
		case l.app.Main == nil:
			if !l.q.held() && !slices.ContainsFunc(l.t.blocks, func(b *Block) bool { return b.stream && !b.done }) {
				l.state.stop(nil)
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
	<-l.lines.room
	if to != nil {
		l.call(func() { to.Submit(line) })
	}
	l.touch()
	l.want(ordinary, "line")
	l.q.signal()
}

// tell writes the rows of a question, down to the one with the caret.
func (l *loop) tell(c Component) {
	l.call(func() {
		v := c.View(l.space(time.Now()))
		if v.Cursor != nil {
			v.Lines = v.Lines[:min(v.Cursor.Row, len(v.Lines))]
		}
		l.t.Print(slices.Clone(v.Lines)...)
	})
}

// takesKeys reports whether c, or what is in it, takes events.
func takesKeys(c Component) bool {
	if h, ok := c.(interface{ Components() []Component }); ok {
		return slices.ContainsFunc(h.Components(), takesKeys)
	}
	_, ok := c.(EventHandler)
	return ok
}

// submitter returns c, or what takes lines in it; nil if nothing does.
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
