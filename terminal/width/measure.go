package width

// Parts describes how a terminal that measures text rune by rune differs from most others. The zero
// value means no difference.
type Parts struct {
	Joiner      uint8 // The columns of a joiner or another format character. vim 9.0 draws "<200d>".
	Indicator   uint8 // The columns of a regional indicator, two of which make a flag; 0: one column.
	NarrowEmoji bool  // A character stays one column wide if VS16 makes it an emoji.
	Jamo        bool  // Conjoining vowels and finals of Hangul take a column of their own.
}

// width returns the columns of r. ok is false if p does not tell.
func (p Parts) width(r rune) (cols int, measured bool) {
	switch {
	case p.Joiner > 0 && (r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x206f):
		return int(p.Joiner), true
	case p.Indicator > 0 && r >= 0x1f1e6 && r <= 0x1f1ff:
		return int(p.Indicator), true
	case p.Jamo && (r >= 0x1160 && r <= 0x11ff || r >= 0xd7b0 && r <= 0xd7ff):
		return 1, true
	}
	return 0, false
}

// Samples returns the clusters that a terminal has to draw for [FromSamples]: a family with two
// joiners, a heart that VS16 makes an emoji, a syllable of three conjoining jamo, and a flag.
func Samples() [4]string {
	return [4]string{"\U0001F468\u200d\U0001F469\u200d\U0001F467", "\u2764\ufe0f", "\u1112\u1161\u11ab",
		"\U0001F1E9\U0001F1EA"}
}

// MaxSampleCols is the most columns of a sample in any terminal.
const MaxSampleCols = 30

// FromSamples returns the width model of a terminal by the columns in which it has drawn [Samples],
// in order. ok is false if no known terminal draws them so.
func FromSamples(cols [4]int) (m Model, ok bool) {
	family, emoji, jamo, flag := cols[0], cols[1], cols[2], cols[3]
	const people = 6 // the columns of a family without its two joiners
	if emoji < 1 || emoji > 2 || jamo < 2 || jamo > 4 || flag < 1 || flag > 4 ||
		family != 2 && (family < people || family%2 != 0 || family > MaxSampleCols) {
		return Model{}, false
	}
	if family == 2 && emoji == 2 {
		return Model{Method: Grapheme}, true
	}
	m.Parts = Parts{NarrowEmoji: emoji == 1, Jamo: jamo == 4}
	if family > people {
		m.Parts.Joiner = uint8(family-people) / 2
	}
	if flag == 4 {
		m.Parts.Indicator = 2
	}
	return m, true
}
