package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// point is a position in the window, in CSS pixels.
type point struct{ X, Y float64 }

// pointOf waits until an element can be clicked, and returns the position for the click.
func (t *Tab) pointOf(ctx context.Context, s selector) (p point, err error) {
	err = t.waitElement(ctx, s, func(ctx context.Context, el element) (string, error) {
		r, err := t.callPageFunction(ctx, el.frame, "point", el.object, true)
		if err != nil {
			return "", err
		}
		var at struct {
			Why  string
			X, Y float64
		}
		if err := json.Unmarshal(r.Value, &at); err != nil {
			return "", err
		}
		p = point{at.X, at.Y}
		return at.Why, nil
	})
	return p, err
}

// sendMouse sends a mouse event of the given DevTools kind. buttons is the bit mask of the buttons
// that are down, and more holds additional parameters.
func (t *Tab) sendMouse(ctx context.Context, kind string, p point, buttons int, more object) error {
	params := object{"type": kind, "x": p.X, "y": p.Y, "button": "none", "buttons": buttons}
	if kind == "mousePressed" || kind == "mouseReleased" {
		params["button"], params["clickCount"] = "left", 1
	}
	for k, v := range more {
		params[k] = v
	}
	return t.call(ctx, "Input.dispatchMouseEvent", params, nil)
}

// click waits until an element can be clicked, and clicks it.
func (t *Tab) click(ctx context.Context, s selector) error {
	p, err := t.pointOf(ctx, s)
	if err != nil {
		return err
	}
	return t.clickAt(ctx, p)
}

func (t *Tab) clickAt(ctx context.Context, p point) error {
	if err := t.sendMouse(ctx, "mouseMoved", p, 0, nil); err != nil {
		return err
	}
	if err := t.sendMouse(ctx, "mousePressed", p, 1, nil); err != nil {
		return err
	}
	return t.sendMouse(ctx, "mouseReleased", p, 0, nil)
}

// dragSteps is the number of mouse moves that one drag sends.
const dragSteps = 12

// drag presses the mouse button at one position, moves to another, and releases the button there.
func (t *Tab) drag(ctx context.Context, from, to point) error {
	if err := t.sendMouse(ctx, "mouseMoved", from, 0, nil); err != nil {
		return err
	}
	if err := t.sendMouse(ctx, "mousePressed", from, 1, nil); err != nil {
		return err
	}
	for i := 1; i <= dragSteps; i++ {
		part := float64(i) / dragSteps
		at := point{from.X + (to.X-from.X)*part, from.Y + (to.Y-from.Y)*part}
		if err := t.sendMouse(ctx, "mouseMoved", at, 1, object{"button": "left"}); err != nil {
			return err
		}
	}
	return t.sendMouse(ctx, "mouseReleased", to, 0, nil)
}

// scroll turns the mouse wheel in the middle of the window by dx and dy pixels.
func (t *Tab) scroll(ctx context.Context, dx, dy float64) error {
	v := t.Viewport()
	return t.sendMouse(ctx, "mouseWheel", point{float64(v.Width) / 2, float64(v.Height) / 2}, 0,
		object{"deltaX": dx, "deltaY": dy})
}

// focus waits until an element takes the keyboard focus.
func (t *Tab) focus(ctx context.Context, s selector) error {
	return t.waitElement(ctx, s, func(ctx context.Context, el element) (string, error) {
		r, err := t.callPageFunction(ctx, el.frame, "focus", el.object, true)
		if err == nil && string(r.Value) != "true" {
			return "takes no focus", nil
		}
		return "", err
	})
}

