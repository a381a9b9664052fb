package form

import "github.com/scrollkeep/scrollkeep/tui"

// asking returns the question of the field with the focus as text, with the title of its page if it
// is the first one there.
func (f *Form) asking(s tui.Space) (rows []tui.Line) {
	q := f.focus()
	if q == nil {
		return nil
	}
	first := q.err == nil
	for i := range f.at {
		first = first && !f.field(i).asked()
	}
	if title := f.Pages[f.page].Title; title != "" && first {
		rows = append(rows, s.Wrap(tui.Span{Text: title})...)
	}
	if q.help != "" && q.err == nil {
		rows = append(rows, s.Wrap(tui.Span{Text: q.help})...)
	}
	return append(rows, q.in.ask(q.label, s)...)
}

// Submit answers the question that was asked last with a line, without a terminal, and asks the
// next one, or the same again if the answer is wrong.
func (f *Form) Submit(line string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begin()
	q := f.focus()
	if f.over || q == nil {
		return
	}
	if q.err = q.in.take(line); q.err == nil {
		f.enter()
	}
	if q.err != nil {
		q.reset() // what is wrong is not the answer of an empty line
	}
	if f.over || f.Say == nil {
		return
	}
	s := tui.Space{Width: 80}
	if now := f.focus(); now.err != nil {
		f.Say(s.Wrap(tui.Span{Text: "! " + now.err.Error()})...)
	}
	f.Say(f.asking(s)...)
}
