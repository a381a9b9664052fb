package screen

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestAScriptIsPlayedOnAnEmulator(t *testing.T) {
	script := `{"write":"YQ=="}

{"dump":true}
{"reset":{"cols":3,"rows":2,"scrollback":5}}
{"write":"YWJjZBtbNm4="}
{"resize":[6,2]}
{"dump":"screen"}`
	var out bytes.Buffer
	if err := Play(strings.NewReader(script), &out, Size{Cols: 10, Rows: 1}, NewVT); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		var d Dump
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		got = append(got, d.Grid[0].Text+string(d.Replies))
	}
	if want := "a, abcd\x1b[2;2R"; strings.Join(got, ", ") != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, bad := range []string{`{}`, `{"write":"not base64!"}`, `{"dump":"everything"}`} {
		err := Play(strings.NewReader("\n"+bad), &out, Size{Cols: 1, Rows: 1}, NewVT)
		if err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: %v, want an error that names line 2", bad, err)
		}
	}
}
