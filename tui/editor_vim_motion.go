package tui

// motionKind says which units between the caret and the target of a motion an operator affects.
type motionKind uint8

const (
	noMotion        motionKind = iota // the key is no motion
	noTarget                          // the motion leads nowhere
	exclusiveMotion                   // without the unit at the end of the range
	// with the unit at the end of the range
	inclusiveMotion
	lineMotion // whole lines
)

// motionTarget returns the index to which the motion r leads from the caret. t is the character for
// f F t T. repeated says that the motion repeats an earlier one, by ; or ,.
func (v *vim) motionTarget(b *buffer, r rune, t string, repeated bool) (to int, kind motionKind) {
	at, n := b.caret, v.repeatCount()
	start, end := b.lineStart(at), b.lineEnd(at)
	switch r {
	case 'h':
		return max(at-n, start), exclusiveMotion
	case 'l', ' ':
		return min(at+n, end), exclusiveMotion
	case '0':
		return start, exclusiveMotion
	case '^':
		return b.firstNonBlank(start), exclusiveMotion
	case '$':
		return v.lineEndBelow(b, at, n-1), exclusiveMotion
	case 'j':
		to = v.lineEndBelow(b, at, n)
		if end == len(b.units) {
			return at, noTarget
		}
		return to, lineMotion
	case 'k':
		if start == 0 {
			return at, noTarget
		}
		for to = start; n > 0 && to > 0; n-- {
			to = b.lineStart(to - 1)
		}
		return to, lineMotion
	case 'g', 'G':
		line := 0
		if r == 'G' && v.count == 0 && v.operatorCount == 0 {
			line = b.lineStart(len(b.units))
		} else {
			for ; n > 1; n-- {
				if e := b.lineEnd(line); e < len(b.units) {
					line = e + 1
				}
			}
		}
		return b.firstNonBlank(line), lineMotion
	case 'w', 'W':
		return v.wordMotion(b, r == 'W', n)
	case 'b', 'B':
		for to = at; n > 0; n-- {
			to = b.wordBack(to, r == 'B')
		}
		return to, exclusiveMotion
	case 'e', 'E':
		for to = at; n > 0; n-- {
			to = b.wordEnd(to, r == 'E')
		}
		return to, inclusiveMotion
	case 'f', 't', 'F', 'T':
		return b.findInLine(r, t, n, repeated)
	}
	return 0, noMotion
}

// wordMotion returns the target of the motion w, or W if big is true. With an operator it stays in
// the line of the last word. With c it does not include the blanks after that word.
func (v *vim) wordMotion(b *buffer, big bool, n int) (int, motionKind) {
	to := b.caret
	if v.operator == 'c' && to < len(b.units) && b.wordClass(to, big) != 0 {
		for to--; n > 0; n-- { // a word of one character ends where it begins
			to = b.wordEnd(to, big)
		}
		return to, inclusiveMotion
	}
	for ; n > 0; n-- {
		to = b.wordNext(to, big)
	}
	if v.operator != 0 {
		first := to
		for first > b.caret && b.units[first-1].isSpace() {
			first--
		}
		for i := first; i < to; i++ {
			if b.units[i].isNewline() {
				to = i
			}
		}
	}
	return to, exclusiveMotion
}

// wordClass returns the class of unit i for word motions: 0 for a blank, 1 for a letter, 2 for
// punctuation, 3 for a chip, which is a word of its own. If big is true all but blanks are in class
// 1.
func (b *buffer) wordClass(i int, big bool) int {
	switch u := b.units[i]; {
	case u.isSpace():
		return 0
	case big:
		return 1
	case u.paste != "":
		return 3
	case u.isWord():
		return 1
	}
	return 2
}

// isEmptyLine reports whether unit i is the newline of an empty line. vim counts an empty line as a
// word.
func (b *buffer) isEmptyLine(i int) bool {
	return b.units[i].isNewline() && (i == 0 || b.units[i-1].isNewline())
}

// wordNext returns the index of the start of the word after i.
func (b *buffer) wordNext(i int, big bool) int {
	if i >= len(b.units) {
		return i
	}
	for c := b.wordClass(i, big); c != 0 && i < len(b.units) && b.wordClass(i, big) == c; {
		i++
	}
	for from := i; i < len(b.units) && b.wordClass(i, big) == 0 && (i == from || !b.isEmptyLine(i)); {
		i++
	}
	return i
}

