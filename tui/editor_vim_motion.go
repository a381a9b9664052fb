package tui

// motionKind says what lies between the caret and the end of a motion.
type motionKind uint8

const (
	noMotion  motionKind = iota // the key is none
	nowhere                     // it leads nowhere
	exclusive                   // the end is not part of it
	inclusive
	lineWise // whole lines
)

// motion returns where r leads, n times from the caret; t is the character of f F t T, and again
// says that it is looked for once more.
func (v *vim) motion(b *buffer, r rune, t string, again bool) (to int, kind motionKind) {
	at, n := b.at, v.n()
	start, end := b.lineStart(at), b.lineEnd(at)
	switch r {
	case 'h':
		return max(at-n, start), exclusive
	case 'l', ' ':
		return min(at+n, end), exclusive
	case '0':
		return start, exclusive
	case '^':
		return b.firstInLine(start), exclusive
	case '$':
		return v.linesDown(b, at, n-1), exclusive
	case 'j':
		to = v.linesDown(b, at, n)
		if end == len(b.units) {
			return at, nowhere
		}
		return to, lineWise
	case 'k':
		if start == 0 {
			return at, nowhere
		}
		for to = start; n > 0 && to > 0; n-- {
			to = b.lineStart(to - 1)
		}
		return to, lineWise
	case 'g', 'G':
		line := 0
		if r == 'G' && v.count == 0 && v.times == 0 {
			line = b.lineStart(len(b.units))
		} else {
			for ; n > 1; n-- {
				if e := b.lineEnd(line); e < len(b.units) {
					line = e + 1
				}
			}
		}
		return b.firstInLine(line), lineWise
	case 'w', 'W':
		return v.wordMotion(b, r == 'W', n)
	case 'b', 'B':
		for to = at; n > 0; n-- {
			to = b.wordBack(to, r == 'B')
		}
		return to, exclusive
	case 'e', 'E':
		for to = at; n > 0; n-- {
			to = b.wordEnd(to, r == 'E')
		}
		return to, inclusive
	case 'f', 't', 'F', 'T':
		return b.lookFor(r, t, n, again)
	}
	return 0, noMotion
}

// wordMotion is w: under an operator it stays in the line of the last word, and c leaves the blanks
// behind it.
func (v *vim) wordMotion(b *buffer, big bool, n int) (int, motionKind) {
	to := b.at
	if v.op == 'c' && to < len(b.units) && b.class(to, big) != 0 {
		for to--; n > 0; n-- { // a word of one character ends where it begins
			to = b.wordEnd(to, big)
		}
		return to, inclusive
	}
	for ; n > 0; n-- {
		to = b.wordNext(to, big)
	}
	if v.op != 0 {
		first := to
		for first > b.at && b.units[first-1].space() {
			first--
		}
		for i := first; i < to; i++ {
			if b.units[i].newline() {
				to = i
			}
		}
	}
	return to, exclusive
}

// class returns the class of a unit for motions by words: 0 a blank, then letters, signs, and a
// paste, which is a word of its own.
func (b *buffer) class(i int, big bool) int {
	switch u := b.units[i]; {
	case u.space():
		return 0
	case big:
		return 1
	case u.paste != "":
		return 3
	case u.word():
		return 1
	}
	return 2
}

// emptyLine reports whether unit i is the newline of an empty line, which counts as a word.
func (b *buffer) emptyLine(i int) bool {
	return b.units[i].newline() && (i == 0 || b.units[i-1].newline())
}

func (b *buffer) wordNext(i int, big bool) int {
	if i >= len(b.units) {
		return i
	}
	for c := b.class(i, big); c != 0 && i < len(b.units) && b.class(i, big) == c; {
		i++
	}
	for from := i; i < len(b.units) && b.class(i, big) == 0 && (i == from || !b.emptyLine(i)); {
		i++
	}
	return i
}

func (b *buffer) wordEnd(i int, big bool) int {
	for i++; i < len(b.units) && b.class(i, big) == 0; {
		i++
	}
	if i >= len(b.units) {
		return max(len(b.units)-1, 0)
	}
	for c := b.class(i, big); i+1 < len(b.units) && b.class(i+1, big) == c; {
		i++
	}
	return i
}

