package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A tool's arguments are a struct. Its tags are the schema that the model gets and what decode
// checks, so the two cannot differ:
//
//	json:"name"            required; json:"name,omitempty" or a pointer: optional
//	doc:"text"             the description
//	min:"0" max:"20"       bounds of an integer, inclusive
//	enum:"a b"             the only values of a string

// schemaOf returns the JSON schema of the argument struct T. The JSON is written directly, without
// intermediate values, because every start of the program needs the schemas of all tools.
func schemaOf[T any]() json.RawMessage {
	return appendSchema(make([]byte, 0, 1024), reflect.StructField{Type: reflect.TypeFor[T]()})
}

// schemaMap returns the JSON schema of the argument struct T as a map, so that the caller can
// change it.
func schemaMap[T any]() (s map[string]any) {
	if err := json.Unmarshal(schemaOf[T](), &s); err != nil {
		panic(err)
	}
	return s
}

// appendSchema appends the JSON schema of a struct field to dst. The keys of each object are
// sorted, as [json.Marshal] sorts those of a map.
func appendSchema(dst []byte, f reflect.StructField) []byte {
	t := f.Type
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	dst = append(dst, '{')
	if t.Kind() == reflect.Struct {
		dst = append(dst, `"additionalProperties":false,`...)
	}
	if doc := f.Tag.Get("doc"); doc != "" {
		dst = append(appendText(append(dst, `"description":`...), doc), ',')
	}
	if enum := f.Tag.Get("enum"); enum != "" {
		dst = append(appendTexts(append(dst, `"enum":`...), strings.Fields(enum)), ',')
	}
	if t.Kind() == reflect.Slice {
		dst = append(appendSchema(append(dst, `"items":`...), reflect.StructField{Type: t.Elem()}), ',')
	}
	for _, bound := range [...]struct{ tag, word string }{{"max", `"maximum":`}, {"min", `"minimum":`}} {
		if n, found := f.Tag.Lookup(bound.tag); found {
			dst = append(append(append(dst, bound.word...), n...), ',')
		}
	}
	if t.Kind() == reflect.Struct {
		dst = appendProperties(dst, t)
	}
	return append(append(append(dst, `"type":"`...), jsonType(t)...), '"', '}')
}

// appendProperties appends the schema properties of a struct: the schema of each field, and the
// list of required fields.
func appendProperties(dst []byte, t reflect.Type) []byte {
	all, required := fields(t), []string{}
	for _, f := range all {
		if f.required {
			required = append(required, f.name)
		}
	}
	slices.SortFunc(all, func(a, b field) int { return strings.Compare(a.name, b.name) })
	dst = append(dst, `"properties":{`...)
	for i, f := range all {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendSchema(append(appendText(dst, f.name), ':'), f.StructField)
	}
	return append(appendTexts(append(dst, `},"required":`...), required), ',')
}

// jsonType returns the JSON schema type of the Go type t, such as "string". It panics for types
// that arguments cannot have.
func jsonType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Int:
		return "integer"
	case reflect.Float64:
		return "number"
	case reflect.Slice:
		return "array"
	case reflect.Map, reflect.Struct:
		return "object"
	}
	panic("no schema for " + t.String())
}

// appendTexts appends a list of strings as a JSON array.
func appendTexts(dst []byte, all []string) []byte {
	dst = append(dst, '[')
	for i, s := range all {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendText(dst, s)
	}
	return append(dst, ']')
}

// appendText appends a string as JSON.
func appendText(dst []byte, s string) []byte {
	escaped := func(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune(`"\\<>&`, r) }
	if strings.IndexFunc(s, escaped) < 0 {
		return append(append(append(dst, '"'), s...), '"')
	}
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a text always marshals
	}
	return append(dst, b...)
}

// field is a field of an argument struct, with its JSON name.
type field struct {
	reflect.StructField
	name     string
	required bool
}

