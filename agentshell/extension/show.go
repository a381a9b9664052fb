package extension

import (
	"context"
	"encoding/json"
	"sync"
)

// Places of a question.
const (
	Prompt  = "prompt"  // in the place of the prompt; the default
	Overlay = "overlay" // a box over the rows above it
)

// Picker asks for one of several items. Typing filters them.
type Picker struct {
	Title string // at most 80 columns
	Place string
	Items []Item // at most 2,000
}

// Pick shows a picker and returns the value of the chosen item.
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

// Form asks for values.
type Form struct {
	Title  string // at most 80 columns
	Place  string
	Fields []Field // at most 20
}

// The kinds of fields.
const (
	Text    = "text"
	Lines   = "lines"   // a text of several lines
	Choice  = "choice"  // one of Choices
	Choices = "choices" // any number of them
	Confirm = "confirm" // yes or no
)

// Field is a field of a [Form].
type Field struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind"` // "": text
	Label    string   `json:"label,omitempty"`
	Help     string   `json:"help,omitempty"` // a sentence below the field
	Choices  []string `json:"choices,omitempty"`
	Value    any      `json:"value,omitempty"` // at first: a string, []string for choices, bool for confirm
	Required bool     `json:"required,omitempty"`
}

// Fill shows a form and sets the fields of answer, a pointer to a struct or a map whose names in
// JSON are those of the form's fields. Their values are a string, []string for choices, bool for
// confirm.
func (c *Call) Fill(ctx context.Context, f Form, answer any) error {
	fields := make([]Field, len(f.Fields))
	for i, field := range f.Fields {
		if fields[i] = field; field.Kind == "" {
			fields[i].Kind = Text
		}
	}
	return c.show(ctx, map[string]any{"kind": "form", "title": f.Title, "fields": fields}, f.Place, answer)
}

// View shows rows that the program makes, and takes the keys that the person presses. Its functions
// are called one after another.
type View struct {
	Title  string // at most 80 columns
	Place  string
	Height int // rows, at most 40; 0: 10
	// Rows returns at most height rows of width columns.
	Rows func(width, height int) []Row
	// Key takes a key and reports whether the view ends. The rows are asked for again after it.
	Key func(k Key) (done bool)
}

// Key is a key that the person has pressed in a [View].
type Key struct {
	Name string `json:"key"`  // such as a, A, enter, up, ctrl+a; paste for pasted text
	Text string `json:"text"` // the text that it enters, if any
}

// View shows a view until its Key reports that it ends. [ErrCancelled] says that the person has
// left it, by Esc or Ctrl+C.
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

// shownView is a view on the screen.
type shownView struct {
	View
	name string
	keys chan Key

	mu    sync.Mutex // held while a function of the view runs
	ended bool
}

// rows returns the rows of the view.
func (v *shownView) rows(width, height int) []Row {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.Rows == nil || v.ended {
		return []Row{}
	}
	return v.Rows(width, height)
}

// takeKeys gives keys to the view until ctx ends.
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

// show asks the person, and sets answer.
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
