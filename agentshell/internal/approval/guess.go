package approval

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// guess reads words that are not literal for deny rules: quotes like $'r\x6d' are decoded, braces
// expanded, and of a path that begins with something unknown the last part is known. What is still
// unknown is not literal.
func guess(args []*syntax.Word) (c SimpleCommand) {
	for _, w := range args {
		for _, each := range braces(w) {
			text, ok := guessWord(each)
			c = append(c, Word{Text: text, Literal: ok})
		}
	}
	return c
}

// braces expands {a,b}, if that gives few words. A sequence {1..9} is left as it is.
func braces(w *syntax.Word) []*syntax.Word {
	n := 0
	for _, part := range w.Parts {
		if l, ok := part.(*syntax.Lit); ok {
			n += strings.Count(l.Value, "{") + strings.Count(l.Value, "..")*10
		}
	}
	if n == 0 || n > 3 {
		return []*syntax.Word{w}
	}
	own := &syntax.Word{Parts: slices.Clone(w.Parts)} // it is changed in place
	syntax.SplitBraces(own)
	var all []*syntax.Word
	for each, err := range expand.BracesSeq(nil, own) {
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
