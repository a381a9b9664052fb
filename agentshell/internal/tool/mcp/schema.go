package mcp

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// maxSchemaDepth is the depth to which nested schemas are repaired.
const maxSchemaDepth = 32

// repairSchema repairs the JSON schema of a tool's arguments so that model providers accept it. A
// missing schema becomes an empty object. Old drafts of JSON Schema and common mistakes are
// converted to what they mean. Anything else is returned unchanged.
func repairSchema(text json.RawMessage) json.RawMessage {
	var root any
	if len(text) > 0 && json.Unmarshal(text, &root) != nil {
		return text
	}
	if root == nil || root == true {
		root = map[string]any{}
	}
	s, is := root.(map[string]any)
	if !is {
		return text
	}
	before, _ := json.Marshal(s)
	switch kind := s["type"].(type) {
	case nil:
		if s["type"] = "object"; s["properties"] == nil {
			s["properties"] = map[string]any{}
		}
	case []any:
		if slices.Contains(kind, any("object")) {
			s["type"] = "object"
		}
	}
	repairNode(s, s, 0)
	after, err := json.Marshal(s)
	if err != nil || string(after) == string(before) {
		return text
	}
	return after
}

// repairNode repairs the schema s and the schemas within it. root is the complete schema.
func repairNode(root, s map[string]any, depth int) {
	if depth > maxSchemaDepth {
		return
	}
	for limit, bound := range map[string]string{"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"} {
		if exclusive, is := s[limit].(bool); is { // draft-04
			delete(s, limit)
			if value, has := s[bound]; exclusive && has {
				s[limit] = value
				delete(s, bound)
			}
		}
	}
	if ref, is := s["$ref"].(string); is && !leadsToSchema(root, ref) {
		delete(s, "$ref")
	}
	repairType(s)
	repairProperties(s)
	repairRequired(s)
	// In one order: what a model was sent once is sent again.
	for _, key := range slices.Sorted(maps.Keys(s)) {
		switch v := s[key].(type) {
		case map[string]any:
			if slices.Contains([]string{"properties", "patternProperties", "$defs", "definitions"}, key) {
				for _, name := range slices.Sorted(maps.Keys(v)) {
					if p, is := v[name].(map[string]any); is {
						repairNode(root, p, depth+1)
					}
				}
			} else if slices.Contains([]string{"items", "additionalProperties", "not", "if", "then", "else"}, key) {
				repairNode(root, v, depth+1)
			}
		case []any:
			if slices.Contains([]string{"allOf", "anyOf", "oneOf", "prefixItems", "items"}, key) {
				for _, p := range v {
					if p, is := p.(map[string]any); is {
						repairNode(root, p, depth+1)
					}
				}
			}
		}
	}
}

// repairType replaces the type names of other languages, such as "int", and removes unknown ones.
func repairType(s map[string]any) {
	name, is := s["type"].(string)
	switch {
	case !is:
	case typeName(name) == "":
		delete(s, "type")
	default:
		s["type"] = typeName(name)
	}
}

// typeName returns the JSON Schema type for a name, or "" if there is none.
func typeName(name string) string {
	switch name = strings.ToLower(name); name {
	case "object", "array", "string", "number", "integer", "boolean", "null":
		return name
	case "str", "text":
		return "string"
	case "int", "long":
		return "integer"
	case "float", "double":
		return "number"
	case "bool":
		return "boolean"
	case "dict", "map", "struct":
		return "object"
	case "list", "tuple":
		return "array"
	case "none":
		return "null"
	}
	return ""
}

// repairProperties makes properties an object of schemas. Some servers send an empty list for no
// properties, or the name of a type instead of a schema.
func repairProperties(s map[string]any) {
	value, has := s["properties"]
	list, isList := value.([]any)
	if has && (value == nil || isList && len(list) == 0) {
		s["properties"] = map[string]any{}
	}
	properties, _ := s["properties"].(map[string]any)
	for name, p := range properties {
		switch p := p.(type) {
		case nil:
			properties[name] = map[string]any{}
		case string:
			properties[name] = map[string]any{"type": p}
		}
	}
}

// repairRequired moves the list of required properties to its place. Some servers put it among the
// properties, or write required: true into a property.
func repairRequired(s map[string]any) {
	properties, is := s["properties"].(map[string]any)
	if !is {
		return
	}
	required, _ := s["required"].([]any)
	if name, is := s["required"].(string); is {
		required = []any{name}
	}
	if list, is := properties["required"].([]any); is {
		delete(properties, "required")
		required = append(required, list...)
	}
	var names []string
	for name, p := range properties {
		if p, is := p.(map[string]any); is {
			if yes, is := p["required"].(bool); is {
				if delete(p, "required"); yes {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if !slices.Contains(required, any(name)) {
			required = append(required, name)
		}
	}
	if delete(s, "required"); len(required) > 0 {
		s["required"] = required
	}
}

// leadsToSchema reports whether a reference leads to a schema within root, and not only to other
// references in a circle.
func leadsToSchema(root map[string]any, ref string) bool {
	for range maxSchemaDepth {
		path, here := strings.CutPrefix(ref, "#")
		if !here {
			return false
		}
		var at any = root
		for part := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
			if path == "" {
				break
			}
			object, is := at.(map[string]any)
			if !is {
				return false
			}
			at = object[strings.NewReplacer("~1", "/", "~0", "~").Replace(part)]
		}
		found, is := at.(map[string]any)
		if !is {
			return at == true
		}
		next, again := found["$ref"].(string)
		if !again {
			return true
		}
		ref = next
	}
	return false
}
