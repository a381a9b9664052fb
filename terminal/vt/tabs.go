package vt

const tabInterval = 8

func (t *Terminal) resetTabs() {
	if len(t.tabs) != t.cols {
		t.tabs = make([]bool, t.cols)
	}
	clear(t.tabs)
	for x := tabInterval; x < t.cols-1; x += tabInterval {
		t.tabs[x] = true
	}
}

func (t *Terminal) tabForward(n int) {
	c := &t.active.cursor
	for ; n > 0 && c.x < t.margins.right; n-- {
		for c.x < t.margins.right {
			if c.x++; t.tabs[c.x] {
				break
			}
		}
	}
}

func (t *Terminal) tabBack(n int) {
	c := &t.active.cursor
	left := 0
	if t.modes.has(modeOrigin) {
		left = t.margins.left
	}
	for ; n > 0 && c.x > left; n-- {
		for c.x > left {
			if c.x--; t.tabs[c.x] {
				break
			}
		}
	}
}
