package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// callArgs holds the JSON arguments of one call that a model's script makes, such as tab.click. It
// is the union of the arguments of all functions: each function reads only its own fields.
type callArgs struct {
	Selector   string            `json:"selector"`
	ID         int               `json:"id"`
	URL        string            `json:"url"`
	Wait       string            `json:"wait"`
	Text       string            `json:"text"`
	Key        string            `json:"key"`
	X          float64           `json:"x"`
	Y          float64           `json:"y"`
	From       dragEnd           `json:"from"`
	To         dragEnd           `json:"to"`
	All        bool              `json:"all"`
	View       bool              `json:"view"`
	Full       bool              `json:"full"`
	Silent     bool              `json:"silent"`
	Save       string            `json:"save"`
	Format     string            `json:"format"`
	Script     string            `json:"script"`
	IsFunction bool              `json:"isFunction"`
	List       []json.RawMessage `json:"list"`
	Values     []string          `json:"values"`
	After      int               `json:"after"`
	Number     int               `json:"number"`
	By         int               `json:"by"`
	Viewport
}

// dragEnd is one end of a drag: an element, by its selector or number, or a position in the window.
type dragEnd struct {
	Selector string   `json:"selector"`
	ID       int      `json:"id"`
	X        *float64 `json:"x"`
	Y        *float64 `json:"y"`
}

// parseTarget returns the selector of a call. given is false if the call has none.
func (a callArgs) parseTarget() (s selector, given bool, err error) {
	if a.ID != 0 {
		return selector{kind: "id", id: a.ID}, true, nil
	}
	if a.Selector == "" {
		return s, false, nil
	}
	s, err = parseSelector(a.Selector)
	return s, true, err
}

// codeCalls holds the functions that a model's script can call, by name.
var codeCalls = map[string]func(*codeRun, callArgs) (any, error){
	"place": (*codeRun).place, "goto": (*codeRun).visit, "observe": (*codeRun).observe,
	"screenshot": (*codeRun).screenshot, "extract": (*codeRun).extract, "content": (*codeRun).content,
	"evaluate": (*codeRun).evaluate, "drag": (*codeRun).drag, "uploadFile": (*codeRun).upload,
	"press": (*codeRun).press, "responses": (*codeRun).responses, "history": (*codeRun).history,
	"click":          onElement((*Tab).click),
	"focus":          onElement((*Tab).focus),
	"waitFor":        onElement((*Tab).waitFor),
	"scrollIntoView": onElement((*Tab).scrollIntoView),
	"alive":          onElement((*Tab).checkPresent),
	"fill": func(r *codeRun, a callArgs) (any, error) {
		return onElement(func(t *Tab, ctx context.Context, s selector) error { return t.fill(ctx, s, a.Text) })(r, a)
	},
	"type": func(r *codeRun, a callArgs) (any, error) {
		return onElement(func(t *Tab, ctx context.Context, s selector) error {
			if err := t.focus(ctx, s); err != nil {
				return err
			}
			return t.typeText(ctx, a.Text)
		})(r, a)
	},
	"select": func(r *codeRun, a callArgs) (chosen any, err error) {
		_, err = onElement(func(t *Tab, ctx context.Context, s selector) error {
			list, err := t.chooseOptions(ctx, s, a.Values)
			chosen = list
			return err
		})(r, a)
		return chosen, err
	},
	"keys":     func(r *codeRun, a callArgs) (any, error) { return nil, r.tab.typeText(r.ctx, a.Text) },
	"scroll":   func(r *codeRun, a callArgs) (any, error) { return nil, r.tab.scroll(r.ctx, a.X, a.Y) },
	"clickAt":  func(r *codeRun, a callArgs) (any, error) { return nil, r.tab.clickAt(r.ctx, point{a.X, a.Y}) },
	"viewport": func(r *codeRun, a callArgs) (any, error) { return nil, r.tab.setViewport(r.ctx, a.Viewport) },
	"reload":   func(r *codeRun, a callArgs) (any, error) { return nil, r.tab.reload(r.ctx, a.Wait) },
	"body":     func(r *codeRun, a callArgs) (any, error) { return r.tab.responseBody(r.ctx, a.Number) },
	"tabs":     func(r *codeRun, a callArgs) (any, error) { return r.engine.service.Names(), nil },
}

// onElement returns a function for codeCalls that runs act on the element of the call's selector.
// Without a selector it fails.
func onElement(act func(*Tab, context.Context, selector) error) func(*codeRun, callArgs) (any, error) {
	return func(r *codeRun, a callArgs) (any, error) {
		s, given, err := a.parseTarget()
		if err == nil && !given {
			err = errors.New("the selector is empty")
		}
		if err != nil {
			return nil, err
		}
		return nil, act(r.tab, r.ctx, s)
	}
}

// callFunction runs the function name that a script has called, with its JSON arguments.
func (r *codeRun) callFunction(name string, raw json.RawMessage) (any, error) {
	call := codeCalls[name]
	if call == nil {
		return nil, fmt.Errorf("there is no function %q", shorten(name))
	}
	var a callArgs
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &a); err != nil {
			return nil, fmt.Errorf("%s: its arguments are not of the kind it takes", shorten(name))
		}
	}
	return call(r, a)
}

