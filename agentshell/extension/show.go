package extension

import (
	"context"
	"encoding/json"
	"sync"
)

// The places of a question on the screen.
const (
	Prompt  = "prompt"  // in place of the prompt; the default
	Overlay = "overlay" // in a box over the rows above the prompt
)

// Picker is a question: the user chooses one of several items. Typing filters them.
type Picker struct {
	Title string // At most 80 columns.
	Place string
	Items []Item // At most 2,000.
}

// Pick shows a picker and waits for the user. It returns the value of the chosen item, or
// [ErrCancelled].
func (c *Call) Pick(ctx context.Context, p Picker) (string, error) {
	items := make([]Item, len(p.Items))
	for i, item := range p.Items {
		if items[i] = item; item.Value == "" {
			items[i].Value = item.Text
		}
	}
	var value string
	err := c.show(ctx, map[string]any{"kind": "picker", "title": p.Title, "items": items}, p.Place, &value)
	return value, err
}

// Form is a question with several fields for the user to fill in.
type Form struct {
	Title  string // At most 80 columns.
	Place  string
	Fields []Field // At most 20.
}

// The kinds of fields in a [Form].
const (
	Text    = "text"
	Lines   = "lines"   // a text of several lines
	Choice  = "choice"  // one of Field.Choices
	Choices = "choices" // any number of Field.Choices
	Confirm = "confirm" // yes or no
)

// Field is one field of a [Form].
type Field struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind"` // One of the kinds above; "": Text.
	Label   string   `json:"label,omitempty"`
	Help    string   `json:"help,omitempty"` // A sentence that is shown below the field.
	Choices []string `json:"choices,omitempty"`
	// The value at first: a string, a []string for Choices, or a bool for Confirm.
	Value    any  `json:"value,omitempty"`
	Required bool `json:"required,omitempty"`
}

// Fill shows a form, waits for the user, and stores the values in answer. That is a pointer to a
// map, or to a struct whose JSON names are the names of the form's fields. A value is a string, a
// []string for Choices, or a bool for Confirm. It returns [ErrCancelled] if the user closes the
// form.
func (c *Call) Fill(ctx context.Context, f Form, answer any) error {
	fields := make([]Field, len(f.Fields))
	for i, field := range f.Fields {
		if fields[i] = field; field.Kind == "" {
			fields[i].Kind = Text
		}
	}
	return c.show(ctx, map[string]any{"kind": "form", "title": f.Title, "fields": fields}, f.Place, answer)
}

// View is an area of the screen with rows that the program draws. It gets the keys that the user
// presses. Only one of its functions runs at a time.
type View struct {
	Title  string // At most 80 columns.
	Place  string
	Height int // The number of rows, at most 40; 0: 10.
	// Rows returns the content: at most height rows of at most width columns.
	Rows func(width, height int) []Row
	// Key handles a key, and reports whether the view should close. After each key the shell
	// requests the rows again.
	Key func(k Key) (done bool)
}

// Key is a key that the user has pressed in a [View].
type Key struct {
	Name string `json:"key"`  // The key's name, such as a, A, enter, up or ctrl+a; "paste" for pasted text.
	Text string `json:"text"` // The text that the key types, or the pasted text; "" if there is none.
}

// View shows a view until its function Key returns true. It returns [ErrCancelled] if the user has
// closed the view with Esc or Ctrl+C.
func (c *Call) View(ctx context.Context, v View) error {
	if v.Height == 0 {
		v.Height = 10
	}
	name := c.token
	shown := &shownView{View: v, name: name, keys: make(chan Key, maxWaiting)}
	c.server.views.Store(name, shown)
	defer c.server.views.Delete(name)
	ctx, cancel := context.WithCancel(ctx)
	defer func() {
		cancel()
		shown.mu.Lock()
		shown.ended = true // no function of the view runs from now on
		shown.mu.Unlock()
	}()
	c.server.running.Go(func() { shown.takeKeys(ctx, c.server) })
	var ignored any
	return c.show(ctx, map[string]any{"kind": "view", "title": v.Title, "view": name, "height": v.Height}, v.Place,
		&ignored)
}

// shownView is a view that is on the screen.
type shownView struct {
	View
	name string
	keys chan Key

	mu    sync.Mutex // held while a function of the view runs
	ended bool
}

// rows returns the content of the view, which must fit into width columns and height rows.
func (v *shownView) rows(width, height int) []Row {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.Rows == nil || v.ended {
		return []Row{}
	}
	return v.Rows(width, height)
}

// takeKeys passes the keys that arrive to the view, until the view closes or ctx ends.
func (v *shownView) takeKeys(ctx context.Context, s *server) {
	for {
		var k Key
		select {
		case k = <-v.keys:
		case <-ctx.Done():
			return
		}
		v.mu.Lock()
		done := !v.ended && v.Key != nil && v.Key(k)
		v.mu.Unlock()
		if done {
			s.notify("close", map[string]any{"view": v.name, "value": true})
			return
		}
		s.notify("changed", map[string]string{"part": "view", "view": v.name})
	}
}

// show sends a question to the shell and waits for the user. It stores the value in answer.
func (c *Call) show(ctx context.Context, params map[string]any, place string, answer any) error {
	params["token"] = c.token
	if place != "" {
		params["place"] = place
	}
	var reply struct {
		Value     json.RawMessage `json:"value"`
		Cancelled bool            `json:"cancelled"`
	}
	if err := c.server.call(ctx, "show", params, &reply); err != nil {
		return err
	}
	if reply.Cancelled {
		return ErrCancelled
	}
	return json.Unmarshal(reply.Value, answer)
}
