package config

// InspectImage turns on the tool inspect_image: another model describes pictures to a model that
// does not accept them.
type InspectImage struct {
	Enabled bool `toml:"enabled"`
	// The model that looks at the pictures; "": the first one that is known to accept pictures.
	Model string `toml:"model"`
}
