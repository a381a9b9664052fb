package approval

// Subject is a prepared call as rules and modes see it.
type Subject struct {
	Tool string
	// path of a file tool as [workspace.Path.Match] returns it, else ""
	Path    string
	Also    []string // further paths of the same call (diff has two)
	Name    string   // what a call with a NameSubject is about, else ""
	Command string   // command line of bash, else ""
	Hash    string   // of the schema and description of a foreign tool, else ""
	Mutates bool
	Flags   []Flag
	Asks    bool // the call has a proposal
	// Confined is true if the system confines the command to the workspace, see package sandbox.
	Confined bool
	// Hides returns why the sandbox of a confined command may not hide all files that rules keep
	// back; "": it does. It looks for the files. A nil Hides means that it does not.
	Hides func() (why string) `json:"-"`
	// Reads returns why a call that counts as a change may do more than read the workspace; "": it
	// only reads. A nil Reads means that this is not known.
	Reads func() (why string) `json:"-"`
	// Location is where Command runs.
	Location Location `json:"-"`
	// Beside returns why some parts of Command may do more than read the workspace, though the
	// others run because rules allow them; "": they only read. parts are their indexes in the parts
	// of the parsed command. A nil Beside means that this is not known.
	Beside func(parts []int) (why string) `json:"-"`
	// Caller is the agent that makes the call, and its kind. It is set by [AgentPolicy].
	Caller Grantee `json:"-"`
}

// Action is what happens with a call.
type Action uint8

const (
	Ask   Action = iota // ask the person; a call without a proposal runs
	Allow               // run without asking
	Deny                // refuse without asking
)

// String returns the verb that rules use.
func (a Action) String() string { return [...]string{"ask", "allow", "deny"}[a] }

// Verdict is what rules and modes decide about a call before a person is asked. The zero value
// asks.
type Verdict struct {
	Action Action
	By     string // what led to the action: rule, flag, mode or sandbox; "" for a plain Ask
	Rule   string // the exact text of the rule that decided, or ""
	Reason string // one line for the model and the person: of a Deny; of an Ask if there is more to say
	// Reading is true if the call is allowed because it only reads. It must be run so that it can
	// do nothing else.
	Reading bool
}
