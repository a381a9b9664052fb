package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// TodoItem is one item of the list. State: pending, active, done or dropped.
type TodoItem struct {
	Name  string   `json:"name"`
	State string   `json:"state"`
	Notes []string `json:"notes,omitempty"`
}

// todo is the model's own list (SH-21). It lives in memory and touches no file. At most one item is
// active; when none is and one is pending, the first pending one becomes active at the end of a
// call.
type todo struct {
	mu    sync.Mutex
	items []TodoItem
}

type todoArgs struct {
	Ops []todoOp `json:"ops" doc:"Operations, in order. One that fails does not stop the others."`
}

type todoOp struct {
	Op    string   `json:"op" enum:"init start done drop rm append note" doc:"init replaces the list by items; append adds items; start, done, drop and rm name an item; note adds text to an item."`
	Item  string   `json:"item,omitempty" doc:"Exact name of an item."`
	Items []string `json:"items,omitempty" doc:"Names for init and append."`
	Text  string   `json:"text,omitempty" doc:"Text for note."`
}

func (t *todo) Spec() Spec {
	return Spec{
		Name: "todo", ReadOnly: true, Schema: schemaOf[todoArgs](),
		Description: "Keep a list of the steps of a longer task, which the user sees. One item is active at a time.",
	}
}

func (t *todo) Prepare(ctx context.Context, id string, input json.RawMessage) (Call, error) {
	args, err := decode[todoArgs](input)
	if err != nil {
		return Call{}, err
	}
	return Call{
		Title: "todo",
		Run: func(context.Context, func(string)) (Result, error) {
			t.mu.Lock()
			defer t.mu.Unlock()
			var wrong []string
			for i, op := range args.Ops {
				if err := t.apply(op); err != "" {
					wrong = append(wrong, fmt.Sprintf("operation %d (%s): %s", i+1, op.Op, err))
				}
			}
			t.promote()
			text := t.text()
			if len(wrong) > 0 {
				text += "errors:\n" + strings.Join(wrong, "\n") + "\n"
			}
			items := slices.Clone(t.items)
			return Result{Text: text, Summary: t.summary(), Detail: t.text(), Partial: len(wrong) > 0, Data: items}, nil
		},
	}, nil
}

func (t *todo) at(name string) int {
	return slices.IndexFunc(t.items, func(i TodoItem) bool { return i.Name == name })
}

func (t *todo) apply(op todoOp) (wrong string) {
	switch op.Op {
	case "init":
		t.items = nil
		fallthrough
	case "append":
		if len(op.Items) == 0 {
			return "items is missing"
		}
		for _, name := range op.Items {
			switch {
			case strings.TrimSpace(name) == "":
				wrong = "an item has no name"
			case t.at(name) >= 0:
				wrong = fmt.Sprintf("%q is in the list already", name)
			default:
				t.items = append(t.items, TodoItem{Name: name, State: "pending"})
			}
		}
		return wrong
	}
	i := t.at(op.Item)
	if i < 0 {
		return fmt.Sprintf("there is no item %q", op.Item)
	}
	switch op.Op {
	case "start":
		for k := range t.items {
			if t.items[k].State == "active" {
				t.items[k].State = "pending"
			}
		}
		t.items[i].State = "active"
	case "done":
		t.items[i].State = "done"
	case "drop":
		t.items[i].State = "dropped"
	case "rm":
		t.items = slices.Delete(t.items, i, i+1)
	case "note":
		if op.Text == "" {
			return "text is missing"
		}
		t.items[i].Notes = append(slices.Clone(t.items[i].Notes), op.Text)
	}
	return ""
}

func (t *todo) promote() {
	next := -1
	for i, item := range t.items {
		switch {
		case item.State == "active":
			return
		case item.State == "pending" && next < 0:
			next = i
		}
	}
	if next >= 0 {
		t.items[next].State = "active"
	}
}

func (t *todo) text() string {
	if len(t.items) == 0 {
		return "the list is empty\n"
	}
	marks := map[string]string{"pending": "[ ]", "active": "[>]", "done": "[x]", "dropped": "[-]"}
	var b strings.Builder
	for _, i := range t.items {
		fmt.Fprintf(&b, "%s %s\n", marks[i.State], i.Name)
		for _, n := range i.Notes {
			fmt.Fprintf(&b, "      %s\n", n)
		}
	}
	return b.String()
}

func (t *todo) summary() string {
	done := 0
	for _, i := range t.items {
		if i.State == "done" || i.State == "dropped" {
			done++
		}
	}
	return fmt.Sprintf("%d of %d done", done, len(t.items))
}
