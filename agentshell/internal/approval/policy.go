package approval

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// The modes (PANE-10).
const (
	ModeAsk   = "ask"
	ModeEdits = "edits" // file writes without a flag run
	ModePlan  = "plan"  // nothing that changes anything runs
	// ModeTrusted: everything without a flag runs, and where commands are confined those that no
	// rule can speak of. Only from the command line.
	ModeTrusted = "trusted"
	// ModeUnconfined: everything runs that no rule denies or asks for. Only from the command line.
	ModeUnconfined = "unconfined"
)

// Policy decides calls from rules, flags and the mode. It is safe for use by several goroutines.
// The zero value asks.
type Policy struct {
	mu    sync.Mutex
	mode  string
	broad string
	rules []Entry
	folds func(path string) bool
	finds Finder
	tools Tools

	keeper Keeper
	seen   []string // command lines of this session
}

// Entry is a stored rule and where it comes from: flag, config, workspace, grant (this session), or
// [Kept].
type Entry struct {
	Rule   Rule
	Origin string
}

// PolicyConfig is what a policy begins with.
type PolicyConfig struct {
	Mode  string // "" is ask
	Rules []Entry
	// Broad, if not "", says why only mode ask is allowed (workspace.Broad).
	Broad string
	// Folds reports whether the file system takes other spellings for the file of a path
	// (workspace.Folds): rules that deny or ask see through those then. nil: it does not. It is
	// asked only where that decides.
	Folds func(path string) bool
	// Finds tells rules that deny or ask which file a command runs; nil: they compare its words
	// only.
	Finds Finder
	// Tools are the traits of the tools that there are; of others nobody knows what they show.
	Tools Tools
	// Keeper keeps rules beyond the session; nil: nobody does.
	Keeper Keeper
}

// NewPolicy makes a policy. An unknown mode is an error, and so is a rule of a workspace that is
// not a deny rule (FS-33).
func NewPolicy(cfg PolicyConfig) (*Policy, error) {
	p := &Policy{mode: cfg.Mode, broad: cfg.Broad, folds: cfg.Folds, finds: cfg.Finds, tools: cfg.Tools,
		keeper: cfg.Keeper}
	switch cfg.Mode {
	case "", ModeAsk:
		p.mode = ModeAsk
	case ModeEdits, ModePlan, ModeTrusted, ModeUnconfined:
		if cfg.Broad != "" && cfg.Mode != ModePlan {
			return nil, fmt.Errorf("%s, so only mode ask is allowed", cfg.Broad)
		}
	default:
		return nil, fmt.Errorf("there is no mode %q", cfg.Mode)
	}
	for _, e := range cfg.Rules {
		if e.Origin == "workspace" && e.Rule.Action != Deny {
			return nil, fmt.Errorf("the workspace may only deny, not %s %s", e.Rule.Action, e.Rule)
		}
		p.rules = append(p.rules, e)
	}
	return p, nil
}

// Mode returns the present mode.
func (p *Policy) Mode() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.mode == "" {
		return ModeAsk
	}
	return p.mode
}

// SetMode changes the mode. Trusted and unconfined cannot be chosen here, and a workspace that is
// too broad has ask and plan only.
func (p *Policy) SetMode(mode string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch mode {
	case ModeAsk, ModePlan:
	case ModeEdits:
		if p.broad != "" {
			return fmt.Errorf("%s, so only mode ask is allowed", p.broad)
		}
	case ModeTrusted, ModeUnconfined:
		return fmt.Errorf("mode %s can only be chosen at the start, with --mode %[1]s", mode)
	default:
		return fmt.Errorf("there is no mode %q", mode)
	}
	p.mode = mode
	return nil
}

// Edits reports whether mode edits can be chosen here.
func (p *Policy) Edits() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.broad == ""
}

// Next returns the mode that Shift+Tab leads to: ask, edits, plan, ask.
func (p *Policy) Next() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.mode == ModePlan || p.mode == ModeTrusted || p.mode == ModeUnconfined:
		return ModeAsk
	case p.mode == ModeEdits || p.broad != "":
		return ModePlan
	}
	return ModeEdits
}

// Decide says what becomes of a call, by the steps of [Precedence]: deny beats ask beats allow,
// whatever the order of the rules; a flag always asks (PANE-7, FS-34).
func (p *Policy) Decide(s Subject) Verdict {
	if p == nil {
		return Verdict{}
	}
	p.mu.Lock()
	rules, mode := slices.Clone(p.rules), p.mode
	p.see(s.Command)
	p.mu.Unlock()
	r := request{Subject: s, mode: mode, rules: rules, line: readLine(s, p.finds), folds: p.folds,
		tools: p.tools}
	return r.decide()
}

// flagged reports whether a flag makes a command one that is asked also where it is confined, or
// only reads. That no rule can speak of it does not matter there.
func (s Subject) flagged() bool {
	return slices.ContainsFunc(s.Flags, func(f Flag) bool { return f.Name != FlagOpaque })
}

// unread says why plan mode refuses a call that counts as one that changes something, and why other
// modes do not let it run by themselves, or "": it only reads, and no rule says what may be read,
// which a command would not know of.
func unread(s Subject, rules []Entry, tools Tools) string {
	const nothing = "blocked by plan mode (read-only)"
	if s.Reads == nil {
		return nothing
	}
	for _, e := range rules {
		if e.Rule.Action != Allow && tools.shows(e.Rule.tool) {
			return nothing + "; rules say what may be read here, so use the file tools to read"
		}
	}
	if why := s.Reads(); why != "" {
		return nothing + "; " + why
	}
	return ""
}

