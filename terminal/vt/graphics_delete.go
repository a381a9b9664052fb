package vt

import (
	"cmp"
	"slices"
)

// removePlacements removes the placements that match, and those that are relative to them. With
// free it also removes images that have no placement left.
func (im *images) removePlacements(s *screen, free bool, match func(*placement) bool) {
	if im.dropPlacements(s, free, match) {
		im.removeOrphans(s, free)
	}
}

// dropPlacements removes the placements that match. With free it also removes images that have no
// placement left. It returns false if no placement matches.
func (im *images) dropPlacements(s *screen, free bool, match func(*placement) bool) bool {
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
	return len(orphans) > 0
}

func (im *images) isUsed(id uint32) bool {
	return slices.ContainsFunc(im.placements, func(p placement) bool { return p.image == id })
}

func (im *images) freeIfUnused(id uint32) {
	if im.byID[id] != nil && !im.isUsed(id) {
		im.free(id)
	}
}

// prunePlacements removes placements whose row no longer exists.
func (im *images) prunePlacements(s *screen) {
	im.removePlacements(s, false, func(p *placement) bool { return p.at != nil && p.at.y < s.dropped })
}

// clearImages does for images what ED 2 does for text: it removes those that are shown on the grid,
// and every image without a placement.
func (t *Terminal) clearImages() {
	if im := &t.active.images; len(im.byID) > 0 {
		t.deleteVisible(false)
		im.freeUnused()
	}
}

// deleteVisible removes the placements that reach into the grid, except virtual ones and those
// relative to virtual ones.
func (t *Terminal) deleteVisible(free bool) {
	s := t.active
	s.images.removePlacements(s, free, func(p *placement) bool {
		if p.at == nil || p.at.y < s.dropped {
			return false
		}
		_, _, _, bottom, ok := t.placementRect(p)
		return p.at.y-s.dropped >= s.top() || ok && bottom >= 0
	})
}

// deleteAll removes the placements that are not virtual, and every image without a placement.
func (im *images) deleteAll(s *screen) {
	im.removePlacements(s, false, func(p *placement) bool { return p.at != nil })
	im.freeUnused()
}

func (im *images) freeUnused() {
	for id := range im.byID {
		im.freeIfUnused(id)
	}
}

// evictImages removes images until need bytes are free: first those that are not shown, among them
// first the transient ones, and the oldest first. It does not remove the image spare.
func (im *images) evictImages(s *screen, need int, except uint32) bool {
	type candidate struct {
		*image
		rank int
	}
	var list []candidate
	for _, img := range im.byID {
		rank := 0
		if !img.transient {
			rank = 1
		}
		if im.isUsed(img.id) {
			rank += 2
		}
		if img.id != except {
			list = append(list, candidate{img, rank})
		}
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.time, b.time))
	})
	for _, c := range list {
		im.removePlacements(s, false, func(p *placement) bool { return p.image == c.id })
		need -= im.size(c.id)
		im.freeIfUnused(c.id)
		if need <= 0 {
			return true
		}
	}
	return false
}

// deleteImages implements a=d. A capital letter also frees the images (graphics_storage.zig
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
		return ok && row >= top && row <= bottom && (col < 0 || col >= left && col <= right)
	}
	switch what | 0x20 {
	case 'a':
		t.deleteVisible(free)
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
		im.removePlacements(s, free, func(p *placement) bool { return !p.virtual() && p.z == z })
	case 'r':
		im.deleteRange(s, uint32(x), uint32(y), free)
	case 'f':
		im.deleteFrame(s, g, free)
	}
}

// deleteRange removes the placements of the images with ids from first to last.
func (im *images) deleteRange(s *screen, first, last uint32, free bool) {
	in := func(id uint32) bool { return id >= first && id <= last }
	im.removePlacements(s, free, func(p *placement) bool { return in(p.image) })
	if !free {
		return
	}
	for id := range im.byID {
		if in(id) {
			im.freeIfUnused(id)
		}
	}
}

// deleteByID removes one placement of an image, or all of them if place is 0. With free it also
// removes the image, unless there is no such placement.
func (im *images) deleteByID(s *screen, id, place uint32, free bool) {
	n := len(im.placements)
	im.removePlacements(s, free, func(p *placement) bool {
		return p.image == id && (place == 0 || p.id == place && !p.generatedID)
	})
	if free && (place == 0 || len(im.placements) < n) {
		im.freeIfUnused(id)
	}
}