// typeText types a text key by key, into the element that has the focus.
func (t *Tab) typeText(ctx context.Context, text string) error {
	for _, r := range text {
		if err := t.typeRune(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tab) typeRune(ctx context.Context, r rune) error {
	switch r {
	case '\n', '\r':
		return t.press(ctx, "Enter")
	case '\t':
		return t.press(ctx, "Tab")
	}
	if k, ok := keyOf(string(r)); ok {
		return t.strokeKey(ctx, k, 0)
	}
	return t.call(ctx, "Input.insertText", object{"text": string(r)}, nil)
}

// press presses and releases a key, such as Enter, a, or Control+A.
func (t *Tab) press(ctx context.Context, name string) error {
	modifiers := 0
	parts := strings.Split(name, "+")
	if strings.HasSuffix(name, "+") { // the key +
		parts = append(parts[:len(parts)-2], "+")
	}
	for _, m := range parts[:len(parts)-1] {
		bit := modifierBits[strings.ToLower(m)]
		if bit == 0 {
			return fmt.Errorf("%q is no key that is held with another: Alt, Control, Meta and Shift are", shorten(m))
		}
		modifiers |= bit
	}
	k, ok := keyOf(parts[len(parts)-1])
	if !ok {
		return fmt.Errorf("there is no key %q: keys are called Enter, Tab, Escape, Backspace, Delete, ArrowDown, "+
			"Home, "+
			"PageDown, F1, or by the character that they give", shorten(name))
	}
	return t.strokeKey(ctx, k, modifiers)
}

// strokeKey sends the events for pressing and releasing one key with its modifiers.
func (t *Tab) strokeKey(ctx context.Context, k key, modifiers int) error {
	params := object{"type": "rawKeyDown", "key": k.name, "code": k.code, "windowsVirtualKeyCode": k.keyCode,
		"modifiers": modifiers}
	if k.text != "" && modifiers&^modifierBits["shift"] == 0 {
		params["type"], params["text"] = "keyDown", k.text
	}
	if command := editingCommand(k.name, modifiers); command != "" {
		params["commands"] = []string{command}
	}
	if err := t.call(ctx, "Input.dispatchKeyEvent", params, nil); err != nil {
		return err
	}
	delete(params, "text")
	delete(params, "commands")
	params["type"] = "keyUp"
	return t.call(ctx, "Input.dispatchKeyEvent", params, nil)
}

// fill replaces the contents of an input field by value.
func (t *Tab) fill(ctx context.Context, s selector, value string) error {
	if !utf8.ValidString(value) {
		value = strings.ToValidUTF8(value, "\uFFFD")
	}
	return t.waitElement(ctx, s, func(ctx context.Context, el element) (string, error) {
		seen, err := t.callPageFunction(ctx, el.frame, "seen", el.object, true)
		if err != nil || string(seen.Value) != "true" {
			return "is not visible", err
		}
		r, err := t.callPageFunction(ctx, el.frame, "fill", el.object, true, value)
		return "", refusalError(s, r, err)
	})
}

// refusalError returns the error of calling a function of page.js that returns a reason if it did
// nothing, and "" if it succeeded. r is its answer, and err the error of the call.
func refusalError(s selector, r remoteValue, err error) error {
	var why string
	if err == nil {
		err = json.Unmarshal(r.Value, &why)
	}
	if err == nil && why != "" {
		err = fmt.Errorf("%s: %s", s, why)
	}
	return err
}

// chooseOptions selects options of a <select> by their values or texts, and returns the values of
// those that are now selected.
func (t *Tab) chooseOptions(ctx context.Context, s selector, values []string) (chosen []string, err error) {
	if values == nil {
		values = []string{}
	}
	err = t.waitElement(ctx, s, func(ctx context.Context, el element) (string, error) {
		r, err := t.callPageFunction(ctx, el.frame, "select", el.object, true, values)
		if err != nil {
			return "", err
		}
		var answer struct {
			Why    string
			Chosen []string
		}
		if err := json.Unmarshal(r.Value, &answer); err != nil {
			return "", err
		}
		if answer.Why != "" {
			return "", fmt.Errorf("%s: %s", s, answer.Why)
		}
		chosen = answer.Chosen
		return "", nil
	})
	return chosen, err
}
