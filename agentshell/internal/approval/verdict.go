package approval

// Subject is a prepared call in the form that rules and modes are applied to.
type Subject struct {
	Tool string
	// the path of a file tool, as [workspace.Path.Match] returns it; "" for other tools
	Path    string
	Also    []string // further paths of the same call, such as the second one of diff
	Name    string   // for a tool with a NameSubject, such as a host: that name; otherwise ""
	Command string   // the command line of bash; "" for other tools
	Hash    string   // for a tool of an MCP server: a hash of its schema and description; otherwise ""
	Mutates bool
	Flags   []Flag
	Asks    bool // the call has a proposal that the user can be asked about
	// Confined is true if a sandbox restricts the command to the workspace, see package sandbox.
	Confined bool
	// Hides returns why the sandbox of a confined command may not hide all files that must not be
	// read according to rules; "": it hides them. The function searches for the files. nil: the
	// sandbox hides nothing.
	Hides func() (why string) `json:"-"`
	// Reads returns why a call that counts as a change may do more than read files of the
	// workspace; "": it only reads. nil: that is not known.
	Reads func() (why string) `json:"-"`
	// Location is the directory in which Command runs.
	Location Location `json:"-"`
	// Beside returns why some parts of Command may do more than read files of the workspace; "":
	// they only read. It is called for the parts that no rule allows. parts are indexes into
	// ParsedCommand.Parts. nil: that is not known.
	Beside func(parts []int) (why string) `json:"-"`
	// Caller is the sub-agent that makes the call, with its kind. [AgentPolicy] sets it.
	Caller Grantee `json:"-"`
}

// Action says what happens with a call.
type Action uint8

const (
	Ask   Action = iota // the user is asked; a call without a proposal runs
	Allow               // the call runs without a question
	Deny                // the call is denied without a question
)

// String returns the verb for the action in the rule language.
func (a Action) String() string { return [...]string{"ask", "allow", "deny"}[a] }

// Verdict is the result of applying rules and the mode to a call, before the user is asked. The
// zero value asks.
type Verdict struct {
	Action Action
	By     string // what decided: rule, flag, mode or sandbox; "" for an Ask without a special reason
	Rule   string // the exact text of the rule that led to the action, or ""
	// one line: for a Deny, the reason for model and user; for an Ask, why the user is asked, if
	// there is more to say
	Reason string
	// Reading is true if the call is allowed because it only reads. The caller must run it in a way
	// that cannot do more.
	Reading bool
}
