package image

import "slices"

// Budget decides which images a terminal keeps on one of its screens (the normal or the alternate
// one): the newest. It is a value and writes nothing. The caller deletes an image that has to go by
// its id, and shows text in its place from then on. The zero value keeps 8 images with 64 MiB of
// pixels in all.
type Budget struct {
	Max   int // The most images; 0: 8.
	Bytes int // The most bytes of pixels that the terminal holds; 0: 64 MiB.

	entries []budgetEntry // The oldest comes first.
	bytes   int
}

// budgetEntry is an image that the terminal holds.
type budgetEntry struct {
	id    ID
	bytes int
}

// Show makes id the newest image and returns the ids of images that have to go. An image that is
// shown stays, even if it is larger than the budget by itself.
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

// Live reports whether the terminal holds the image id.
func (b *Budget) Live(id ID) bool {
	return slices.ContainsFunc(b.entries, func(h budgetEntry) bool { return h.id == id })
}

// Drop records that the terminal does not hold the image id any more.
func (b *Budget) Drop(id ID) {
	if i := slices.IndexFunc(b.entries, func(h budgetEntry) bool { return h.id == id }); i >= 0 {
		b.bytes -= b.entries[i].bytes
		b.entries = slices.Delete(b.entries, i, i+1)
	}
}

// Clear removes all images and returns their ids, the oldest first.
func (b *Budget) Clear() (ids []ID) {
	for _, h := range b.entries {
		ids = append(ids, h.id)
	}
	b.entries, b.bytes = nil, 0
	return ids
}
