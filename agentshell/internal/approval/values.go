package approval

import (
	"path"

	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/program"
	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// maxValues is the number of possible values of a word up to which they are considered.
const maxValues = 200

var (
	braceList = lazyregexp.New(
		`^([A-Za-z0-9_./*=-]*)\{([A-Za-z0-9_./*-]*(?:,[A-Za-z0-9_./*-]*)+)\}([A-Za-z0-9_./*-]*)$`)
	braceRange = lazyregexp.New(`^([A-Za-z0-9_./-]*)\{(0|[1-9]\d{0,2})\.\.(0|[1-9]\d{0,2})\}([A-Za-z0-9_./-]*)$`)
	bracket    = lazyregexp.New(`\[[!^]?[A-Za-z0-9_.,-]+\]`)
	seqNumber  = lazyregexp.New(`^[1-9]\d{0,2}$`)
)

// values returns the possible values of a word that is not literal, or nil if they are not known.
func (p *partsReader) values(w *syntax.Word) *program.Values {
	if l := w.Lit(); strings.Contains(l, "{") {
		return braceValues(l)
	}
	if len(w.Parts) == 1 {
		switch part := w.Parts[0].(type) {
		case *syntax.CmdSubst:
			return seqValues(part)
		case *syntax.ProcSubst:
			return &program.Values{List: []program.Choice{{Before: "/dev/null"}}} // reads as that: a file with no name
		}
	}
	if pattern, ok := p.pattern(w); ok {
		return &program.Values{All: true, List: []program.Choice{{Pattern: pattern}}}
	}
	list := []program.Choice{{}}
	for i, part := range w.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			text, ok := p.unquoted(part.Value, i == 0)
			if !ok {
				return nil
			}
			list = combine(list, []program.Choice{{Before: text}})
		case *syntax.SglQuoted:
			if part.Dollar {
				return nil
			}
			list = combine(list, []program.Choice{{Before: part.Value}})
		case *syntax.ParamExp:
			list = combine(list, p.paramValues(part, true))
		case *syntax.DblQuoted:
			for _, inner := range part.Parts {
				switch inner := inner.(type) {
				case *syntax.Lit:
					list = combine(list, []program.Choice{{Before: unescapeQuoted(inner.Value)}})
				case *syntax.ParamExp:
					list = combine(list, p.paramValues(inner, false))
				default:
					return nil
				}
			}
			if part.Dollar {
				return nil
			}
		default:
			return nil
		}
	}
	if list == nil {
		return nil
	}
	return &program.Values{List: list}
}

// unquoted returns the text of an unquoted part of a word. ok is false if it contains a glob. A ~/
// at the beginning of the word is replaced with the home directory.
func (p *partsReader) unquoted(text string, first bool) (string, bool) {
	if rest, ok := strings.CutPrefix(text, "~/"); ok && first && p.place.Home != "" {
		text, ok = unescape(rest, false)
		return p.place.Home + "/" + text, ok
	}
	return unescape(text, first)
}

// combine returns each text of a followed by each text of b. It returns nil if they are too many or
// not known.
func combine(a, b []program.Choice) (all []program.Choice) {
	if len(a)*len(b) > maxValues {
		return nil
	}
	for _, x := range a {
		for _, y := range b {
			v := x
			switch {
			case x.Pattern != "" && y.Pattern != "":
				return nil
			case x.Pattern != "":
				v.After += y.Before
			default:
				v.Before += y.Before
				v.Pattern, v.After, v.Dirs = y.Pattern, y.After, y.Dirs
			}
			v.Plain = x.Plain || y.Plain
			all = append(all, v)
		}
	}
	return all
}

// paramValues returns the possible values of a variable, or nil if they are not known. split says
// that the shell splits the value into words.
func (p *partsReader) paramValues(e *syntax.ParamExp, split bool) (all []program.Choice) {
	if e.Param == nil {
		return nil
	}
	switch name := e.Param.Value; name {
	case "HOME":
		if p.place.Home != "" {
			all = []program.Choice{{Before: p.place.Home}}
		}
	case "PWD":
		if p.place.Top != "" && len(p.at) == 1 && !isAbove(p.at[0]) {
			all = []program.Choice{{Before: path.Join(p.place.Top, p.at[0])}}
		}
	default:
		all = slices.Clone(p.items[name])
	}
	for i := range all {
		all[i].Plain = all[i].Plain || split
	}
	return all
}

