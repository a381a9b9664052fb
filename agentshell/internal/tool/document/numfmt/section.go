package numfmt

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

type tokenKind int

const (
	literal   tokenKind = iota
	digit               // 0, # or ?
	point               // .
	comma               // ,
	exponent            // E+ or E-
	general             // General
	textValue           // @
	datePart            // yyyy, mm, h ...
	elapsed             // [h], [mm] ...: text is h, mm
	ampm                // AM/PM or A/P
	bracket             // a condition: text is >=100
)

type token struct {
	kind tokenKind
	text string
}

// section is one of the up to four sections of a format code, which are separated by semicolons.
type section struct {
	tokens []token
	// compare is <, <=, >, >=, = or <>: the section is used for values that compare so with
	// compareValue. "": it has no condition.
	compare        string
	compareValue   float64
	isDate         bool
	isFraction     bool
	percentSigns   int // percentSigns is the number of percent signs.
	thousandsScale int // thousandsScale is the number of commas at the end; each divides the value by 1000.
	hasGroups      bool
	decimals       int // decimals is the number of digit places after the point.
}

func (s *section) has(kind tokenKind) bool {
	for _, t := range s.tokens {
		if t.kind == kind {
			return true
		}
	}
	return false
}

func (s *section) meetsCondition(v float64) bool {
	switch s.compare {
	case "<":
		return v < s.compareValue
	case "<=":
		return v <= s.compareValue
	case ">":
		return v > s.compareValue
	case ">=":
		return v >= s.compareValue
	case "=":
		return v == s.compareValue
	case "<>":
		return v != s.compareValue
	}
	return true
}

// newSection returns the section that consists of tokens, and computes its other fields from them.
func newSection(tokens []token) section {
	var s section
	for _, t := range tokens {
		if t.kind == bracket {
			s.setCondition(t.text)
			continue
		}
		s.isDate = s.isDate || t.kind == datePart && t.text[0] != 'e' || t.kind == elapsed || t.kind == ampm
		s.tokens = append(s.tokens, t)
	}
	if s.isDate {
		return s
	}
	for i, t := range s.tokens {
		if t.kind == datePart { // an e that is no year
			s.tokens[i].kind = literal
		}
	}
	s.countDigits()
	return s
}

func (s *section) setCondition(text string) {
	n := len(text) - len(strings.TrimLeft(text, "<>="))
	if v, err := strconv.ParseFloat(text[n:], 64); err == nil && n > 0 {
		s.compare, s.compareValue = text[:n], v
	}
}

func (s *section) countDigits() {
	commas, afterPoint, afterExponent, digits := 0, false, false, 0
	for i, t := range s.tokens {
		switch t.kind {
		case digit:
			if digits++; afterPoint && !afterExponent {
				s.decimals++
			}
			if commas > 0 && !afterPoint {
				s.hasGroups = true
			}
			commas = 0
		case comma:
			if digits > 0 {
				commas++
			}
		case point:
			s.thousandsScale += commas
			commas, afterPoint = 0, true
		case exponent:
			afterExponent = true
		case literal:
			s.percentSigns += strings.Count(t.text, "%")
			s.isFraction = s.isFraction || t.text == "/" && i > 0 && s.tokens[i-1].kind == digit
		}
	}
	s.thousandsScale += commas
}

// splitSections splits a format code into the tokens of its sections.
func splitSections(code string) [][]token {
	sections := [][]token{nil}
	add := func(kind tokenKind, text string) {
		last := &sections[len(sections)-1]
		*last = append(*last, token{kind, text})
	}
	for code != "" {
		if code[0] == ';' {
			sections, code = append(sections, nil), code[1:]
			continue
		}
		kind, text, n := firstToken(code)
		if code = code[n:]; text != "" {
			add(kind, text)
		}
	}
	return sections
}

// firstToken returns the first token of a format code, and its length in bytes. An empty text means
// that the token shows nothing.
func firstToken(code string) (kind tokenKind, text string, n int) {
	_, size := utf8.DecodeRuneInString(code)
	switch c := code[0]; {
	case c == '"':
		text, _, _ = strings.Cut(code[1:], `"`)
		return literal, text, min(len(text)+2, len(code))
	case c == '\\' || c == '_' || c == '*':
		_, next := utf8.DecodeRuneInString(code[1:])
		if text = code[1 : 1+next]; c == '_' {
			text = " "
		} else if c == '*' {
			text = ""
		}
		return literal, text, 1 + next
	case c == '[':
		inner, _, _ := strings.Cut(code[1:], "]")
		kind, text = bracketToken(inner)
		return kind, text, min(len(inner)+2, len(code))
	case strings.ContainsRune("0#?", rune(c)):
		return digit, code[:1], 1
	case c == '.':
		return point, ".", 1
	case c == ',':
		return comma, ",", 1
	case c == '@':
		return textValue, "@", 1
	}
	if n := wordLength(code, "general"); n > 0 {
		return general, code[:n], n
	}
	for _, word := range []string{"am/pm", "a/p"} {
		if n := wordLength(code, word); n > 0 {
			return ampm, code[:n], n
		}
	}
	if n := max(wordLength(code, "e+"), wordLength(code, "e-")); n > 0 {
		return exponent, code[:n], n
	}
	if strings.ContainsRune("ymdhse", rune(code[0]|0x20)) && code[0] > 0x40 {
		n := len(code) - len(strings.TrimLeft(code, strings.ToLower(code[:1])+strings.ToUpper(code[:1])))
		return datePart, strings.ToLower(code[:n]), n
	}
	return literal, code[:size], size
}

// wordLength returns the length of word if code begins with it, ignoring case, and otherwise 0.
func wordLength(code, word string) int {
	if len(code) >= len(word) && strings.EqualFold(code[:len(word)], word) {
		return len(word)
	}
	return 0
}

// bracketToken returns the token for a text in brackets: an elapsed time such as [h], a condition,
// a currency, or a colour.
func bracketToken(text string) (kind tokenKind, shown string) {
	lower := strings.ToLower(text)
	switch {
	case lower != "" && strings.Trim(lower, lower[:1]) == "" && strings.ContainsAny(lower[:1], "hms"):
		return elapsed, lower
	case strings.HasPrefix(text, "$"):
		currency, _, _ := strings.Cut(text[1:], "-")
		return literal, currency
	case text != "" && strings.ContainsAny(text[:1], "<>="):
		return bracket, text
	}
	return literal, ""
}
