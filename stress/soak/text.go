// Package soak creates the texts and the changes of window size for long tests in real terminals,
// and checks afterwards which rows of a text a terminal has lost, doubled or torn.
package soak

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Row is one row of a [Text]. Its words are w00000, w00001 and so on through the whole text, so
// that each word is unique. Wide characters and emoji may follow a word.
type Row struct {
	// the numbers of the row's words
	Words  []int
	Plain  string // the row's words, with a blank between them
	Source string // the same in Markdown, with the marks that open and close its block
	Opens  bool   // the row is the first one of a block
}

// Text is the answer that a model gives in a run, as rows whose words are numbered.
type Text []Row

// clusters lists characters that terminals measure in different ways: wide characters, emoji of one
// and of several characters, flags, and combining marks. None of them has an ASCII letter, by which
// Check recognises foreign rows.
var clusters = []string{
	"漢字", "かな", "한국어", "👍", "👍🏽", "👩‍👩‍👧", "❤️", "🇩🇪", "α\u0301", "ж\u0306\u0323", "क्षि", "①",
}

// maker builds a random Text, row by row.
type maker struct {
	rng  *rand.Rand
	next int
	text Text
}

// row appends a row with the given number of words: prefix, the words with sep between them, and
// suffix. With wide, some words are followed by wide or combining characters. opens says that a
// block begins with this row.
func (m *maker) row(opens bool, prefix string, words int, sep string, wide bool, suffix string) {
	r := Row{Opens: opens}
	var parts []string
	for range words {
		w := fmt.Sprintf("w%05d", m.next)
		r.Words = append(r.Words, m.next)
		m.next++
		if wide && m.rng.IntN(4) == 0 {
			w += []string{"", " "}[m.rng.IntN(2)] + clusters[m.rng.IntN(len(clusters))]
		}
		parts = append(parts, w)
	}
	r.Plain = strings.Join(parts, " ")
	r.Source = prefix + strings.Join(parts, sep) + suffix
	m.text = append(m.text, r)
}

// Plain returns a text of the given number of rows without Markdown. They have three to nine words,
// every tenth has 20, and five rows make a paragraph. The same seed returns the same text.
func Plain(seed uint64, rows int) Text {
	m := &maker{rng: rand.New(rand.NewPCG(seed, 1))}
	for i := range rows {
		words, gap := 3+m.rng.IntN(7), ""
		if i%10 == 9 {
			words = 20
		}
		if i%5 == 0 {
			gap = "\n"
		}
		m.row(i%5 == 0, gap, words, " ", false, "\n")
	}
	return m.text
}

// Markdown returns a text of about the given number of rows: headings, paragraphs, lists, tables,
// quotes and code, with CJK, emoji and combining marks. The same seed returns the same text.
func Markdown(seed uint64, rows int) Text {
	m := &maker{rng: rand.New(rand.NewPCG(seed, 2))}
	for len(m.text) < rows {
		switch m.rng.IntN(8) {
		case 0:
			m.row(true, "\n## ", 2+m.rng.IntN(3), " ", true, "\n")
		case 1, 2:
			m.row(true, "\n", 15+m.rng.IntN(40), " ", true, "\n")
		case 3:
			m.block(4+m.rng.IntN(8), func(int) string { return "- " }, " ", true, "", "")
		case 4:
			m.block(3+m.rng.IntN(12), func(i int) string { return fmt.Sprintf("%d. ", i+1) }, " ", true, "", "")
		case 5:
			m.table(2 + m.rng.IntN(8))
		case 6:
			m.block(2+m.rng.IntN(4), func(int) string { return "> " }, " ", true, "", "")
		case 7:
			indent := func(i int) string { return strings.Repeat("  ", i%3) }
			m.block(4+m.rng.IntN(10), indent, " ", false, "```\n", "```\n")
		}
	}
	return m.text[:m.nextBlock(rows)]
}

// nextBlock returns the index of the first row from n on that opens a block, or the number of rows.
func (m *maker) nextBlock(n int) int {
	for n < len(m.text) && !m.text[n].Opens {
		n++
	}
	return n
}

// block appends the rows of one block. The function prefix returns what stands before row i of the
// block; open and shut are the marks around the block.
func (m *maker) block(rows int, prefix func(i int) string, sep string, wide bool, open, shut string) {
	for i := range rows {
		before, after := prefix(i), "\n"
		if i == 0 {
			before = "\n" + open + before
		}
		if i == rows-1 {
			after += shut
		}
		m.row(i == 0, before, 2+m.rng.IntN(9), sep, wide, after)
	}
}

// table appends a table of three columns. Its headings have no numbered words, because in a narrow
// window they may be shown with each row.
func (m *maker) table(rows int) {
	before := "\n| 漢 | 字 | かな |\n|---|---|---|\n| "
	for i := range rows {
		m.row(i == 0, before, 3, " | ", true, " |\n")
		before = "| "
	}
}

// Source returns the whole text in Markdown.
func (t Text) Source() string {
	var b strings.Builder
	for _, r := range t {
		b.WriteString(r.Source)
	}
	return strings.TrimPrefix(b.String(), "\n")
}

// Split cuts t in two before the first block that begins at row n or after it.
func (t Text) Split(n int) (head, tail Text) {
	for n < len(t) && !t[n].Opens {
		n++
	}
	return t[:n], t[n:]
}

// Last returns the last word of t, such as "w00123".
func (t Text) Last() string {
	r := t[len(t)-1]
	return fmt.Sprintf("w%05d", r.Words[len(r.Words)-1])
}

// On returns the rows of t that a terminal without history can still show in full: all rows after
// the first one whose first word stands on tape.
func (t Text) On(tape string) Text {
	first := slices.IndexFunc(t, func(r Row) bool { return strings.Contains(tape, fmt.Sprintf("w%05d", r.Words[0])) })
	if first < 0 {
		return t
	}
	return t[min(first+1, len(t)-1):]
}
