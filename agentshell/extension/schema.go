package extension

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

// SchemaOf returns the JSON schema of the struct type T, by the rules of [NewTool]. It panics if a
// field has a type without a JSON form, such as a channel.
func SchemaOf[T any]() string { return quote(schemaOf(reflect.TypeFor[T](), "")) }

// schemaOf returns the JSON schema of type t. place is the path of the field, for the message of a
// panic.
func schemaOf(t reflect.Type, place string) map[string]any {
	if t == reflect.TypeFor[json.RawMessage]() {
		return map[string]any{}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem(), place)
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Float32, reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Slice, reflect.Array:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem(), place+"[]")}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": schemaOf(t.Elem(), place+"[]")}
	case reflect.Interface:
		return map[string]any{}
	case reflect.Struct:
		return structSchema(t, place)
	}
	if t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64 {
		return map[string]any{"type": "integer"}
	}
	panic(fmt.Sprintf("extension: the field %s has a type without a JSON schema: %v", place, t))
}

// structSchema returns the JSON schema of a struct type.
func structSchema(t reflect.Type, place string) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" || f.Anonymous && name == "" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		field := schemaOf(f.Type, strings.TrimPrefix(place+"."+f.Name, "."))
		if doc := f.Tag.Get("doc"); doc != "" {
			field["description"] = doc
		}
		if enum := f.Tag.Get("enum"); enum != "" {
			field["enum"] = strings.Split(enum, ",")
		}
		properties[name] = field
		if f.Type.Kind() != reflect.Pointer && !strings.Contains(options, "omit") {
			required = append(required, name)
		}
	}
	schema := map[string]any{"type": "object", "properties": properties}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

// Manifest returns the text of the file extension.toml that describes e.
func (e Extension) Manifest() string {
	program := e.Program
	if program == nil {
		program = []string{"${dir}/" + filepath.Base(os.Args[0])}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "protocol = 1\nabout = %s\ncommand = %s\n", quote(e.About), quoteAll(program))
	for _, part := range []struct {
		name string
		has  bool
	}{{"status", e.Status != nil}, {"footer", e.Footer != nil}} {
		if part.has {
			fmt.Fprintf(&b, "%s = true\n", part.name)
		}
	}
	if len(e.Events) > 0 {
		fmt.Fprintf(&b, "events = %s\n", quoteAll(e.Events))
	}
	for _, c := range e.Commands {
		fmt.Fprintf(&b, "\n[[commands]]\nname = %s\nabout = %s\n", quote(c.Name), quote(c.About))
		if c.Args != "" {
			fmt.Fprintf(&b, "args = %s\n", quote(c.Args))
		}
		if c.Complete != nil {
			b.WriteString("complete = true\n")
		}
	}
	for _, t := range e.Tools {
		fmt.Fprintf(&b, "\n[[tools]]\nname = %s\nabout = %s\n", quote(t.Name), quote(t.About))
		if t.Kind != "" {
			fmt.Fprintf(&b, "kind = %s\n", quote(t.Kind))
		}
		fmt.Fprintf(&b, "schema = %s\n", tomlText(t.schema()))
	}
	for _, r := range e.Renderers {
		fmt.Fprintf(&b, "\n[[renderers]]\ntool = %s\n", quote(r.Tool))
		if r.Call != nil {
			b.WriteString("call = true\n")
		}
		if r.Result != nil {
			b.WriteString("result = true\n")
		}
	}
	return b.String()
}

// schema returns the JSON schema of the tool's input.
func (t Tool) schema() string {
	if t.Schema == "" {
		return `{"type":"object"}`
	}
	return t.Schema
}

// quote returns v as JSON. A JSON string is also a TOML string.
func quote(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // only types without JSON, which schemaOf refuses
	}
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\x7f", `\u007f`)
}

// quoteAll returns the list in the syntax of TOML.
func quoteAll(list []string) string {
	var quoted []string
	for _, s := range list {
		quoted = append(quoted, quote(s))
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// tomlText returns s as a TOML string, without escapes if possible.
func tomlText(s string) string {
	if strings.ContainsAny(s, "'\n\r\x00\x7f") {
		return quote(s)
	}
	return "'" + s + "'"
}
