package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// repairMessage repairs the content of a result, because the SDK rejects a complete result if it
// cannot decode one piece of it. Small faults are corrected, such as a data: URL instead of base64.
// Other undecodable pieces become a text with their type and size. Other messages are returned
// unchanged.
func repairMessage(line []byte) []byte {
	if !bytes.Contains(line, []byte(`"content"`)) {
		return line // the usual case, at once
	}
	var m, result map[string]json.RawMessage
	if json.Unmarshal(line, &m) != nil || json.Unmarshal(m["result"], &result) != nil || result["content"] == nil {
		return line
	}
	var pieces []json.RawMessage
	changed := json.Unmarshal(result["content"], &pieces) != nil
	if changed {
		pieces = []json.RawMessage{result["content"]}
	}
	for i, p := range pieces {
		if !isDecodable(p) {
			pieces[i], changed = repairPiece(p), true
		}
	}
	if !changed {
		return line
	}
	var err error
	if result["content"], err = json.Marshal(pieces); err == nil {
		m["result"], err = json.Marshal(result)
	}
	whole, err2 := json.Marshal(m)
	if err != nil || err2 != nil {
		return line
	}
	return whole
}

// isDecodable reports whether the SDK can decode a piece of content.
func isDecodable(piece json.RawMessage) bool {
	var r mcp.CallToolResult
	return json.Unmarshal(fmt.Appendf(nil, `{"content":[%s]}`, piece), &r) == nil
}

// repairPiece returns a piece of content in a form that the SDK can decode.
func repairPiece(piece json.RawMessage) json.RawMessage {
	say := func(text string) json.RawMessage {
		b, _ := json.Marshal(&mcp.TextContent{Text: text})
		return b
	}
	var text string
	if piece[0] == '"' && json.Unmarshal(piece, &text) == nil {
		return say(text)
	}
	var p map[string]any
	if json.Unmarshal(piece, &p) != nil || p == nil {
		return say(fmt.Sprintf("[content that is no object, %d bytes, not shown]", len(piece)))
	}
	kind, _ := p["type"].(string)
	if data, is := p["data"].(string); is && (kind == "image" || kind == "audio") {
		media, data := standardBase64(data)
		if p["data"] = data; media != "" {
			p["mimeType"] = media
		}
		if b, err := json.Marshal(p); err == nil && isDecodable(b) {
			return b
		}
	}
	if text, is := p["text"].(string); is {
		return say(text)
	}
	return say(fmt.Sprintf("[content of the type %q, %d bytes, not shown]", cutText(kind, 100), len(piece)))
}

// standardBase64 returns data as standard base64 with padding. It accepts a data: URL, whose media
// type it returns, the URL-safe alphabet, blanks, and missing padding.
func standardBase64(data string) (media, bare string) {
	if rest, is := strings.CutPrefix(data, "data:"); is {
		head, body, _ := strings.Cut(rest, ",")
		media, _, _ = strings.Cut(head, ";")
		data = body
	}
	data = strings.Join(strings.Fields(data), "")
	data = strings.TrimRight(strings.NewReplacer("-", "+", "_", "/").Replace(data), "=")
	return media, data + strings.Repeat("=", (4-len(data)%4)%4)
}

// repairedBody is a response body whose messages are repaired by repairMessage. The body is one
// message, or a stream of events with one message a line.
type repairedBody struct {
	io.Closer
	in     *bufio.Reader
	events bool
	ready  []byte // ready holds the repaired bytes that were not read yet.
	err    error  // err is returned after ready.
}

func (b *repairedBody) Read(p []byte) (int, error) {
	for len(b.ready) == 0 {
		if b.err != nil {
			return 0, b.err
		}
		if !b.events {
			b.ready, b.err = io.ReadAll(b.in)
			if b.err == nil {
				b.ready, b.err = repairMessage(b.ready), io.EOF
			}
			continue
		}
		b.ready, b.err = b.in.ReadBytes('\n')
		if data, is := bytes.CutPrefix(b.ready, []byte("data:")); is {
			if mended := repairMessage(data); !bytes.Equal(mended, data) {
				b.ready = append(append([]byte("data: "), mended...), '\n')
			}
		}
	}
	n := copy(p, b.ready)
	b.ready = b.ready[n:]
	return n, nil
}
