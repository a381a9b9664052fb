package approval

// Subject is a prepared call as rules and modes see it.
type Subject struct {
	Tool string
	// root-relative real path of a file tool, else ""; `<root>/rest` for a root that is not the
	// default one
	Path    string
	Also    []string // further paths of the same call (diff has two)
	Command string   // command line of bash, else ""
	Hash    string   // of a foreign tool's schema and description, else ""
	Mutates bool
	Flags   []Flag
	Asks    bool // the call carries a proposal
	// Confined: the system keeps the command to the workspace, see package sandbox.
	Confined bool
	// Reads says why a call that counts as one that changes something may do more than read the
	// workspace; "": it does nothing else. Nil: nobody knows.
	Reads func() (why string) `json:"-"`
}

// Action is what is to be done with a call.
type Action uint8

const (
	Ask   Action = iota // ask the person; without a proposal there is nothing to ask and the call runs
	Allow               // run without asking
	Deny                // refuse without asking
)

// String returns the verb of rules.
func (a Action) String() string { return [...]string{"ask", "allow", "deny"}[a] }

// Verdict is what rules and modes say about a call before a person is asked. The zero value asks.
type Verdict struct {
	Action Action
	By     string // rule, flag, mode or sandbox: what led to the action; "" for a plain Ask
	Rule   string // the exact text of the rule that decided, or ""
	Reason string // one line, for the model and the person, of a Deny, and of an Ask by mode or sandbox
	// Reading: it is allowed because it only reads, and has to be run so that it can do nothing
	// else.
	Reading bool
}
