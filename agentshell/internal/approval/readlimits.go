package approval

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/scrollkeep/scrollkeep/internal/fold"
)

// limitsReading reports whether there is a rule about which files may be read. Commands do not obey
// such rules by themselves.
func limitsReading(rules []Entry, tools Tools) bool { return limitOfReading(rules, tools) != "" }

// limitOfReading returns the first rule about which files may be read, or "".
func limitOfReading(rules []Entry, tools Tools) string {
	i := slices.IndexFunc(rules, func(e Entry) bool { return e.Rule.limitsReading(tools) })
	if i < 0 {
		return ""
	}
	return rules[i].Rule.text
}

// limitsReading reports whether this is a deny or ask rule about which files may be read.
func (r Rule) limitsReading(tools Tools) bool {
	return r.Action != Allow && tools.showsFiles(r.tool) && !isPage(r.glob)
}

// unkept returns a rule about which files may be read that the call could violate, or "". A command
// may read any file, unless a sandbox hides the files of such rules.
func (r *request) unkept() string {
	if r.Tool != "bash" && r.Tool != "eval" && !r.Confined {
		return ""
	}
	rule := limitOfReading(r.rules, r.tools)
	if rule != "" && r.Confined && r.Hides != nil {
		if r.notHidden = r.Hides(); r.notHidden == "" {
			return ""
		}
	}
	return rule
}

// mayReadLimited asks about a command that would run without a question although it could violate a
// rule about which files may be read.
func (r *request) mayReadLimited() (Verdict, bool) {
	rule := r.unkept()
	v := Verdict{Action: Ask, By: "rule", Rule: rule, Reason: "it can read what the rule " + rule + " keeps back"}
	if r.notHidden != "" {
		v.Reason += ": " + r.notHidden
	}
	return v, rule != "" && (r.runsUnasked() || r.mode == ModeUnconfined)
}

// ReadLimits holds the rules about which files may be read.
type ReadLimits struct {
	rules []Rule
	folds func(path string) bool
}

// ReadLimits returns the rules about which files may be read, for all agents.
func (p *Policy) ReadLimits() (l ReadLimits) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l.folds = p.folds
	for _, e := range p.rules {
		if e.Rule.limitsReading(p.tools) {
			e.Rule.inHome = p.inHome
			l.rules = append(l.rules, e.Rule)
		}
	}
	return l
}

// None reports whether there is no such rule, so that all files may be read.
func (l ReadLimits) None() bool { return len(l.rules) == 0 }

// First returns the text of the first rule. There must be one.
func (l ReadLimits) First() string { return l.rules[0].text }

// Nameless returns a rule that does not name its files by a pattern of read_file, so that nobody
// can search for them; "": there is none.
func (l ReadLimits) Nameless() string {
	for _, r := range l.rules {
		if r.tool != "read_file" || r.all || r.glob == "" || r.tilde && r.inHome == nil || r.glob == "**" {
			return r.text
		}
	}
	return ""
}

// InHome returns the globs of rules about files in the home directory.
func (l ReadLimits) InHome() (globs []string) {
	for _, r := range l.rules {
		if r.tilde {
			globs = append(globs, r.glob)
		}
	}
	return globs
}

// Names reports whether a rule matches the file.
func (l ReadLimits) Names(path string) bool { return slices.ContainsFunc(l.rules, l.matcher(path)) }

// NamesAllIn reports whether a rule matches all files below a directory.
func (l ReadLimits) NamesAllIn(folder string) bool {
	matches := l.matcher(folder)
	return slices.ContainsFunc(l.rules, func(r Rule) bool { return strings.HasSuffix(r.glob, "/**") && matches(r) })
}

func (l ReadLimits) matcher(path string) func(Rule) bool {
	s := Subject{Tool: "read_file", Path: path}
	return func(r Rule) bool { return r.matches(s, nil) || r.matchesFolded(s, l.folds) }
}

// MayName reports whether a rule may match some file below a directory.
func (l ReadLimits) MayName(folder string) bool {
	return slices.ContainsFunc(l.rules, func(r Rule) bool {
		if r.tilde || strings.ContainsAny(r.glob, `{\`) {
			return true
		}
		glob := strings.Split(fold.Path(r.glob), "/")
		for i, name := range strings.Split(fold.Path(folder), "/") {
			if i == len(glob) {
				return false
			} else if strings.Contains(glob[i], "**") {
				return true
			} else if ok, err := doublestar.Match(glob[i], name); err == nil && !ok {
				return false
			}
		}
		return len(glob) > strings.Count(folder, "/")+1
	})
}
