package config

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
)

// MCP is an MCP server: a program that is started without a shell, or a server that is reached over
// HTTP.
type MCP struct {
	Command []string `toml:"command"`
	URL     string   `toml:"url"`
	// TokenEnv names the variable with the bearer token for URL.
	TokenEnv string `toml:"token_env"`
	// ClientID, and the value of the variable ClientSecretEnv, identify the client in logins. The
	// authorization server of URL has given them to the person. "": the client is registered at the
	// login.
	ClientID        string `toml:"client_id"`
	ClientSecretEnv string `toml:"client_secret_env"`
	// Headers are sent to URL with each request.
	Headers map[string]string `toml:"headers"`
	// Resources lets the model read its resources (mcp://NAME/...) without a question.
	Resources bool `toml:"resources"`
	// Sampling lets the server ask the model, each time after a question to the person.
	Sampling bool `toml:"sampling"`
	// Env is the whole environment of the program: NAME=value, or NAME for the value of this
	// process.
	Env []string `toml:"env"`
	// TimeoutS limits a call, in seconds since its start or its last progress report; 0: 600.
	// StartTimeoutS limits the start until the tools are listed; 0: 60.
	TimeoutS      int `toml:"timeout_s"`
	StartTimeoutS int `toml:"start_timeout_s"`
}

// checkURL returns an error if the server cannot be used over HTTP.
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

// Check returns an error if a server with that name cannot be used. key is the setting in the table
// mcp.NAME that is wrong.
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

// MaxMCPName is the number of bytes that the name of a server may have.
const MaxMCPName = 64
