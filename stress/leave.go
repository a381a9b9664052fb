package stress

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/stress/program"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// release ends the session and judges what it leaves behind.
func (w *world) release(keep bool) error {
	if err := w.unstall(); err != nil {
		return err
	}
	if w.shown.overlay != nil || w.base < len(w.l.handed) || len(w.commit) > 0 || len(w.l.waiting) > 0 {
		w.overlay, w.careful = nil, false
		if err := w.frame(); err != nil {
			return err
		}
	}
	top := w.l.b - w.l.t
	if err := w.r.Release(keep); err != nil {
		return err
	}
	if w.wire.bad != nil {
		return w.wire.bad
	}
	c := w.term.Cursor()
	if w.fresh {
		if c != w.begin {
			return fmt.Errorf("the cursor went from %+v to %+v though nothing was shown", w.begin, c)
		}
		return nil
	}
	n := 0
	if keep {
		n = w.seam.Live
		lines := w.window()
		w.l.foreign(lines...)
	}
	if c.Col != 0 || c.PendingWrap || !c.Visible || c.Row != min(top+n, w.rows-1) {
		return fmt.Errorf("after Release(%v) the cursor is at %+v, want row %d", keep, c, min(top+n, w.rows-1))
	}
	for y := c.Row; y < w.rows; y++ {
		if w.term.Row(y).Used() > 0 && w.term.Row(y).Text() != "" {
			return fmt.Errorf("after Release(%v) grid row %d reads %q", keep, y, w.term.Row(y).Text())
		}
	}
	return w.tape(w.term.ScrollbackLen()+c.Row, nil, true)
}

func (w *world) suspend(o program.Op) error {
	w.view = nil
	w.term.ScrollUp(-1 << 30)
	keep := o.How%2 == 1 && w.overlay == nil
	if err := w.release(keep); err != nil {
		return err
	}
	w.shell(o.Seed, bound(o.N, 3*w.rows), o.At%2 == 1 && w.still)
	w.resumed = len(w.l.handed)
	if o.Kind == program.Session {
		w.session()
		w.resumed = 0
		return nil
	}
	// urxvt puts a cursor on a blank row onto others
	if o.Cols > 0 && o.Rows > 0 && !w.tears() && w.profile.Differs.Layout != profile.LayoutTopLine {
		w.sized(o.Cols, o.Rows)
		w.tell()
	}
	w.r.Restart()
	w.started()
	return nil
}

// pager is a program that borrows the alternate screen.
func (w *world) pager(o program.Op) {
	if w.profile.Differs.AltScreen != vt.OwnAlt {
		return
	}
	w.saved = true
	w.print("\x1b[?1049h\x1b[H")
	for i := range bound(o.N, 3*w.rows) {
		w.print(fmt.Sprintf("pager %d\r\n", i))
	}
	w.print("\x1b[?1049l")
}
