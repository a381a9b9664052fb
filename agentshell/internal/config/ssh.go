package config

// SSH turns on the tool ssh, and lists its hosts.
type SSH struct {
	Enabled bool `toml:"enabled"`
	// Aliases adds the hosts in ~/.ssh/config. The user must approve the first use of each.
	Aliases bool               `toml:"aliases"`
	Hosts   map[string]SSHHost `toml:"hosts"`
}

// SSHHost is a host for the tool ssh. For an empty field the configuration of the ssh program
// applies.
type SSHHost struct {
	Host  string `toml:"host"` // A name, an address, or an alias in ~/.ssh/config; "": the name of the table.
	User  string `toml:"user"`
	Port  int    `toml:"port"`
	Key   string `toml:"key"`   // The path of a private key, absolute or with ~ for the home directory.
	About string `toml:"about"` // The purpose of the host, for the model.
}
