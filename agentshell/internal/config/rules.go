package config

// Rules says what holds for rules on the stream, and which of them hold.
type Rules struct {
	Builtin  *bool    `toml:"builtin"`  // with those that ship with the program; nil: yes
	Disabled []string `toml:"disabled"` // names of rules that do not hold
	// What holds for a rule that says nothing about it: the number of answers after which it is
	// told again (0: never), whether it interrupts ("always", "never"), and whether what it
	// interrupts stays ("discard", "keep").
	Repeat    int    `toml:"repeat"`
	Interrupt string `toml:"interrupt"`
	Context   string `toml:"context"`
}
