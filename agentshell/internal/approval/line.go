package approval

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// parseLine parses a text as a command line of bash. If that fails, or if bash might read the text
// in another way, why says so.
func parseLine(text string) (file *syntax.File, why string) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	switch {
	case err != nil:
		return nil, "it cannot be parsed"
	case endsEarly(file):
		return nil, "it has a here-document whose end may be read in two ways"
	}
	return file, ""
}

// endsEarly reports whether bash may end a here-document earlier than the parser, or read several
// ones in another order.
//
// Within $(...), bash 5.2 also accepts an end line on which a parenthesis follows the delimiter.
// Within backquotes, it searches for the closing backquote first. If a line has here-documents both
// inside and outside of a substitution, or one that begins after its substitution, bash and the
// parser read them in different orders.
func endsEarly(file *syntax.File) (found bool) {
	all, inside := 0, map[*syntax.Redirect]bool{}
	syntax.Walk(file, func(n syntax.Node) bool {
		if isHereDocument(n) {
			all++
		}
		backquotes := false
		switch n := n.(type) {
		case *syntax.CmdSubst:
			backquotes = n.Backquotes
		case *syntax.ProcSubst:
		default:
			return !found
		}
		around := n
		syntax.Walk(n, func(n syntax.Node) bool {
			if !isHereDocument(n) {
				return !found
			}
			r := n.(*syntax.Redirect)
			inside[r] = true
			delimiter, ok := literal(r.Word)
			found = found || backquotes || !ok || delimiter == "" || r.Hdoc == nil ||
				!around.End().After(r.Hdoc.End()) || hasLineFrom(r.Hdoc, delimiter)
			return !found
		})
		return !found
	})
	return found || len(inside) > 0 && len(inside) < all
}

func isHereDocument(n syntax.Node) bool {
	r, ok := n.(*syntax.Redirect)
	return ok && (r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc)
}

// hasLineFrom reports whether a line of a here-document begins with a word, ignoring leading tabs.
func hasLineFrom(document *syntax.Word, word string) bool {
	if document == nil {
		return false
	}
	var text strings.Builder
	for _, part := range document.Parts {
		if l, ok := part.(*syntax.Lit); ok {
			text.WriteString(l.Value)
		} else {
			text.WriteByte(' ') // what is expanded ends nothing
		}
	}
	for line := range strings.Lines(text.String()) {
		if strings.HasPrefix(strings.TrimLeft(line, "\t"), word) {
			return true
		}
	}
	return false
}
