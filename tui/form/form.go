package form

import (
	"sync"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Page is a group of fields that are asked together.
type Page struct {
	Title  string
	Fields []Question
	Steps  bool // each field appears when the one before it is answered
}

// Form asks questions on several pages. [Form.Ask] shows it. It can also be used as a component in
// a footer or an overlay; it then calls OnDone when everything is answered. A Form can be asked
// only once at a time.
type Form struct {
	Pages     []Page
	Place     tui.Place // where Ask shows the form; zero: in place of the footer
	NoSummary bool      // Ask does not write the answers to the transcript
	OnDone    func()    // called when all answers are in their variables
	OnCancel  func()    // called on Esc or Ctrl+C, when the variables are restored
	Mouse     bool      // a click moves the focus to a field, or acts on its control
	// without a terminal: writes what follows the first question; nil: nothing is written
	Say func(...tui.Line)

	mu          sync.Mutex // guards the state: after the end of the form the variables belong to the caller again
	finished    bool       // the form is answered or cancelled
	started     bool
	pageIndex   int // index of the page that is shown
	focusIndex  int // index of the focused field on the page
	lastReached int // index of the last field that was shown, on a page with Steps
	hiddenRows  int // number of rows of fields that are scrolled out at the top
	caretPos    tui.Pos
	rowFields   []int   // for each row of the last View: the index of its field; -1: none
	controlPos  tui.Pos // position of the focused control in the last View
}

// start initializes all answers from the variables, unless the form has started already.
func (f *Form) start() {
	if f.started {
		return
	}
	f.started, f.finished, f.pageIndex, f.focusIndex, f.lastReached, f.hiddenRows = true, false, 0, -1, 0, 0
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

// field returns the field with index i on the page.
func (f *Form) field(i int) *field { return f.Pages[f.pageIndex].Fields[i].question() }

// focus returns the focused field, or nil if there is none.
func (f *Form) focus() *field {
	if f.pageIndex >= len(f.Pages) || f.focusIndex < 0 || f.focusIndex >= len(f.Pages[f.pageIndex].Fields) {
		return nil
	}
	return f.field(f.focusIndex)
}

// moveFocus moves the focus to the next field that is asked if by is 1, or to the previous one if
// by is -1, also to another page. It returns false if there is none.
func (f *Form) moveFocus(by int) bool {
	for p, i := f.pageIndex, f.focusIndex+by; len(f.Pages) > 0; i += by {
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

// focusOn moves the focus to the field with index i on page p.
func (f *Form) focusOn(p, i int) {
	if p != f.pageIndex {
		f.hiddenRows, f.lastReached = 0, 0
		if p < f.pageIndex {
			f.lastReached = len(f.Pages[p].Fields) - 1
		}
	}
	f.pageIndex, f.focusIndex, f.lastReached = p, i, max(f.lastReached, i)
}

// takeAnswer stores the answer of the focused field, and moves to the next field. It does nothing
// if the answer is not valid.
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

// finish ends the form if all answers are valid. Otherwise it moves the focus to the first one that
// is not.
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

// HandleEvent handles all keys and pastes except Ctrl+L and Ctrl+Z, so that no part of an answer
// goes elsewhere.
func (f *Form) HandleEvent(ev tui.Event, s tui.Space) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.start()
	q := f.focus()
	if f.finished || q == nil {
		return false
	}
	k, ok := ev.(tui.Key)
	if ok && k.Mods == terminal.Ctrl && k.Code == 'c' && !q.hasSelection() {
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

// handleMouse handles a mouse event. If it is on the focused field q it goes to that field.
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
		f.focusOn(f.pageIndex, i)
		return true
	}
	return false
}

// leaveField moves the focus from q to the next or previous field. It shows an error in the answer,
// which the user can correct later. Only on a page with Steps does the last field that is shown
// keep the focus until its answer is valid.
func (f *Form) leaveField(q *field, by int, s tui.Space) {
	if by < 0 && !q.wasChecked {
		_ = q.store() // nothing is wrong before it was answered
	} else if q.checkAnswer() != nil && by > 0 && f.Pages[f.pageIndex].Steps && f.focusIndex == f.lastReached {
		return
	}
	q.control.HandleEvent(tui.Key{Code: terminal.KeyEscape}, s) // what was typed to search is done with
	f.moveFocus(by)
}
