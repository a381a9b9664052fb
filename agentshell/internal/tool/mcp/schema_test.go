package mcp

import (
	"encoding/json"
	"testing"
)

// Schemas in the wild are mended where that loses nothing. What is right stays as it is, to the
// byte.
func TestSchemasInTheWildAreMended(t *testing.T) {
	for text, want := range map[string]string{
		``:                           `{"properties":{},"type":"object"}`,
		`null`:                       `{"properties":{},"type":"object"}`,
		`{}`:                         `{"properties":{},"type":"object"}`,
		`true`:                       `{"properties":{},"type":"object"}`,
		`{"properties":{"a":{}}}`:    `{"properties":{"a":{}},"type":"object"}`,
		`{"type":["object","null"]}`: `{"type":"object"}`,
		`{"type":"object","properties":{"a":{"type":"string"},"required":["a"]}}`: `` +
			`{"properties":{"a":{"type":"string"}},"required":["a"],"type":"object"}`,
		`{"type":"object","properties":{"a":{"type":"string","required":true},"b":{"required":false}}}`: `` +
			`{"properties":{"a":{"type":"string"},"b":{}},"required":["a"],"type":"object"}`,
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/none","description":"d"}}}`: `{"properties":{"a":` +
			`{"description":"d"}},"type":"object"}`,
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},` +
			`"$defs":{"x":{"$ref":"#/$defs/y"},"y":{"$ref":"#/$defs/x"}}}`: `` +
			`{"$defs":{"x":{},"y":{"$ref":"#/$defs/x"}},"properties":{"a":{"$ref":"#/$defs/x"}},"type":"object"}`,
		`{"type":"object","properties":{"n":{"type":"number","minimum":1,"exclusiveMinimum":true}}}`: `` +
			`{"properties":{"n":{"exclusiveMinimum":1,"type":"number"}},"type":"object"}`,
		// as they are
		`{ "type": "object", "properties": {"required": {"type": "boolean"}} }`: "",
		`{"type":"object","properties":{"t":{"$ref":"#/$defs/tree"}},"$defs":{"tree":{"type":"object","properties":` +
			`{"more":{"$ref":"#/$defs/tree"}}}}}`: "",
		`{"type":"string"}`: "", `[]`: "", `5`: "", `{`: "",
	} {
		got := string(mendSchema(json.RawMessage(text)))
		if want == "" {
			want = text
		}
		if got != want {
			t.Errorf("%s is\n%s, want\n%s", text, got, want)
		}
	}
}
