package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// outputSchema is the JSON schema that the result of a subagent must match. The zero value accepts
// any text.
type outputSchema struct {
	text json.RawMessage // text is the schema in the form that the model is shown; nil: any text is valid.
	// resolved is the parsed schema.
	resolved *jsonschema.Resolved
}

// newOutputSchema parses a JSON schema; nil accepts any text. It returns an error for a schema with
// $ref, because checking against a schema that refers to itself would not end.
func newOutputSchema(text json.RawMessage) (outputSchema, error) {
	if text == nil {
		return outputSchema{}, nil
	}
	var whole any
	if err := json.Unmarshal(text, &whole); err != nil {
		return outputSchema{}, err
	}
	if refers(whole) {
		return outputSchema{}, errors.New("it has a $ref, which is not understood: write out what it means")
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		return outputSchema{}, err
	}
	resolved, err := s.Resolve(nil)
	return outputSchema{text, resolved}, err
}

// refers reports whether a decoded schema has a $ref or a similar keyword anywhere.
func refers(schema any) bool {
	switch v := schema.(type) {
	case map[string]any:
		for name, value := range v {
			if strings.HasSuffix(strings.ToLower(name), "ref") && strings.HasPrefix(name, "$") || refers(value) {
				return true
			}
		}
	case []any:
		for _, value := range v {
			if refers(value) {
				return true
			}
		}
	}
	return false
}

// check returns the result to pass on, or an error that says how it violates the schema. If the
// result is a string that contains matching JSON, and a string does not match, that JSON is
// returned.
func (o outputSchema) check(result json.RawMessage) (json.RawMessage, error) {
	if o.resolved == nil || len(result) == 0 {
		return result, nil
	}
	err := o.matches(result)
	var text string
	if err != nil && json.Unmarshal(result, &text) == nil && json.Valid([]byte(text)) &&
		o.matches([]byte(text)) == nil {
		return json.RawMessage(text), nil
	}
	if err != nil {
		return nil, fmt.Errorf("result does not match what your work has to give: %w", err)
	}
	return result, nil
}

// matches returns an error if a JSON value does not match the schema.
func (o outputSchema) matches(value []byte) error {
	var v any
	if err := json.Unmarshal(value, &v); err != nil {
		return err
	}
	return o.resolved.Validate(v)
}
