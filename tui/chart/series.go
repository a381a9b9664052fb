package chart

import (
	"iter"
	"math"
	"slices"
)

// defaultMax is the most values of a [Series] without a Max.
const defaultMax = 1024

// Series is the newest values of a stream, at most Max of them. It is a ring: the cost of Add does
// not depend on the values before. Its fields and methods are for the loop.
type Series struct {
	Name  string // in the legend
	Style string // the name of a style of the theme; "": that of its place in the chart
	Max   int    // the most values that it holds; below 1: 1024

	ring   []float64
	oldest int // the place of the oldest value in ring
}

// NewSeries returns a series of all values, which can hold 1024 or as many as they are.
func NewSeries(name string, values ...float64) *Series {
	return &Series{Name: name, Max: max(len(values), defaultMax), ring: slices.Clone(values)}
}

// Add adds values. The oldest ones go if there are more than Max.
func (s *Series) Add(values ...float64) {
	limit := s.Max
	if limit < 1 {
		limit = defaultMax
	}
	if n := len(s.ring); n > limit || n < limit && s.oldest > 0 { // Max was changed
		s.ring, s.oldest = slices.Collect(s.from(max(n-limit, 0))), 0
	}
	for _, v := range values {
		if len(s.ring) < limit {
			s.ring = append(s.ring, v)
			continue
		}
		s.ring[s.oldest] = v
		s.oldest = (s.oldest + 1) % limit
	}
}

// Len returns the number of values.
func (s *Series) Len() int {
	if s == nil {
		return 0
	}
	return len(s.ring)
}

// Value returns value i, the oldest one is 0. It returns NaN if there is none.
func (s *Series) Value(i int) float64 {
	if i < 0 || i >= s.Len() {
		return math.NaN()
	}
	if i += s.oldest; i >= len(s.ring) {
		i -= len(s.ring)
	}
	return s.ring[i]
}

// Last returns the newest value, NaN if there is none.
func (s *Series) Last() float64 { return s.Value(s.Len() - 1) }

// Clear drops all values.
func (s *Series) Clear() { s.ring, s.oldest = s.ring[:0], 0 }

// from yields the values from value i on.
func (s *Series) from(i int) iter.Seq[float64] {
	return func(yield func(float64) bool) {
		for ; i < s.Len() && yield(s.Value(i)); i++ {
		}
	}
}
