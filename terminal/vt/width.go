package vt

// properties holds what printing needs to know about a code point, from ghostty's tables (Unicode
// 17; the rules are in cmd/widths):
//
//	bits 0-1  columns when alone: 0, 1, 2
//	bit  2    adds no width inside a cluster
//	bit  3    may take VS15 and VS16 (emoji-variation-sequences.txt)
//	bits 4-8  class for the test of cluster boundaries
type properties uint16

const (
	zeroInCluster properties = 1 << 2
	variationBase properties = 1 << 3
)

func (p properties) width() int   { return int(p & 3) }
func (p properties) class() class { return class(p >> 4) }

// propertiesOf returns the properties of r.
func propertiesOf(r rune) properties {
	if uint32(r) > 0x10ffff {
		return 1 | zeroInCluster
	}
	return propertyRecords[propertyBlocks[int(propertyIndex[r>>7])<<7|int(r&0x7f)]]
}

// class is the property Grapheme_Cluster_Break, divided further by Indic_Conjunct_Break and the
// emoji properties. Controls count as other, since they are not printed.
type class uint8

const (
	otherClass class = iota
	prepend
	regionalIndicator
	spacingMark
	hangulL
	hangulV
	hangulT
	hangulLV
	hangulLVT
	zwj
	zwnj
	pictographic
	modifierBase
	modifier
	conjunctExtend // Extend with InCB=Extend
	conjunctLinker
	conjunctConsonant
	unknownClass // No class; it is larger than all classes.
)

// mayJoin tells whether a character of the first class and one of the second can ever be in one
// cluster. If the first class is not known and not prepend, all second classes but other can.
var mayJoin = func() (t [unknownClass + 1][unknownClass + 1]bool) {
	for next := range unknownClass {
		t[unknownClass][next] = next != otherClass
		for last := range unknownClass {
			for state := plain; state <= afterLinker; state++ {
				b := breaker{last, state}
				t[last][next] = t[last][next] || !b.breaks(next)
			}
		}
	}
	return t
}()

func (c class) extends() bool {
	return c == zwnj || c == conjunctExtend || c == conjunctLinker
}

func (c class) emoji() bool { return c == pictographic || c == modifierBase }

// breaker is the state of the test for cluster boundaries within the text of one cell.
type breaker struct {
	last  class
	state breakState
}

type breakState uint8

const (
	plain breakState = iota
	inFlag
	inEmoji
	inConjunct
	afterLinker
)

// join updates the state for the next code point of the cell. It has to be called for each of them.
func (b *breaker) join(r rune) { b.breaks(propertiesOf(r).class()) }

// breaks reports whether a cluster ends before a code point of class next. The rules are those of
// UAX #29 with one exception: a skin tone joins only a modifier base (UTS #51, ED-13), since
// elsewhere it is shown as a coloured square.
func (b *breaker) breaks(next class) bool {
	last := b.last
	b.last = next
	switch b.state {
	case inFlag:
		if last != regionalIndicator || next != regionalIndicator {
			b.state = plain
		}
	case inEmoji:
		if !staysEmoji(last) || !staysEmoji(next) {
			b.state = plain
		}
	case inConjunct, afterLinker:
		if !staysConjunct(last) || !staysConjunct(next) {
			b.state = plain
		}
	}

	switch last {
	case hangulL: // GB6
		if next == hangulL || next == hangulV || next == hangulLV || next == hangulLVT {
			return false
		}
	case hangulLV, hangulV: // GB7
		if next == hangulV || next == hangulT {
			return false
		}
	case hangulLVT, hangulT: // GB8
		if next == hangulT {
			return false
		}
	}
	if next == spacingMark || last == prepend { // GB9a, GB9b
		return false
	}

	conjunctExtends := next == conjunctExtend || next == zwj
	switch { // GB9c
	case last == conjunctConsonant:
		if conjunctExtends {
			b.state = inConjunct
			return false
		}
		if next == conjunctLinker {
			b.state = afterLinker
			return false
		}
	case b.state == inConjunct:
		if next == conjunctLinker {
			b.state = afterLinker
			return false
		}
		if conjunctExtends {
			return false
		}
		b.state = plain
	case b.state == afterLinker:
		if next == conjunctLinker || conjunctExtends {
			return false
		}
		b.state = plain
		if next == conjunctConsonant {
			return false
		}
	}

	switch { // GB11
	case last.emoji():
		if next.extends() || next == zwj || last == modifierBase && next == modifier {
			b.state = inEmoji
			return false
		}
	case b.state == inEmoji:
		if (last.extends() || last == modifier) && (next.extends() || next == zwj) {
			return false
		}
		b.state = plain
		if last == zwj && next.emoji() {
			return false
		}
	}

	if last == regionalIndicator && next == regionalIndicator { // GB12, GB13
		if b.state == plain {
			b.state = inFlag
			return false
		}
		b.state = plain
		return true
	}
	return !next.extends() && next != zwj // GB9, GB999
}

func staysEmoji(c class) bool {
	return c.extends() || c == zwj || c.emoji() || c == modifier
}

func staysConjunct(c class) bool {
	return c == conjunctConsonant || c == conjunctLinker || c == conjunctExtend || c == zwj
}
