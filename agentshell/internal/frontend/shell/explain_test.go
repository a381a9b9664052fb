package shell

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

func TestAnErrorOfAProviderSaysWhatToDo(t *testing.T) {
	for do, err := range map[string]error{
		"Check base_url.":                &provider.Error{Status: 404, Advice: "Check base_url."},
		"another model with /model":      &provider.Error{Status: 404},
		"agentshell doctor says where":   &provider.Error{Status: 401},
		"set key_header":                 &provider.Error{Status: 401, Advice: "set key_header"},
		"asks to wait 60 min":            &provider.Error{Status: 429, RetryAfter: time.Hour},
		"Check that the server runs":     &provider.Error{},
		"/compact makes":                 &provider.Error{Status: 400, TooLong: true},
		"Send another message":           &provider.Error{Status: 400},
		"add the authority":              fmt.Errorf("wrapped: %w", &provider.Error{Advice: "add the authority"}),
		"Restart, or fix the script":     provider.ErrOtherConversation,
		"Send another message to try":    fmt.Errorf("anything"),
		"Send another message to contin": &provider.Excess{What: "a line is longer than 4 MiB"},
	} {
		if _, _, got := explainError(err); !strings.Contains(got, do) {
			t.Errorf("%v: %q, want %q", err, got, do)
		}
	}
}
