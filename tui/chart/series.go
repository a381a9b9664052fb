package chart

import (
	"iter"
	"math"
	"slices"
)

// defaultMaxValues is the default of Series.Max.
const defaultMaxValues = 1024

// Series holds the newest values of a stream, at most Max of them. It is a ring buffer, so that Add
// takes constant time for each value. Access fields and methods only on the App's loop.
type Series struct {
	Name  string // name in the legend
	Style string // name of a style of the theme; "": the default for its position in the chart
	Max   int    // maximum number of values; below 1: 1024

	ring   []float64
	oldest int // index in ring of the oldest value
}

// NewSeries returns a series of the given values. It can hold 1024 values, or as many as are given
// if that is more.
func NewSeries(name string, values ...float64) *Series {
	return &Series{Name: name, Max: max(len(values), defaultMaxValues), ring: slices.Clone(values)}
}

// Add appends values. If there are more than Max the oldest are dropped.
func (s *Series) Add(values ...float64) {
	limit := s.Max
	if limit < 1 {
		limit = defaultMaxValues
	}
	if n := len(s.ring); n > limit || n < limit && s.oldest > 0 { // Max was changed
		s.ring, s.oldest = slices.Collect(s.valuesFrom(max(n-limit, 0))), 0
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

// Value returns value i, counted from the oldest one. It returns NaN if there is no such value.
func (s *Series) Value(i int) float64 {
	if i < 0 || i >= s.Len() {
		return math.NaN()
	}
	if i += s.oldest; i >= len(s.ring) {
		i -= len(s.ring)
	}
	return s.ring[i]
}

// Last returns the newest value, or NaN if there is none.
func (s *Series) Last() float64 { return s.Value(s.Len() - 1) }

// Clear drops all values.
func (s *Series) Clear() { s.ring, s.oldest = s.ring[:0], 0 }

// valuesFrom yields the values from index i on.
func (s *Series) valuesFrom(i int) iter.Seq[float64] {
	return func(yield func(float64) bool) {
		for ; i < s.Len() && yield(s.Value(i)); i++ {
		}
	}
}
