package widget

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// fuzzySource is a Source of a slice with fuzzy search. An item matches if it contains the letters
// of each word in their order, with any text between them.
type fuzzySource []Item

func (f fuzzySource) Len() int        { return len(f) }
func (f fuzzySource) Item(i int) Item { return f[i] }

// Match calls done before it returns. The best matches come first, but items of one group stay
// together.
func (f fuzzySource) Match(words []string, done func([]int)) {
	var found []int
	distances := make(map[int]int)
	first := make(map[string]int) // of each group
next:
	for i, item := range f {
		text := strings.ToLower(item.Text + " " + item.Note)
		for _, w := range words {
			d, ok := matchDistance(text, w)
			if !ok {
				continue next
			}
			distances[i] += d
		}
		if _, ok := first[item.Group]; !ok {
			first[item.Group] = i
		}
		found = append(found, i)
	}
	if len(words) == 0 {
		done(found)
		return
	}
	best := make(map[string]int) // of each group
	for _, i := range found {
		if d, ok := best[f[i].Group]; !ok || distances[i] < d {
			best[f[i].Group] = distances[i]
		}
	}
	slices.SortStableFunc(found, func(a, b int) int {
		ga, gb := f[a].Group, f[b].Group
		if ga == gb {
			return distances[a] - distances[b]
		}
		return cmp.Or(best[ga]-best[gb], first[ga]-first[gb])
	})
	done(found)
}

// matchDistance returns how far text is from an ideal match for word: 0 if it begins with word,
// more if the letters of word are spread over it. Both are in lower case. It returns false if text
// does not contain the letters of word in their order.
func matchDistance(text, word string) (int, bool) {
	switch i := strings.Index(text, word); {
	case i == 0:
		return 0, true
	case i > 0 && strings.ContainsRune(" ._-/", rune(text[i-1])):
		return 1, true
	case i > 0:
		return 2, true
	}
	end, remaining := 0, word // where the letters end, read from the left
	for remaining != "" {
		r, n := utf8.DecodeRuneInString(remaining)
		i := strings.IndexRune(text[end:], r)
		if i < 0 {
			return 0, false
		}
		end, remaining = end+i+n, remaining[n:]
	}
	from, remaining := end, word // and where they begin, read back from there
	for remaining != "" {
		r, n := utf8.DecodeLastRuneInString(remaining)
		from = strings.LastIndex(text[:from], string(r))
		remaining = remaining[:len(remaining)-n]
	}
	return 2 + (end - from) - len(word) + 1, true
}
