package approval

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// guessWords converts words that are not literal for deny rules. It decodes quotes like $'r\x6d',
// and expands braces. If a path begins with something unknown, it keeps the last element. A word
// that is still unknown is not literal.
func guessWords(args []*syntax.Word) (c SimpleCommand) {
	for _, w := range args {
		for _, each := range expandBraces(w) {
			text, ok := guessWord(each)
			c = append(c, Word{Text: text, Literal: ok})
		}
	}
	return c
}

// expandBraces expands {a,b} if that yields few words. It does not expand a range {1..9}.
func expandBraces(w *syntax.Word) []*syntax.Word {
	n := 0
	for _, part := range w.Parts {
		if l, ok := part.(*syntax.Lit); ok {
			n += strings.Count(l.Value, "{") + strings.Count(l.Value, "..")*10
		}
	}
	if n == 0 || n > 3 {
		return []*syntax.Word{w}
	}
	copied := &syntax.Word{Parts: slices.Clone(w.Parts)} // SplitBraces changes it in place
	syntax.SplitBraces(copied)
	var all []*syntax.Word
	for each, err := range expand.BracesSeq(nil, copied) {
		if err != nil {
			return []*syntax.Word{w}
		}
		all = append(all, each)
	}
	return all
}

func guessWord(w *syntax.Word) (string, bool) {
	var b strings.Builder
	known := true // since the last slash
	var add func(parts []syntax.WordPart, quoted bool)
	add = func(parts []syntax.WordPart, quoted bool) {
		for _, part := range parts {
			switch part := part.(type) {
			case *syntax.Lit:
				text := part.Value
				if quoted {
					text = unescapeQuoted(text)
				} else {
					text = strings.ReplaceAll(text, "\\", "")
				}
				if i := strings.LastIndexByte(text, '/'); i >= 0 && !known {
					b.Reset()
					known, text = true, text[i+1:]
				}
				b.WriteString(text)
			case *syntax.SglQuoted:
				text := part.Value
				if part.Dollar {
					if decoded, _, err := expand.Format(nil, text, nil); err == nil {
						text = decoded
					}
				}
				b.WriteString(text)
			case *syntax.DblQuoted:
				add(part.Parts, true)
			default:
				known = false
			}
		}
	}
	add(w.Parts, false)
	if !known {
		return "", false
	}
	return b.String(), true
}
