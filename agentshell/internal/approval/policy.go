package approval

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// The modes of a session (PANE-10). The mode decides about calls to which no rule applies.
const (
	ModeAsk   = "ask"
	ModeEdits = "edits" // mode in which file changes without a flag run without a question
	ModePlan  = "plan"  // mode in which calls that change something are denied
	// ModeTrusted runs every call without a flag. If commands run in a sandbox, these include
	// commands that no rule can cover. It can be chosen only on the command line.
	ModeTrusted = "trusted"
	// ModeUnconfined runs every call that no rule denies or asks about. It can be chosen only on
	// the command line.
	ModeUnconfined = "unconfined"
)

// Policy decides by rules, flags and the mode whether a call runs, is denied, or needs the user's
// answer. It is safe for use by several goroutines. The zero value asks about every call.
type Policy struct {
	mu     sync.Mutex
	mode   string
	broad  string
	rules  []Entry
	folds  func(path string) bool
	inHome InHome
	finds  Finder
	tools  Tools

	keeper   Keeper
	unread   error    // why the stored rules cannot be read, so that none of them applies
	listed   []Entry  // the rules in the list that the user saw last
	commands []string // recent command lines of this session
	watch    func()   // called after each change of the mode; nil: nothing is called
}

// Entry is a rule of a Policy, with its origin: flag, config, workspace, grant (this session), or
// one of the origins that [Kept] sets.
type Entry struct {
	Rule   Rule
	Origin string
	For    Grantee
}

// PolicyConfig configures a new Policy.
type PolicyConfig struct {
	Mode  string // the mode at the start; "": ask
	Rules []Entry
	// Broad is the reason why only the modes ask and plan are allowed in this workspace, or "" (see
	// workspace.WhyBroad).
	Broad string
	// Folds reports whether the file system ignores case and similar differences in a path (see
	// workspace.FoldsCase). If so, deny and ask rules also match other spellings of the path. nil:
	// it does not. Folds is called only if the result matters.
	Folds func(path string) bool
	// InHome compares paths with rules about files in the home directory. nil: the home directory
	// is not known; then such an allow rule matches nothing, and such a deny or ask rule matches
	// every path.
	InHome InHome
	// Finds resolves the name of a command to a program file, for deny and ask rules. nil: these
	// rules compare only words.
	Finds Finder
	// Tools holds the traits of all known tools. An unknown tool is assumed to show contents of
	// files.
	Tools Tools
	// Keeper stores rules beyond the session; nil: rules cannot be stored. The stored rules are
	// read again before each decision.
	Keeper Keeper
}

// NewPolicy returns a policy. It returns an error for an unknown mode, for a mode that is not
// allowed here, and for a rule of a workspace that is not a deny rule (FS-33).
func NewPolicy(cfg PolicyConfig) (*Policy, error) {
	p := &Policy{mode: cfg.Mode, broad: cfg.Broad, folds: cfg.Folds, inHome: cfg.InHome, finds: cfg.Finds,
		tools: cfg.Tools, keeper: cfg.Keeper}
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
	p.rereadKept()
	return p, nil
}

// Mode returns the current mode.
func (p *Policy) Mode() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.mode == "" {
		return ModeAsk
	}
	return p.mode
}

// SetMode changes the mode. It returns an error for the modes trusted and unconfined, and for edits
// if the workspace is too broad.
func (p *Policy) SetMode(mode string) error {
	if err := p.changeMode(mode); err != nil {
		return err
	}
	p.mu.Lock()
	watch := p.watch
	p.mu.Unlock()
	if watch != nil {
		watch()
	}
	return nil
}

// Watch makes the policy call f after each change of the mode, on the goroutine that called
// SetMode.
func (p *Policy) Watch(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watch = f
}

func (p *Policy) changeMode(mode string) error {
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

// Edits reports whether the mode edits may be chosen in this workspace.
func (p *Policy) Edits() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.broad == ""
}

// Next returns the mode that Shift+Tab switches to: from ask to edits, then plan, then ask.
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

// Decide decides about a call by the steps of [Precedence]. A deny rule wins over an ask rule, and
// that over an allow rule, whatever their order. The user is asked about a call with a flag
// (PANE-7, FS-34), unless it is denied, the mode is unconfined, or a rule names exactly this call.
func (p *Policy) Decide(s Subject) Verdict {
	if p == nil {
		return Verdict{}
	}
	p.mu.Lock()
	p.rereadKept()
	p.rememberCommand(s.Command)
	p.mu.Unlock()
	return p.request(s).decide()
}

