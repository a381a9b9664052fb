package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Model is the table of one model: facts that the built-in table does not contain, and the server
// of the model if it is not the provider's usual one.
type Model struct {
	// The size of the context window in tokens: a request and its answer together.
	Window     int     `toml:"window"`
	Output     int     `toml:"output"` // The maximum number of tokens in an answer.
	Input      float64 `toml:"price_input"`
	Answer     float64 `toml:"price_output"`
	CacheRead  float64 `toml:"price_cache_read"`
	CacheWrite float64 `toml:"price_cache_write"`

	// Provider is the API of the model; "": the API of Config.Provider. ID is the provider's name
	// of the model; "": the name of this table.
	Provider string `toml:"provider"`
	ID       string `toml:"id"`
	// URL is the address of the API; "": the usual one. KeyEnv names the environment variable that
	// holds the key, and KeyCommand prints the key. No other key is sent to URL.
	URL        string   `toml:"url"`
	KeyEnv     string   `toml:"key_env"`
	KeyCommand []string `toml:"key_command"`
	// The HTTP header that contains the key; "": the provider's usual header.
	KeyHeader string `toml:"key_header"`
	Insecure  bool   `toml:"insecure"` // http, and requests without a key, are allowed on any host.
	// Headers lists HTTP headers for each request.
	Headers map[string]string `toml:"headers"`
	// For the provider openai: "chat" or "responses"; "": it depends on the address.
	API          string `toml:"api"`
	Effort       string `toml:"effort"` // The amount of reasoning, one of [Efforts]; "": the provider decides.
	SeesPictures *bool  `toml:"sees"`   // The model accepts pictures; nil: not known.
}

// Efforts returns the names of the amounts of reasoning that a model can be asked for.
func Efforts() []string { return []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"} }

// check returns an error if a setting of the table models.NAME is wrong.
func (m Model) check(name string) error {
	switch {
	case m.Window != 0 && m.Window < 4000 || m.Output < 0 || m.Window > 1<<30 || m.Output > 1<<30:
		return fmt.Errorf("window of models.%s must be at least 4000 tokens, and output more than 0", name)
	case m.Input < 0 || m.Answer < 0 || m.CacheRead < 0 || m.CacheWrite < 0:
		return fmt.Errorf("a price of models.%s is less than 0", name)
	case !slices.Contains([]string{"", "anthropic", "openai"}, m.Provider):
		return fmt.Errorf("provider of models.%s may be anthropic or openai, not %q", name, m.Provider)
	case !slices.Contains([]string{"", "chat", "responses"}, m.API):
		return fmt.Errorf("api of models.%s may be chat or responses, not %q", name, m.API)
	case m.Effort != "" && !slices.Contains(Efforts(), m.Effort):
		return fmt.Errorf("effort of models.%s may be %s, not %q", name, joinWithOr(Efforts()), m.Effort)
	case m.KeyEnv != "" && len(m.KeyCommand) > 0:
		return fmt.Errorf("models.%s has key_env and key_command; write one of them", name)
	case !headerName(m.KeyHeader):
		return fmt.Errorf("key_header of models.%s is no name of a header: %q", name, m.KeyHeader)
	case m.URL == "" && m.Insecure:
		return errors.New("insecure goes with a url")
	}
	return nil
}

// headerName reports whether name can be the name of an HTTP header. It returns true for "".
func headerName(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}
