package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
)

// node identifies an element of a page: its DOM node number in the browser, and its frame.
type node struct {
	backend int
	frame   string
}

// elementNumbers assigns short numbers to the elements that were reported to the model. A number
// means the same element while the tab shows the same page, and is never used again for another
// one.
type elementNumbers struct {
	last  int
	nodes map[int]node
	ids   map[node]int
}

func (n *elementNumbers) numberOf(x node) int {
	if id := n.ids[x]; id != 0 {
		return id
	}
	n.last++
	n.nodes[n.last], n.ids[x] = x, n.last
	return n.last
}

// forget drops the elements of a page that is gone. Their numbers are not used again.
func (n *elementNumbers) forget() {
	clear(n.nodes)
	clear(n.ids)
}

// axValue is a value in the browser's accessibility tree.
type axValue struct {
	Value json.RawMessage `json:"value"`
}

// text returns the value as a string; other JSON is returned as it is.
func (v axValue) text() string {
	var s string
	if json.Unmarshal(v.Value, &s) == nil {
		return s
	}
	return string(v.Value)
}

// axNode is a node of the browser's accessibility tree.
type axNode struct {
	Ignored    bool    `json:"ignored"`
	Role       axValue `json:"role"`
	Name       axValue `json:"name"`
	Value      axValue `json:"value"`
	Backend    int     `json:"backendDOMNodeId"`
	Properties []struct {
		Name  string  `json:"name"`
		Value axValue `json:"value"`
	} `json:"properties"`
}

// Element is an element of a page as it is reported to the model.
type Element struct {
	ID     int      `json:"id"`
	Role   string   `json:"role"`
	Name   string   `json:"name,omitempty"`
	Value  string   `json:"value,omitempty"`
	States []string `json:"states,omitempty"`
}

// Observation describes the page of a tab for the model, with its elements.
type Observation struct {
	URL      string          `json:"url"`
	Title    string          `json:"title,omitempty"`
	Viewport Viewport        `json:"viewport"`
	Scroll   json.RawMessage `json:"scroll"`
	Elements []Element       `json:"elements"`
	// Left counts the elements beyond maxElements that were left out.
	Left int `json:"leftOut,omitempty"`
}

// maxElements is the number of elements that one Observation lists.
const maxElements = 500

// interactiveRoles lists the accessibility roles of elements that a user can operate.
var interactiveRoles = []string{"button", "link", "textbox", "searchbox", "checkbox", "radio", "combobox", "listbox",
	"option", "menuitem", "menuitemcheckbox", "menuitemradio", "slider", "spinbutton", "switch", "tab", "treeitem",
	"DisclosureTriangle", "ColorWell", "Date", "DateTime", "InputTime"}

// silentRoles lists the accessibility roles that tell nothing in addition to the name of the parent
// element.
var silentRoles = []string{"none", "generic", "InlineTextBox", "StaticText", "LineBreak", "RootWebArea", "ListMarker"}

// stateNames lists the accessibility properties that an Element reports as states.
var stateNames = []string{"disabled", "checked", "pressed", "selected", "expanded", "focused", "required", "readonly",
	"invalid", "multiselectable", "level", "hasPopup"}

// observe lists the elements of the page and of its frames on the same site. all includes elements
// that nobody can operate; view leaves out elements outside the visible window.
func (t *Tab) observe(ctx context.Context, all, view bool) (o Observation, err error) {
	if o.URL, o.Title, err = t.Place(ctx); err != nil {
		return o, err
	}
	place, err := t.callPageFunction(ctx, t.target, "place", "", true)
	if err != nil {
		return o, err
	}
	o.Viewport, o.Scroll, o.Elements = t.Viewport(), place.Value, []Element{}
	frames, err := t.frames(ctx)
	if err != nil {
		return o, err
	}
	for _, frame := range frames {
		var tree struct{ Nodes []axNode }
		if err := t.call(ctx, "Accessibility.getFullAXTree", object{"frameId": frame}, &tree); err != nil {
			if frame == t.target {
				return o, err
			}
			continue // of another site, or gone
		}
		for _, n := range tree.Nodes {
			if err := t.addElement(ctx, &o, n, frame, all, view); err != nil {
				return o, err
			}
		}
	}
	return o, nil
}

