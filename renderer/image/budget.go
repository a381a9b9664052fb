package image

import "slices"

// Budget decides which pictures a terminal keeps on one surface (its normal or its alternate
// screen): the newest. It is a value without effects. A picture that has to go is deleted by its id
// and shown as text from then on. The zero value keeps 8 pictures of 64 MiB of pixels.
type Budget struct {
	Max   int // pictures; 8 if 0
	Bytes int // of pixels that the terminal holds; 64 MiB if 0

	entries []budgetEntry // the oldest first
	bytes   int
}

// budgetEntry is a picture that the terminal has.
type budgetEntry struct {
	id    ID
	bytes int
}

// Show makes id the newest and returns the ids that have to go. A picture that is shown stays, even
// if it is too large by itself.
func (b *Budget) Show(id ID, bytes int) (gone []ID) {
	b.Drop(id)
	b.entries, b.bytes = append(b.entries, budgetEntry{id, bytes}), b.bytes+bytes
	maxPictures, freeBytes := b.Max, b.Bytes
	if maxPictures <= 0 {
		maxPictures = 8
	}
	if freeBytes <= 0 {
		freeBytes = 64 << 20
	}
	for len(b.entries) > 1 && (len(b.entries) > maxPictures || b.bytes > freeBytes) {
		gone = append(gone, b.entries[0].id)
		b.Drop(b.entries[0].id)
	}
	return gone
}

// Live reports whether the terminal has id.
func (b *Budget) Live(id ID) bool {
	return slices.ContainsFunc(b.entries, func(h budgetEntry) bool { return h.id == id })
}

// Drop removes id: the terminal does not have it any more.
func (b *Budget) Drop(id ID) {
	if i := slices.IndexFunc(b.entries, func(h budgetEntry) bool { return h.id == id }); i >= 0 {
		b.bytes -= b.entries[i].bytes
		b.entries = slices.Delete(b.entries, i, i+1)
	}
}

// Clear removes all pictures and returns their ids, the oldest first.
func (b *Budget) Clear() (ids []ID) {
	for _, h := range b.entries {
		ids = append(ids, h.id)
	}
	b.entries, b.bytes = nil, 0
	return ids
}
