package vt

import (
	"cmp"
	"slices"
)

// removePlacements drops the placements that match. With free it drops the images, too, that have
// no placement left.
func (im *images) removePlacements(s *screen, free bool, match func(*placement) bool) {
	var orphans []uint32
	var pins map[*pin]bool
	remaining := im.placements[:0]
	for i := range im.placements {
		p := &im.placements[i]
		if !match(p) {
			remaining = append(remaining, *p)
			continue
		}
		orphans = append(orphans, p.image)
		if p.at != nil {
			if pins == nil {
				pins = make(map[*pin]bool)
			}
			pins[p.at] = true
		}
	}
	clear(im.placements[len(remaining):])
	im.placements = remaining
	if pins != nil {
		s.pins = slices.DeleteFunc(s.pins, func(p *pin) bool { return pins[p] })
	}
	if free {
		for _, id := range orphans {
			im.freeIfUnused(id)
		}
	}
}

func (im *images) isUsed(id uint32) bool {
	return slices.ContainsFunc(im.placements, func(p placement) bool { return p.image == id })
}

func (im *images) freeIfUnused(id uint32) {
	if img := im.byID[id]; img != nil && !im.isUsed(id) {
		im.bytes -= img.bytes
		delete(im.byID, id)
	}
}

// prunePlacements drops placements whose row is gone.
func (im *images) prunePlacements(s *screen) {
	im.removePlacements(s, false, func(p *placement) bool { return p.at != nil && p.at.y < s.dropped })
}

// deleteVisible deletes, as ED 2 does, all placements that are not virtual, and every image without
// a placement.
func (t *Terminal) deleteVisible() {
	s := t.active
	im := &s.images
	if len(im.byID) == 0 {
		return
	}
	if !t.config.Personality.ImagesScroll {
		im.deleteAll(s, true)
		return
	}
	im.removePlacements(s, false, func(p *placement) bool {
		_, _, _, bottom, ok := t.placementRect(p)
		return ok && bottom >= 0
	})
	im.freeUnused()
}

func (im *images) deleteAll(s *screen, free bool) {
	im.removePlacements(s, false, func(p *placement) bool { return p.at != nil })
	if free {
		im.freeUnused()
	}
}

func (im *images) freeUnused() {
	for id := range im.byID {
		im.freeIfUnused(id)
	}
}

// evictImages drops the oldest images until need bytes are free.
func (im *images) evictImages(s *screen, need int) bool {
	type candidate struct {
		*image
		used bool
	}
	var list []candidate
	for _, img := range im.byID {
		list = append(list, candidate{img, im.isUsed(img.id)})
	}
	slices.SortFunc(list, func(a, b candidate) int {
		if a.used != b.used {
			if a.used {
				return 1
			}
			return -1
		}
		return cmp.Compare(a.time, b.time)
	})
	freed := 0
	for _, c := range list {
		im.removePlacements(s, false, func(p *placement) bool { return p.image == c.id })
		im.freeIfUnused(c.id)
		if freed += c.bytes; freed > need {
			return true
		}
	}
	return false
}

// deleteImages implements a=d. A capital letter frees the images, too (graphics_storage.zig
// delete).
func (t *Terminal) deleteImages(g *graphicsCommand) {
	s := t.active
	im := &s.images
	what := byte(g.get('d', 'a'))
	free := what < 'a'
	if free && t.config.Personality.DeleteFreesAll {
		defer im.freeUnused()
	}
	x, y := int(g.get('x', 0)), int(g.get('y', 0))
	covers := func(p *placement, col, row int) bool {
		left, top, right, bottom, ok := t.placementRect(p)
		switch {
		case !ok || row < top || row > bottom:
			return false
		case row > top || col < 0:
			// The core compares in reading order, and only in the first row by column (PageList.zig
			// isBetween)
			return true
		}
		return col >= left && (row < bottom || col <= right)
	}
	switch what | 0x20 {
	case 'a':
		im.deleteAll(s, free)
	case 'i':
		im.deleteByID(s, g.get('i', 0), g.get('p', 0), free)
	case 'n':
		if img := im.byNumber(g.get('I', 0)); img != nil {
			im.deleteByID(s, img.id, g.get('p', 0), free)
		}
	case 'c':
		im.removePlacements(s, free, func(p *placement) bool { return covers(p, s.cursor.x, s.cursor.y) })
	case 'p', 'q':
		if x < 1 || y < 1 || x > t.cols || y > t.rows {
			return
		}
		z := g.signed('z')
		im.removePlacements(s, free, func(p *placement) bool {
			return covers(p, x-1, y-1) &&
				(what|0x20 == 'p' || p.z == z)
		})
	case 'x':
		if x < 1 {
			return
		}
		im.removePlacements(s, free, func(p *placement) bool {
			left, _, right, _, ok := t.placementRect(p)
			return ok && x-1 >= left && x-1 <= right
		})
	case 'y':
		if y < 1 || y > t.rows {
			return
		}
		im.removePlacements(s, free, func(p *placement) bool { return covers(p, -1, y-1) })
	case 'z':
		z := g.signed('z')
		im.removePlacements(s, free, func(p *placement) bool { return p.at != nil && p.z == z })
	case 'r':
		// The pinned ghostty deletes every placement here, whatever the range; later versions only
		// those in it.
		if x > 0 && y > 0 {
			im.removePlacements(s, free, func(p *placement) bool { return true })
		}
	}
}

func (im *images) deleteByID(s *screen, id, place uint32, free bool) {
	im.removePlacements(s, false, func(p *placement) bool {
		return p.image == id && (place == 0 || p.id == place && !p.generatedID)
	})
	if free {
		im.freeIfUnused(id)
	}
}

// placementRect returns the part of the grid that p covers, inclusive; rows above the grid are
// negative. Virtual placements have none.
func (t *Terminal) placementRect(p *placement) (left, top, right, bottom int, ok bool) {
	img := t.active.images.byID[p.image]
	if p.at == nil || img == nil {
		return 0, 0, 0, 0, false
	}
	cols, rows := t.placementSize(p, img)
	left, top = p.at.x, p.at.y-t.active.dropped-t.active.top()
	right = t.cols - 1
	if cols > 0 { // the core's 0-1 is very large
		right = min(right, left+cols-1)
	}
	return left, top, right, top + rows - 1, true
}
