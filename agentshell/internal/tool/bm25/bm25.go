// Package bm25 ranks short texts by the words of a query (BM25+).
package bm25

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// k1, b and delta are the parameters of BM25+.
const k1, b, delta = 1.2, 0.75, 1.0

// Part is a part of a document, such as its title. Each word in it counts Weight times.
type Part struct {
	Text   string
	Weight float64
}

// Hit is a document that contains a word of the query.
type Hit struct {
	Index int // Index is the index of the document.
	Score float64
}

// document holds the weighted word counts of a document.
type document struct {
	counts map[string]float64
	length float64
}

// Rank returns the documents that contain a word of the query, the best first. Documents with equal
// scores keep their order.
func Rank(documents [][]Part, query string) (hits []Hit) {
	docs := make([]document, len(documents))
	have := map[string]float64{} // number of documents with a word
	total := 0.0
	for i, parts := range documents {
		d := document{counts: map[string]float64{}}
		for _, p := range parts {
			for _, w := range Words(p.Text) {
				if d.counts[w] == 0 {
					have[w]++
				}
				d.counts[w] += p.Weight
				d.length += p.Weight
			}
		}
		docs[i] = d
		total += d.length
	}
	words := Words(query)
	slices.Sort(words)
	words = slices.Compact(words)
	n := float64(len(docs))
	for i, d := range docs {
		score := 0.0
		for _, w := range words {
			if c := d.counts[w]; c > 0 {
				idf := math.Log(1 + (n-have[w]+0.5)/(have[w]+0.5))
				score += idf * (delta + c*(k1+1)/(c+k1*(1-b+b*d.length*n/total)))
			}
		}
		if score > 0 {
			hits = append(hits, Hit{i, score})
		}
	}
	slices.SortStableFunc(hits, func(x, y Hit) int { return cmp.Compare(y.Score, x.Score) })
	return hits
}

// Words returns the words of a text in lower case and without accents. The parts of camelCase,
// HTTPServer and v2Beta count as separate words.
func Words(text string) []string {
	var out strings.Builder
	runes := []rune(norm.NFKD.String(text))
	for i, r := range runes {
		switch {
		case unicode.Is(unicode.Mn, r):
		case !unicode.IsLetter(r) && !unicode.IsNumber(r):
			out.WriteByte(' ')
		default:
			if i > 0 && unicode.IsUpper(r) {
				before := runes[i-1]
				next := i+1 < len(runes) && unicode.IsLower(runes[i+1])
				if unicode.IsLower(before) || unicode.IsNumber(before) || unicode.IsUpper(before) && next {
					out.WriteByte(' ')
				}
			}
			out.WriteRune(unicode.ToLower(r))
		}
	}
	return strings.Fields(out.String())
}