// request returns the call with the mode and the rules that apply to its caller.
func (p *Policy) request(s Subject) *request {
	p.mu.Lock()
	rules, mode := slices.Clone(p.rules), p.mode
	p.mu.Unlock()
	for i := range rules {
		rules[i].Rule.inHome = p.inHome
	}
	rules = slices.DeleteFunc(rules, func(e Entry) bool { return !e.For.includes(s.Caller) })
	return &request{Subject: s, mode: mode, rules: rules, line: readLine(s, p.finds), folds: p.folds,
		tools: p.tools}
}

// hasOtherFlag reports whether the call has a flag other than FlagOpaque and FlagLeads, which only
// restrict rules. The user is asked about a call with another flag even if it is confined or only
// reads.
func (s Subject) hasOtherFlag() bool {
	return slices.ContainsFunc(s.Flags, func(f Flag) bool { return f.Name != FlagOpaque && f.Name != FlagLeads })
}

// isFlaggedForRules reports whether the call has a flag that keeps allow rules from applying.
func (s Subject) isFlaggedForRules() bool {
	return slices.ContainsFunc(s.Flags, func(f Flag) bool { return f.Name != FlagOpaque })
}

// whyNotReadOnly returns why a call that counts as a change may do more than read, or "". If there
// are rules about which files may be read, no command counts as reading, because commands do not
// obey these rules. Plan mode denies such a call; the other modes ask the user.
func whyNotReadOnly(s Subject, rules []Entry, tools Tools) string {
	const nothing = "blocked by plan mode (read-only)"
	if s.Reads == nil {
		return nothing
	}
	if limitsReading(rules, tools) {
		return nothing + "; rules say what may be read here, so use the file tools to read"
	}
	if why := s.Reads(); why != "" {
		return nothing + "; " + why
	}
	return ""
}

// writeSubject returns the call of write_file to which rules are applied for a file that a
// redirection writes.
func writeSubject(file string) Subject {
	return Subject{Tool: "write_file", Path: file, Mutates: true, Asks: true}
}

// allowedByRules returns the texts of the rules that together allow the call, and whether they do.
// In a command line, each command must be covered by a rule or only read, and at least one by a
// rule. Each file that a redirection writes must be covered by a rule of write_file, or by the mode
// edits. A dangerous command is covered only by a rule that names the dangerous words.
func (r *request) allowedByRules() (string, bool) {
	for _, e := range r.rules {
		if e.Rule.Action == Allow && e.Rule.matches(r.Subject, r.line) &&
			(r.Tool != "bash" || Danger(r.Command) == "") {
			return e.Rule.text, true
		}
	}
	if r.Tool != "bash" {
		return "", false
	}
	for _, e := range r.rules {
		if e.Rule.Action == Allow && e.Rule.allowsLine(r.Command, r.line) {
			return e.Rule.text, true
		}
	}
	if r.line.unread != "" {
		return "", false
	}
	c := coverage{rules: r.rules}
	for i, part := range r.line.Parts {
		if !c.cover(func(r Rule) bool { return r.allowsPart(part) }) {
			c.open = append(c.open, i)
		} else if !slices.Equal(part.Dirs, topOnly) {
			c.elsewhere = true
		}
	}
	for _, file := range r.line.Writes {
		if r.mode != ModeEdits && !c.cover(func(rule Rule) bool { return rule.matches(writeSubject(file), r.line) }) {
			return "", false
		}
	}
	if !c.elsewhere { // nothing that a rule allows runs where a cd leads
		c.open = slices.DeleteFunc(c.open, func(i int) bool { return isCd(r.line.Parts[i].Words) })
	}
	allowed := len(c.used) > 0 && (len(c.open) == 0 || r.reads(c.open))
	return strings.Join(c.used, ", "), allowed
}

// reads reports whether the given parts of the line only read. The parts are given by their
// indexes.
func (r *request) reads(parts []int) bool {
	return r.Beside != nil && len(r.line.Variables) == 0 && !limitsReading(r.rules, r.tools) && r.Beside(parts) == ""
}

// topOnly is the value of Part.Dirs for a part that can run only in the top directory of the
// workspace.
var topOnly = []string{"."}

// coverage collects which allow rules cover the parts of a command line.
type coverage struct {
	rules     []Entry
	used      []string // the texts of the rules that cover a part of the line
	open      []int    // the indexes of the parts of the line that no rule covers
	elsewhere bool     // a covered part may run in a subdirectory of the workspace
}

// cover reports whether there is an allow rule for which by returns true. It adds the first one to
// used.
func (c *coverage) cover(by func(r Rule) bool) bool {
	i := slices.IndexFunc(c.rules, func(e Entry) bool { return e.Rule.Action == Allow && by(e.Rule) })
	if i >= 0 && !slices.Contains(c.used, c.rules[i].Rule.text) {
		c.used = append(c.used, c.rules[i].Rule.text)
	}
	return i >= 0
}

