package extension

import "encoding/json"

// initializeParams holds the parameters of the first request, initialize.
type initializeParams struct {
	Protocol  int       `json:"protocol"`
	Shell     shellName `json:"shell"`
	Name      string    `json:"name"`
	Workspace string    `json:"workspace"`
	Screen    bool      `json:"screen"`
	Width     int       `json:"width"`
	Height    int       `json:"height"`
	// Manifest asks the program to include its own manifest in the answer.
	Manifest bool `json:"manifest,omitempty"`
}

type shellName struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// registeredNames is the answer to initialize: the names of what the program registers.
type registeredNames struct {
	Protocol  int      `json:"protocol"`
	Commands  []string `json:"commands"`
	Tools     []string `json:"tools"`
	Renderers []string `json:"renderers"`
	Status    bool     `json:"status"`
	Footer    bool     `json:"footer"`
	Events    []string `json:"events"`
	Manifest  string   `json:"manifest"` // Manifest is the program's own manifest, if it was asked for.
}

type commandParams struct {
	Name   string `json:"name"`
	Args   string `json:"args"`
	Token  string `json:"token,omitempty"`
	Screen bool   `json:"screen"`
	Width  int    `json:"width"`
}

// Reply is the result of a command.
type Reply struct {
	Rows  Rows   `json:"rows"`
	Draft string `json:"draft"` // Draft is put into the prompt.
	Send  string `json:"send"`  // Send is sent to the model as a message.
}

// Item is a completion, or an entry of a picker.
type Item struct {
	Value string `json:"value,omitempty"`
	Text  string `json:"text"`
	Note  string `json:"note,omitempty"`
}

type toolParams struct {
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
	Token string          `json:"token"`
	// Screen says that questions to the user are possible.
	Screen bool `json:"screen"`
}

// Event is an event that is sent to a program.
type Event struct {
	Event  string          `json:"event"`
	Text   string          `json:"text,omitempty"`
	Call   string          `json:"call,omitempty"`
	Tool   string          `json:"tool,omitempty"`
	Input  json.RawMessage `json:"input,omitempty"`
	OK     *bool           `json:"ok,omitempty"`
	Missed int             `json:"missed,omitempty"`
}

// These are the parts of the screen that an extension can draw.
const (
	PartStatus = "status"
	PartFooter = "footer"
	PartCall   = "call"
	PartResult = "result"
	PartView   = "view"
)

// Asked describes the rows that a program is asked to draw.
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

// Question is a question that a program asks the user.
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

// These constants limit what a program can show and what it receives.
const (
	maxItems      = 2000
	maxFields     = 20
	maxChoices    = 200
	maxViewHeight = 40
	maxEventText  = 16 << 10
	// maxInputBytes is the number of bytes of a tool's input in an event or in a request for rows.
	maxInputBytes  = 64 << 10
	maxShownBytes  = 64 << 10 // maxShownBytes is the number of bytes of a result in a request for rows.
	maxCompletions = 50
	maxSentBytes   = 64 << 10 // maxSentBytes is the number of bytes of a message or a draft that a command returns.
	// MaxRows is the number of rows of a command or a result. CallRows is that of a running call,
	// and FooterRows that below the prompt. StatusWidth is the number of columns in the status row.
	MaxRows     = 200
	CallRows    = 6
	FooterRows  = 3
	StatusWidth = 40
)

// findProblem returns what is wrong with a question, and an error code for it. It returns "" and 0
// if nothing is wrong. It sets a missing Place.
func (q *Question) findProblem() (text string, code int64) {
	switch {
	case q.Place == "":
		q.Place = "prompt"
	case q.Place != "prompt" && q.Place != "overlay":
		return `place is "prompt" or "overlay"`, codeBadParams
	}
	switch q.Kind {
	case "picker":
		if len(q.Items) == 0 {
			return "the picker has no items", codeBadParams
		}
		if len(q.Items) > maxItems {
			return "too large: a picker has at most 2,000 items", codeTooLarge
		}
	case "form":
		return q.formProblem()
	case PartView:
		if q.View == "" || len(q.View) > 64 {
			return "a view has a name, of at most 64 bytes", codeBadParams
		}
		q.Height = min(max(q.Height, 1), maxViewHeight)
	default:
		return `kind is "picker", "form" or "view"`, codeBadParams
	}
	return "", 0
}

// redact removes secrets from the texts that a question shows. It leaves values alone, because they
// come from the program itself.
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
		return "the form has no fields", codeBadParams
	}
	if len(q.Fields) > maxFields {
		return "too large: a form has at most 20 fields", codeTooLarge
	}
	seen := map[string]bool{}
	for _, f := range q.Fields {
		switch f.Kind {
		case "text", "lines", "confirm":
		case "choice", "choices":
			if len(f.Choices) == 0 {
				return "the field " + f.Name + " has no choices", codeBadParams
			}
			if len(f.Choices) > maxChoices {
				return "too large: a field has at most 200 choices", codeTooLarge
			}
		default:
			return "kind of a field is text, lines, choice, choices or confirm", codeBadParams
		}
		if f.Name == "" || seen[f.Name] {
			return "each field has a name of its own", codeBadParams
		}
		seen[f.Name] = true
	}
	return "", 0
}
