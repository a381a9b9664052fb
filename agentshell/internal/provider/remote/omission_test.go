package remote

import (
	"fmt"
	"slices"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

func TestTheToolsThatARefusalNamesAreFound(t *testing.T) {
	tools := []provider.Tool{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	for text, want := range map[string][]int{
		"tools.1.custom.input_schema: JSON schema is invalid":                                    {1},
		"Invalid 'tools[2].function.name'; tools[2] again":                                       {2},
		"Invalid schema for function 'c': no tools.1 here":                                       {2},
		"Invalid schema for function 'x'":                                                        nil,
		"tools[0].function_declarations[2]: no":                                                  {2},
		"at tools[0].function_declarations[0].x: no; at tools[0].function_declarations[2].y: no": {0, 2},
		"tools.17: invalid":                   nil,
		"tools is not supported":              nil,
		"mytools.1":                           nil,
		"tools.99999999999999999999: invalid": nil,
	} {
		if got := refusedTools(text, tools); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

func TestAPartIsRefusedByItsWholeName(t *testing.T) {
	part := Omission{Name: "max_tokens", Words: []string{"limit of length"}}
	for text, want := range map[string]bool{
		"Unsupported parameter: 'max_tokens'":                               true,
		"maxTokens is not supported":                                        true,
		"unknown field \"max_tokens\"":                                      true,
		"There is no LIMIT OF LENGTH":                                       true,
		"max_tokens is too large: 9. This model supports at most 8":         false,
		"max_tokens is too large":                                           false,
		"Unsupported parameter: 'max_tokens_to_sample'":                     false,
		"Unsupported parameter: 'max_completion_tokens'":                    false,
		fmt.Sprintf("%s: Extra inputs are not permitted", "top_max_tokens"): false,
		"": false,
	} {
		if part.refuses(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