// fields returns the fields of the argument struct type t.
func fields(t reflect.Type) []field {
	fs := make([]field, 0, t.NumField())
	for i := range t.NumField() {
		f := t.Field(i)
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		fs = append(fs, field{f, name, opts != "omitempty" && f.Type.Kind() != reflect.Pointer})
	}
	return fs
}

// decode parses the JSON arguments of a call into a T. It returns an invalid_args error, which
// names the argument, for everything that the schema does not allow (HARN-2). Some harmless
// deviations are corrected first: see [understood].
func decode[T any](input json.RawMessage) (args T, err error) {
	if len(bytes.TrimSpace(input)) == 0 {
		input = json.RawMessage("{}")
	}
	if !utf8.Valid(input) {
		return args, invalidArgs("the arguments are not valid UTF-8")
	}
	if !json.Valid(input) {
		return args, invalidArgs("the arguments are not valid JSON: %v", json.Unmarshal(input, new(any)))
	}
	if at := loneSurrogate(input); at >= 0 {
		return args, invalidArgs("the arguments have half of a surrogate pair at byte %d", at)
	}
	input = understood(reflect.TypeFor[T](), input)
	err = check(reflect.TypeFor[T](), input, "")
	if err != nil {
		return args, err
	}
	if err := json.Unmarshal(input, &args); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return args, invalidArgs("%s must be %s, got %s", orArguments(wrong.Field), typeWord(wrong.Type),
				wrong.Value)
		}
		return args, invalidArgs("the arguments are not valid: %v", err)
	}
	return args, nil
}

// understood corrects arguments that deviate from the schema but can only mean one thing: a string
// instead of a list of one string, a list that is encoded as a string, and 3.0 instead of 3.
func understood(t reflect.Type, input json.RawMessage) json.RawMessage {
	given, err := object(input)
	if err != nil || t.Kind() != reflect.Struct {
		return input
	}
	changed := false
	for _, f := range fields(t) {
		v, ok := given[f.name]
		if !ok {
			continue
		}
		kind := f.Type
		for kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		var text string
		var number float64
		switch {
		case kind.Kind() == reflect.Slice && kind.Elem().Kind() == reflect.String && json.Unmarshal(v, &text) == nil &&
			string(v) != "null":
			given[f.name], changed = listOf(v, text), true
		case kind.Kind() == reflect.Int && json.Unmarshal(v, &number) == nil && string(v) != "null" &&
			number == math.Trunc(number) && math.Abs(number) < 1<<31:
			given[f.name], changed = strconv.AppendInt(nil, int64(number), 10), true
		}
	}
	if !changed {
		return input
	}
	object, err := json.Marshal(given)
	if err != nil { // what was read from JSON can be written
		return input
	}
	return object
}

// listOf returns a JSON array for a string that was given instead of one. v is the string's JSON.
// If text, its value, is itself a JSON array of strings, that array is returned, else an array of
// the one string.
func listOf(v json.RawMessage, text string) json.RawMessage {
	var list []string
	if json.Unmarshal([]byte(text), &list) == nil && len(list) > 0 {
		return json.RawMessage(text)
	}
	return slices.Concat([]byte("["), v, []byte("]"))
}

// check returns an error if the arguments have an unknown, a duplicate or a missing name, or a
// value outside of its bounds. at is the path of input in the arguments. encoding/json alone would
// accept names in another case, and the last of two equal names.
func check(t reflect.Type, input json.RawMessage, at string) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Slice:
		var items []json.RawMessage
		if json.Unmarshal(input, &items) == nil {
			for i, item := range items {
				if err := check(t.Elem(), item, fmt.Sprintf("%s[%d]", at, i)); err != nil {
					return err
				}
			}
		}
		return nil
	case reflect.Struct:
	default:
		return nil
	}
	given, err := object(input)
	if err != nil {
		return invalidArgs("%s must be an object", orArguments(at))
	}
	prefix := at
	if prefix != "" {
		prefix += "."
	}
	for _, f := range fields(t) {
		v, ok := given[f.name]
		delete(given, f.name)
		switch {
		case !ok || string(v) == "null":
			if f.required {
				return invalidArgs("%s is missing", prefix+f.name)
			}
			continue
		}
		if err := check(f.Type, v, prefix+f.name); err != nil {
			return err
		}
		if err := bounds(f, v, prefix+f.name); err != nil {
			return err
		}
	}
	for name := range given {
		return invalidArgs("%s is not an argument", strconv.Quote(prefix+name))
	}
	return nil
}

