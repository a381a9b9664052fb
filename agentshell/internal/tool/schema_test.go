package tool

import (
	"encoding/json"
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
