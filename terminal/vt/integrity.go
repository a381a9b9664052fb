package vt

import "fmt"

// Check returns the first contradiction in the terminal's own data, or nil. It looks at every cell,
// so that tests call it after each step.
func (t *Terminal) Check() error {
	for _, s := range []*screen{t.primary, t.alt} {
		if s == nil {
			continue
		}
		name := "primary"
		if s == t.alt {
			name = "alternate"
		}
		if err := t.checkScreen(s); err != nil {
			return fmt.Errorf("vt: %s screen: %w", name, err)
		}
	}
	m := t.margins
	switch {
	case t.active != t.primary && t.active != t.alt:
		return fmt.Errorf("vt: the active screen is neither")
	case m.top < 0 || m.top > m.bottom || m.bottom >= t.rows || m.left < 0 || m.left > m.right || m.right >= t.cols:
		return fmt.Errorf("vt: margins %+v in %dx%d", m, t.cols, t.rows)
	case len(t.tabs) != t.cols:
		return fmt.Errorf("vt: %d tab stops for %d columns", len(t.tabs), t.cols)
	}
	return nil
}

func (t *Terminal) checkScreen(s *screen) error {
	switch {
	case s.cols != t.cols || s.rows != t.rows:
		return fmt.Errorf("%dx%d in a terminal of %dx%d", s.cols, s.rows, t.cols, t.rows)
	case s.ring.count < s.rows:
		return fmt.Errorf("%d rows for a grid of %d", s.ring.count, s.rows)
	case s.historyRows() > s.keptRows:
		return fmt.Errorf("%d rows of history, %d are kept", s.historyRows(), s.keptRows)
	case s.cursor.x < 0 || s.cursor.x >= s.cols || s.cursor.y < 0 || s.cursor.y >= s.rows:
		return fmt.Errorf("cursor at %d,%d of %dx%d", s.cursor.x, s.cursor.y, s.cols, s.rows)
	case int(s.cursor.link) >= len(t.links.list):
		return fmt.Errorf("no link %d", s.cursor.link)
	case s.cursor.penKnown && t.pens.list[s.cursor.pen] != pen{s.cursor.style, s.cursor.link}:
		return fmt.Errorf("the cursor's pen is not its style")
	}
	for i := range s.ring.count {
		if err := t.checkRow(s, s.ring.at(i)); err != nil {
			return fmt.Errorf("row %d of %d: %w", i, s.ring.count, err)
		}
	}
	return nil
}

func (t *Terminal) checkRow(s *screen, r *row) error {
	if len(r.cells) != s.cols || r.used < 0 || r.used > s.cols {
		return fmt.Errorf("%d cells, %d used, of %d", len(r.cells), r.used, s.cols)
	}
	for x, c := range r.cells {
		if x >= r.used && c != 0 {
			return fmt.Errorf("cell %d is not blank, %d are used", x, r.used)
		}
		if c.width() != narrow && !r.has(complexCells) {
			return fmt.Errorf("cell %d is not narrow, the row says all are", x)
		}
		switch c.width() { // a wide character may be without its second half: resizing without rewrapping cuts it off
		case spacerTail:
			if x == 0 && !t.config.Personality.HalvesPart || x > 0 && r.cells[x-1].width() != wide {
				return fmt.Errorf("cell %d is a second half without a first", x)
			}
		case spacerHead:
			if x != s.cols-1 && !t.config.Personality.HalvesPart {
				return fmt.Errorf("cell %d is the blank for a wide character, but not at the end", x)
			}
		}
		if int(c.pen()) >= len(t.pens.list) {
			return fmt.Errorf("cell %d has no pen %d", x, c.pen())
		}
		if l := t.pens.list[c.pen()].link; int(l) >= len(t.links.list) || l != 0 && t.links.list[l] == (link{}) {
			return fmt.Errorf("cell %d has no link %d", x, l)
		}
		if c.tag() == tagCluster && (int(c.content()) >= len(t.clusters.list) ||
			len(t.clusters.list[c.content()].runes) < 2) {
			return fmt.Errorf("cell %d has no cluster %d", x, c.content())
		}
	}
	return nil
}
