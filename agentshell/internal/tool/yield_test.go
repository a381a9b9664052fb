package tool

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestAResultMatchesTheSchemaOfItsKindOrTheAgentIsToldWhatDiffers(t *testing.T) {
	schema := `{"type":"object","required":["n"],"properties":{"n":{"type":"integer"},"s":{"type":"string",` +
		`"enum":["low","high"]}},"additionalProperties":false}`
	for input, want := range map[string]string{
		`{"result":{"n":3,"s":"low"}}`:       "{\n  \"n\": 3,\n  \"s\": \"low\"\n}",
		`{"result":"{\"n\":3}"}`:             "{\n  \"n\": 3\n}",
		`{"result":{"n":"three"}}`:           `invalid_args: result does not match what your work has to give: `,
		`{"result":{"s":"low"}}`:             `required`,
		`{"result":{"n":1,"s":"wide"}}`:      `enum`,
		`{"result":{"n":1,"more":true}}`:     `additional`,
		`{"result":"all is well"}`:           `type`,
		`{"result":null}`:                    `type`,
		`{"error":"there is no such thing"}`: "error: there is no such thing",
		`{}`:                                 "invalid_args: yield needs a result, or an error",
		`{"result":`:                         "invalid_args: the input is no object",
	} {
		y, err := NewYield(json.RawMessage(schema))
		if err != nil {
			t.Fatal(err)
		}
		call, err := y.Prepare(t.Context(), "1", json.RawMessage(input))
		if err == nil {
			_, err = call.Run(t.Context(), nil)
		}
		text, fault, taken := y.Result()
		switch {
		case err != nil:
			text = Kind(err) + ": " + err.Error()
		case fault != "":
			text = "error: " + fault
		}
		if !strings.Contains(text, want) || taken != (err == nil) {
			t.Errorf("%s: %q, want %q", input, text, want)
		}
	}
	y, _ := NewYield(json.RawMessage(schema))
	if shown := string(y.Spec().Schema); !strings.Contains(shown, `"enum":["low","high"]`) ||
		!strings.Contains(shown, `"error"`) {
		t.Errorf("the model is shown %s", shown)
	}
	y.Reset()
	if _, _, taken := y.Result(); taken {
		t.Error("it is taken")
	}
}

func TestASchemaThatCouldCheckForEverIsRefused(t *testing.T) {
	for schema, want := range map[string]string{
		`{"$ref":"#"}`: "$ref",
		`{"properties":{"a":{"anyOf":[{"$dynamicRef":"#x"}]}}}`: "$ref",
		`{"type":"object`:            "unexpected end",
		`{"type":17}`:                "invalid value",
		`{"pattern":"("}`:            "regexp",
		`{"type":"object"}`:          "",
		`true`:                       "",
		`{"properties":{"ref":{}}}`:  "",
		`{"description":"no $refs"}`: "",
	} {
		_, err := NewYield(json.RawMessage(schema))
		if err == nil != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", schema, err, want)
		}
	}
}