// addElement appends the element n to an observation, if observe's options all and view include it.
func (t *Tab) addElement(ctx context.Context, o *Observation, n axNode, frame string, all, view bool) error {
	role := n.Role.text()
	wanted := slices.Contains(interactiveRoles, role)
	if all {
		wanted = !slices.Contains(silentRoles, role)
	}
	if n.Ignored || n.Backend == 0 || !wanted {
		return nil
	}
	if len(o.Elements) == maxElements {
		o.Left++
		return nil
	}
	x := node{n.Backend, frame}
	if view {
		object, err := t.resolve(ctx, x)
		if err != nil {
			return ignoreStale(err)
		}
		r, err := t.callPageFunction(ctx, frame, "inView", object, true)
		if err != nil || string(r.Value) != "true" {
			return ignoreStale(err)
		}
	}
	e := Element{Role: role, Name: shorten(n.Name.text()), Value: shorten(n.Value.text())}
	for _, p := range n.Properties {
		value := p.Value.text()
		if !slices.Contains(stateNames, p.Name) || value == "false" || value == "" {
			continue
		}
		if value == "true" {
			e.States = append(e.States, p.Name)
		} else {
			e.States = append(e.States, p.Name+"="+shorten(value))
		}
	}
	t.mu.Lock()
	e.ID = t.numbers.numberOf(x)
	t.mu.Unlock()
	o.Elements = append(o.Elements, e)
	return nil
}

func ignoreStale(err error) error {
	if isStale(err) {
		return nil
	}
	return err
}

// maxFrames is the number of frames of a page that observe looks at.
const maxFrames = 20

// frames returns the ids of the main frame and of the frames within it, at most maxFrames.
func (t *Tab) frames(ctx context.Context) (list []string, err error) {
	type tree struct {
		Frame struct {
			ID string `json:"id"`
		} `json:"frame"`
		Children []json.RawMessage `json:"childFrames"`
	}
	var r struct {
		Tree json.RawMessage `json:"frameTree"`
	}
	if err := t.call(ctx, "Page.getFrameTree", nil, &r); err != nil {
		return nil, err
	}
	for next := []json.RawMessage{r.Tree}; len(next) > 0 && len(list) < maxFrames; next = next[1:] {
		var f tree
		if err := json.Unmarshal(next[0], &f); err != nil {
			return nil, err
		}
		list = append(list, f.Frame.ID)
		next = append(next, f.Children...)
	}
	return list, nil
}

// numbered returns the element whose number is s.id. found is true unless it returns an error: for
// an unknown number, or an element that is gone.
func (t *Tab) numbered(ctx context.Context, s selector) (el element, found bool, err error) {
	t.mu.Lock()
	x, known := t.numbers.nodes[s.id]
	last := t.numbers.last
	t.mu.Unlock()
	switch {
	case !known && (s.id < 1 || s.id > last):
		return el, false, fmt.Errorf("there is no element %d: tab.observe gives the numbers", s.id)
	case !known:
		return el, false, fmt.Errorf("the element %d was on a page that is gone: tab.observe gives new numbers", s.id)
	}
	el = element{frame: x.frame, what: s}
	if el.object, err = t.resolve(ctx, x); err == nil {
		var r remoteValue
		if r, err = t.callPageFunction(ctx, x.frame, "alive", el.object, true); err == nil &&
			string(r.Value) == "true" {
			return el, true, nil
		}
	}
	if err == nil || isStale(err) {
		err = fmt.Errorf("the element %d is not in the page any more: tab.observe gives new numbers", s.id)
	}
	return el, false, err
}