// writing returns the change of a file by a redirection, as rules see it.
func writing(file string) Subject {
	return Subject{Tool: "write_file", Path: file, Mutates: true, Asks: true}
}

// allowed looks for the rule that covers a call; of a command line each command must be covered by
// some rule, and each file that a redirection writes by one of write_file, or by mode edits. What
// is loud is covered only by a rule whose own words say it.
func allowed(rules []Entry, s Subject, line *line, edits bool) (string, bool) {
	for _, e := range rules {
		if e.Rule.Action == Allow && e.Rule.matches(s, line) && (s.Tool != "bash" || Loud(s.Command) == "") {
			return e.Rule.text, true
		}
	}
	if s.Tool != "bash" || line.Opaque != "" {
		return "", false
	}
	var used []string
	cover := func(by func(r Rule) bool) bool {
		i := slices.IndexFunc(rules, func(e Entry) bool { return e.Rule.Action == Allow && by(e.Rule) })
		if i >= 0 && !slices.Contains(used, rules[i].Rule.text) {
			used = append(used, rules[i].Rule.text)
		}
		return i >= 0
	}
	for _, c := range line.parts {
		if !cover(func(r Rule) bool { return r.tool == "bash" && !r.all && r.allows(c) && r.says(c) }) {
			return "", false
		}
	}
	for _, file := range line.Writes {
		if !edits && !cover(func(r Rule) bool { return r.matches(writing(file), line) }) {
			return "", false
		}
	}
	return strings.Join(used, ", "), true
}

// Offers returns the allow rules that key `a` offers for a proposal, with the exact text that would
// be stored; the narrowest stands first. One offer is one rule, or several joined by
// [RuleSeparator] for a line of several parts. For a command they are this command, and its program
// with the subcommand and any words that the program's table calls harmless. Nothing is offered for
// a flagged proposal (PANE-7).
func (p *Policy) Offers(s Subject) []string {
	if len(s.Flags) > 0 {
		return nil
	}
	var offers []string
	switch {
	case s.Tool == "bash":
		offers = commandOffers(ParseCommand(s.Command))
	case strings.HasPrefix(s.Tool, "mcp__") && s.Hash != "": // for this form of the tool only (PANE-14)
		server, name, _ := strings.Cut(strings.TrimPrefix(s.Tool, "mcp__"), "__")
		offers = append(offers, "mcp("+server+"/"+name+"@"+s.Hash+")")
	case s.Path != "" && len(s.Also) == 0 && p.takesPath(s.Tool):
		offers = append(offers, s.Tool+"("+escapeGlob(s.Path)+")")
		if other := map[string]string{"write_file": "edit_file", "edit_file": "write_file"}[s.Tool]; other != "" {
			offers = append(offers, other+"("+escapeGlob(s.Path)+")")
		}
	}
	return slices.DeleteFunc(offers, func(text string) bool {
		return slices.ContainsFunc(strings.Split(text, RuleSeparator), func(text string) bool {
			r, err := ParseRule(Allow, text)
			return err != nil || strings.ContainsAny(text, "\n\r\x00") || r.String() != text
		})
	})
}

// takesPath reports whether a rule about a tool names a path. A policy that was told of no tools
// knows those of which it speaks itself.
func (p *Policy) takesPath(tool string) bool {
	if p == nil || p.tools == nil {
		return slices.Contains([]string{"read_file", "write_file", "edit_file"}, tool)
	}
	return p.tools[tool].Subject == PathSubject
}

func escapeGlob(p string) string {
	var b strings.Builder
	for _, r := range p {
		if strings.ContainsRune(`*?[]{}\`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Grant stores the allow rules of an offer for this session: all of them, or none.
func (p *Policy) Grant(offer string) error {
	var rules []Rule
	for text := range strings.SplitSeq(offer, RuleSeparator) {
		r, err := ParseRule(Allow, text)
		if err != nil {
			return err
		}
		rules = append(rules, r)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range rules {
		same := func(e Entry) bool { return e.Rule.text == r.text && e.Rule.Action == Allow }
		if !slices.ContainsFunc(p.rules, same) {
			p.rules = append(p.rules, Entry{Rule: r, Origin: "grant"})
		}
	}
	return nil
}

// Rules returns all stored rules, in order.
func (p *Policy) Rules() []Entry {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.rules)
}

// Texts for lists of rules and modes, wherever they are shown.
const (
	NoRules   = "There are no rules: every change needs your approval."
	RulesHint = "/rules keep N keeps a rule of this session for this workspace, /rules keep N everywhere for all; " +
		"/rules revoke N revokes one. Deny beats ask, ask beats allow: /rules order lists all that decides."
	ModesHint = "ask: every change needs your approval. edits: file changes without a flag are written at once. " +
		"plan: read-only."
)

// String returns the entry in one line.
func (e Entry) String() string { return fmt.Sprintf("%s %s  (%s)", e.Rule.Action, e.Rule, e.Origin) }

// Revoke removes the grants of that exact text and reports whether there was one. Rules from flags
// and files stay.
func (p *Policy) Revoke(text string) bool { return p.revoke(text, "grant") }

func (p *Policy) revoke(text, origin string) bool {
	if origin != "grant" && origin != keptHere && origin != keptAll {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.rules)
	p.rules = slices.DeleteFunc(p.rules, func(e Entry) bool { return e.Origin == origin && e.Rule.text == text })
	return len(p.rules) < n
}
