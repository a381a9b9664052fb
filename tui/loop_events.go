package tui

import (
	"time"

	"github.com/scrollkeep/scrollkeep/renderer/image"
	"github.com/scrollkeep/scrollkeep/terminal"
)

// event takes one event of the terminal, read at the time at.
func (l *loop) event(ev Event, at time.Time) {
	switch ev := ev.(type) {
	case Resize:
		if l.early && ev.Cols == l.cols && ev.Rows == l.rows && at.Sub(l.clocks.sized) < signalTime {
			l.early = false // its news has been taken at a frame
		} else {
			l.resized(ev, at)
		}
		l.offer(ev)
		return
	case terminal.StatusReport:
		l.frames.unread = max(0, l.frames.unread-1)
		return
	case terminal.SizeReport:
		if ev.Cols != l.cols || ev.Rows != l.rows || l.resize.phase != steady {
			l.raced = l.raced || l.frames.unread > 0
		}
		return
	case terminal.CursorReport:
		if l.proved(ev, at) {
			return
		}
		if l.resize.phase == asking {
			if cols, rows := l.term.Size(); cols != l.cols || rows != l.rows {
				// It is of a size that we have not heard of.
				l.sizeChanged(at)
				return
			}
			l.overtaken()
		}
		if l.out.Anchor(ev.Col, ev.Row) && l.resize.phase == asking {
			l.settled()
		}
		return
	case terminal.PictureError:
		l.pics.failed(image.ID(ev.ID))
		return
	case Focus:
		l.pics.focus(ev.In)
		l.input.elsewhere = !ev.In
		l.unseen()
	case terminal.Drained:
		l.stalled = false
		return
	case terminal.Changed:
		l.learn()
		l.touch()
		l.want(ordinary, "terminal")
		return
	case terminal.Resumed:
		l.takeBack()
		return
	case Appearance:
		l.learn()
		l.touch()
		l.want(ordinary, "appearance")
		l.offer(ev)
		return
	}
	if m, ok := ev.(Mouse); ok {
		if l.click(m, at) {
			l.touch()
			l.want(echo, "mouse")
		}
		return
	}
	if r, ok := ev.(KeyRelease); ok {
		if of := l.keyed(); of != nil && of.made && of.view.Releases && of.handle(r, of.space, l.q) {
			l.touch()
			l.want(echo, "event")
		}
		return
	}
	switch ev.(type) {
	case Key, Paste:
		if l.input.elsewhere { // it has the keyboard, whatever it has told of that
			l.input.elsewhere = false
			l.unseen()
		}
		defer func() { l.input.lastKey = at }() // after the overlay was asked whether it was quiet before this one
		if k, ok := ev.(Key); ok && k.Code == terminal.KeyEnter && k.Mods == 0 {
			l.input.typed = time.Time{} // the text is complete
		} else {
			l.input.typed = at
		}
	}
	if !l.route(ev, at) {
		l.unhandled(ev, at)
		return
	}
	l.touch()
	l.want(echo, "event")
}

// route offers ev to the overlay with the focus, to the footer, and to OnEvent.
func (l *loop) route(ev Event, at time.Time) bool {
	if o := l.state.top(); o != nil && o.made && o.takes(at, l.input.lastKey) {
		if o.handle(ev, l.shownSpace(o, at), l.q) {
			return true
		}
	}
	if l.chrome.footer.comp != nil && l.chrome.footer.made && l.chrome.footer.handle(ev, l.chrome.footer.space, l.q) {
		return true
	}
	return l.offer(ev)
}

// shownSpace returns the space of the last view of o, with what is known now of when it was shown.
func (l *loop) shownSpace(o *overlay, at time.Time) Space {
	s := o.space
	if o.stands.scene != "" {
		// A size that is not known yet, or a frame on its way, counts now, and not at the next
		// frame.
		l.sizeChanged(at)
		l.stand(at)
	}
	if s.Shown = o.stands.since; l.term != nil && (l.term.Backlog() > 0 || !l.believed()) {
		s.Shown = time.Time{}
	}
	return s
}

// offer gives ev to OnEvent.
func (l *loop) offer(ev Event) (handled bool) {
	if l.app.OnEvent == nil {
		return false
	}
	l.call(func() { handled = l.app.OnEvent(ev) })
	if handled {
		l.touch()
		l.want(ordinary, "event")
	}
	return handled
}

// unhandled does what keys do by themselves: Ctrl+C and Ctrl+D end the run, Ctrl+Z stops the
// process, Ctrl+L redraws.
func (l *loop) unhandled(ev Event, at time.Time) {
	k, ok := ev.(Key)
	if !ok || k.Mods != terminal.Ctrl {
		return
	}
	switch k.Code {
	case 'c':
		l.state.stop(ErrInterrupted)
	case 'd':
		l.state.stop(nil)
	case 'l':
		l.redraw(at)
	case 'z':
		if !l.away {
			l.letGo()
			if err := l.term.Stop(); err != nil {
				l.takeBack()
			}
		}
	}
}

// letGo leaves the screen to another program: final rows stay, the live region goes.
func (l *loop) letGo() {
	if l.away {
		return
	}
	l.leaveFull(time.Now())
	if l.resize.phase != steady {
		l.resize.stop()
		l.predict()
	}
	l.away = true
	l.unseen()
	_ = l.out.Release(false) // an error shows at the next Render
}

// takeBack goes on where the cursor is now.
func (l *loop) takeBack() {
	l.away = false
	l.unseen()
	l.proof.owed = 0 // what was on its way was drained
	l.resize.stop()
	l.raced, l.frames.unread = false, 0
	l.out.Restart()
	l.touch()
	l.want(forced, "resume")
}
