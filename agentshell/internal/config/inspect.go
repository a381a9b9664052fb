package config

// InspectImage says which model looks at pictures for one that does not see.
type InspectImage struct {
	Enabled bool   `toml:"enabled"`
	Model   string `toml:"model"` // "": the first one that is known to see
}
