package child

// Memory returns the number of bytes that p and its descendants use in memory. Memory that several
// processes share is counted for each of them. It returns 0 if the program has ended.
func (p *Process) Memory() int64 {
	if p.hasExited() {
		return 0
	}
	var total int64
	seen := map[int]bool{}
	var walk func(pid int)
	walk = func(pid int) {
		if seen[pid] {
			return
		}
		seen[pid] = true
		total += residentBytes(pid)
		for _, c := range children(pid) {
			walk(c)
		}
	}
	walk(p.pid)
	return total
}
