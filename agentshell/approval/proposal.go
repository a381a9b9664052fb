package approval

// Proposal is one change that a person decides on: what is shown, what is granted and what is written are this value. It is immutable.
type Proposal struct {
	ID   string // unique in the process; an edited proposal is a new one
	Call string // the tool call's id
	Tool string
	// Payload is what a front end shows, by its type: [Write], [Edit], [Command], [Generic].
	Payload Payload
	Flags   []Flag
	// Before and After are the file's bytes; Before is nil for a new file. Nil both for a command.
	Before, After []byte
}

// Flag is one risk, in words that the pane shows above the keys; a flagged proposal asks for Y (PANE-5) and is never covered by a rule.
type Flag struct{ Name, Text string }

// Payload is a typed body.
type Payload interface{ Type() string }
