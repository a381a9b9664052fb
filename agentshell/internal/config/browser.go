package config

// Browser turns on the tool browser.
type Browser struct {
	Enabled bool   `toml:"enabled"`
	Program string `toml:"program"` // The name or the path of the browser; "": the first one that is found.
}
