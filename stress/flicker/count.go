package flicker

import "github.com/scrollkeep/scrollkeep/terminal/vt"

// count returns the flicker of the frame that has just ended.
func (w *Watch) count() Seen {
	s := Seen{Steps: w.step, Wraps: w.wraps || w.wrapped()}
	missing := make([]int, w.step+1) // cells, after so many steps
	if w.step > 1 {
		s.Frames = 1
	}
	for _, l := range w.grid {
		l.stays = l.old && l.key == l.keyWas
		if l.old {
			l.count(&s, missing)
			s.Moved += l.stepsOutsideItsPlaces(w.step)
		}
	}
	w.countMovedRows(&s, missing)
	for _, n := range missing {
		s.Worst = max(s.Worst, n)
	}
	if !s.Steady() {
		s.Unsteady = 1
	}
	if s.Moved > 0 {
		s.Shifting = 1
	}
	return s
}

// count adds the flicker of one row to s. The row has been on the grid during the whole frame.
// missing gets the number of cells that were missing after each step.
func (l *line) count(s *Seen, missing []int) {
	for i, c := range l.changes {
		until := s.Steps
		for _, later := range l.changes[i+1:] {
			if later.x == c.x {
				until = later.step
				break
			}
		}
		was, is, blank := l.before[c.x], l.cells[c.x], vt.Cell{}
		n := until - c.step
		switch {
		case c.cell == was, c.cell == is:
			continue
		case was != is:
			s.Detours += n
			continue
		case was == blank:
			s.Flashed += n
		default:
			s.Lost += n
			for i := c.step; i < until; i++ {
				missing[i]++
			}
		}
		if l.changesByWrapOnly() {
			s.Needless += n
		}
	}
}

// changesByWrapOnly reports whether the end of a soft wrap is the only good reason to erase cells
// of the row and write them again: the row does not change, or all of it is ASCII.
func (l *line) changesByWrapOnly() bool {
	return l.stays || ascii(l.before) && ascii(l.cells)
}

func ascii(cells []vt.Cell) bool {
	for i := range cells {
		if len(cells[i].Text) > 1 || cells[i].Width != 1 && cells[i] != (vt.Cell{}) {
			return false
		}
	}
	return true
}

// stepsOutsideItsPlaces returns the number of steps during which a row stood above or below both
// its old and its new place.
func (l *line) stepsOutsideItsPlaces(steps int) (n int) {
	if l.key == 0 || l.keyWas == 0 {
		return
	}
	first, last := l.path[0].y, l.path[len(l.path)-1].y
	for i, p := range l.path {
		until := steps
		if i+1 < len(l.path) {
			until = l.path[i+1].step
		}
		if p.y < min(first, last) || p.y > max(first, last) {
			n += until - p.step
		}
	}
	return n
}

// countMovedRows counts the text of rows that the frame has written at another place, for the steps
// in which it stood nowhere.
func (w *Watch) countMovedRows(s *Seen, missing []int) {
	is, size := map[uint64]int{}, map[uint64]int{}
	for _, l := range w.grid {
		if !l.stays && l.key != 0 {
			is[l.key]++
			size[l.key] = countInked(l.cells)
		}
	}
	now := map[uint64]int{} // rows that look so, without those that stay
	was := map[uint64]int{}
	for _, l := range w.seenRows() {
		if l.old && !l.stays && l.keyWas != 0 {
			was[l.keyWas]++
			now[l.keyWas]++
		}
	}
	for key, n := range is {
		if is[key] = min(n, was[key]); is[key] == 0 {
			delete(is, key)
		}
	}
	if len(is) == 0 {
		return
	}
	for i, c := range w.swaps {
		if !c.of.stays {
			now[c.from]--
			now[c.to]++
		}
		until := w.step
		if i+1 < len(w.swaps) {
			until = w.swaps[i+1].step
		}
		for key, n := range is {
			gone := max(0, n-now[key]) * size[key]
			s.Gone += gone * (until - c.step)
			for i := c.step; i < until; i++ {
				missing[i] += gone
			}
		}
	}
}

// seenRows returns the rows that are on the grid, and those that have left it during the frame.
func (w *Watch) seenRows() []*line {
	all := append([]*line(nil), w.grid...)
	known := map[*line]bool{}
	for _, l := range all {
		known[l] = true
	}
	for _, c := range w.swaps {
		if !known[c.of] {
			known[c.of] = true
			all = append(all, c.of)
		}
	}
	return all
}

func countInked(cells []vt.Cell) (n int) {
	for _, c := range cells {
		if c != (vt.Cell{}) {
			n++
		}
	}
	return n
}
