package extension

import (
	"cmp"
	"context"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/pelletier/go-toml/v2"
)

// Registered holds the names of what a program has registered.
type Registered registeredNames

// Start starts the program, if it does not run, and returns what it has registered.
func (e *Extension) Start(ctx context.Context) (Registered, error) {
	c, release, err := e.useProgram(ctx)
	if err != nil {
		return Registered{}, err
	}
	defer release()
	return Registered(c.serves), nil
}

// Missing returns what the manifest lists and the program has not registered, such as "the command
// x".
func (m Manifest) Missing(r Registered) (list []string) {
	has := func(what, name string, names []string) {
		if !slices.Contains(names, name) {
			list = append(list, "the "+what+" "+name)
		}
	}
	for _, c := range m.Commands {
		has("command", c.Name, r.Commands)
	}
	for _, t := range m.Tools {
		has("tool", t.Name, r.Tools)
	}
	for _, one := range m.Renderers {
		has("renderer of", one.Tool, r.Renderers)
	}
	for _, e := range m.Events {
		has("event", e, r.Events)
	}
	if m.Status && !r.Status {
		list = append(list, "the part of the status row")
	}
	if m.Footer && !r.Footer {
		list = append(list, "the footer")
	}
	return list
}

// Stale returns the differences between the manifest and the one that the program itself contains,
// such as "another schema of the tool x". It returns nil if the program contains none or one
// without an about.
func (m Manifest) Stale(r Registered) (list []string) {
	var own Manifest
	if err := toml.Unmarshal([]byte(r.Manifest), &own); err != nil {
		return []string{"a manifest that cannot be read: " + firstLine(err.Error())}
	}
	if own.About == "" {
		return nil
	}
	differs := func(what string, is bool) {
		if is {
			list = append(list, what)
		}
	}
	differs("another about", own.About != m.About)
	for _, c := range m.Commands {
		for _, o := range own.Commands {
			if of := " of the command " + c.Name; o.Name == c.Name {
				differs("another about"+of, o.About != c.About)
				differs("other args"+of, o.Args != c.Args)
				differs("another complete"+of, o.Complete != c.Complete)
			}
		}
	}
	for _, t := range m.Tools {
		for _, o := range own.Tools {
			if of := " of the tool " + t.Name; o.Name == t.Name {
				differs("another about"+of, o.About != t.About)
				differs("another kind"+of, cmp.Or(o.Kind, "other") != cmp.Or(t.Kind, "other"))
				differs("another schema"+of, !sameJSON(o.Schema, t.Schema))
			}
		}
	}
	for _, one := range m.Renderers {
		for _, o := range own.Renderers {
			differs("another renderer of "+one.Tool, o.Tool == one.Tool && o != one)
		}
	}
	return list
}

// sameJSON reports whether two texts are equal as JSON values.
func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// Ask requests the rows of a part of the screen and waits for them, unlike [Extension.Rows]. known
// is false if the shell shall draw the part itself.
func (e *Extension) Ask(ctx context.Context, a Asked) (rows Rows, known bool, err error) {
	return e.renderRows(ctx, a)
}

// Completions returns the program's completions, like [Extension.Complete], or an error that says
// why there are none.
func (e *Extension) Completions(ctx context.Context, name, args string) ([]Item, error) {
	c, release, err := e.useProgram(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	var reply struct {
		Items []Item `json:"items"`
	}
	err = c.call(ctx, "complete", commandParams{Name: name, Args: args}, &reply)
	e.noteCut("the items that complete /"+name, len(reply.Items), maxCompletions)
	return reply.Items[:min(len(reply.Items), maxCompletions)], err
}
