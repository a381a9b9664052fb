package tui

// Notify tells a user who is looking elsewhere that the program waits. It uses a desktop
// notification if the terminal supports that, or the bell in a multiplexer. It does nothing while
// the terminal's window is known to have the focus, or without a terminal. title and text must be
// the program's own words, never those of a model or a file: they are shown outside the terminal.
// Notify may be called on any goroutine.
func (a *App) Notify(title, text string) { a.withDevice(func(d device) { d.Notify(title, text) }) }

// SetTitle sets the title of the terminal's window. The end of Run restores the old title if the
// terminal can save it. Without a terminal SetTitle does nothing. It may be called on any
// goroutine.
func (a *App) SetTitle(title string) { a.withDevice(func(d device) { d.SetTitle(title) }) }

// SetProgress shows the program's progress on the taskbar, from 0 to 100 percent. -1 means that the
// progress is unknown, and -2 that no work is in progress. Without a terminal SetProgress does
// nothing. It may be called on any goroutine.
func (a *App) SetProgress(percent int) { a.withDevice(func(d device) { d.SetProgress(percent) }) }

// Copy copies text to the system clipboard with OSC 52. The terminal does not report whether it has
// done so. Copy returns an error if the text is too long, or ErrClosed if no terminal is open. It
// may be called on any goroutine.
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

// withDevice calls f on the loop between two frames, for output that is not part of a frame. It
// does nothing without a terminal.
func (a *App) withDevice(f func(device)) {
	s := a.getState()
	s.queue.add(op{kind: opQuiet, fn: func() {
		if s.loop.term != nil {
			f(s.loop.term)
		}
	}})
}
