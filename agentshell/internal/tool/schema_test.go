package tool

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// Whatever a model sends: the arguments that are decoded are the ones that a strict reader of the
// same JSON sees.
func FuzzArgumentsAreReadAsTheyAreWritten(f *testing.F) {
	for _, s := range []string{`{"path":"a","content":"b"}`, `{"path":"a","content":"b","content":"c"}`,
		`{"PATH":"a","path":"b","content":""}`, `{"path":"\ud83d\ude00","content":"\ud800"}`,
		`{"path":1,"content":"x"}`, `null`, `[]`, ``} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		got, err := decode[writeArgs](in)
		if err != nil {
			if Kind(err) != "invalid_args" {
				t.Fatalf("kind %s: %v", Kind(err), err)
			}
			return
		}
		var want map[string]any
		if err := json.Unmarshal(in, &want); err != nil || len(want) != 2 || want["path"] != got.Path ||
			want["content"] != got.Content {
			t.Fatalf("%q: %+v, want %v", in, got, want)
		}
		if !utf8.ValidString(got.Content) {
			t.Fatalf("%q is not UTF-8", got.Content)
		}
	})
}

// A schema is JSON with sorted keys, as that of a map: a request is the same to the byte each time.
func TestSchemasAreJSONWithSortedKeys(t *testing.T) {
	type odd struct {
		Quoted string   `json:"z<" doc:"a \"quote\", \u2028 and <b>" enum:"x& y"`
		Count  *int     `json:"a" min:"-1" max:"20"`
		Many   []string `json:"m,omitempty"`
		Map    map[string]int
	}
	all := map[string]json.RawMessage{"odd": schemaOf[odd]()}
	for _, s := range Builtin(Env{Checkpoints: true, Memory: new(Memory), Questions: new(Questions)}).Specs() {
		all[s.Name] = s.Schema
	}
	for name, schema := range all {
		var v any
		if err := json.Unmarshal(schema, &v); err != nil {
			t.Errorf("%s: %v: %s", name, err, schema)
		}
		if want, err := json.Marshal(v); string(want) != string(schema) {
			t.Errorf("%s: %v: it is\n%s\nand should be\n%s", name, err, schema, want)
		}
	}
	if !strings.Contains(string(all["odd"]), `"a":{"maximum":20,"minimum":-1,"type":"integer"}`) {
		t.Errorf("%s", all["odd"])
	}
}
