package vt

// settled is the place of a placement after a scroll.
type settled struct {
	at   *pin
	x, y int // of the grid
}

// beginImageScroll computes where the placements are after the rows between the margins have moved
// by delta (negative: up). A placement that is entirely between the margins moves along, and is cut
// where it would leave them. All others stay where they are. A scroll of the whole screen moves
// placements with their rows, without this method (graphics_storage.zig scrollMarginsBegin).
func (t *Terminal) beginImageScroll(delta int) []settled {
	s := t.active
	if len(s.images.placements) == 0 || t.margins == (margins{bottom: t.rows - 1, right: t.cols - 1}) {
		return nil
	}
	var list []settled
	gone := make(map[*pin]bool)
	for i := range s.images.placements {
		p := &s.images.placements[i]
		if p.at == nil || p.at.y < s.dropped {
			continue
		}
		y := p.at.y - s.dropped - s.top()
		if y < 0 {
			continue
		}
		to, visible := t.scrollPlacement(p, y, delta)
		if !visible {
			gone[p.at] = true
			continue
		}
		list = append(list, settled{p.at, p.at.x, to})
	}
	if len(gone) > 0 {
		s.images.removePlacements(s, false, func(p *placement) bool { return gone[p.at] })
	}
	return list
}

// endImageScroll moves the placements to where beginImageScroll has computed them.
func (t *Terminal) endImageScroll(list []settled) {
	s := t.active
	for _, p := range list {
		p.at.x, p.at.y = p.x, s.dropped+s.top()+p.y
	}
}

// scrollPlacement returns the row to which p moves from row y. It returns false if nothing of p is
// left.
func (t *Terminal) scrollPlacement(p *placement, y, delta int) (to int, visible bool) {
	m := &t.margins
	left, top, right, bottom, ok := t.placementRect(p)
	if !ok || top < m.top || bottom > m.bottom || left < m.left || right > m.right {
		return y, true
	}
	rows := bottom - top + 1
	above, below := m.top-(y+delta), y+delta+rows-1-m.bottom
	img := t.active.images.byID[p.image]
	switch {
	case above >= rows || below >= rows:
		return y, false
	case above > 0:
		return m.top, t.clipTop(p, img, above, rows)
	case below > 0:
		return y + delta, t.clipBottom(p, img, below, rows)
	}
	return y + delta, true
}

// clipTop cuts n rows off the top of p. It returns false if nothing is left.
func (t *Terminal) clipTop(p *placement, img *image, n, rows int) bool {
	x, y, w, h := p.sourceRect(img)
	crop := t.config.CellHeight * n
	if p.rows > 0 { // scaled: each row shows an equal part
		crop = h * n / rows
	}
	if crop >= h {
		return false
	}
	p.srcX, p.srcY, p.srcW, p.srcH = x, y+crop, w, h-crop
	if p.rows > 0 {
		p.rows -= n
	}
	return true
}

// clipBottom cuts n rows off the bottom of p. It returns false if nothing is left.
func (t *Terminal) clipBottom(p *placement, img *image, n, rows int) bool {
	x, y, w, h := p.sourceRect(img)
	if h == 0 {
		return false
	}
	shown := t.config.CellHeight*(rows-n) - p.yOffset
	if p.rows > 0 {
		shown = h - h*n/rows
	}
	if shown <= 0 {
		return false
	}
	p.srcX, p.srcY, p.srcW, p.srcH = x, y, w, min(h, shown)
	if p.rows > 0 {
		p.rows -= n
	}
	return true
}
