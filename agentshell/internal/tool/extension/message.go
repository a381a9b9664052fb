package extension

import "encoding/json"

// greeting is the first request.
type greeting struct {
	Protocol  int       `json:"protocol"`
	Shell     shellName `json:"shell"`
	Name      string    `json:"name"`
	Workspace string    `json:"workspace"`
	Screen    bool      `json:"screen"`
	Width     int       `json:"width"`
	Height    int       `json:"height"`
	Manifest  bool      `json:"manifest,omitempty"` // the answer shall have the program's own manifest
}

type shellName struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// served is the answer to it: the names of what the program serves.
type served struct {
	Protocol  int      `json:"protocol"`
	Commands  []string `json:"commands"`
	Tools     []string `json:"tools"`
	Renderers []string `json:"renderers"`
	Status    bool     `json:"status"`
	Footer    bool     `json:"footer"`
	Events    []string `json:"events"`
	Manifest  string   `json:"manifest"` // if it was asked for
}

type commandParams struct {
	Name   string `json:"name"`
	Args   string `json:"args"`
	Token  string `json:"token,omitempty"`
	Screen bool   `json:"screen"`
	Width  int    `json:"width"`
}

// Reply is the answer to a command.
type Reply struct {
	Rows  Rows   `json:"rows"`
	Draft string `json:"draft"` // for the prompt
	Send  string `json:"send"`  // for the model
}

// Item is a completion, or a row of a picker.
type Item struct {
	Value string `json:"value,omitempty"`
	Text  string `json:"text"`
	Note  string `json:"note,omitempty"`
}

type toolParams struct {
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
	Token string          `json:"token"`
	// Screen says that a question can be answered.
	Screen bool `json:"screen"`
}

// Event is what a program is told of.
type Event struct {
	Event  string          `json:"event"`
	Text   string          `json:"text,omitempty"`
	Call   string          `json:"call,omitempty"`
	Tool   string          `json:"tool,omitempty"`
	Input  json.RawMessage `json:"input,omitempty"`
	OK     *bool           `json:"ok,omitempty"`
	Missed int             `json:"missed,omitempty"`
}

// The parts of the screen.
const (
	PartStatus = "status"
	PartFooter = "footer"
	PartCall   = "call"
	PartResult = "result"
	PartView   = "view"
)

// Asked says which rows are asked for.
type Asked struct {
	Part   string          `json:"part"`
	View   string          `json:"view,omitempty"`
	Tool   string          `json:"tool,omitempty"`
	Call   string          `json:"call,omitempty"`
	Input  json.RawMessage `json:"input,omitempty"`
	OK     *bool           `json:"ok,omitempty"`
	Text   string          `json:"text,omitempty"`
	Width  int             `json:"width"`
	Height int             `json:"height"`
}

// Question is what a program shows to the person.
type Question struct {
	Token  string  `json:"token"`
	Kind   string  `json:"kind"`
	Title  string  `json:"title"`
	Place  string  `json:"place"`
	Items  []Item  `json:"items"`
	Fields []Field `json:"fields"`
	View   string  `json:"view"`
	Height int     `json:"height"`
}

// Field is a field of a form.
type Field struct {
	Name     string          `json:"name"`
	Kind     string          `json:"kind"`
	Label    string          `json:"label"`
	Help     string          `json:"help"`
	Choices  []string        `json:"choices"`
	Value    json.RawMessage `json:"value"`
	Required bool            `json:"required"`
}

// The bounds of what a program shows and is told.
const (
	maxItems      = 2000
	maxFields     = 20
	maxChoices    = 200
	maxViewHeight = 40
	maxEventText  = 16 << 10
	maxInput      = 64 << 10 // bytes of an input in an event or for rows
	maxShownText  = 64 << 10 // bytes of a result for rows
	maxCompletion = 50
	maxSent       = 64 << 10 // bytes of a message or a draft that a command gives
	// MaxRows are the rows of a command or a result, CallRows those of a call that runs, FooterRows
	// those below the prompt, and StatusWidth the columns of a part of the status row.
	MaxRows     = 200
	CallRows    = 6
	FooterRows  = 3
	StatusWidth = 40
)

// problem returns what is wrong with a question, and the code of that error; "": nothing.
func (q *Question) problem() (text string, code int64) {
	switch {
	case q.Place == "":
		q.Place = "prompt"
	case q.Place != "prompt" && q.Place != "overlay":
		return `place is "prompt" or "overlay"`, badParams
	}
	switch q.Kind {
	case "picker":
		if len(q.Items) == 0 {
			return "the picker has no items", badParams
		}
		if len(q.Items) > maxItems {
			return "too large: a picker has at most 2,000 items", tooLarge
		}
	case "form":
		return q.formProblem()
	case PartView:
		if q.View == "" || len(q.View) > 64 {
			return "a view has a name, of at most 64 bytes", badParams
		}
		q.Height = min(max(q.Height, 1), maxViewHeight)
	default:
		return `kind is "picker", "form" or "view"`, badParams
	}
	return "", 0
}

// redact removes secrets from what a question shows. Values are the program's own.
func (q *Question) redact(redact func(string) string) {
	q.Title = redact(q.Title)
	for i := range q.Items {
		q.Items[i].Text, q.Items[i].Note = redact(q.Items[i].Text), redact(q.Items[i].Note)
	}
	for i := range q.Fields {
		q.Fields[i].Label, q.Fields[i].Help = redact(q.Fields[i].Label), redact(q.Fields[i].Help)
	}
}

func (q *Question) formProblem() (text string, code int64) {
	if len(q.Fields) == 0 {
		return "the form has no fields", badParams
	}
	if len(q.Fields) > maxFields {
		return "too large: a form has at most 20 fields", tooLarge
	}
	seen := map[string]bool{}
	for _, f := range q.Fields {
		switch f.Kind {
		case "text", "lines", "confirm":
		case "choice", "choices":
			if len(f.Choices) == 0 {
				return "the field " + f.Name + " has no choices", badParams
			}
			if len(f.Choices) > maxChoices {
				return "too large: a field has at most 200 choices", tooLarge
			}
		default:
			return "kind of a field is text, lines, choice, choices or confirm", badParams
		}
		if f.Name == "" || seen[f.Name] {
			return "each field has a name of its own", badParams
		}
		seen[f.Name] = true
	}
	return "", 0
}
