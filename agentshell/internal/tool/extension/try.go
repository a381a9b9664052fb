package extension

import (
	"context"
	"slices"
)

// Registered are the names that a program serves.
type Registered served

// Start starts the program, if it does not run, and returns what it serves.
func (e *Extension) Start(ctx context.Context) (Registered, error) {
	c, release, err := e.use(ctx)
	if err != nil {
		return Registered{}, err
	}
	defer release()
	return Registered(c.serves), nil
}

// Missing returns what the manifest lists and a program does not serve, such as "the command x".
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

// Ask asks the program for the rows of a part and waits for them, unlike [Extension.Rows]. known is
// false if the shell shall show the part as usual.
func (e *Extension) Ask(ctx context.Context, a Asked) (rows Rows, known bool, err error) {
	return e.render(ctx, a)
}

// Completions asks the program for the items of an argument, like [Extension.Complete], and says
// why there are none.
func (e *Extension) Completions(ctx context.Context, name, args string) ([]Item, error) {
	c, release, err := e.use(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	var reply struct {
		Items []Item `json:"items"`
	}
	err = c.call(ctx, "complete", commandParams{Name: name, Args: args}, &reply)
	return reply.Items, err
}
