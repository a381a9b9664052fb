package tui

// Notify tells a person who looks elsewhere that the program waits: by a desktop notification where
// the terminal has them, or a bell in a multiplexer. It does nothing while the terminal's window is
// known to have the focus. title and text are the program's own words, never those of a model or a
// file: they are shown outside of the terminal. Any goroutine; without a terminal it does nothing.
func (a *App) Notify(title, text string) { a.withDevice(func(d device) { d.Notify(title, text) }) }

// SetTitle sets the title of the terminal's window. The old title comes back at the end, where the
// terminal can keep it. Any goroutine; without a terminal it does nothing.
func (a *App) SetTitle(title string) { a.withDevice(func(d device) { d.SetTitle(title) }) }

// SetProgress shows on the taskbar how far the program is, from 0 to 100 percent. -1: it is not
// known how far; -2: no work is going on. Any goroutine; without a terminal it does nothing.
func (a *App) SetProgress(percent int) { a.withDevice(func(d device) { d.SetProgress(percent) }) }

// Copy puts text on the system's clipboard (OSC 52), as far as the terminal allows it; there is no
// reply. The error says that the text is too long, or is ErrClosed when no terminal is open. Any
// goroutine.
func (a *App) Copy(text string) error {
	s := a.getState()
	s.mu.Lock()
	l := s.loop
	s.mu.Unlock()
	if l == nil || l.term == nil || s.queue.isClosed() {
		return ErrClosed
	}
	return l.term.Copy(text)
}

// withDevice calls f between two frames, for writes that are not part of the picture.
func (a *App) withDevice(f func(device)) {
	s := a.getState()
	s.queue.add(op{kind: opQuiet, fn: func() {
		if s.loop.term != nil {
			f(s.loop.term)
		}
	}})
}
