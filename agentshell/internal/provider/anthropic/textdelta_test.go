package anthropic

import (
	"encoding/json"
	"reflect"
	"testing"
)

// judgeTextDelta compares what textDelta reads, if it reads anything, with what encoding/json
// reads.
func judgeTextDelta(t *testing.T, data string) (read bool) {
	t.Helper()
	text, index, read := textDelta([]byte(data))
	if !read {
		return false
	}
	want, got := event{}, event{Type: "content_block_delta", Index: &index}
	got.Delta.Type, got.Delta.Text = "text_delta", text
	if err := json.Unmarshal([]byte(data), &want); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%q is\n%+v, to encoding/json\n%+v, %v", data, got, want, err)
	}
	return true
}

var deltas = map[string]bool{
	`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}`:                    true,
	`{"delta":{"text":" a \"b\"\n","type":"text_delta"},"index":12,"type":"content_block_delta"}`:              true,
	" {\t\"type\" : \"content_block_delta\",\n\"index\":3,\"delta\":{\"type\":\"text_delta\",\"text\":\"\"}} ": true,
	`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"日本 é 🙂"}}`:                   true,

	`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\u00e9"}}`:               false,
	`{"type":"content_block_delta","index":01,"delta":{"type":"text_delta","text":"x"}}`:                   false,
	`{"type":"content_block_delta","index":-1,"delta":{"type":"text_delta","text":"x"}}`:                   false,
	`{"type":"content_block_delta","index":1.0,"delta":{"type":"text_delta","text":"x"}}`:                  false,
	`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x","text":"y"}}`:         false,
	`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"},"Index":1}`:          false,
	`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x","TEXT":"y"}}`:         false,
	`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","text":"x"}}`:                false,
	`{"type":"content_block_start","index":0,"delta":{"type":"text_delta","text":"x"}}`:                    false,
	`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}} x`:                  false,
	`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"},}`:                   false,
	`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":null}}`:                   false,
	`{"type":"content_block_delta","delta":{"type":"text_delta","text":"x"}}`:                              false,
	`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta"}}`:                               false,
	`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"`:                      false,
	"{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"\xff\"}}": false,
	"{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"\n\"}}":   false,
	`{}`: false, ``: false, `[DONE]`: false,
}

// A piece of text in the form of the service is read without encoding/json. What that would read
// otherwise, or not at all, is left to it.
func TestAPieceOfTextIsReadAsEncodingJSONReadsIt(t *testing.T) {
	for data, want := range deltas {
		if got := judgeTextDelta(t, data); got != want {
			t.Errorf("%q is read: %v", data, got)
		}
	}
}

func FuzzAPieceOfTextIsReadAsEncodingJSONReadsIt(f *testing.F) {
	for data := range deltas {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data string) { judgeTextDelta(t, data) })
}

// A piece of text makes two objects until it is an event: the text, and what stood in escapes.
func TestAPieceOfTextIsReadWithoutGarbage(t *testing.T) {
	for data, most := range map[string]float64{
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}`:        1,
		`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a \"word\"\n"}}`: 2,
	} {
		bytes := []byte(data)
		if n := testing.AllocsPerRun(100, func() { textDelta(bytes) }); n > most {
			t.Errorf("%s makes %v objects", data, n)
		}
	}
}
