package shell

import (
	"context"
	"fmt"
	"slices"

	"github.com/scrollkeep/scrollkeep/tui"
)

// transcriptSearch holds the state of a search in the page that /transcript shows. A goroutine
// counts the matches in all entries, because that lays all of them out.
type transcriptSearch struct {
	// The text that is searched for; "": there is no search.
	query   string
	cancel  context.CancelFunc
	hits    []int // The number of matches in each entry.
	scanned int   // The number of entries that were searched so far.
	item    int   // The index of the entry with the current match; -1: no match was found yet.
	index   int   // The index of the current match among those in its entry.
}

// stop ends the search and forgets its matches.
func (q *transcriptSearch) stop() {
	if q.cancel != nil {
		q.cancel()
	}
	*q = transcriptSearch{}
}

// state returns the result of the search so far, for the row of keys; "" if there is no search.
// items is the number of entries.
func (q *transcriptSearch) state(items int) string {
	if q.query == "" {
		return ""
	}
	total, before := 0, 0
	for i, n := range q.hits {
		if total += n; i < q.item {
			before += n
		}
	}
	reading := ""
	if q.scanned < items {
		reading = ", searched " + percentOf(q.scanned, items)
	}
	switch {
	case total == 0 && reading == "":
		return "not found: " + q.query
	case q.item < 0 || total == 0:
		return "searching: " + q.query + reading
	}
	return fmt.Sprintf("match %d of %d%s", before+q.index+1, total, reading)
}

// scanStep is the number of entries after which the search reports its progress to the event loop.
const scanStep = 128

// find starts a search at the first row in sight, and scrolls to the first match. height is the
// number of rows in sight. An empty query ends the search.
func (p *transcriptPage) find(query string, height int) {
	p.search.stop()
	if query == "" {
		return
	}
	ctx, cancel := context.WithCancel(p.ctx)
	p.search = transcriptSearch{query: query, cancel: cancel, hits: make([]int, len(p.items)), item: -1}
	go p.scan(ctx, p.space, query, p.top.item, height)
}

// scan counts the matches in all entries at the width of space, beginning with the entry of index
// from, until ctx ends. It runs on a goroutine of its own.
func (p *transcriptPage) scan(ctx context.Context, space tui.Space, query string, from, height int) {
	n := len(p.items)
	var counted []int // pairs of an entry and its matches
	isFirst := true
	for k := range n {
		if ctx.Err() != nil {
			return
		}
		i := (from + k) % n
		it := p.items[i]
		text, _ := joinedText(it.lay(space, it.changes(ctx, p.change)))
		if hits := len(found(text, query)); hits > 0 {
			counted = append(counted, i, hits)
		}
		if k < n-1 && (k+1)%scanStep != 0 && !(isFirst && len(counted) > 0) {
			continue
		}
		told := counted
		counted, isFirst = nil, isFirst && len(told) == 0
		p.do(func() {
			if ctx.Err() != nil { // another one has begun
				return
			}
			p.search.scanned = k + 1
			for j := 0; j < len(told); j += 2 {
				p.search.hits[told[j]] = told[j+1]
			}
			if p.search.item < 0 && len(told) > 0 {
				p.showMatch(told[0], 0, height)
			}
		})
	}
}

// nextMatch scrolls to the next match if step is 1, or to the previous one if it is -1. The first
// match follows the last.
func (p *transcriptPage) nextMatch(step, height int) {
	q := &p.search
	if q.query == "" || q.item < 0 {
		return
	}
	if i := q.index + step; i >= 0 && i < q.hits[q.item] {
		p.showMatch(q.item, i, height)
		return
	}
	n := len(q.hits)
	for k := 1; k <= n; k++ {
		i := ((q.item+step*k)%n + n) % n
		switch {
		case q.hits[i] == 0:
		case step > 0:
			p.showMatch(i, 0, height)
			return
		default:
			p.showMatch(i, q.hits[i]-1, height)
			return
		}
	}
}

// showMatch makes match number index of entry item the current one, and scrolls it into sight.
func (p *transcriptPage) showMatch(item, index, height int) {
	p.search.item, p.search.index = item, index
	text, from := joinedText(p.rows(item))
	places := found(text, p.search.query)
	if len(places) == 0 {
		p.goTo(transcriptPlace{item, 0}, height) // in a change that is not read yet
		return
	}
	at := places[min(index, len(places)-1)]
	row, exact := slices.BinarySearch(from, at)
	if !exact {
		row--
	}
	if p.inSight(transcriptPlace{item, row}, height) {
		return
	}
	p.top = transcriptPlace{item, row}
	p.move(-height/3, height)
}

// inSight reports whether row at is in sight on a page of that height.
func (p *transcriptPage) inSight(at transcriptPlace, height int) bool {
	if at.before(p.top) {
		return false
	}
	rows := -p.top.row
	for i := p.top.item; i < at.item && rows < height; i++ {
		rows += len(p.rows(i))
	}
	return rows+at.row < height
}
