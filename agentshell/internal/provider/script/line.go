package script

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// line is one answer of the script: the texts that are expected in the conversation, and the
// answer.
type line struct {
	number int // The line's number in the file, from 1.
	// The id of the only agent that this line answers; "": it answers all agents that have no lines
	// of their own.
	agent         string
	say, thinking string
	calls         []call
	// The number of characters in a chunk of text.
	chunkRunes int
	// The number of bytes in a chunk of arguments.
	toolChunkBytes int
	// The pause between two chunks.
	delay         time.Duration
	input, output int // Counts of tokens to report, if hasUsage is true.
	hasUsage      bool
	// The reason to stop, see [provider.End].
	stop string
	// After the answer, the model sends nothing until the request is cancelled.
	hang bool
	// The error with which the answer fails; nil: none.
	err *failure
	// Texts that must, and texts that must not, be new in the conversation.
	expect, expectNot []string
}

// call is a tool call in the answer.
type call struct {
	id, name string
	input    []byte // The arguments as they are sent, which may be broken JSON.
}

// failure is the error with which an answer fails.
type failure struct {
	status     int
	message    string
	retryAfter time.Duration
	// The number of characters of thinking and say that are sent before the error; -1: the whole
	// answer.
	afterRunes int
}

// The values of a line that does not set them.
const (
	defaultChunkRunes     = 4
	defaultToolChunkBytes = 16
	defaultDelay          = 15 * time.Millisecond
)

// maxLine is the maximum number of bytes in a line. It is more than the bounds of any answer, and
// little enough to hold several lines in memory.
const maxLine = 40 << 20

// parse reads a whole script. It skips blank lines, but counts them.
func parse(text io.Reader) ([]line, error) {
	var lines []line
	r := bufio.NewReaderSize(text, 64<<10)
	for number := 1; ; number++ {
		raw, last, err := readLine(r)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		if raw = bytes.TrimSpace(raw); len(raw) > 0 {
			l, err := parseLine(raw)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", number, err)
			}
			l.number = number
			lines = append(lines, l)
		}
		if last {
			return lines, nil
		}
	}
}

// readLine reads up to the next line feed, or to the end of the text (last is true).
func readLine(r *bufio.Reader) (raw []byte, last bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(raw)+len(part) > maxLine {
			return nil, false, fmt.Errorf("it is longer than %s; a model writes long files in several calls",
				provider.FormatSize(maxLine))
		}
		raw = append(raw, part...)
		switch {
		case err == nil:
			return raw, false, nil
		case errors.Is(err, io.EOF):
			return raw, true, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, false, err
		}
	}
}

// wireLine is the JSON form of a line.
type wireLine struct {
	Agent          string            `json:"agent"`
	Say            *string           `json:"say"`
	Thinking       *string           `json:"thinking"`
	ToolCalls      []json.RawMessage `json:"tool_calls"`
	ChunkRunes     *int              `json:"chunk_runes"`
	DelayMS        *int              `json:"delay_ms"`
	ToolChunkBytes *int              `json:"tool_chunk_bytes"`
	Usage          json.RawMessage   `json:"usage"`
	Stop           *string           `json:"stop"`
	Hang           bool              `json:"hang"`
	Error          json.RawMessage   `json:"error"`
	Expect         texts             `json:"expect"`
	ExpectNot      texts             `json:"expect_not"`
}

// parseLine parses one line of a script.
func parseLine(raw []byte) (line, error) {
	var w wireLine
	err := strict(raw, &w, "agent", "say", "thinking", "tool_calls", "chunk_runes", "delay_ms", "tool_chunk_bytes",
		"usage", "stop", "hang", "error", "expect", "expect_not")
	if err != nil {
		return line{}, err
	}
	l := line{
		agent: w.Agent, say: value(w.Say, ""), thinking: value(w.Thinking, ""),
		chunkRunes:     value(w.ChunkRunes, defaultChunkRunes),
		toolChunkBytes: value(w.ToolChunkBytes, defaultToolChunkBytes),
		delay:          defaultDelay, hang: w.Hang, expect: w.Expect, expectNot: w.ExpectNot,
	}
	if l.chunkRunes < 1 {
		return line{}, errors.New("chunk_runes must be at least 1")
	}
	if l.toolChunkBytes < 1 {
		return line{}, errors.New("tool_chunk_bytes must be at least 1")
	}
	if w.DelayMS != nil {
		if l.delay, err = milliseconds("delay_ms", *w.DelayMS); err != nil {
			return line{}, err
		}
	}
	if l.calls, err = parseCalls(w.ToolCalls); err != nil {
		return line{}, err
	}
	l.stop = "end"
	if len(l.calls) > 0 {
		l.stop = "tool"
	}
	if w.Stop != nil {
		l.stop = *w.Stop
		if !slices.Contains([]string{"end", "tool", "length", "refusal", "filter"}, l.stop) {
			return line{}, fmt.Errorf("stop %q is none of end, tool, length, refusal, filter", l.stop)
		}
	}
	if present(w.Usage) {
		var u struct{ Input, Output int }
		if err := strict(w.Usage, &u, "input", "output"); err != nil {
			return line{}, fmt.Errorf("usage: %w", err)
		}
		l.input, l.output, l.hasUsage = u.Input, u.Output, true
	}
	if present(w.Error) {
		if l.err, err = parseFailure(w.Error); err != nil {
			return line{}, fmt.Errorf("error: %w", err)
		}
	}
	return l, nil
}

