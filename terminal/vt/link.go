package vt

// link is an OSC 8 hyperlink.
type link struct{ uri, id string }

// links stores the hyperlinks of all cells, equal ones only once. Index 0 means no link.
// [Terminal.sweep] frees those that no cell uses.
type links struct {
	list       []link
	index      map[link]uint32
	free       []uint32
	bytes      int // The number of bytes of all links.
	sweepBytes int // A sweep is due when the links have so many bytes.
}

const minLinkBytes = 4 << 20

func newLinks() links {
	return links{list: make([]link, 1), index: make(map[link]uint32), sweepBytes: minLinkBytes}
}

func (ls *links) intern(l link) uint32 {
	if id, ok := ls.index[l]; ok {
		return id
	}
	var id uint32
	if n := len(ls.free); n > 0 {
		id = ls.free[n-1]
		ls.free = ls.free[:n-1]
		ls.list[id] = l
	} else {
		id = uint32(len(ls.list))
		ls.list = append(ls.list, l)
	}
	ls.index[l] = id
	ls.bytes += len(l.uri) + len(l.id) + 64
	return id
}

func (ls *links) sweep(marked []bool) {
	ls.free, ls.bytes = ls.free[:0], 0
	for id := len(ls.list) - 1; id > 0; id-- {
		if marked[id] {
			ls.bytes += len(ls.list[id].uri) + len(ls.list[id].id) + 64
			continue
		}
		if l := ls.list[id]; l != (link{}) {
			delete(ls.index, l)
			ls.list[id] = link{}
		}
		ls.free = append(ls.free, uint32(id))
	}
	ls.sweepBytes = max(minLinkBytes, 2*ls.bytes)
}
