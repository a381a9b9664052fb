package hashline

import (
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

const headerSigil = "¶"

// These expressions match the lines of a patch, except the rows of a body. They are lenient: a
// colon may be missing, and a range may be N..M, N-M, N…M or N M.
var (
	headerPattern        = lazyregexp.New(`^¶\s*(.*?)\s*$`)
	taggedPattern        = lazyregexp.New(`^(.+?)#([0-9A-Fa-f]{4})$`)
	headerPrefixPattern  = lazyregexp.New(`^(?:\*+\s*)?(?:(?:Update|Add) File:)?\s*`)
	applyPatchPattern    = lazyregexp.New(`^\*\*\* (?:(?:Update|Add|Delete) File:|Move to:)`)
	unifiedHeaderPattern = lazyregexp.New(`^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@`)
	bareLinePattern      = lazyregexp.New(`^\s*\d+\s*:?\s*$`)
	bareRangePattern     = lazyregexp.New(`^\s*(\d+)\s*(?:\.\.|-|…|\s)\s*(\d+)\s*:?\s*$`)

	verbPattern = lazyregexp.New(`^\s*(replace|delete|insert before|insert after|insert head|insert tail)\b(.*)$`)

	blockPattern  = lazyregexp.New(`^\s+block\s+(\d+)\s*(:?)\s*$`)
	spanPattern   = lazyregexp.New(`^\s+(\d+)(?:\s*(?:\.\.|-|…|\s)\s*(\d+))?\s*(:?)\s*$`)
	noSpanPattern = lazyregexp.New(`^\s*(:?)\s*$`)
)

var verbByName = map[string]Verb{"replace": Replace, "delete": Delete, "insert before": Before, "insert after": After,
	"insert head": Head, "insert tail": Tail}

// patchReader parses a patch line by line.
type patchReader struct {
	patch       Patch
	blankRows   int  // blankRows counts blank lines that may belong to a body.
	missingPlus bool // missingPlus says that a row of a body had no +.
	number      int  // number is the number of the current line, from 1.
}

// Parse parses a patch. The error names the line and says what to write instead. After an error no
// part of the patch must be applied.
func Parse(input string) (Patch, error) {
	p := &patchReader{}
	for line := range strings.SplitSeq(strings.ReplaceAll(input, "\r\n", "\n"), "\n") {
		p.number++
		if line == "*** Abort" {
			break
		}
		if err := p.parseLine(line); err != nil {
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

// lastSection returns the section that is being read, or nil before the first one.
func (r *patchReader) lastSection() *Section {
	if n := len(r.patch.Sections); n > 0 {
		return &r.patch.Sections[n-1]
	}
	return nil
}

// lastHunk returns the hunk that is being read, or nil before the first one of a section.
func (r *patchReader) lastHunk() *Hunk {
	if s := r.lastSection(); s != nil && len(s.Hunks) > 0 {
		return &s.Hunks[len(s.Hunks)-1]
	}
	return nil
}

// parseLine parses one line of the patch.
func (r *patchReader) parseLine(line string) error {
	text, isRow := strings.CutPrefix(line, "+")
	s, h := r.lastSection(), r.lastHunk()
	switch {
	case line == "*** Begin Patch", line == "*** End Patch":
		return nil
	case strings.HasPrefix(line, headerSigil):
		return r.parseHeader(line)
	case s == nil && strings.TrimSpace(line) == "":
		return nil
	case s == nil:
		return noHeaderError(line)
	case isRow:
		return r.addRow(h, text, line)
	case strings.TrimSpace(line) == "":
		r.blankRows++
		return nil
	case applyPatchPattern().MatchString(line):
		return patchError("line %d: apply_patch sentinel %q is not valid in hashline. File sections start with "+
			"`¶path#HASH` (no `Update File:` / `Add File:` keyword). Use %s ops.", r.number, line, useVerbsHint)
	case unifiedHeaderPattern().MatchString(line):
		return patchError("line %d: unified-diff hunk header (`@@ -N,M +N,M @@`) is not valid in hashline. Use %s ops.",
			r.number, useVerbsHint)
	case strings.HasPrefix(line, "@@"):
		return patchError("line %d: `@@`-bracketed hunk header %q is not valid in hashline. Drop the `@@ ... @@` "+
			"brackets and write a verb header such as `replace N..M:`.", r.number, line)
	case bareLinePattern().MatchString(line):
		return patchError("line %d: hunk headers need a verb. Use `replace N..N:` to replace, or `delete N` to delete.",
			r.number)
	case bareRangePattern().MatchString(line):
		m := bareRangePattern().FindStringSubmatch(line)
		return patchError("line %d: bare range hunk header \"%s %s\" is not valid. Hunk headers need a verb: write "+
			"`replace N..M:` or `delete N..M`.", r.number, m[1], m[2])
	case strings.HasPrefix(line, "-"):
		return patchError("line %d: `-` rows are not valid; hashline ranges already name the lines being changed. To "+
			"insert a literal line starting with `-`, write `+-…`.", r.number)
	}
	if next, ok, err := r.parseVerb(line); err != nil {
		return err
	} else if ok {
		r.blankRows = 0
		s.Hunks = append(s.Hunks, next)
		return nil
	}
	if h == nil || !h.takesBody() {
		return r.addRow(h, line, line)
	}
	r.missingPlus = true
	return r.addRow(h, line, line)
}

// parseHeader begins a section. It accepts a header without a tag, because the file may be new.
func (r *patchReader) parseHeader(line string) error {
	r.blankRows = 0
	name := headerPattern().FindStringSubmatch(line)[1]
	name = name[len(headerPrefixPattern().FindString(name)):]
	s := Section{Path: name, Line: r.number}
	if m := taggedPattern().FindStringSubmatch(name); m != nil {
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

// addRow adds a row to the body of h. text is the row without its +, and line the complete line of
// the patch.
func (r *patchReader) addRow(h *Hunk, text, line string) error {
	switch {
	case h == nil:
		return patchError("line %d: payload line has no preceding hunk header. Use `replace N..M:`, `delete N..M`, or "+
			"`insert before|after|head|tail:` above the body. Got %q.", r.number, line)
	case h.Block && !h.takesBody():
		return patchError("line %d: `delete block N` does not take body rows. Remove the body, or use `replace "+
			"block N:` "+
			"to replace the block.", r.number)
	case !h.takesBody():
		return patchError("line %d: `delete N..M` does not take body rows. Remove the body, or use `replace N..M:`.",
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

// parseVerb parses the header of a hunk. ok is false if line is none.
func (r *patchReader) parseVerb(line string) (h Hunk, ok bool, err error) {
	m := verbPattern().FindStringSubmatch(line)
	if m == nil {
		return h, false, nil
	}
	h = Hunk{Verb: verbByName[m[1]], Line: r.number}
	colon := ""
	switch rest := m[2]; {
	case h.Verb == Head || h.Verb == Tail:
		if !noSpanPattern().MatchString(rest) {
			return h, false, nil
		}
		return h, true, nil
	case blockPattern().MatchString(rest) && h.Verb != Before:
		b := blockPattern().FindStringSubmatch(rest)
		h.Block, colon = true, b[2]
		h.From, err = parseLineNumber(b[1], r.number)
		h.To = h.From
	case spanPattern().MatchString(rest):
		parts := spanPattern().FindStringSubmatch(rest)
		colon = parts[3]
		if h.From, err = parseLineNumber(parts[1], r.number); err == nil && parts[2] != "" {
			h.To, err = parseLineNumber(parts[2], r.number)
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
		return h, false, patchError("line %d: range %d..%d ends before it starts.", r.number, h.From, h.To)
	case h.Verb == Delete && colon != "" && h.Block:
		return h, false, patchError("line %d: `delete block N` does not take body rows. Remove the body, or use "+
			"`replace block N:` to replace the block.", r.number)
	case h.Verb == Delete && colon != "":
		return h, false, patchError("line %d: `delete N..M` does not take body rows. Remove the body, or use "+
			"`replace N..M:`.", r.number)
	}
	return h, true, nil
}

// parseLineNumber parses a line number of the file, which is at least 1. at is the line of the
// patch, for the error.
func parseLineNumber(text string, at int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, patchError("line %d: %s is no line of a file: lines are counted from 1.", at, text)
	}
	return n, nil
}