// wordEnd returns the index of the last unit of the word at or after i+1.
func (b *buffer) wordEnd(i int, big bool) int {
	for i++; i < len(b.units) && b.wordClass(i, big) == 0; {
		i++
	}
	if i >= len(b.units) {
		return max(len(b.units)-1, 0)
	}
	for c := b.wordClass(i, big); i+1 < len(b.units) && b.wordClass(i+1, big) == c; {
		i++
	}
	return i
}

// wordBack returns the index of the start of the word before i.
func (b *buffer) wordBack(i int, big bool) int {
	for i--; i > 0 && b.wordClass(i, big) == 0 && !b.isEmptyLine(i); {
		i--
	}
	if i <= 0 {
		return 0
	}
	for c := b.wordClass(i, big); c != 0 && i > 0 && b.wordClass(i-1, big) == c; {
		i--
	}
	return i
}

// firstNonBlank returns the index of the first unit from i on that is not blank, or the end of its
// line.
func (b *buffer) firstNonBlank(i int) int {
	end := b.lineEnd(i)
	for i < end && b.units[i].isSpace() {
		i++
	}
	return i
}

// findInLine returns the target of the motion r, one of f F t T: the n-th occurrence of t in the
// line. If repeated is true t and T skip an occurrence right beside the caret.
func (b *buffer) findInLine(r rune, t string, n int, repeated bool) (int, motionKind) {
	step, till, kind := 1, r == 't' || r == 'T', inclusiveMotion
	if r == 'F' || r == 'T' {
		step, kind = -1, exclusiveMotion
	}
	i := b.caret
	if till && repeated {
		i += step
	}
	for i += step; i >= 0 && i < len(b.units) && !b.units[i].isNewline(); i += step {
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
	return b.caret, noTarget
}

// textObject returns the range [from, to) of the vim text object t at the caret, such as w or ". If
// around is true the range includes the blanks, quotes or brackets around it. ok is false if there
// is none.
func textObject(b *buffer, t string, around bool) (from, to int, ok bool) {
	switch t {
	case "w", "W":
		return b.wordObject(t == "W", around)
	case `"`, "'", "`":
		return b.quotedObject(t, around)
	case "(", ")", "b":
		return b.bracketObject("(", ")", around)
	case "[", "]":
		return b.bracketObject("[", "]", around)
	case "{", "}", "B":
		return b.bracketObject("{", "}", around)
	case "<", ">":
		return b.bracketObject("<", ">", around)
	}
	return 0, 0, false
}

// wordObject returns the range of the word at the caret.
func (b *buffer) wordObject(big, around bool) (from, to int, ok bool) {
	start, end := b.lineStart(b.caret), b.lineEnd(b.caret)
	if b.caret >= end {
		return 0, 0, false
	}
	run := func(i int) int {
		for c := b.wordClass(i, big); i < end && b.wordClass(i, big) == c; {
			i++
		}
		return i
	}
	for from = b.caret; from > start && b.wordClass(from-1, big) == b.wordClass(b.caret, big); {
		from--
	}
	to = run(b.caret)
	switch {
	case !around:
	case to < end && (b.wordClass(to, big) == 0 || b.wordClass(b.caret, big) == 0):
		to = run(to)
	default:
		for from > start && b.wordClass(from-1, big) == 0 {
			from--
		}
	}
	return from, to, true
}

// quotedObject returns the range of the text between two quotes q at or behind the caret in its
// line.
func (b *buffer) quotedObject(q string, around bool) (from, to int, ok bool) {
	open := -1
	for i, end := b.lineStart(b.caret), b.lineEnd(b.caret); i < end; i++ {
		switch u := b.units[i]; {
		case u.paste != "":
		case u.text == `\`:
			i++
		case u.text == q && open < 0:
			open = i
		case u.text == q && i >= b.caret:
			if !around {
				return open + 1, i, true
			}
			for to = i + 1; to < end && b.units[to].isSpace(); to++ {
			}
			for from = open; to == i+1 && from > 0 && b.units[from-1].isSpace() &&
				!b.units[from-1].isNewline(); from-- {
			}
			return from, to, true
		case u.text == q:
			open = -1
		}
	}
	return 0, 0, false
}

// bracketObject returns the range of the text between the brackets around the caret.
func (b *buffer) bracketObject(open, shut string, around bool) (from, to int, ok bool) {
	is := func(i int, t string) bool { return b.units[i].paste == "" && b.units[i].text == t }
	from = min(b.caret, len(b.units)-1)
	for depth := 0; ; from-- {
		switch {
		case from < 0:
			return 0, 0, false
		case is(from, shut) && from != b.caret:
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