// bounds returns an error if the value v of a field is outside of the bounds, or none of the words,
// that the field's tags allow.
func bounds(f field, v json.RawMessage, name string) error {
	low, hasLow := f.Tag.Lookup("min")
	high, hasHigh := f.Tag.Lookup("max")
	if hasLow || hasHigh {
		n, err := strconv.Atoi(string(v))
		lo, _ := strconv.Atoi(low)
		hi, _ := strconv.Atoi(high)
		switch {
		case err != nil:
			return invalidArgs("%s must be an integer, got %s", name, v)
		case hasLow && n < lo || hasHigh && n > hi:
			if !hasHigh {
				return invalidArgs("%s must be at least %s, got %d", name, low, n)
			}
			return invalidArgs("%s must be between %s and %s, got %d", name, low, high, n)
		}
	}
	if enum := f.Tag.Get("enum"); enum != "" {
		var s string
		if json.Unmarshal(v, &s) == nil {
			for _, e := range strings.Fields(enum) {
				if e == s {
					return nil
				}
			}
			return invalidArgs("%s must be one of %s, got %q", name, strings.Join(strings.Fields(enum), ", "), s)
		}
	}
	return nil
}

// object returns the members of a JSON object by their names. It returns an error if two members
// have the same name.
func object(input json.RawMessage) (map[string]json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(input))
	if tok, err := d.Token(); err != nil || tok != json.Delim('{') {
		return nil, errors.New("no object")
	}
	members := map[string]json.RawMessage{}
	for d.More() {
		tok, err := d.Token()
		if err != nil {
			return nil, err
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return nil, err
		}
		name := tok.(string)
		if _, twice := members[name]; twice {
			return nil, fmt.Errorf("%q is given twice", name)
		}
		members[name] = v
	}
	if _, err := d.Token(); err != nil && err != io.EOF {
		return nil, err
	}
	return members, nil
}

// orArguments returns the name of an argument for an error, or "the arguments" if name is "".
func orArguments(name string) string {
	if name == "" {
		return "the arguments"
	}
	return name
}

// typeWord returns the type of an argument in words for an error, such as "an integer".
func typeWord(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int:
		return "an integer"
	case reflect.Float64:
		return "a number"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	}
	return "an object"
}

// loneSurrogate returns the offset of the first escape such as \ud800 that is only one half of a
// surrogate pair, or -1. encoding/json would silently replace it by U+FFFD.
func loneSurrogate(in []byte) int {
	escape := func(i int) (rune, bool) {
		if i+6 > len(in) || in[i] != '\\' || in[i+1] != 'u' {
			return 0, false
		}
		n, err := strconv.ParseUint(string(in[i+2:i+6]), 16, 32)
		return rune(n), err == nil
	}
	for i := 0; i < len(in); i++ {
		if in[i] != '\\' {
			continue
		}
		r, ok := escape(i)
		switch {
		case !ok:
			i++ // the escaped character, a second backslash for instance
		case r >= 0xD800 && r < 0xDC00:
			if low, ok := escape(i + 6); !ok || low < 0xDC00 || low > 0xDFFF {
				return i
			}
			i += 11
		case r >= 0xDC00 && r < 0xE000:
			return i
		default:
			i += 5
		}
	}
	return -1
}
