package tui

// Notify tells a person who looks elsewhere that the program waits: a desktop notification where
// the terminal has them, a bell in a multiplexer, nothing while the terminal's window is known to
// have the focus. title and text are the program's own words, never those of a model or a file:
// they are shown outside of the terminal. Any goroutine; without a terminal it does nothing.
func (a *App) Notify(title, text string) { a.outside(func(d device) { d.Notify(title, text) }) }

// SetTitle sets the title of the terminal's window. What it was before comes back at the end, where
// the terminal can keep it. Any goroutine; without a terminal it does nothing.
func (a *App) SetTitle(title string) { a.outside(func(d device) { d.SetTitle(title) }) }

// SetProgress shows on the taskbar how far the program is, from 0 to 100 percent; -1: something
// goes on, -2: nothing does. Any goroutine; without a terminal it does nothing.
func (a *App) SetProgress(percent int) { a.outside(func(d device) { d.SetProgress(percent) }) }

// Copy puts text on the system's clipboard (OSC 52), as far as the terminal allows it; there is no
// reply. The error is that the text is too long, or ErrClosed when no terminal is open. Any
// goroutine.
func (a *App) Copy(text string) error {
	s := a.get()
	s.mu.Lock()
	l := s.loop
	s.mu.Unlock()
	if l == nil || l.term == nil || s.q.ended() {
		return ErrClosed
	}
	return l.term.Copy(text)
}

// outside lets f write something that is not part of the picture, between two frames.
func (a *App) outside(f func(device)) {
	s := a.get()
	s.q.add(op{kind: opQuiet, f: func() {
		if s.loop.term != nil {
			f(s.loop.term)
		}
	}})
}
