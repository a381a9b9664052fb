package lsp

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/sourcegraph/jsonrpc2"
)

// These constants limit what is stored for a server.
const (
	maxEdits    = 100  // maxEdits is the number of edits that one command may ask for.
	maxProgress = 1000 // maxProgress is the number of tasks that a server may have running at a time.
)

// handler handles requests and notifications of a server. It must not wait, because the goroutine
// that calls it also reads the next messages.
type handler struct{ client *Client }

// Handle implements jsonrpc2.Handler.
func (h handler) Handle(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
	var params json.RawMessage
	if r.Params != nil {
		params = *r.Params
	}
	if r.Notif {
		h.client.handleNotification(r.Method, params)
		return
	}
	result, refused := h.client.respond(r.Method, params)
	send := func() {
		if refused != nil {
			_ = conn.ReplyWithError(ctx, r.ID, refused)
			return
		}
		_ = conn.Reply(ctx, r.ID, result)
	}
	select {
	case h.client.answerQueue <- send:
	default:
		h.client.process.Fail(errFlood)
	}
}

// sendAnswers sends queued answers until the connection ends.
func (c *Client) sendAnswers() {
	for {
		select {
		case send := <-c.answerQueue:
			send()
		case <-c.process.Gone():
			return
		}
	}
}

// respond returns the answer to a request of the server, at once. Some servers answer nothing while
// they wait for it.
func (c *Client) respond(method string, params json.RawMessage) (any, *jsonrpc2.Error) {
	switch method {
	case "workspace/configuration":
		return c.requestedSettings(params), nil
	case "client/registerCapability":
		c.handleRegistration(params)
		return nil, nil
	case "client/unregisterCapability", "window/workDoneProgress/create", "window/showMessageRequest":
		return nil, nil
	case "workspace/workspaceFolders":
		return workspaceFolders(c.dir), nil
	case "window/showDocument":
		return map[string]any{"success": false}, nil
	case "workspace/applyEdit":
		return c.collectEdit(params), nil
	}
	if strings.HasPrefix(method, "workspace/") && strings.HasSuffix(method, "/refresh") {
		return nil, nil
	}
	return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "method not found"}
}

// requestedSettings returns the settings that the request workspace/configuration asks for. It
// returns {} for unknown ones, because null breaks some servers.
func (c *Client) requestedSettings(params json.RawMessage) []any {
	var asked struct {
		Items []struct {
			Section string `json:"section"`
		} `json:"items"`
	}
	_ = json.Unmarshal(params, &asked)
	list := []any{}
	for _, item := range asked.Items {
		list = append(list, settingsSection(c.server.Settings, item.Section))
	}
	return list
}

// settingsSection returns the settings below a dotted name such as "python.analysis", or an empty
// map if there are none.
func settingsSection(settings map[string]any, name string) any {
	var at any = settings
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return r == '.' }) {
		table, _ := at.(map[string]any)
		if at = table[part]; at == nil {
			return map[string]any{}
		}
	}
	if table, ok := at.(map[string]any); ok && table == nil {
		return map[string]any{}
	}
	return at
}

// handleRegistration handles the request client/registerCapability. It notes that the server wants
// to be asked for diagnostics, and ignores everything else.
func (c *Client) handleRegistration(params json.RawMessage) {
	var asked struct {
		Registrations []struct {
			Method string `json:"method"`
		} `json:"registrations"`
	}
	_ = json.Unmarshal(params, &asked)
	for _, r := range asked.Registrations {
		if r.Method == "textDocument/diagnostic" {
			c.mu.Lock()
			c.state.wantsPulls = true
			c.mu.Unlock()
		}
	}
}

// collectEdit handles the request workspace/applyEdit. It stores the edit if a command runs, and
// otherwise refuses it.
func (c *Client) collectEdit(params json.RawMessage) any {
	var asked struct {
		Edit json.RawMessage `json:"edit"`
	}
	err := json.Unmarshal(params, &asked)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil || !c.state.collecting || len(c.state.collected) == maxEdits {
		return map[string]any{"applied": false, "failureReason": "nobody asked for a change"}
	}
	c.state.collected = append(c.state.collected, asked.Edit)
	return map[string]any{"applied": true}
}

// handleNotification handles a notification of the server.
func (c *Client) handleNotification(method string, params json.RawMessage) {
	switch method {
	case "textDocument/publishDiagnostics":
		c.handlePublish(params)
	case "$/progress":
		c.handleProgress(params)
	}
}

// handleProgress handles the notification $/progress, by which a server reports the begin and end
// of work.
func (c *Client) handleProgress(params json.RawMessage) {
	var report struct {
		Token json.RawMessage `json:"token"`
		Value struct {
			Kind string `json:"kind"`
		} `json:"value"`
	}
	if json.Unmarshal(params, &report) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch token := string(report.Token); {
	case report.Value.Kind == "begin" && len(token) < 200 && len(c.state.runningWork) < maxProgress:
		c.state.runningWork[token] = true
	case report.Value.Kind == "end":
		if delete(c.state.runningWork, token); len(c.state.runningWork) == 0 {
			c.state.loaded = true
		}
	default:
		return
	}
	c.signalChange()
}

// workspaceFolders returns the directory of the workspace as a value of the protocol.
func workspaceFolders(dir string) []map[string]string {
	return []map[string]string{{"uri": URIOf(dir), "name": "workspace"}}
}