// pattern returns a word as a glob. ok is false if it contains no glob, or if another part of it is
// not literal.
func (p *partsReader) pattern(w *syntax.Word) (pattern string, ok bool) {
	var b strings.Builder
	for i, part := range w.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			text := part.Value
			if home, ok := strings.CutPrefix(text, "~/"); ok && i == 0 && p.place.Home != "" {
				b.WriteString(escapeGlob(p.place.Home + "/"))
				text = home
			}
			if strings.ContainsAny(text, "\\{}~") {
				return "", false
			}
			if strings.ContainsAny(bracket().ReplaceAllString(text, ""), "[]") {
				return "", false
			}
			ok = ok || strings.ContainsAny(text, "*?[")
			b.WriteString(text)
		case *syntax.SglQuoted:
			if part.Dollar {
				return "", false
			}
			b.WriteString(escapeGlob(part.Value))
		case *syntax.DblQuoted:
			text, literal := literal(&syntax.Word{Parts: []syntax.WordPart{part}})
			if !literal {
				return "", false
			}
			b.WriteString(escapeGlob(text))
		default:
			return "", false
		}
	}
	return b.String(), ok
}

// braceValues returns the words that one list {a,b} or range {1..9} expands to, or nil for any
// other word.
func braceValues(word string) *program.Values {
	v := &program.Values{All: true}
	add := func(text string) {
		if strings.Contains(text, "*") {
			v.List = append(v.List, program.Choice{Pattern: text})
			return
		}
		v.List = append(v.List, program.Choice{Before: text})
	}
	if m := braceList().FindStringSubmatch(word); m != nil && !strings.Contains(m[2], "..") {
		for each := range strings.SplitSeq(m[2], ",") {
			add(m[1] + each + m[3])
		}
		return v
	}
	if m := braceRange().FindStringSubmatch(word); m != nil {
		from, _ := strconv.Atoi(m[2]) // of three digits at most
		to, _ := strconv.Atoi(m[3])
		for i := from; i <= to && to-from < maxValues; i++ {
			add(m[1] + strconv.Itoa(i) + m[4])
		}
	}
	if len(v.List) == 0 {
		return nil
	}
	return v
}

// seqValues returns the numbers that $(seq N) or $(seq N M) prints, or nil for any other command.
func seqValues(s *syntax.CmdSubst) *program.Values {
	if len(s.Stmts) != 1 {
		return nil
	}
	call, ok := s.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 || len(s.Stmts[0].Redirs) > 0 || s.Stmts[0].Negated || len(call.Args) < 2 ||
		len(call.Args) > 3 || call.Args[0].Lit() != "seq" {
		return nil
	}
	from, to := 1, 0
	for _, w := range call.Args[1:] {
		if !seqNumber().MatchString(w.Lit()) {
			return nil
		}
		if len(call.Args) == 3 && w == call.Args[1] {
			from, _ = strconv.Atoi(w.Lit())
		} else {
			to, _ = strconv.Atoi(w.Lit())
		}
	}
	v := &program.Values{All: true}
	for i := from; i <= to && to-from < maxValues; i++ {
		v.List = append(v.List, program.Choice{Before: strconv.Itoa(i)})
	}
	if len(v.List) == 0 {
		return nil
	}
	return v
}

// loopItems returns the possible values of the variable of a loop over words, or nil if they are
// not all known.
func (p *partsReader) loopItems(words []*syntax.Word) (all []program.Choice) {
	known := true
	for _, w := range words {
		word := p.word(w)
		switch {
		case word.Literal:
			all = append(all, program.Choice{Before: word.Text})
		case word.Values == nil:
			known = false
		default:
			for _, v := range word.Values.List {
				if v.Pattern != "" && v.Dirs == nil {
					v.Dirs = p.at
				}
				if v.Pattern != "" {
					p.patterns = append(p.patterns, v)
				}
				all = append(all, v)
			}
		}
	}
	if !known || len(all) > maxValues {
		return nil
	}
	return all
}
