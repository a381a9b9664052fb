package headless

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// Answer asks the user the model's questions, one after the other, and reads a line for each. An
// empty line or the end of the input leaves all questions unanswered. Answer implements
// [tool.Person].
func (p *Plain) Answer(ctx context.Context, questions []tool.Question) ([]tool.Reply, error) {
	done, err := p.beginQuestion(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	replies := make([]tool.Reply, len(questions))
	for i, q := range questions {
		p.out.writeQuestion(q)
		if replies[i], err = p.answerTo(ctx, q); err != nil {
			return nil, err
		}
	}
	return replies, nil
}

// answerTo reads lines from the user until one of them answers question q. An empty line leaves the
// question unanswered.
func (p *Plain) answerTo(ctx context.Context, q tool.Question) (tool.Reply, error) {
	for {
		line, err := p.readAnswer(ctx, promptOf(q))
		switch line = strings.TrimSpace(line); {
		case errors.Is(err, io.EOF), err == nil && line == "":
			return tool.Reply{}, tool.ErrUnanswered
		case err != nil:
			return tool.Reply{}, err
		}
		r, err := parseReply(q, line)
		if err == nil {
			return r, nil
		}
		p.out.writeLine("That is no answer: " + err.Error() + ".")
	}
}

// writeQuestion writes a question of the model and its choices, numbered from 1.
func (t *transcript) writeQuestion(q tool.Question) {
	t.writeLine("? " + oneRow(q.Text))
	for i, c := range q.Choices {
		row := fmt.Sprintf("  %d %s", i+1, oneRow(c.Label))
		if c.About != "" {
			row += "  " + oneRow(c.About)
		}
		t.writeLine(row)
	}
}

// oneRow returns s in one line: each run of whitespace becomes one blank.
func oneRow(s string) string { return strings.Join(strings.Fields(s), " ") }

// promptOf returns the prompt for question q. It says what the user may type: a number, several
// numbers, or a text.
func promptOf(q tool.Question) string {
	what := "A number"
	switch {
	case len(q.Choices) == 0:
		what = "A text"
	case q.Several && q.Free:
		what = "Numbers with commas, or a text"
	case q.Several:
		what = "Numbers with commas"
	case q.Free:
		what = "A number or a text"
	}
	return what + "; Enter alone leaves it unanswered:"
}

// parseReply parses line, which the user has typed, as the answer to question q.
func parseReply(q tool.Question, line string) (r tool.Reply, err error) {
	if len(q.Choices) == 0 {
		return tool.Reply{Text: line}, nil
	}
	numbers := []string{line}
	if q.Several {
		numbers = strings.Split(line, ",")
	}
	for _, text := range numbers {
		n, numErr := strconv.Atoi(strings.TrimSpace(text))
		switch {
		case numErr != nil && q.Free:
			return tool.Reply{Text: line}, nil
		case numErr != nil || n < 1 || n > len(q.Choices):
			return r, fmt.Errorf("%q is no number from 1 to %d", strings.TrimSpace(text), len(q.Choices))
		}
		if label := q.Choices[n-1].Label; !slices.Contains(r.Chosen, label) {
			r.Chosen = append(r.Chosen, label)
		}
	}
	return r, nil
}