// Offers returns the allow rules that the key `a` offers for a call, the narrowest first, with the
// exact texts that would be stored. Each offer is one rule, or several joined by [RuleSeparator]
// for a line with several parts. For a command, the first offer covers only this command; the next
// one covers the program with its subcommand, followed by any words that the program's table calls
// harmless. There are no offers for a flagged call (PANE-7), or if an ask rule applies to the call,
// because that rule would win.
func (p *Policy) Offers(s Subject) []string {
	if p.asksByRule(s) {
		return nil
	}
	if offer := pageOffer(s); offer != "" {
		return []string{offer}
	}
	if s.isFlaggedForRules() {
		return nil
	}
	var offers []string
	switch {
	case s.Tool == "bash":
		if offers = commandOffers(p.needsRules(s)); len(offers) == 0 {
			offers = lineOffers(s.Command)
		}
	case strings.HasPrefix(s.Tool, "mcp__") && s.Hash != "": // for this form of the tool only (PANE-14)
		server, name, _ := strings.Cut(strings.TrimPrefix(s.Tool, "mcp__"), "__")
		offers = append(offers, "mcp("+server+"/"+name+"@"+s.Hash+")")
	case strings.HasPrefix(s.Tool, extensionPrefix): // the user has read what the program registers
		offers = append(offers, s.Tool)
	case s.Name != "":
		offers = append(offers, s.Tool+"("+escapeGlob(s.Name)+")")
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

// asksByRule reports whether an ask rule applies to the call.
func (p *Policy) asksByRule(s Subject) bool {
	if p == nil {
		return false
	}
	_, asks := p.request(s).firstRule(Ask)
	return asks
}

// needsRules returns the parsed command line of a call without the parts that only read, which need
// no rule.
func (p *Policy) needsRules(s Subject) ParsedCommand {
	line := s.Location.Parse(s.Command)
	if s.Beside == nil || line.unread != "" || len(line.Parts)+len(line.Writes) < 2 ||
		p != nil && limitsReading(p.Rules(), p.tools) {
		return line
	}
	var read []int
	for i := range line.Parts {
		if s.Beside([]int{i}) == "" {
			read = append(read, i)
		}
	}
	if len(read) == len(line.Parts) && len(line.Writes) == 0 || len(read) == 0 || s.Beside(read) != "" {
		return line
	}
	parts := line.Parts
	line.Parts = nil
	for i, part := range parts {
		if !slices.Contains(read, i) {
			line.Parts = append(line.Parts, part)
		}
	}
	return line
}

// takesPath reports whether rules for a tool contain a path. If the traits of tools are not known,
// it knows only the built-in file tools.
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

// Grant adds all allow rules of an offer for this session. After an error it has added none.
func (p *Policy) Grant(offer string) error { return p.grant(offer, Grantee{}) }

func (p *Policy) grant(offer string, whom Grantee) error {
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
		same := func(e Entry) bool {
			return e.Rule.text == r.text && e.Rule.Action == Allow && (e.For == whom || e.For == Grantee{})
		}
		if !slices.ContainsFunc(p.rules, same) {
			p.rules = append(p.rules, Entry{Rule: r, Origin: "grant", For: whom})
		}
	}
	return nil
}

// Rules returns all rules, in order.
func (p *Policy) Rules() []Entry {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.rules)
}

// Explanations for the lists of rules and of modes.
const (
	RulesHint = "/rules keep N keeps a rule of this session for this workspace, /rules keep N everywhere for all; " +
		"/rules revoke N revokes one. Deny beats ask, ask beats allow: /rules order lists all that decides."
	ModesHint = "ask: every change needs your approval. edits: file changes without a flag are written at once. " +
		"plan: read-only."
)

// String returns the entry in one line.
func (e Entry) String() string {
	origin := e.Origin
	if (e.For != Grantee{}) {
		origin += ", " + e.For.String()
	}
	return fmt.Sprintf("%s %s  (%s)", e.Rule.Action, e.Rule, origin)
}

// Revoke removes the rules with that exact text that were granted in this session, and reports
// whether there was one. It does not remove rules from flags and files.
func (p *Policy) Revoke(text string) bool { return p.revoke(text, "grant") }

func (p *Policy) revoke(text, origin string) bool {
	if e := (Entry{Origin: origin}); origin != "grant" && !e.isKept() {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.rules)
	p.rules = slices.DeleteFunc(p.rules, func(e Entry) bool { return e.Origin == origin && e.Rule.text == text })
	p.listed = nil
	return len(p.rules) < n
}
