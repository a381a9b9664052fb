package vt

// placement describes where an image is shown. One without a pin and a parent is virtual:
// placeholder characters show it.
type placement struct {
	placementKey
	at                     *pin
	relative               *relative
	xOffset, yOffset       int // pixels, within a cell
	srcX, srcY, srcW, srcH int // pixels of the image; width and height 0 for all
	cols, rows             int // 0: from the size
	z                      int
}

// placementKey identifies a placement. An id that the terminal has chosen may be equal to one that
// the application has given.
type placementKey struct {
	image       uint32
	id          uint32
	generatedID bool
}

func (p *placement) virtual() bool { return p.at == nil && p.relative == nil }

// displayImage implements a=p, and the display of a=T.
func (t *Terminal) displayImage(g *graphicsCommand, id uint32) response {
	r := newResponse(g)
	r.id = id
	if id == 0 && r.number == 0 {
		return response{message: nameRequired}
	}
	s := t.active
	im := &s.images
	virtual, parent := g.get('U', 0) != 0, g.get('P', 0)
	if virtual && parent > 0 {
		return r.fail("EINVAL: virtual placement cannot refer to a parent")
	}
	img := im.find(id, r.number)
	if img == nil {
		return r.fail(notFound)
	}
	r.id = img.id
	p := placement{
		placementKey: placementKey{image: img.id, id: r.placement, generatedID: r.placement == 0},
		srcX:         int(g.get('x', 0)), srcY: int(g.get('y', 0)), srcW: int(g.get('w', 0)), srcH: int(g.get('h', 0)),
		cols: int(g.get('c', 0)), rows: int(g.get('r', 0)), z: g.signed('z'),
	}
	p.xOffset, p.yOffset = t.offsetInCell(int(g.get('X', 0)), int(g.get('Y', 0)))
	switch {
	case virtual:
	case parent > 0:
		key, problem := im.findParent(s, p.placementKey, parent, g.get('Q', 0))
		if problem != "" {
			return r.fail(problem)
		}
		p.relative = &relative{key, g.signed('H'), g.signed('V')}
	default:
		p.at = s.pinAt(s.cursor.x, s.cursor.y)
	}
	im.addPlacement(s, p)
	if p.at != nil && g.get('C', 0) != 1 {
		t.leavePlacement(&p, img)
	}
	return r
}

// leavePlacement moves the cursor to the right of the last row of p. If p ends at the right edge,
// it moves to the first column of the next row.
func (t *Terminal) leavePlacement(p *placement, img *image) {
	cols, rows := t.placementSize(p, img)
	x, down := p.at.x+cols, max(rows-1, 0)
	wraps := x >= t.cols
	if wraps {
		x = 0
		down++
	}
	// At the bottom each row scrolls. A few bytes can ask for four billion: one screen is enough.
	c, m := &t.active.cursor, &t.margins
	limit := t.rows
	if c.y >= m.top && c.y <= m.bottom && c.x >= m.left && c.x <= m.right {
		limit += m.bottom - c.y
	}
	for range min(down, limit) {
		t.indexDown()
	}
	c.x, c.pending = x, false
}

// addPlacement adds p, in place of a placement with the same id.
func (im *images) addPlacement(s *screen, p placement) {
	if p.generatedID {
		p.id = im.nextPlace
		im.nextPlace++
	} else { // those that are placed relative to it stay
		im.dropPlacements(s, false, func(q *placement) bool { return q.placementKey == p.placementKey })
	}
	if len(im.placements) >= maxPlacements {
		im.prunePlacements(s)
	}
	if len(im.placements) >= maxPlacements { // many at once, so that it does not cost a walk each time
		n := 0
		im.removePlacements(s, false, func(*placement) bool { n++; return n <= maxPlacements/4 })
	}
	im.placements = append(im.placements, p)
}

// cellPixels returns the size of a cell in pixels. DECCOLM changes the number of columns but not
// the window, so that ghostty computes another cell width until the window changes, too.
func (t *Terminal) cellPixels() (width, height int) {
	return t.config.CellWidth * t.window.cols / t.cols, t.config.CellHeight
}

// offsetInCell returns the offset of a placement in pixels, limited to its first cell.
func (t *Terminal) offsetInCell(x, y int) (int, int) {
	cw, ch := t.cellPixels()
	if cw > 0 {
		x = min(x, cw-1)
	}
	return x, min(y, ch-1)
}

// sourceRect returns the part of img that p shows, in pixels.
func (p *placement) sourceRect(img *image) (x, y, w, h int) {
	x, y, w, h = min(p.srcX, img.width), min(p.srcY, img.height), img.width, img.height
	if p.srcW > 0 {
		w = p.srcW
	}
	if p.srcH > 0 {
		h = p.srcH
	}
	return x, y, min(w, img.width-x), min(h, img.height-y)
}

// maxPlacementSide is the largest width and height of a placement, in pixels and in cells.
const maxPlacementSide = 1<<32 - 1

// scaleSide returns value*numerator/denominator, rounded.
func scaleSide(value, numerator, denominator int) int {
	if denominator == 0 {
		return 0
	}
	n := (uint64(value)*uint64(numerator) + uint64(denominator)/2) / uint64(denominator)
	return int(min(n, maxPlacementSide))
}

// placementSize returns how many columns and rows p covers (graphics_storage.zig gridSize).
func (t *Terminal) placementSize(p *placement, img *image) (cols, rows int) {
	if p.cols > 0 && p.rows > 0 {
		return p.cols, p.rows
	}
	_, _, w, h := p.sourceRect(img)
	cw, ch := t.cellPixels()
	x, y := t.offsetInCell(p.xOffset, p.yOffset)
	if cw == 0 {
		x = 0
	}
	switch { // the side that is not given follows from the aspect ratio
	case p.cols > 0:
		side := max(min(cw*p.cols, maxPlacementSide)-x, 0)
		w, h = side, scaleSide(side, h, w)
	case p.rows > 0:
		side := max(min(ch*p.rows, maxPlacementSide)-y, 0)
		w, h = scaleSide(side, w, h), side
	}
	if cw > 0 {
		cols = (min(w+x, maxPlacementSide) + cw - 1) / cw
	}
	return cols, (min(h+y, maxPlacementSide) + ch - 1) / ch
}

// placementRect returns the cells that p covers; rows above the grid are negative. ok is false for
// virtual and relative placements, and for one without a size.
func (t *Terminal) placementRect(p *placement) (left, top, right, bottom int, ok bool) {
	s := t.active
	img := s.images.byID[p.image]
	if p.at == nil || img == nil || p.at.y < s.dropped {
		return 0, 0, 0, 0, false
	}
	cols, rows := t.placementSize(p, img)
	if cols == 0 || rows == 0 {
		return 0, 0, 0, 0, false
	}
	left, top = p.at.x, p.at.y-s.dropped-s.top()
	return left, top, min(t.cols-1, left+cols-1), top + rows - 1, true
}