func (r *codeRun) place(callArgs) (any, error) {
	address, title, err := r.tab.Place(r.ctx)
	return object{"url": address, "title": title}, err
}

// visit navigates the tab to an address. If its host may not be reached yet, it asks the user and
// tries again.
func (r *codeRun) visit(a callArgs) (any, error) {
	err := r.tab.Goto(r.ctx, a.URL, a.Wait)
	var host *HostError
	if errors.As(err, &host) {
		if err = r.Host.Visit(r.ctx, a.URL, host); err == nil {
			err = r.tab.Goto(r.ctx, a.URL, a.Wait)
		}
	}
	return nil, err
}

func (r *codeRun) observe(a callArgs) (any, error) { return r.tab.observe(r.ctx, a.All, a.View) }

// screenshot takes a picture and returns its size and format. The picture is also shown to the
// model, unless a.Silent is set, and saved to a.Save if that is set.
func (r *codeRun) screenshot(a callArgs) (any, error) {
	s, given, err := a.parseTarget()
	if err != nil {
		return nil, err
	}
	of := &s
	if !given {
		of = nil
	}
	shot, err := r.tab.screenshot(r.ctx, of, a.Full)
	if err != nil {
		return nil, err
	}
	w, h := pngSize(shot.Data)
	facts := object{"mimeType": "image/png", "width": w, "height": h, "bytes": len(shot.Data)}
	if a.Save != "" {
		if facts["dest"], err = r.Host.Save(r.ctx, a.Save, shot.Data); err != nil {
			return nil, err
		}
	}
	if !a.Silent {
		line, err := r.Image(shot.Data)
		if err != nil {
			return nil, err
		}
		if shot.Cut {
			line += " (the beginning of a longer page)"
		}
		r.mu.Lock()
		r.Show(line)
		r.mu.Unlock()
	}
	return facts, nil
}

// extract returns the contents of the page as text or as Markdown. It returns nil if the page has
// no text.
func (r *codeRun) extract(a callArgs) (any, error) {
	if a.Format != "markdown" && a.Format != "text" {
		return nil, fmt.Errorf("there is no format %q: markdown and text are there", shorten(a.Format))
	}
	if a.Format == "text" {
		text, err := r.tab.text(r.ctx)
		if err != nil || text == "" {
			return nil, err
		}
		return text, nil
	}
	page, err := r.tab.html(r.ctx)
	if err != nil {
		return nil, err
	}
	address, _, err := r.tab.Place(r.ctx)
	if err != nil {
		return nil, err
	}
	text, err := r.Host.Text(r.ctx, address, []byte(page))
	if err != nil || text == "" {
		return nil, err
	}
	return text, nil
}

func (r *codeRun) content(callArgs) (any, error) { return r.tab.html(r.ctx) }

func (r *codeRun) evaluate(a callArgs) (any, error) {
	value, err := r.tab.evaluate(r.ctx, a.Script, a.IsFunction, a.List)
	if value == nil {
		return nil, err
	}
	return value, err
}

func (r *codeRun) press(a callArgs) (any, error) {
	s, given, err := a.parseTarget()
	if err == nil && given {
		err = r.tab.focus(r.ctx, s)
	}
	if err != nil {
		return nil, err
	}
	return nil, r.tab.press(r.ctx, a.Key)
}

func (r *codeRun) drag(a callArgs) (any, error) {
	if _, err := r.pointOf(a.From); err != nil {
		return nil, fmt.Errorf("drag from: %w", err)
	}
	to, err := r.pointOf(a.To)
	if err != nil {
		return nil, fmt.Errorf("drag to: %w", err)
	}
	from, err := r.pointOf(a.From) // again: the page may have scrolled
	if err != nil {
		return nil, fmt.Errorf("drag from: %w", err)
	}
	return nil, r.tab.drag(r.ctx, from, to)
}

// pointOf returns the position of p in the window. For an element it waits until the element can be
// clicked.
func (r *codeRun) pointOf(p dragEnd) (point, error) {
	if p.X != nil && p.Y != nil {
		return point{*p.X, *p.Y}, nil
	}
	s, given, err := callArgs{Selector: p.Selector, ID: p.ID}.parseTarget()
	if err == nil && !given {
		err = errors.New("it takes a selector, or {x, y}")
	}
	if err != nil {
		return point{}, err
	}
	return r.tab.pointOf(r.ctx, s)
}

func (r *codeRun) responses(a callArgs) (any, error) {
	list, last := r.tab.responsesSince(a.After)
	return object{"list": list, "last": last}, nil
}

func (r *codeRun) history(a callArgs) (any, error) {
	return nil, r.tab.moveInHistory(r.ctx, a.By, a.Wait)
}

// upload hands the workspace files in a.Values to the <input type=file> of the call.
func (r *codeRun) upload(a callArgs) (any, error) {
	s, given, err := a.parseTarget()
	if err == nil && !given {
		err = errors.New("the selector is empty")
	}
	if err != nil {
		return nil, err
	}
	if len(a.Values) == 0 {
		return nil, errors.New("uploadFile names no file")
	}
	var files []uploadedFile
	for _, path := range a.Values {
		name, data, err := r.Host.File(r.ctx, path)
		if err != nil {
			return nil, err
		}
		files = append(files, uploadedFile{name, data})
	}
	return nil, r.tab.upload(r.ctx, s, files)
}
