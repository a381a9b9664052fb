package tui

// Editor is the prompt: text of several lines with the habits of readline. Enter submits; Shift+Enter, Alt+Enter, Ctrl+J and a backslash
// before Enter begin a new line. A large paste is collapsed to a chip that submits as its text.
type Editor struct {
	Prompt      string            // before the first row; "" for the theme's glyph
	Placeholder string            // dim, while it is empty
	MaxRows     int               // 0: a third of the window, at least 3
	OnSubmit    func(text string) // Enter; the editor is empty again
	OnChange    func()
	History     []string // oldest first; what is submitted is appended
}

// Text is what would be submitted, chips expanded.
func (e *Editor) Text() string { return "" }

// Empty reports whether there is nothing to submit.
func (e *Editor) Empty() bool { return true }

// SetText replaces the text, which can be undone. The caret stands at its end.
func (e *Editor) SetText(s string) {}

// Insert puts s at the caret.
func (e *Editor) Insert(s string) {}

// Submit is what Enter does with text.
func (e *Editor) Submit(text string) {}

// View shows the text with the caret.
func (e *Editor) View(s Space) View { return View{} }

// HandleEvent takes keys and pastes. Ctrl+C and Ctrl+D in an empty editor, Escape and unknown keys are not handled.
func (e *Editor) HandleEvent(ev Event, s Space) bool { return false }
