package tui

// Stack is components one below the other. Events go to the last child first, up to the first that handles them; the caret is that of the
// last child that has one. When the rows do not fit, the first ones are left out.
type Stack []Component

// View is all rows.
func (st Stack) View(s Space) View { return View{} }

// HandleEvent asks the children, the last one first.
func (st Stack) HandleEvent(ev Event, s Space) bool { return false }

// Submit gives line to the first child that is a [Submitter].
func (st Stack) Submit(line string) {}
