package diff

// middlePoint returns a point on a shortest edit path through a span, found by Myers' search from
// both ends ("An O(ND) difference algorithm and its variations", 1986, section 4b). If the search
// exceeds its budget, it returns the furthest point that it has reached; the diff is correct then,
// but not minimal. The first lines of the span must differ, and so must the last ones.
func (m *matcher) middlePoint(s lineSpan) (x, y int) {
	var (
		na, nb     = s.aEnd - s.a, s.bEnd - s.b
		delta      = na - nb
		odd        = delta&1 != 0
		maxChanges = (na + nb + 1) / 2
		budget     = max(m.workLeft/workShareDivisor, 4*minChanges*minChanges)
		origin     = maxChanges + 1 // the place of diagonal 0
		size       = 2*maxChanges + 3
	)
	for i := range m.frontiers {
		if cap(m.frontiers[i]) < size {
			m.frontiers[i] = make([]int, size)
		}
		m.frontiers[i] = m.frontiers[i][:size]
	}
	fwd, bwd := m.frontiers[0], m.frontiers[1] // for each diagonal, the furthest place in a; bwd counts from the end
	fwd[origin+1], bwd[origin+1] = 0, 0
	a, b := m.a[s.a:s.aEnd], m.b[s.b:s.bEnd]
	spent := 0
	defer func() { m.workLeft -= spent }()
	for d := 0; ; d++ {
		for k := lowestDiagonal(d, nb); k <= -lowestDiagonal(d, na); k += 2 {
			x := reachOnDiagonal(fwd, origin, k, d, na)
			y := x - k
			from := x
			for x < na && y < nb && a[x] == b[y] {
				x, y = x+1, y+1
			}
			fwd[origin+k] = x
			spent += 1 + x - from
			if r := delta - k; odd && r > -d && r < d && x+bwd[origin+r] >= na {
				return s.a + from, s.b + from - k
			}
		}
		for k := lowestDiagonal(d, nb); k <= -lowestDiagonal(d, na); k += 2 {
			x := reachOnDiagonal(bwd, origin, k, d, na)
			y := x - k
			from := x
			for x < na && y < nb && a[na-1-x] == b[nb-1-y] {
				x, y = x+1, y+1
			}
			bwd[origin+k] = x
			spent += 1 + x - from
			if r := delta - k; !odd && r >= -d && r <= d && x+fwd[origin+r] >= na {
				return s.a + na - from, s.b + nb - (from - k)
			}
		}
		if spent > budget && d >= minChanges {
			return m.furthestPoint(s, d)
		}
	}
}

// lowestDiagonal returns the lowest diagonal that d changes can reach in a span with n lines of b.
// Diagonals are counted in steps of two.
func lowestDiagonal(d, n int) int {
	if d <= n {
		return -d
	}
	return -(2*n - d)
}

// reachOnDiagonal returns how far change number d leads on diagonal k, as an index in a: one line
// of a further than the diagonal below, or one line of b from the diagonal above.
func reachOnDiagonal(v []int, origin, k, d, na int) int {
	if k == -d || k != d && v[origin+k-1] < v[origin+k+1] {
		return v[origin+k+1]
	}
	return v[origin+k-1] + 1
}

// furthestPoint returns the best point that d changes have reached from either end.
func (m *matcher) furthestPoint(s lineSpan, d int) (x, y int) {
	na, nb := s.aEnd-s.a, s.bEnd-s.b
	origin := (na+nb+1)/2 + 1
	best := -1
	for k := lowestDiagonal(d, nb); k <= -lowestDiagonal(d, na); k += 2 {
		if fx := min(m.frontiers[0][origin+k], na, nb+k); 2*fx-k > best && fx >= 0 && fx-k >= 0 {
			best, x, y = 2*fx-k, s.a+fx, s.b+fx-k
		}
		if bx := min(m.frontiers[1][origin+k], na, nb+k); 2*bx-k > best && bx >= 0 && bx-k >= 0 {
			best, x, y = 2*bx-k, s.aEnd-bx, s.bEnd-(bx-k)
		}
	}
	return x, y
}
