package chart

import (
	"math"
	"slices"
	"testing"
)

func TestEachValueHasItsPlaceInARange(t *testing.T) {
	for _, c := range []struct{ lo, hi, v, want float64 }{
		{0, 10, 5, 0.5}, {0, 10, -1, 0}, {0, 10, 11, 1}, {0, 10, math.Inf(1), 1}, {0, 10, math.Inf(-1), 0},
		{-math.MaxFloat64, math.MaxFloat64, 0, 0.5}, {-math.MaxFloat64, math.MaxFloat64, math.MaxFloat64, 1},
		{0, math.SmallestNonzeroFloat64, math.SmallestNonzeroFloat64, 1}, {0, math.SmallestNonzeroFloat64, 0, 0},
	} {
		if got := (scale{c.lo, c.hi}).fraction(c.v); got != c.want {
			t.Errorf("%g in %g to %g: %g, want %g", c.v, c.lo, c.hi, got, c.want)
		}
	}
	if _, ok := (scale{0, 1}).dot(math.NaN(), 10); ok {
		t.Error("NaN has a place")
	}
}

func TestTheRangeIsThatOfTheValues(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   scale
	}{
		{nil, scale{0, 1}}, {[]float64{math.NaN()}, scale{0, 1}}, {[]float64{0, 0}, scale{0, 1}},
		{[]float64{5}, scale{0, 5}}, {[]float64{-5}, scale{-5, 0}}, {[]float64{3, math.Inf(1), 4}, scale{3, 4}},
	} {
		if got := scaleOf(0, 0, false, slices.Values(c.values)); got != c.want {
			t.Errorf("%v: %v, want %v", c.values, got, c.want)
		}
	}
	if got := scaleOf(2, 3, true, slices.Values([]float64{9})); got != (scale{2, 3}) {
		t.Errorf("a range of the program's became %v", got)
	}
}

func TestTicksAreRoundAndDiffer(t *testing.T) {
	for _, c := range []struct {
		sc   scale
		n    int
		want []string
	}{
		{scale{0, 100}, 2, []string{"0", "50", "100"}}, {scale{-3, 4}, 3, []string{"-2", "0", "2", "4"}},
		{scale{100_100, 100_300}, 2, []string{"100.1k", "100.2k", "100.3k"}},
		{scale{0, 0.02}, 2, []string{"0", "0.01", "0.02"}}, {scale{1e15, 3e15}, 2, []string{"1e+15", "2e+15", "3e+15"}},
	} {
		all, step := c.sc.ticks(c.n)
		var got []string
		for _, v := range all {
			got = append(got, shortNumber(v, step))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v in %d: %q, want %q", c.sc, c.n, got, c.want)
		}
	}
	for _, sc := range []scale{{-math.MaxFloat64, math.MaxFloat64}, {0, math.SmallestNonzeroFloat64},
		{1e16, 1e16 + 2}, {math.MaxFloat64 / 2, math.MaxFloat64}} {
		if all, _ := sc.ticks(5); len(all) < 2 || len(all) > 12 || !slices.IsSorted(all) {
			t.Errorf("%v: ticks %v", sc, all)
		}
		if got := sc.rounded(5); !(got.min < got.max) || math.IsInf(got.max-got.max, 0) || got.min > sc.min {
			t.Errorf("%v rounded is %v", sc, got)
		}
	}
}
