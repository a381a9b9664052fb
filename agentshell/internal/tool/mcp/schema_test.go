package mcp

import (
	"encoding/json"
	"strings"
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
		`{"type":"object","properties":[]}`:                   `{"properties":{},"type":"object"}`,
		`{"type":"object","properties":null,"required":null}`: `{"properties":{},"type":"object"}`,
		`{"type":"object","properties":{"a":"string","b":null}}`: `` +
			`{"properties":{"a":{"type":"string"},"b":{}},"type":"object"}`,
		`{"type":"object","properties":{"a":{"type":"str"},"b":{"type":"whatever","description":"d"}}}`: `` +
			`{"properties":{"a":{"type":"string"},"b":{"description":"d"}},"type":"object"}`,
		`{"type":"object","properties":{"a":{"type":"list","items":{"type":"int"}}},"required":"a"}`: `` +
			`{"properties":{"a":{"items":{"type":"integer"},"type":"array"}},"required":["a"],"type":"object"}`,
		// as they are
		`{"type":"object","properties":[{"name":"a"}]}`:                         "",
		`{ "type": "object", "properties": {"required": {"type": "boolean"}} }`: "",
		`{"type":"object","properties":{"t":{"$ref":"#/$defs/tree"}},"$defs":{"tree":{"type":"object","properties":` +
			`{"more":{"$ref":"#/$defs/tree"}}}}}`: "",
		`{"type":"string"}`: "", `[]`: "", `5`: "", `{`: "",
	} {
		got := string(repairSchema(json.RawMessage(text)))
		if want == "" {
			want = text
		}
		if got != want {
			t.Errorf("%s is\n%s, want\n%s", text, got, want)
		}
	}
}

// A tool without a schema is offered; one whose arguments are no object is left out by name.
func TestAToolWithoutASchemaIsOffered(t *testing.T) {
	t.Parallel()
	s := lister(t, func(string, string) string {
		return `{"tools":[{"name":"plain"},{"name":"empty","inputSchema":{}},` +
			`{"name":"text","inputSchema":{"type":"string"}}]}`
	})
	c, tools, err := Start(t.Context(), s, "0")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	const none = `{"properties":{},"type":"object"}`
	if len(tools) != 2 || string(tools[0].Schema) != none || string(tools[1].Schema) != none || len(c.Skipped) != 1 ||
		!strings.Contains(c.Skipped[0], `"text" is left out`) {
		t.Errorf("%s, left out %q", tools, c.Skipped)
	}
}
