package form

import (
	"sync"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Page is fields that are asked together.
type Page struct {
	Title  string
	Fields []Question
	Steps  bool // a field appears when the one before it is answered
}

// Form is pages of fields. [Form.Ask] shows it. As a component of its own it is given to an App in
// the footer or an overlay, and OnDone is called when everything is answered. A Form is asked once
// at a time.
type Form struct {
	Pages     []Page
	Place     tui.Place         // of Ask; the zero value is in the place of the footer
	NoSummary bool              // Ask leaves no answers in the transcript
	OnDone    func()            // all answers are in their variables
	OnCancel  func()            // Esc, Ctrl+C; the variables are what they were
	Mouse     bool              // a click goes to a field, and chooses in it
	Say       func(...tui.Line) // without a terminal: gets what comes after the first question; nil: nothing

	mu          sync.Mutex // when the form is over the variables belong to the caller again
	finished    bool
	started     bool
	page        int
	focusIndex  int // the field with the focus, an index of Fields
	lastReached int // the last field of a page with Steps that was shown
	hiddenRows  int // rows of fields that are out of sight above
	caretPos    tui.Pos
	rowFields   []int   // for each row of the last View: its field, -1: none
	controlPos  tui.Pos // where the control of the focus begins in it
}

// start sets everything to the values of the variables.
func (f *Form) start() {
	if f.started {
		return
	}
	f.started, f.finished, f.page, f.focusIndex, f.lastReached, f.hiddenRows = true, false, 0, -1, 0, 0
	for _, q := range f.fields() {
		q.onBegin()
		q.control.onEnter(f.takeAnswer)
		q.control.setMouse(f.Mouse)
	}
	f.moveFocus(1)
}

// fields returns the fields of all pages.
func (f *Form) fields() (all []*field) {
	for _, p := range f.Pages {
		for _, q := range p.Fields {
			all = append(all, q.question())
		}
	}
	return all
}

// field returns the field at i of the page.
func (f *Form) field(i int) *field { return f.Pages[f.page].Fields[i].question() }

// focus returns the field with the focus, nil if there is none.
func (f *Form) focus() *field {
	if f.page >= len(f.Pages) || f.focusIndex < 0 || f.focusIndex >= len(f.Pages[f.page].Fields) {
		return nil
	}
	return f.field(f.focusIndex)
}

// moveFocus moves the focus to the next field that is asked, by 1, or to the one before, by -1,
// even on another page. It returns false if there is none.
func (f *Form) moveFocus(by int) bool {
	for p, i := f.page, f.focusIndex+by; len(f.Pages) > 0; i += by {
		for ; i < 0; i += len(f.Pages[p].Fields) {
			if p--; p < 0 {
				return false
			}
		}
		for ; i >= len(f.Pages[p].Fields); i = 0 {
			if p++; p >= len(f.Pages) {
				return false
			}
			if len(f.Pages[p].Fields) == 0 {
				continue
			}
		}
		if f.Pages[p].Fields[i].question().isAsked() {
			f.focusOn(p, i)
			return true
		}
	}
	return false
}

// focusOn moves the focus to the field at i of page p.
func (f *Form) focusOn(p, i int) {
	if p != f.page {
		f.hiddenRows, f.lastReached = 0, 0
		if p < f.page {
			f.lastReached = len(f.Pages[p].Fields) - 1
		}
	}
	f.page, f.focusIndex, f.lastReached = p, i, max(f.lastReached, i)
}

// takeAnswer takes the answer of the field with the focus, and goes to the next.
func (f *Form) takeAnswer() {
	q := f.focus()
	if q == nil || q.checkAnswer() != nil {
		return
	}
	q.control.HandleEvent(tui.Key{Code: terminal.KeyEscape}, tui.Space{}) // what was typed to search is done with
	if !f.moveFocus(1) {
		f.finish()
	}
}

// finish ends the form if all answers are right; else it shows the first one that is not.
func (f *Form) finish() {
	for p, page := range f.Pages {
		for i, one := range page.Fields {
			if q := one.question(); q.isAsked() && q.checkAnswer() != nil {
				f.focusOn(p, i)
				return
			}
		}
	}
	if f.finished = true; f.OnDone != nil {
		f.OnDone()
	}
}

func (f *Form) cancel() {
	if f.restoreAll(); f.OnCancel != nil {
		f.OnCancel()
	}
}

// restoreAll ends the form and restores the variables.
func (f *Form) restoreAll() {
	if f.started && !f.finished {
		for _, q := range f.fields() {
			q.restore()
		}
	}
	f.finished = true
}

// HandleEvent takes keys and pastes; all but Ctrl+L and Ctrl+Z, so that no part of an answer goes
// elsewhere.
func (f *Form) HandleEvent(ev tui.Event, s tui.Space) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.start()
	q := f.focus()
	if f.finished || q == nil {
		return false
	}
	k, ok := ev.(tui.Key)
	if ok && k.Mods == terminal.Ctrl && k.Code == 'c' && !q.hasMarked() {
		f.cancel()
		return true
	}
	if m, ok := ev.(tui.Mouse); ok && f.Mouse {
		return f.handleMouse(q, m, s)
	}
	if _, paste := ev.(tui.Paste); !ok && !paste {
		return false
	}
	if q.control.HandleEvent(ev, s) {
		if q.err != nil && q == f.focus() && !f.finished {
			_ = q.checkAnswer() // perhaps it is right now
		}
		return true
	}
	switch {
	case k.Mods == terminal.Ctrl && (k.Code == 'l' || k.Code == 'z'):
		return false
	case k.Mods == 0 && k.Code == terminal.KeyEscape, k.Mods == terminal.Ctrl && k.Code == 'd':
		f.cancel()
	case k.Mods == 0 && (k.Code == terminal.KeyTab || k.Code == terminal.KeyDown):
		f.leaveField(q, 1, s)
	case k.Mods == terminal.Shift && k.Code == terminal.KeyTab, k.Mods == 0 && k.Code == terminal.KeyUp:
		f.leaveField(q, -1, s)
	}
	return true
}

// handleMouse takes the mouse. Events in q, the field with the focus, go to it.
func (f *Form) handleMouse(q *field, m tui.Mouse, s tui.Space) bool {
	if m.Row < 0 || m.Row >= len(f.rowFields) || f.rowFields[m.Row] < 0 {
		return false
	}
	if i := f.rowFields[m.Row]; i == f.focusIndex {
		m.Col, m.Row = m.Col-f.controlPos.Col, m.Row-f.controlPos.Row
		return m.Col >= 0 && q.control.HandleEvent(m, s)
	} else if m.Press && m.Button == 0 {
		_ = q.checkAnswer()
		q.control.HandleEvent(tui.Key{Code: terminal.KeyEscape}, s)
		f.focusOn(f.page, i)
		return true
	}
	return false
}

// leaveField goes to the next field or back. An error in the answer is shown, and can be corrected
// later. Only a field that was not checked yet waits for a right answer.
func (f *Form) leaveField(q *field, by int, s tui.Space) {
	if by < 0 && !q.checked {
		_ = q.store() // nothing is wrong before it was answered
	} else if q.checkAnswer() != nil && by > 0 && f.Pages[f.page].Steps && f.focusIndex == f.lastReached {
		return
	}
	q.control.HandleEvent(tui.Key{Code: terminal.KeyEscape}, s) // what was typed to search is done with
	f.moveFocus(by)
}
