package vt

import "slices"

// relative places a placement relative to another one (keys P, Q, H, V).
type relative struct {
	parent      placementKey
	right, down int // cells from the parent's corner
}

// maxParents is the longest allowed chain of relative placements, as in kitty.
const maxParents = 8

// placement returns the placement with a key, or nil if there is none or its row no longer exists.
func (im *images) placement(s *screen, key placementKey) *placement {
	for i := range im.placements {
		if p := &im.placements[i]; p.placementKey == key && (p.at == nil || p.at.y >= s.dropped) {
			return p
		}
	}
	return nil
}

// preferred reports whether placement k is chosen before o when a command names only the image. Ids
// that the application has given come first, then smaller ids.
func (a placementKey) preferred(b placementKey) bool {
	if a.generatedID != b.generatedID {
		return b.generatedID
	}
	return a.id < b.id
}

// findParent returns the placement relative to which child may be placed (graphics_storage.zig
// resolveParent).
func (im *images) findParent(s *screen, child placementKey, image, id uint32) (parent placementKey, problem string) {
	const none = "ENOPARENT: parent placement not found"
	if im.byID[image] == nil {
		return parent, "ENOPARENT: parent image not found"
	}
	parent = placementKey{image: image, id: id}
	if id == 0 {
		found := false
		for i := range im.placements {
			p := &im.placements[i]
			alive := p.at == nil || p.at.y >= s.dropped
			if p.image == image && alive && (!found || p.preferred(parent)) {
				parent, found = p.placementKey, true
			}
		}
		if !found {
			return parent, none
		}
	} else if im.placement(s, parent) == nil {
		return parent, none
	}
	if parent == child {
		return parent, "EINVAL: placement cannot be its own parent"
	}
	key := parent
	for depth := 1; ; depth++ {
		p := im.placement(s, key)
		switch {
		case key == child:
			return parent, "ECYCLE: parent chain creates a cycle"
		case p == nil:
			return parent, "ENOENT: parent chain ancestor not found"
		case p.relative == nil:
			return parent, ""
		case depth >= maxParents:
			return parent, "ETOODEEP: parent chain too deep"
		}
		key = p.relative.parent
	}
}

// parents returns the placements by their keys, or nil if no placement is relative.
func (im *images) parents() map[placementKey]*placement {
	if !slices.ContainsFunc(im.placements, func(p placement) bool { return p.relative != nil }) {
		return nil
	}
	m := make(map[placementKey]*placement, len(im.placements))
	for i := range im.placements {
		m[im.placements[i].placementKey] = &im.placements[i]
	}
	return m
}

// root returns the placement at the end of p's chain of parents, or p itself, and the distance of p
// from it in cells. It returns nil if the chain is longer than [maxParents], which can happen when
// a placement in it is replaced.
func root(p *placement, parents map[placementKey]*placement) (root *placement, right, down int) {
	for depth := 0; p != nil && p.relative != nil; depth++ {
		if depth >= maxParents {
			return nil, 0, 0
		}
		right, down = right+p.relative.right, down+p.relative.down
		p = parents[p.relative.parent]
	}
	return p, right, down
}

// removeOrphans removes the placements whose parent no longer exists, and those relative to them.
func (im *images) removeOrphans(s *screen, free bool) {
	children := make(map[placementKey][]placementKey)
	var queue []placementKey
	for i := range im.placements {
		if p := &im.placements[i]; p.relative != nil {
			children[p.relative.parent] = append(children[p.relative.parent], p.placementKey)
		} else {
			queue = append(queue, p.placementKey)
		}
	}
	if len(children) == 0 {
		return
	}
	alive := make(map[placementKey]bool, len(im.placements))
	for len(queue) > 0 {
		key := queue[0]
		queue = queue[1:]
		if !alive[key] {
			alive[key] = true
			queue = append(queue, children[key]...)
		}
	}
	im.dropPlacements(s, free, func(p *placement) bool { return !alive[p.placementKey] })
}