func (b *buffer) wordBack(i int, big bool) int {
	for i--; i > 0 && b.class(i, big) == 0 && !b.emptyLine(i); {
		i--
	}
	if i <= 0 {
		return 0
	}
	for c := b.class(i, big); c != 0 && i > 0 && b.class(i-1, big) == c; {
		i--
	}
	return i
}

// firstInLine returns the first unit from i on that is no blank, or the last of its line.
func (b *buffer) firstInLine(i int) int {
	end := b.lineEnd(i)
	for i < end && b.units[i].space() {
		i++
	}
	return i
}

// lookFor is f F t T: the n-th t in the line. Once more, t and T pass what they stand beside.
func (b *buffer) lookFor(r rune, t string, n int, again bool) (int, motionKind) {
	step, till, kind := 1, r == 't' || r == 'T', inclusive
	if r == 'F' || r == 'T' {
		step, kind = -1, exclusive
	}
	i := b.at
	if till && again {
		i += step
	}
	for i += step; i >= 0 && i < len(b.units) && !b.units[i].newline(); i += step {
		if b.units[i].text != t || b.units[i].paste != "" {
			continue
		}
		if n--; n == 0 {
			if till {
				i -= step
			}
			return i, kind
		}
	}
	return b.at, nowhere
}

// object returns the text object t around the caret, with what belongs to it if around is set.
func object(b *buffer, t string, around bool) (from, to int, ok bool) {
	switch t {
	case "w", "W":
		return b.wordObject(t == "W", around)
	case `"`, "'", "`":
		return b.quoted(t, around)
	case "(", ")", "b":
		return b.bracketed("(", ")", around)
	case "[", "]":
		return b.bracketed("[", "]", around)
	case "{", "}", "B":
		return b.bracketed("{", "}", around)
	case "<", ">":
		return b.bracketed("<", ">", around)
	}
	return 0, 0, false
}

func (b *buffer) wordObject(big, around bool) (from, to int, ok bool) {
	start, end := b.lineStart(b.at), b.lineEnd(b.at)
	if b.at >= end {
		return 0, 0, false
	}
	run := func(i int) int {
		for c := b.class(i, big); i < end && b.class(i, big) == c; {
			i++
		}
		return i
	}
	for from = b.at; from > start && b.class(from-1, big) == b.class(b.at, big); {
		from--
	}
	to = run(b.at)
	switch {
	case !around:
	case to < end && (b.class(to, big) == 0 || b.class(b.at, big) == 0):
		to = run(to)
	default:
		for from > start && b.class(from-1, big) == 0 {
			from--
		}
	}
	return from, to, true
}

func (b *buffer) quoted(q string, around bool) (from, to int, ok bool) {
	open := -1
	for i, end := b.lineStart(b.at), b.lineEnd(b.at); i < end; i++ {
		switch u := b.units[i]; {
		case u.paste != "":
		case u.text == `\`:
			i++
		case u.text == q && open < 0:
			open = i
		case u.text == q && i >= b.at:
			if !around {
				return open + 1, i, true
			}
			for to = i + 1; to < end && b.units[to].space(); to++ {
			}
			for from = open; to == i+1 && from > 0 && b.units[from-1].space() && !b.units[from-1].newline(); from-- {
			}
			return from, to, true
		case u.text == q:
			open = -1
		}
	}
	return 0, 0, false
}

func (b *buffer) bracketed(open, shut string, around bool) (from, to int, ok bool) {
	is := func(i int, t string) bool { return b.units[i].paste == "" && b.units[i].text == t }
	from = min(b.at, len(b.units)-1)
	for depth := 0; ; from-- {
		switch {
		case from < 0:
			return 0, 0, false
		case is(from, shut) && from != b.at:
			depth++
		case is(from, open) && depth == 0:
		case is(from, open):
			depth--
			continue
		default:
			continue
		}
		if is(from, open) {
			break
		}
	}
	depth := 0
	for to = from + 1; to < len(b.units); to++ {
		switch {
		case is(to, open):
			depth++
		case is(to, shut) && depth == 0:
			if around {
				return from, to + 1, true
			}
			return from + 1, to, true
		case is(to, shut):
			depth--
		}
	}
	return 0, 0, false
}
