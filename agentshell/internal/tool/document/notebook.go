package document

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/console"
)

// Notebook returns the text of a Jupyter notebook (nbformat 3 and 4). Each cell follows a line `#
// %% [kind] cell:N`. The output of a code cell follows as comment lines, which begin with "# ".
// Only the kind of a picture is reported.
func Notebook(data []byte) (string, error) {
	var n struct {
		Cells      []cell `json:"cells"`
		Worksheets []struct {
			Cells []cell `json:"cells"`
		} `json:"worksheets"`
		Format *int `json:"nbformat"`
	}
	if err := json.Unmarshal(data, &n); err != nil {
		return "", fmt.Errorf("it is not a notebook: %w", err)
	}
	if n.Format == nil {
		return "", errors.New("it is not a notebook: nbformat is missing")
	}
	for _, w := range n.Worksheets {
		n.Cells = append(n.Cells, w.Cells...)
	}
	var b strings.Builder
	for i, c := range n.Cells {
		kind := c.Kind
		if kind == "" || strings.ContainsAny(kind, "]\n") {
			kind = "unknown"
		}
		fmt.Fprintf(&b, "# %%%% [%s] cell:%d\n", kind, i)
		writeEnded(&b, string(c.Source)+string(c.Input))
		for _, o := range c.Outputs {
			o.printTo(&b)
		}
		if b.Len() > MaxText {
			return "", ErrTooLarge
		}
	}
	return b.String(), nil
}

type cell struct {
	Kind    string     `json:"cell_type"`
	Source  joinedText `json:"source"`
	Input   joinedText `json:"input"` // nbformat 3
	Outputs []output   `json:"outputs"`
}

type output struct {
	Kind  string                     `json:"output_type"`
	Text  joinedText                 `json:"text"`
	Data  map[string]json.RawMessage `json:"data"`
	Error string                     `json:"ename"`
	Value string                     `json:"evalue"`
}

// outputHeadLine is the line between the source of a code cell and its output.
const outputHeadLine = "# output:\n"

// printTo writes an output of a code cell as comment lines.
func (o output) printTo(b *strings.Builder) {
	text := terminalText(string(o.Text))
	if plain, ok := o.Data["text/plain"]; ok {
		var j joinedText
		if json.Unmarshal(plain, &j) == nil {
			text += string(j)
		}
	}
	if o.Error != "" {
		text += o.Error + ": " + o.Value + "\n"
	}
	for kind := range o.Data {
		if strings.HasPrefix(kind, "image/") {
			text = strings.TrimSuffix(text, "\n") + "\n[picture]\n"
			break
		}
	}
	if text = strings.Trim(text, "\n"); text == "" {
		return
	}
	b.WriteString(outputHeadLine)
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString("# " + line + "\n")
	}
}

// terminalText returns the final state of text on a terminal, without colours. Of a progress bar
// only the last state remains.
func terminalText(text string) string {
	if !strings.ContainsAny(text, "\r\b\x1b") {
		return text
	}
	var b strings.Builder
	s := console.Screen{Out: func(p []byte) { b.Write(p) }}
	_, _ = s.Write([]byte(text))
	s.Close()
	return b.String()
}

// writeEnded writes text to b, and a newline if text is not empty and does not end with one.
func writeEnded(b *strings.Builder, text string) {
	b.WriteString(text)
	if text != "" && !strings.HasSuffix(text, "\n") {
		b.WriteByte('\n')
	}
}

// joinedText is a string that JSON may also hold as a list of its lines.
type joinedText string

func (j *joinedText) UnmarshalJSON(data []byte) error {
	var parts []string
	if err := json.Unmarshal(data, &parts); err == nil {
		*j = joinedText(strings.Join(parts, ""))
		return nil
	}
	var whole string
	if json.Unmarshal(data, &whole) == nil { // anything else is no text
		*j = joinedText(whole)
	}
	return nil
}
