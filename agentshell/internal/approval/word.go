package approval

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// plainLetters are characters that a harmless word may begin with. No program takes such a word for
// an option, an address, or a file with further arguments.
const plainLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./"

func beginsPlain(s string) bool { return s != "" && strings.IndexByte(plainLetters, s[0]) >= 0 }

// word returns a word of a command with its text, or with what is known about its value.
func (p *partsReader) word(w *syntax.Word) Word {
	if text, ok := literal(w); ok {
		return Word{Text: text, Literal: true}
	}
	if text, from := hereText(w); from != nil {
		p.substitution(from)
		return Word{Text: text, Literal: true}
	}
	return p.computed(w)
}

// hereText returns the text of "$(cat <<'EOF' ...)", a common way to pass a long text, and the
// substitution. from is nil for any other word.
func hereText(w *syntax.Word) (text string, from *syntax.CmdSubst) {
	if len(w.Parts) != 1 {
		return "", nil
	}
	quoted, ok := w.Parts[0].(*syntax.DblQuoted)
	if !ok || quoted.Dollar || len(quoted.Parts) != 1 {
		return "", nil
	}
	from, ok = quoted.Parts[0].(*syntax.CmdSubst)
	if !ok || from.Backquotes || len(from.Stmts) != 1 || len(from.Stmts[0].Redirs) != 1 || from.Stmts[0].Negated ||
		from.Stmts[0].Background {
		return "", nil
	}
	call, ok := from.Stmts[0].Cmd.(*syntax.CallExpr)
	here := from.Stmts[0].Redirs[0]
	if !ok || len(call.Assigns) > 0 || len(call.Args) != 1 || call.Args[0].Lit() != "cat" || here.Op != syntax.Hdoc ||
		here.N != nil || here.Hdoc == nil || !hasQuotes(here.Word) { // without quotes the text is expanded
		return "", nil
	}
	var b strings.Builder
	for _, part := range here.Hdoc.Parts {
		l, ok := part.(*syntax.Lit)
		if !ok {
			return "", nil
		}
		b.WriteString(l.Value)
	}
	return strings.TrimRight(b.String(), "\n"), from
}

// computed reads a word with globs and variables. The result is Safe if each word that it expands
// to begins with a plain letter, and One if it always expands to one word.
func (p *partsReader) computed(w *syntax.Word) Word {
	c := Word{Safe: true, One: true}
	for i, part := range w.Parts {
		first := i == 0
		switch part := part.(type) {
		case *syntax.Lit:
			if strings.ContainsAny(part.Value, "*?[{") {
				c.One = false
			}
			if p.posix && strings.Contains(part.Value, "{") {
				p.giveUp("it has braces in sh, which may not expand them")
			}
			if first && !beginsPlain(part.Value) && !strings.HasPrefix(part.Value, "~/") {
				c.Safe = false
			}
		case *syntax.SglQuoted:
			if part.Dollar || first && !beginsPlain(part.Value) {
				c.Safe = false
			}
		case *syntax.DblQuoted:
			for j, inner := range part.Parts {
				switch inner := inner.(type) {
				case *syntax.Lit:
					if first && j == 0 && !beginsPlain(inner.Value) {
						c.Safe = false
					}
				case *syntax.ParamExp:
					if p.param(inner) == holdsAny && first && j == 0 {
						c.Safe = false
					}
				default:
					p.substitution(inner)
					c.Safe = c.Safe && !(first && j == 0)
				}
			}
			if part.Dollar || first && len(part.Parts) == 0 {
				c.Safe = false
			}
		case *syntax.ParamExp:
			if p.param(part) != holdsPlain { // a plain value cannot be split into words or match files
				c.Safe, c.One = false, false
			}
		case *syntax.ProcSubst:
			p.substitution(part) // becomes /dev/fd/N
		default:
			p.substitution(part)
			c.Safe, c.One = false, false
		}
	}
	if p.reason != "" {
		return Word{}
	}
	c.Values = p.values(w)
	return c
}

// param returns what is known about the value of $name. It gives up for any other expansion.
func (p *partsReader) param(e *syntax.ParamExp) holding {
	if e.Excl || e.Length || e.Width || e.Index != nil || e.Slice != nil || e.Repl != nil || e.Exp != nil ||
		e.Names != 0 || e.Param == nil || e.NestedParam != nil || e.Flags != nil || e.IsSet || len(e.Modifiers) > 0 {
		p.giveUp("it has an expansion that is more than the value of a variable")
		return holdsAny
	}
	switch name := e.Param.Value; name {
	case "?", "#", "$":
		return holdsPlain
	case "HOME", "USER", "LOGNAME", "PATH", "LANG": // the user's value, which a line cannot set
		return holdsPlain
	case "PWD": // begins with a slash
		return holdsWord
	case "@", "*":
		return holdsAny
	default:
		if !p.set[name] && !slices.Contains(p.variables, name) {
			p.variables = append(p.variables, name)
		}
		return p.loopValues[name]
	}
}

// substitution adds the commands in $(...) or <(...), whose output becomes a word.
func (p *partsReader) substitution(part syntax.WordPart) {
	at := p.at
	switch part := part.(type) {
	case *syntax.CmdSubst:
		if !part.Backquotes && !part.TempFile && !part.ReplyVar {
			p.list(part.Stmts, at)
			break
		}
		p.giveUp("it has a substitution of a kind that is not looked into")
	case *syntax.ProcSubst:
		if part.Op == syntax.CmdIn {
			p.list(part.Stmts, at)
			break
		}
		p.giveUp("it has a substitution of a kind that is not looked into")
	default:
		p.giveUp("it has a word that is computed by arithmetic or by a pattern of its own")
	}
	p.at = at
}

// loopVariables returns what is known about variables that are set only by one loop over words, and
// the names of all variables that the line may set.
func loopVariables(file *syntax.File) (holds map[string]holding, set map[string]bool) {
	count := map[string]int{}
	holds, set = map[string]holding{}, map[string]bool{}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			if n.Name != nil {
				count[n.Name.Value]++
				set[n.Name.Value] = true
			}
		case *syntax.CallExpr:
			reads := len(n.Args) > 0 && n.Args[0].Lit() == "read"
			for _, w := range n.Args { // read name
				if text, ok := literal(w); ok {
					count[text]++
					set[text] = set[text] || reads
				}
			}
		case *syntax.WordIter:
			if n.Name == nil {
				return true
			}
			count[n.Name.Value]++
			set[n.Name.Value] = true
			value := holdsPlain
			for _, item := range n.Items {
				value = min(value, itemHolds(item))
			}
			if len(n.Items) > 0 {
				holds[n.Name.Value] = value
			}
		}
		return true
	})
	for name, n := range count {
		if n > 1 {
			delete(holds, name)
		}
	}
	return holds, set
}

func itemHolds(w *syntax.Word) holding {
	if text, ok := literal(w); ok {
		switch {
		case !beginsPlain(text):
			return holdsAny
		case strings.Trim(text, plainLetters+"-") == "":
			return holdsPlain
		}
		return holdsWord
	}
	if l := w.Lit(); beginsPlain(l) { // a pattern: the names that it matches begin as it does
		return holdsWord
	}
	return holdsAny
}

// hasQuotes reports whether some part of a word is quoted.
func hasQuotes(w *syntax.Word) bool {
	return slices.ContainsFunc(w.Parts, func(p syntax.WordPart) bool {
		switch p.(type) {
		case *syntax.SglQuoted, *syntax.DblQuoted:
			return true
		}
		return false
	})
}
