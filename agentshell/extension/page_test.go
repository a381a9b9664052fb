package extension_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// page holds the messages of docs/extensions.md, by the heading that they stand under.
type page struct {
	t        *testing.T
	messages map[string][]string
}

var inline = regexp.MustCompile("`(\\{.*?\\})`")

// readPage returns the messages of the protocol's page. "..." stands for something there.
func readPage(t *testing.T) page {
	t.Helper()
	text, err := os.ReadFile("../../docs/extensions.md")
	if err != nil {
		t.Fatal(err)
	}
	_, protocol, _ := strings.Cut(string(text), "\n## Messages\n")
	protocol, _, found := strings.Cut(protocol, "\n## Bounds\n")
	if !found {
		t.Fatal("the page has no ## Messages and ## Bounds")
	}
	p, heading, block := page{t, map[string][]string{}}, "Messages", ""
	add := func(message string) {
		message = strings.NewReplacer("{...}", "{}", "[...]", "[]", ": ...", ": null").Replace(message)
		if !json.Valid([]byte(message)) {
			t.Errorf("%s: no JSON: %s", heading, message)
		}
		p.messages[heading] = append(p.messages[heading], message)
	}
	for line := range strings.Lines(protocol) {
		if h, ok := strings.CutPrefix(strings.TrimSpace(line), "##"); ok {
			heading = strings.Trim(h, "# ")
		}
		for _, m := range inline.FindAllStringSubmatch(line, -1) {
			add(m[1])
		}
		if code, ok := strings.CutPrefix(line, "    "); ok && !strings.HasPrefix(code, "Content-") {
			block += strings.TrimSpace(code)
		}
		if block != "" && json.Valid([]byte(block)) {
			add(block)
			block = ""
		}
		if strings.Contains(block, "{...}") {
			add(block)
			block = ""
		}
	}
	return p
}

// take returns the first message under a heading that begins so and contains a text, and removes
// it.
func (p page) take(heading, part string) string {
	p.t.Helper()
	for h, list := range p.messages {
		for i, m := range list {
			if strings.HasPrefix(h, heading) && strings.Contains(m, part) {
				p.messages[h] = append(list[:i:i], list[i+1:]...)
				return m
			}
		}
	}
	p.t.Fatalf("the page has no message with %s under %s", part, heading)
	return ""
}

// none fails if the page has messages that were not taken.
func (p page) none() {
	p.t.Helper()
	for h, list := range p.messages {
		for _, m := range list {
			p.t.Errorf("%s: nobody has played %s", h, m)
		}
	}
}

// peer is the shell's side of a connection in a test.
type peer struct {
	t    *testing.T
	in   io.WriteCloser
	got  chan map[string]json.RawMessage
	last int
	kept []map[string]json.RawMessage // messages that were read and not yet asked for
}

// connect speaks with a program that reads in and writes out.
func connect(t *testing.T, in io.WriteCloser, out io.Reader) *peer {
	p := &peer{t: t, in: in, got: make(chan map[string]json.RawMessage, 100), last: 100}
	go func() {
		defer close(p.got)
		r := bufio.NewReader(out)
		for {
			header, err := r.ReadString('\n')
			if err != nil {
				return
			}
			n, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(header, "Content-Length: ")))
			blank, _ := r.ReadString('\n')
			if err != nil || blank != "\r\n" {
				t.Errorf("no header: %q %q", header, blank)
				return
			}
			data := make([]byte, n)
			if _, err := io.ReadFull(r, data); err != nil {
				t.Error(err)
				return
			}
			var m map[string]json.RawMessage
			if err := json.Unmarshal(data, &m); err != nil || string(m["jsonrpc"]) != `"2.0"` {
				t.Errorf("no message: %s", data)
				return
			}
			p.got <- m
		}
	}()
	return p
}

// raw sends a message as it stands.
func (p *peer) raw(message string) {
	p.t.Helper()
	if _, err := fmt.Fprintf(p.in, "Content-Length: %d\r\n\r\n%s", len(message), message); err != nil {
		p.t.Fatal(err)
	}
}

// notify sends a notification.
func (p *peer) notify(method, params string) {
	p.t.Helper()
	p.raw(`{"jsonrpc":"2.0","method":"` + method + `","params":` + params + `}`)
}

// ask sends a request and returns its id.
func (p *peer) ask(method, params string) string {
	p.t.Helper()
	p.last++
	id := strconv.Itoa(p.last)
	p.raw(`{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + `}`)
	return id
}

// next returns the next message that fits.
func (p *peer) next(what string, fits func(map[string]json.RawMessage) bool) map[string]json.RawMessage {
	p.t.Helper()
	for i, m := range p.kept {
		if fits(m) {
			p.kept = append(p.kept[:i:i], p.kept[i+1:]...)
			return m
		}
	}
	late := time.After(20 * time.Second)
	for {
		select {
		case m, ok := <-p.got:
			if !ok {
				p.t.Fatalf("it has ended before %s", what)
			}
			if fits(m) {
				return m
			}
			p.kept = append(p.kept, m)
		case <-late:
			p.t.Fatalf("it did not send %s but %s", what, p.kept)
		}
	}
}

// answer returns the result of a request; error is the answer if it is one.
func (p *peer) answer(id string) (result, failure string) {
	p.t.Helper()
	m := p.next("the answer "+id, func(m map[string]json.RawMessage) bool {
		return m["method"] == nil && string(m["id"]) == id
	})
	return string(m["result"]), string(m["error"])
}

// call sends a request and returns its result.
func (p *peer) call(method, params string) string {
	p.t.Helper()
	result, failure := p.answer(p.ask(method, params))
	if failure != "" {
		p.t.Fatalf("%s %s: %s", method, params, failure)
	}
	return result
}

// sends waits for a message of the program, and returns its id and params.
func (p *peer) sends(method string) (id, params string) {
	p.t.Helper()
	m := p.next(method, func(m map[string]json.RawMessage) bool { return string(m["method"]) == `"`+method+`"` })
	return string(m["id"]), string(m["params"])
}

// replies answers a request of the program.
func (p *peer) replies(id, result string) {
	p.t.Helper()
	p.raw(`{"jsonrpc":"2.0","id":` + id + `,"result":` + result + `}`)
}

// same fails if two JSON values differ. A row that is a string is one span.
func same(t *testing.T, what, got, want string) {
	t.Helper()
	var values [2]any
	for i, text := range []string{got, want} {
		if err := json.Unmarshal([]byte(text), &values[i]); err != nil {
			t.Fatalf("%s: %v: %s", what, err, text)
		}
		values[i] = spans(values[i])
	}
	if !reflect.DeepEqual(values[0], values[1]) {
		t.Errorf("%s: %s, want %s", what, got, want)
	}
}

// spans returns a value with its rows as lists of spans.
func spans(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	if rows, ok := m["rows"].([]any); ok {
		for i, r := range rows {
			if s, ok := r.(string); ok {
				rows[i] = []any{map[string]any{"text": s}}
			}
		}
	}
	return v
}

// sameKeys fails if two JSON objects do not have the same fields.
func sameKeys(t *testing.T, what, got, want string) {
	t.Helper()
	var a, b map[string]any
	if err := json.Unmarshal([]byte(got), &a); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if err := json.Unmarshal([]byte(want), &b); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	for name := range a {
		if _, ok := b[name]; !ok {
			t.Errorf("%s: %s is not on the page", what, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			t.Errorf("%s: %s is missing", what, name)
		}
	}
}
