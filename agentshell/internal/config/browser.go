package config

// Browser turns the tool browser on.
type Browser struct {
	Enabled bool   `toml:"enabled"`
	Program string `toml:"program"` // name or path of the browser; "": the first that is found
}
