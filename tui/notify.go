package tui

import (
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// maxClipboard is the number of bytes that Copy takes: what terminals accept in one OSC 52 (xterm and tmux: about 1 MiB of base64).
const maxClipboard = 700 << 10

// Notify tells a person who looks elsewhere that the program waits: a bell in a multiplexer, a desktop notification where the terminal has
// them, nothing while the terminal's window is known to have the focus. title and text are the program's own words, never those of a model or a
// file: they are shown outside of the terminal. Any goroutine.
func (a *App) Notify(title, text string) {
	s := a.get()
	s.q.add(op{kind: opQuiet, f: func() { s.loop.notify(title, text) }})
}

// Copy puts text on the system's clipboard (OSC 52), as far as the terminal allows it; there is no reply. False: it is too long, or Run has
// ended. Any goroutine.
func (a *App) Copy(text string) bool {
	s := a.get()
	return len(text) <= maxClipboard && s.q.add(op{kind: opQuiet, f: func() { s.loop.outside(ansi.AppendClipboard(nil, []byte(text))) }})
}

// notify writes what the terminal knows.
func (l *loop) notify(title, text string) {
	if l.watched || l.caps.Notify == terminal.NotifyOff {
		return
	}
	var seq []byte
	switch l.caps.Notify {
	case terminal.NotifyOSC9:
		seq = ansi.AppendNotify9(seq, title+": "+text)
	case terminal.NotifyOSC99:
		seq = ansi.AppendNotify99(seq, title+": "+text)
	case terminal.NotifyOSC777:
		seq = ansi.AppendNotify777(seq, title, text)
	}
	switch {
	case len(seq) == 0:
		seq = []byte(ansi.BEL)
	case l.caps.Mux == "tmux":
		seq = append(ansi.AppendTmux(nil, seq), ansi.BEL...)
	case l.caps.Mux != "":
		seq = []byte(ansi.BEL)
	}
	l.outside(seq)
}

// outside writes something that is not part of the picture, between two frames.
func (l *loop) outside(seq []byte) {
	if l.term != nil && !l.away {
		_, _ = l.term.Write(seq) // that the terminal is gone shows in the next frame
	}
}
