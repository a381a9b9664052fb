package document

import (
	"encoding/json"
	"strings"
	"testing"
)

// A row is written as people write JavaScript, too: names without quotes, single quotes, comments,
// a comma at the end, and the numbers and escapes of JSON5. What is JSON means what it means there.
func TestARowIsWrittenInJSON5(t *testing.T) {
	p := writableTable{table: "t", columns: []column{{name: "a"}, {name: "b"}, {name: "größe"}, {name: "$c_1"}}}
	for content, want := range map[string]string{
		`{a: 'Ada', b: true}`:                       `a='Ada' b=1`,
		"{\n\t// whose\n\ta: 1, /* and */ b: 2,\n}": `a=1 b=2`,
		"\ufeff{\u00a0'a':\"it's\",}\u2028":         `a='it''s'`,
		`{größe: 1, $c_1: null}`:                    `größe=1 $c_1=NULL`,
		`{}`:                                        ``,
		`{a: +1, b: -.5}`:                           `a=1 b=-0.5`,
		`{a: 5., b: 1E+3}`:                          `a=5.0 b=1E+3`,
		`{a: 0xFf, b: -0x10}`:                       `a=255 b=-16`,
		`{a: 'a\'b\"\x41\u00e9\ud83d\ude00'}`:       `a='a''b"Aé😀'`,
		"{a: 'one \\\ntwo\\\r\nthree\\n'}":          "a='one twothree\n'",
		`{a: "\ud800x", b: '\q\v'}`:                 "a='\ufffdx' b='q\v'",
		`{"a": 1.5e-3, "b": "\u0000"}`:              `!the value of "b": it holds a NUL`,
		`{a: 1,, b: 2}`:                             `!character 7 is ',', where a name is due`,
		`{a: 1 b: 2}`:                               `!character 7 is 'b', where a comma is due`,
		`{a 1}`:                                     `!character 4 is '1', where a colon is due`,
		`{a: }`:                                     `!character 5 is '}', where a value is due`,
		`{a: nil}`:                                  `!character 5 is 'n', where a value is due`,
		`{a: 1); DROP TABLE t; --}`:                 `!character 6 is ')', where a comma is due`,
		`{a: 0x10000000000000000}`:                  `!0x10000000000000000 has more than 64 bits`,
		`{a: -Infinity}`:                            `!Infinity is no value of a row`,
		`{a: NaN}`:                                  `!NaN is no value of a row`,
		`{a: 012}`:                                  `!character 6 is '1', where a comma is due`,
		"{a: 'x\n'}":                                "!character 7 is '\\n', where the end of a text is due",
		`{a: 'x`:                                    `!it ends where the end of a text is due`,
		`{a: '\1'}`:                                 `!character 7 is '1', where an escape is due`,
		`{a: '\u12'}`:                               `!an escape of 4 digits is due`,
		`{a: 1 /* x`:                                `!a comment has no end`,
		`{a: {}}`:                                   `!the value of "a": it is a list or an object`,
		`{a: 1`:                                     `!it ends where a comma is due`,
	} {
		values, err := rowValues(p, content)
		if text, bad := strings.CutPrefix(want, "!"); bad {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%s: %v, want %s", content, err, text)
			}
		} else if err != nil || rowOf(values) != want {
			t.Errorf("%s: %s, %v, want %s", content, rowOf(values), err, want)
		}
	}
}

// What JSON5 reads of JSON is what encoding/json reads of it.
func FuzzJSONMeansTheSameInJSON5(f *testing.F) {
	for _, text := range []string{`"a\u00e9\ud83d\ude00\/"`, `-1.5e+3`, `true`, `null`, `"\ud800"`, `0`,
		`"\ud800\u0041"`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var want any
		dec := json.NewDecoder(strings.NewReader(text))
		dec.UseNumber()
		if !validUTF8(text) || dec.Decode(&want) != nil {
			return
		}
		got, err := (&json5{text: text}).readValue()
		switch want.(type) {
		case []any, map[string]any:
		default:
			if err != nil || got != want {
				t.Fatalf("%q: %v, %v, want %v", text, got, err, want)
			}
		}
	})
}
