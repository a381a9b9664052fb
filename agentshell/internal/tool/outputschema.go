package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// outputSchema is what a result has to look like. The zero value takes any text.
type outputSchema struct {
	text     json.RawMessage // as the model is shown it; nil: any text
	resolved *jsonschema.Resolved
}

// newOutputSchema reads a JSON schema; nil is any text. One that refers to a schema is refused,
// since a check of one that refers to itself does not end.
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

// refers reports whether a schema refers to another one.
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

// check returns a result as it is passed on, or what is wrong with it. A text that holds JSON is
// taken for it where a text is not allowed.
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

// matches returns what a value lacks.
func (o outputSchema) matches(value []byte) error {
	var v any
	if err := json.Unmarshal(value, &v); err != nil {
		return err
	}
	return o.resolved.Validate(v)
}
