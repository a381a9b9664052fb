package config

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
)

// MCP is the configuration of an MCP server: a program that the shell starts, or a server that is
// reached over HTTP.
type MCP struct {
	Command []string `toml:"command"`
	URL     string   `toml:"url"`
	// TokenEnv names the environment variable that holds the bearer token for URL.
	TokenEnv string `toml:"token_env"`
	// ClientID identifies the shell at the OAuth login to URL, together with the secret in the
	// environment variable ClientSecretEnv. The authorization server has given both to the user.
	// "": the shell registers itself at the login.
	ClientID        string `toml:"client_id"`
	ClientSecretEnv string `toml:"client_secret_env"`
	// Headers lists HTTP headers for each request to URL.
	Headers map[string]string `toml:"headers"`
	// Resources lets the model read the server's resources (mcp://NAME/...) without approval.
	Resources bool `toml:"resources"`
	// Sampling lets the server send requests to the model. The user must approve each.
	Sampling bool `toml:"sampling"`
	// Env is the whole environment of the program: NAME=value, or only NAME for the value that it
	// has in this process.
	Env []string `toml:"env"`
	// TimeoutS is the time limit of a tool call in seconds, counted from its start or its last
	// progress report; 0: 600. StartTimeoutS is the time limit from the start of the server until
	// it has listed its tools; 0: 60.
	TimeoutS      int `toml:"timeout_s"`
	StartTimeoutS int `toml:"start_timeout_s"`
}

// checkURL returns an error if the settings of a server with a URL are wrong.
func (m MCP) checkURL() error {
	u, err := url.Parse(m.URL)
	switch {
	case len(m.Command) > 0:
		return errors.New("it has a command and a url; write one of them")
	case len(m.Env) > 0:
		return errors.New("env goes with a command; a url gets token_env")
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return fmt.Errorf("%q is no address of the form https://host/path", m.URL)
	case u.User != nil:
		return errors.New("a key does not belong into the address; name a variable with token_env")
	}
	loopback := u.Hostname() == "localhost"
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil {
		loopback = ip.IsLoopback()
	}
	if u.Scheme == "http" && !loopback {
		return errors.New("http is for this machine only; write https")
	}
	return nil
}

// Check returns an error if the server with that name cannot be used. key is the wrong setting in
// the table mcp.NAME, such as ".url", or "".
func (m MCP) Check(name string) (key string, err error) {
	switch {
	case strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" || strings.Trim(name, "_") != name ||
		strings.Contains(name, "__") || name == "" || len(name) > MaxMCPName:
		return "", fmt.Errorf("the name of a server must be small letters, digits, - and _, at most %d", MaxMCPName)
	case m.TimeoutS < 0 || m.TimeoutS > 24*60*60:
		return ".timeout_s", errors.New("timeout_s may be 1 to 86400 seconds")
	case m.StartTimeoutS < 0 || m.StartTimeoutS > 3600:
		return ".start_timeout_s", errors.New("start_timeout_s may be 1 to 3600 seconds")
	case len(m.Command) == 0 && m.URL == "":
		return "", errors.New("it has neither a command nor a url")
	case m.URL != "":
		return ".url", m.checkURL()
	case m.TokenEnv != "":
		return ".token_env", errors.New("token_env goes with a url; a program gets what env lists")
	case m.ClientID != "":
		return ".client_id", errors.New("client_id goes with a url; a program has no login")
	case len(m.Headers) > 0:
		return ".headers", errors.New("headers go with a url; a program gets what env lists")
	case strings.ContainsAny(m.Command[0], `/\\`) && !filepath.IsAbs(m.Command[0]):
		return ".command", errors.New("the command could lead into a workspace: write a name or an absolute path")
	}
	return "", nil
}

// MaxMCPName is the maximum number of bytes in the name of a server.
const MaxMCPName = 64
