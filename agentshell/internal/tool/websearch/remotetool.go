package websearch

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// toolResult is the result of a tool call at a remote MCP server.
type toolResult struct {
	IsError    bool            `json:"isError"`
	Structured json.RawMessage `json:"structuredContent"`
	Content    []struct {
		Text string `json:"text"`
	} `json:"content"`
}

// text returns the texts of the result, separated by blank lines.
func (r toolResult) text() string {
	var list []string
	for _, part := range r.Content {
		if part.Text != "" {
			list = append(list, part.Text)
		}
	}
	return strings.Join(list, "\n\n")
}

// callTool calls a tool of the MCP server at the service's URL. The answer is JSON, or an event
// stream whose last message is used.
func (c serviceClient) callTool(ctx context.Context, name string, arguments map[string]any) (toolResult, error) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{"name": name, "arguments": arguments}})
	if err != nil {
		return toolResult{}, err
	}
	header := map[string]string{"Accept": "application/json, text/event-stream"}
	maps.Copy(header, c.bearer())
	data, err := c.send(ctx, http.MethodPost, "", header, bytes.NewReader(body))
	if err != nil {
		return toolResult{}, err
	}
	var got struct {
		Result *toolResult `json:"result"`
		Error  *struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
		// A gateway before the server refuses in a form of its own.
		Success *bool  `json:"success"`
		Code    int    `json:"code"`
		Msg     string `json:"msg"`
	}
	if err := decode(lastMessage(data), &got); err != nil {
		return toolResult{}, err
	}
	switch {
	case got.Error != nil:
		return toolResult{}, &Failure{Status: httpCode(got.Error.Code), Message: got.Error.Message}
	case got.Success != nil && !*got.Success:
		return toolResult{}, &Failure{Status: httpCode(got.Code), Message: got.Msg}
	case got.Result == nil:
		return toolResult{}, failureOf("the answer has no result")
	case got.Result.IsError:
		f := &Failure{Message: got.Result.text()}
		status := regexp.MustCompile(`(?i)MCP error\s*-?(\d{3})\b`)
		if m := status.FindStringSubmatch(f.Message); m != nil {
			f.Status, _ = strconv.Atoi(m[1])
		}
		return toolResult{}, f
	}
	return *got.Result, nil
}

// httpCode returns code if it is an HTTP error status, otherwise 0.
func httpCode(code int) int {
	if code >= 400 && code < 600 {
		return code
	}
	return 0
}

// lastMessage returns the last message of an event stream, or data itself if it is no event stream.
func lastMessage(data []byte) []byte {
	last := data
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		if message, ok := bytes.CutPrefix(line, []byte("data:")); ok && len(bytes.TrimSpace(message)) > 0 {
			last = bytes.TrimSpace(message)
		} else if bytes.HasPrefix(line, []byte("{")) {
			return data
		}
	}
	return last
}
