package hashline

import (
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

const sigil = "¶"

// These expressions match the lines of a patch, except the rows of a body. They are lenient: a
// colon may be missing, and a range may be N..M, N-M, N…M or N M.
var (
	header        = lazyregexp.New(`^¶\s*(.*?)\s*$`)
	tagged        = lazyregexp.New(`^(.+?)#([0-9A-Fa-f]{4})$`)
	headerPrefix  = lazyregexp.New(`^(?:\*+\s*)?(?:(?:Update|Add) File:)?\s*`)
	applyPatch    = lazyregexp.New(`^\*\*\* (?:(?:Update|Add|Delete) File:|Move to:)`)
	unifiedHeader = lazyregexp.New(`^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@`)
	bareLine      = lazyregexp.New(`^\s*\d+\s*:?\s*$`)
	bareRange     = lazyregexp.New(`^\s*(\d+)\s*(?:\.\.|-|…|\s)\s*(\d+)\s*:?\s*$`)
	verb          = lazyregexp.New(`^\s*(replace|delete|insert before|insert after|insert head|insert tail)\b(.*)$`)
	block         = lazyregexp.New(`^\s+block\s+(\d+)\s*(:?)\s*$`)
	span          = lazyregexp.New(`^\s+(\d+)(?:\s*(?:\.\.|-|…|\s)\s*(\d+))?\s*(:?)\s*$`)
	noSpan        = lazyregexp.New(`^\s*(:?)\s*$`)
)

var verbs = map[string]Verb{"replace": Replace, "delete": Delete, "insert before": Before, "insert after": After,
	"insert head": Head, "insert tail": Tail}

// reader parses a patch line by line.
type reader struct {
	patch       Patch
	blankRows   int  // blankRows counts blank lines that may belong to a body.
	missingPlus bool // missingPlus says that a row of a body had no +.
	number      int  // number is the number of the current line, from 1.
}

// Parse parses a patch. The error names the line and says what to write instead. After an error no
// part of the patch must be applied.
func Parse(input string) (Patch, error) {
	p := &reader{}
	for line := range strings.SplitSeq(strings.ReplaceAll(input, "\r\n", "\n"), "\n") {
		p.number++
		if line == "*** Abort" {
			break
		}
		if err := p.line(line); err != nil {
			return Patch{}, err
		}
	}
	for _, s := range p.patch.Sections {
		for _, h := range s.Hunks {
			if h.takesBody() && len(h.Body) == 0 {
				return Patch{}, emptyBodyError(h)
			}
		}
	}
	if len(p.patch.Sections) == 0 {
		return Patch{}, noHeaderError("")
	}
	if p.missingPlus {
		p.patch.Warnings = append(p.patch.Warnings, bareBodyWarning)
	}
	return p.patch, nil
}

// section returns the section that is being read, or nil before the first one.
func (r *reader) section() *Section {
	if n := len(r.patch.Sections); n > 0 {
		return &r.patch.Sections[n-1]
	}
	return nil
}

// hunk returns the hunk that is being read, or nil before the first one of a section.
func (r *reader) hunk() *Hunk {
	if s := r.section(); s != nil && len(s.Hunks) > 0 {
		return &s.Hunks[len(s.Hunks)-1]
	}
	return nil
}

// line parses one line of the patch.
func (r *reader) line(line string) error {
	text, isRow := strings.CutPrefix(line, "+")
	s, h := r.section(), r.hunk()
	switch {
	case line == "*** Begin Patch", line == "*** End Patch":
		return nil
	case strings.HasPrefix(line, sigil):
		return r.header(line)
	case s == nil && strings.TrimSpace(line) == "":
		return nil
	case s == nil:
		return noHeaderError(line)
	case isRow:
		return r.row(h, text, line)
	case strings.TrimSpace(line) == "":
		r.blankRows++
		return nil
	case applyPatch().MatchString(line):
		return problem("line %d: apply_patch sentinel %q is not valid in hashline. File sections start with "+
			"`¶path#HASH` (no `Update File:` / `Add File:` keyword). Use %s ops.", r.number, line, useVerbs)
	case unifiedHeader().MatchString(line):
		return problem("line %d: unified-diff hunk header (`@@ -N,M +N,M @@`) is not valid in hashline. Use %s ops.",
			r.number, useVerbs)
	case strings.HasPrefix(line, "@@"):
		return problem("line %d: `@@`-bracketed hunk header %q is not valid in hashline. Drop the `@@ ... @@` "+
			"brackets and write a verb header such as `replace N..M:`.", r.number, line)
	case bareLine().MatchString(line):
		return problem("line %d: hunk headers need a verb. Use `replace N..N:` to replace, or `delete N` to delete.",
			r.number)
	case bareRange().MatchString(line):
		m := bareRange().FindStringSubmatch(line)
		return problem("line %d: bare range hunk header \"%s %s\" is not valid. Hunk headers need a verb: write "+
			"`replace N..M:` or `delete N..M`.", r.number, m[1], m[2])
	case strings.HasPrefix(line, "-"):
		return problem("line %d: `-` rows are not valid; hashline ranges already name the lines being changed. To "+
			"insert a literal line starting with `-`, write `+-…`.", r.number)
	}
	if next, ok, err := r.verb(line); err != nil {
		return err
	} else if ok {
		r.blankRows = 0
		s.Hunks = append(s.Hunks, next)
		return nil
	}
	if h == nil || !h.takesBody() {
		return r.row(h, line, line)
	}
	r.missingPlus = true
	return r.row(h, line, line)
}

// header begins a section. It accepts a header without a tag, because the file may be new.
func (r *reader) header(line string) error {
	r.blankRows = 0
	name := header().FindStringSubmatch(line)[1]
	name = name[len(headerPrefix().FindString(name)):]
	s := Section{Path: name, Line: r.number}
	if m := tagged().FindStringSubmatch(name); m != nil {
		s.Path, s.Tag = m[1], strings.ToUpper(m[2])
	} else {
		s.Path, _, _ = strings.Cut(name, "#")
	}
	if s.Path == "" {
		return noHeaderError(line)
	}
	r.patch.Sections = append(r.patch.Sections, s)
	return nil
}

// row adds a row to the body of h. text is the row without its +, and line the complete line of the
// patch.
func (r *reader) row(h *Hunk, text, line string) error {
	switch {
	case h == nil:
		return problem("line %d: payload line has no preceding hunk header. Use `replace N..M:`, `delete N..M`, or "+
			"`insert before|after|head|tail:` above the body. Got %q.", r.number, line)
	case h.Block && !h.takesBody():
		return problem("line %d: `delete block N` does not take body rows. Remove the body, or use `replace block N:` "+
			"to replace the block.", r.number)
	case !h.takesBody():
		return problem("line %d: `delete N..M` does not take body rows. Remove the body, or use `replace N..M:`.",
			r.number)
	}
	if len(h.Body) > 0 { // blank lines between rows are rows without a +
		for range r.blankRows {
			h.Body, r.missingPlus = append(h.Body, ""), true
		}
	}
	r.blankRows = 0
	h.Body = append(h.Body, text)
	return nil
}

// verb parses the header of a hunk. ok is false if line is none.
func (r *reader) verb(line string) (h Hunk, ok bool, err error) {
	m := verb().FindStringSubmatch(line)
	if m == nil {
		return h, false, nil
	}
	h = Hunk{Verb: verbs[m[1]], Line: r.number}
	colon := ""
	switch rest := m[2]; {
	case h.Verb == Head || h.Verb == Tail:
		if !noSpan().MatchString(rest) {
			return h, false, nil
		}
		return h, true, nil
	case block().MatchString(rest) && h.Verb != Before:
		b := block().FindStringSubmatch(rest)
		h.Block, colon = true, b[2]
		h.From, err = number(b[1], r.number)
		h.To = h.From
	case span().MatchString(rest):
		parts := span().FindStringSubmatch(rest)
		colon = parts[3]
		if h.From, err = number(parts[1], r.number); err == nil && parts[2] != "" {
			h.To, err = number(parts[2], r.number)
		} else {
			h.To = h.From
		}
		if parts[2] != "" && (h.Verb == Before || h.Verb == After) {
			return h, false, nil
		}
	default:
		return h, false, nil
	}
	switch {
	case err != nil:
		return h, false, err
	case h.To < h.From:
		return h, false, problem("line %d: range %d..%d ends before it starts.", r.number, h.From, h.To)
	case h.Verb == Delete && colon != "" && h.Block:
		return h, false, problem("line %d: `delete block N` does not take body rows. Remove the body, or use "+
			"`replace block N:` to replace the block.", r.number)
	case h.Verb == Delete && colon != "":
		return h, false, problem("line %d: `delete N..M` does not take body rows. Remove the body, or use "+
			"`replace N..M:`.", r.number)
	}
	return h, true, nil
}

// number parses a line number of the file, which is at least 1. at is the line of the patch, for
// the error.
func number(text string, at int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, problem("line %d: %s is no line of a file: lines are counted from 1.", at, text)
	}
	return n, nil
}
