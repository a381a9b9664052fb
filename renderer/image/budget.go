package image

import "slices"

// Budget says which pictures a terminal keeps on one surface (its normal or its alternate screen):
// the newest. It is a value without effects; what it gives back as gone is deleted by id and shown
// as text from then on. The zero value keeps 8 pictures of 64 MiB of pixels.
type Budget struct {
	Max   int // pictures; 8 if 0
	Bytes int // of pixels that the terminal holds; 64 MiB if 0

	live  []held // the oldest first
	bytes int
}

type held struct {
	id    ID
	bytes int
}

// Show makes id the newest and returns the ids that have to go. A picture that is shown stays, even
// if it is too large by itself.
func (b *Budget) Show(id ID, bytes int) (gone []ID) {
	b.Drop(id)
	b.live, b.bytes = append(b.live, held{id, bytes}), b.bytes+bytes
	most, room := b.Max, b.Bytes
	if most <= 0 {
		most = 8
	}
	if room <= 0 {
		room = 64 << 20
	}
	for len(b.live) > 1 && (len(b.live) > most || b.bytes > room) {
		gone = append(gone, b.live[0].id)
		b.Drop(b.live[0].id)
	}
	return gone
}

// Live reports whether the terminal has id.
func (b *Budget) Live(id ID) bool {
	return slices.ContainsFunc(b.live, func(h held) bool { return h.id == id })
}

// Drop forgets id: the terminal does not have it any more.
func (b *Budget) Drop(id ID) {
	if i := slices.IndexFunc(b.live, func(h held) bool { return h.id == id }); i >= 0 {
		b.bytes -= b.live[i].bytes
		b.live = slices.Delete(b.live, i, i+1)
	}
}

// Clear forgets all and returns what was live, the oldest first.
func (b *Budget) Clear() (ids []ID) {
	for _, h := range b.live {
		ids = append(ids, h.id)
	}
	b.live, b.bytes = nil, 0
	return ids
}