func parseCalls(raw []json.RawMessage) ([]call, error) {
	var calls []call
	ids := map[string]bool{}
	for i, r := range raw {
		var w struct {
			ID, Name string
			Input    json.RawMessage
			Raw      *string
		}
		if err := strict(r, &w, "id", "name", "input", "raw"); err != nil {
			return nil, fmt.Errorf("tool_calls[%d]: %w", i, err)
		}
		switch {
		case w.ID == "" || w.Name == "":
			return nil, fmt.Errorf("tool_calls[%d]: id and name are needed", i)
		case ids[w.ID]:
			return nil, fmt.Errorf("tool_calls[%d]: id %q is used twice in one message", i, w.ID)
		case w.Input != nil && w.Raw != nil:
			return nil, fmt.Errorf("tool_calls[%d]: input and raw exclude each other", i)
		}
		ids[w.ID] = true
		c := call{id: w.ID, name: w.Name, input: []byte("{}")}
		if w.Raw != nil {
			c.input = []byte(*w.Raw)
		} else if w.Input != nil {
			c.input = w.Input
		}
		calls = append(calls, c)
	}
	return calls, nil
}

func parseFailure(raw json.RawMessage) (*failure, error) {
	var w struct {
		Status       int
		Message      string
		RetryAfterMS int  `json:"retry_after_ms"`
		AfterRunes   *int `json:"after_runes"`
	}
	if err := strict(raw, &w, "status", "message", "retry_after_ms", "after_runes"); err != nil {
		return nil, err
	}
	wait, err := milliseconds("retry_after_ms", w.RetryAfterMS)
	if err != nil {
		return nil, err
	}
	if w.AfterRunes != nil && *w.AfterRunes < 0 {
		return nil, errors.New("after_runes must not be negative")
	}
	return &failure{status: w.Status, message: w.Message, retryAfter: wait, afterRunes: value(w.AfterRunes, -1)}, nil
}

func milliseconds(name string, n int) (time.Duration, error) {
	const most = int(time.Hour / time.Millisecond)
	if n < 0 || n > most {
		return 0, fmt.Errorf("%s must be 0 to %d", name, most)
	}
	return time.Duration(n) * time.Millisecond, nil
}

// strict decodes a JSON object into a struct. Each key must be one of names in exactly that
// spelling, since encoding/json ignores case, and may occur only once.
func strict(raw []byte, into any, names ...string) error {
	if !utf8.Valid(raw) {
		return errors.New("not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil {
		return errors.New("not a JSON object: " + err.Error())
	} else if t != json.Delim('{') {
		return errors.New("not a JSON object")
	}
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return err
		}
		key, _ := t.(string)
		if !slices.Contains(names, key) {
			return fmt.Errorf("unknown field %q; known are %s", key, strings.Join(names, ", "))
		}
		if seen[key] {
			return fmt.Errorf("field %q is given twice", key)
		}
		seen[key] = true
		var skip json.RawMessage
		if err := d.Decode(&skip); err != nil {
			return fmt.Errorf("field %q: %w", key, err)
		}
	}
	if _, err := d.Token(); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one JSON value")
	}
	return json.Unmarshal(raw, into)
}

// texts is a list of strings. In JSON it may also be a single string.
type texts []string

// UnmarshalJSON decodes a string or a list of strings.
func (t *texts) UnmarshalJSON(raw []byte) error {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		*t = texts{one}
		return nil
	}
	var list []string
	if err := json.Unmarshal(raw, &list); err != nil {
		return errors.New("expect and expect_not take a string or a list of strings")
	}
	*t = list
	return nil
}

// present reports whether the JSON value exists and is not null.
func present(raw json.RawMessage) bool { return raw != nil && string(raw) != "null" }

// value returns *p, or otherwise if p is nil.
func value[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}
