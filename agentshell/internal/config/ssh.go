package config

// SSH turns the tool ssh on, and lists its hosts.
type SSH struct {
	Enabled bool `toml:"enabled"`
	// Aliases adds the hosts that ~/.ssh/config names. The first use of each is always asked for.
	Aliases bool               `toml:"aliases"`
	Hosts   map[string]SSHHost `toml:"hosts"`
}

// SSHHost is a host for the tool ssh. What is empty is as the ssh program has it.
type SSHHost struct {
	Host  string `toml:"host"` // name or address, or an alias of ~/.ssh/config; "": the name of the table
	User  string `toml:"user"`
	Port  int    `toml:"port"`
	Key   string `toml:"key"`   // path of a private key; ~ is the home directory
	About string `toml:"about"` // what it is for; the model reads it
}
