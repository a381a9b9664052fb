package provider_test

import (
	"errors"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

func TestAnErrorSaysWhatItMeansAndWhetherItMayPass(t *testing.T) {
	broken := errors.New("reset by peer")
	tests := []struct {
		err   provider.Error
		text  string
		retry bool
	}{
		{provider.Error{Cause: broken}, "the connection to the model broke: reset by peer", true},
		{provider.Error{Status: 400, Message: "bad"}, "the provider answered 400: bad", false},
		{provider.Error{Status: 400, TooLong: true, Message: "prompt is too long: 3 > 2"},
			"the conversation no longer fits the model (400); /compact makes it smaller: prompt is too long: 3 > 2",
			false},
		{provider.Error{Status: 401, Message: "bad"}, "the provider refused the key (401): bad", false},
		{provider.Error{Status: 404}, "the provider does not know this model (404)", false},
		{provider.Error{Status: 413}, "the conversation no longer fits the model (413); /compact makes it smaller",
			false},
		{provider.Error{Status: 408}, "the provider answered 408", true},
		{provider.Error{Status: 429}, "rate limited (429)", true},
		{provider.Error{Status: 500}, "the provider answered 500", true},
		{provider.Error{Status: 503, Cause: errors.New("HTTP 503: ")}, "the provider answered 503", true},
		{provider.Error{Status: 529, Message: "x"}, "the provider is overloaded (529): x", true},
		{provider.Error{What: "the certificate is not trusted", Message: "x", Final: true},
			"the certificate is not trusted: x", false},
	}
	for _, test := range tests {
		if got := test.err.Error(); got != test.text || test.err.Retryable() != test.retry {
			t.Errorf("%q, may pass: %v; want %q, %v", got, test.err.Retryable(), test.text, test.retry)
		}
	}
	if !errors.Is(&tests[0].err, broken) {
		t.Error("the cause is lost")
	}
}
