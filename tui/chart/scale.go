package chart

import (
	"iter"
	"math"
	"strconv"
	"strings"
)

// scale is a range of values. Its ends are finite, and max is greater than min.
type scale struct{ min, max float64 }

// isFinite reports whether v is neither NaN nor infinite.
func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// scaleOf returns the range from lo to hi if that is valid, and otherwise the range of values. If
// ground is true the latter is extended to include 0.
func scaleOf(lo, hi float64, ground bool, values iter.Seq[float64]) scale {
	if isFinite(lo) && isFinite(hi) && lo < hi {
		return scale{lo, hi}
	}
	sc, ok := bounds(values)
	if !ok {
		return scale{0, 1}
	}
	if ground || sc.min == sc.max {
		sc.min, sc.max = min(sc.min, 0), max(sc.max, 0)
	}
	if sc.min == sc.max {
		sc.max = 1
	}
	return sc
}

// bounds returns the lowest and the highest of the finite values. ok is false if there are none.
func bounds(values iter.Seq[float64]) (sc scale, ok bool) {
	for v := range values {
		switch {
		case !isFinite(v):
		case !ok:
			sc, ok = scale{v, v}, true
		default:
			sc.min, sc.max = min(sc.min, v), max(sc.max, v)
		}
	}
	return sc, ok
}

// fraction returns the position of v: 0 at min, 1 at max, and the nearer end for values outside. It
// returns NaN for NaN.
func (sc scale) fraction(v float64) float64 {
	f := (v/2 - sc.min/2) / (sc.max/2 - sc.min/2) // halves: the difference may be larger than any number
	switch {
	case math.IsInf(v, 1):
		return 1
	case math.IsInf(v, -1):
		return 0
	case math.IsNaN(f) && v <= sc.min: // numbers so small that their halves are 0
		return 0
	case math.IsNaN(f) && v > sc.min:
		return 1
	}
	return min(max(f, 0), 1)
}

// dot returns the index of the dot for v among n dots, with 0 at min. ok is false if v is NaN.
func (sc scale) dot(v float64, n int) (dot int, ok bool) {
	f := sc.fraction(v)
	if math.IsNaN(f) || n < 1 {
		return 0, false
	}
	return min(int(math.Round(f*float64(n-1))), n-1), true
}

// step returns a round distance that divides the range into about n parts. It returns 0 if there is
// none.
func (sc scale) step(n int) float64 {
	rough := 2 * ((sc.max/2 - sc.min/2) / float64(max(n, 1)))
	if !isFinite(rough) || rough <= 0 {
		return 0
	}
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, k := range []float64{1, 2, 5, 10} {
		if step := k * power; step >= rough*0.999 && isFinite(step) {
			return step
		}
	}
	return 0
}

// roundSteps is the approximate number of steps of a range whose ends are rounded to whole steps.
const roundSteps = 8

// rounded returns the range extended to whole steps, about n of them.
func (sc scale) rounded(n int) scale {
	step := sc.step(n)
	if step == 0 {
		return sc
	}
	out := scale{math.Floor(sc.min/step) * step, math.Ceil(sc.max/step) * step}
	if !isFinite(out.min) || !isFinite(out.max) || out.min >= out.max {
		return sc
	}
	return out
}

// ticks returns about n round values in ascending order, and the distance between them. If there
// are no round values it returns the ends of the range.
func (sc scale) ticks(n int) (all []float64, step float64) {
	for k := n; k <= 4*n; k++ { // a round step may leave fewer than two
		if all, step = sc.multiples(sc.step(k), k); len(all) > 1 {
			return all, step
		}
	}
	return []float64{sc.min, sc.max}, 0
}

// multiples returns the multiples of step within the range, at most n+2 of them, and step.
func (sc scale) multiples(step float64, n int) ([]float64, float64) {
	if step <= 0 {
		return nil, 0
	}
	var all []float64
	first := math.Ceil(sc.min/step - 1e-9)
	for i := range n + 2 {
		v := (first + float64(i)) * step
		if v > sc.max+step*1e-9 || len(all) > 0 && v <= all[len(all)-1] {
			break
		}
		all = append(all, v)
	}
	return all, step
}

// unitLetters lists the suffixes for powers of a thousand, the smallest first.
const unitLetters = "kMGT"

// shortNumber formats v with few characters: "12", "3.4k". step is the distance to neighbouring
// values, from which v must be distinguishable. With step 0 three digits are enough.
func shortNumber(v, step float64) string {
	size := math.Abs(v)
	switch {
	case math.IsNaN(v):
		return "-"
	case math.IsInf(v, 0):
		return strings.ToLower(strconv.FormatFloat(v, 'g', -1, 64))
	case v == 0:
		return "0"
	case size >= 999.5e12 || size < 1e-3:
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	unit := ""
	for i := 0; size >= 999.5 && i < len(unitLetters); i++ {
		v, size, step, unit = v/1000, size/1000, step/1000, unitLetters[i:i+1]
	}
	digits := max(2-int(math.Floor(math.Log10(size))), 0)
	if step > 0 {
		digits = min(max(-int(math.Floor(math.Log10(step)+1e-9)), 0), 9)
	}
	text := strconv.FormatFloat(v, 'f', digits, 64)
	if step == 0 && strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text + unit
}

// plainNumber formats v for text output, with up to six digits and no suffix.
func plainNumber(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	if !isFinite(v) {
		return shortNumber(v, 0)
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}
