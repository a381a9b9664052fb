package diff

// middle cuts a span where a shortest way from its beginning to its end passes, by the search from
// both ends of Myers ("An O(ND) difference algorithm and its variations", 1986, section 4b). If
// that takes more than its share of the work, the cut is where the search came furthest: the result
// has more changes than it must have, and is right all the same. The lines at the span's ends
// differ.
func (m *matcher) middle(s span) (x, y int) {
	var (
		na, nb = s.aEnd - s.a, s.bEnd - s.b
		delta  = na - nb
		odd    = delta&1 != 0
		most   = (na + nb + 1) / 2
		share  = max(m.work/shareWork, 4*leastCost*leastCost)
		zero   = most + 1 // the place of diagonal 0
		size   = 2*most + 3
	)
	for i := range m.v {
		if cap(m.v[i]) < size {
			m.v[i] = make([]int, size)
		}
		m.v[i] = m.v[i][:size]
	}
	fwd, bwd := m.v[0], m.v[1] // of each diagonal, the furthest place in a; bwd counts from the end
	fwd[zero+1], bwd[zero+1] = 0, 0
	a, b := m.a[s.a:s.aEnd], m.b[s.b:s.bEnd]
	spent := 0
	defer func() { m.work -= spent }()
	for d := 0; ; d++ {
		for k := low(d, nb); k <= -low(d, na); k += 2 {
			x := reach(fwd, zero, k, d, na)
			y := x - k
			from := x
			for x < na && y < nb && a[x] == b[y] {
				x, y = x+1, y+1
			}
			fwd[zero+k] = x
			spent += 1 + x - from
			if r := delta - k; odd && r > -d && r < d && x+bwd[zero+r] >= na {
				return s.a + from, s.b + from - k
			}
		}
		for k := low(d, nb); k <= -low(d, na); k += 2 {
			x := reach(bwd, zero, k, d, na)
			y := x - k
			from := x
			for x < na && y < nb && a[na-1-x] == b[nb-1-y] {
				x, y = x+1, y+1
			}
			bwd[zero+k] = x
			spent += 1 + x - from
			if r := delta - k; !odd && r >= -d && r <= d && x+fwd[zero+r] >= na {
				return s.a + na - from, s.b + nb - (from - k)
			}
		}
		if spent > share && d >= leastCost {
			return m.furthest(s, d)
		}
	}
}

// low returns the lowest diagonal that d changes reach inside of a span that is n high; diagonals
// go by twos.
func low(d, n int) int {
	if d <= n {
		return -d
	}
	return -(2*n - d)
}

// reach returns where the d-th change brings diagonal k: one line of a further from the diagonal
// below, or one of b from the one above.
func reach(v []int, zero, k, d, na int) int {
	if k == -d || k != d && v[zero+k-1] < v[zero+k+1] {
		return v[zero+k+1]
	}
	return v[zero+k-1] + 1
}

// furthest returns the best place that d changes reached from either end.
func (m *matcher) furthest(s span, d int) (x, y int) {
	na, nb := s.aEnd-s.a, s.bEnd-s.b
	zero := (na+nb+1)/2 + 1
	best := -1
	for k := low(d, nb); k <= -low(d, na); k += 2 {
		if fx := min(m.v[0][zero+k], na, nb+k); 2*fx-k > best && fx >= 0 && fx-k >= 0 {
			best, x, y = 2*fx-k, s.a+fx, s.b+fx-k
		}
		if bx := min(m.v[1][zero+k], na, nb+k); 2*bx-k > best && bx >= 0 && bx-k >= 0 {
			best, x, y = 2*bx-k, s.aEnd-bx, s.bEnd-(bx-k)
		}
	}
	return x, y
}
