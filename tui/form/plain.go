package form

import "github.com/scrollkeep/scrollkeep/tui"

// questionRows returns the question of the focused field as text. For the first field of a page the
// page's title precedes it.
func (f *Form) questionRows(s tui.Space) (rows []tui.Line) {
	q := f.focus()
	if q == nil {
		return nil
	}
	first := q.err == nil
	for i := range f.focusIndex {
		first = first && !f.field(i).isAsked()
	}
	if title := f.Pages[f.pageIndex].Title; title != "" && first {
		rows = append(rows, s.Wrap(tui.Span{Text: title})...)
	}
	if q.help != "" && q.err == nil {
		rows = append(rows, s.Wrap(tui.Span{Text: q.help})...)
	}
	return append(rows, q.control.questionLines(q.label, s)...)
}

// Submit answers the current question with line, without a terminal. It then writes the next
// question, or the same one again if the answer is not valid.
func (f *Form) Submit(line string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.start()
	q := f.focus()
	if f.finished || q == nil {
		return
	}
	if g, ok := q.control.(gatherer); ok && g.gather(line) {
		return
	}
	if q.err = q.control.takeLine(line); q.err == nil {
		f.takeAnswer()
	}
	if q.err != nil {
		q.reset() // what is wrong is not the answer of an empty line
	}
	if f.finished || f.Say == nil {
		return
	}
	s := tui.Space{Width: 80}
	if now := f.focus(); now.err != nil {
		f.Say(s.Wrap(tui.Span{Text: "! " + now.err.Error()})...)
	}
	f.Say(f.questionRows(s)...)
}
