package config

// Rules holds the settings for rules that watch the model's output while it streams. Some rules
// ship with the program.
type Rules struct {
	Builtin  *bool    `toml:"builtin"`  // The rules that ship with the program apply; nil: they do.
	Disabled []string `toml:"disabled"` // The names of rules that do not apply.
	// The defaults of rules that do not set these: the number of answers after which the model is
	// reminded of a rule again (0: never), whether a violation interrupts the model ("always",
	// "never"), and whether the interrupted text stays in the conversation ("discard", "keep").
	Repeat    int    `toml:"repeat"`
	Interrupt string `toml:"interrupt"`
	Context   string `toml:"context"`
}
