package form_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/form"
)

func bound(n float64) *float64 { return &n }

var fields = []form.Field{
	{Name: "name", Title: "Your name", Kind: form.Text, Required: true, Max: bound(9), About: "as people\ncall you"},
	{Name: "age", Kind: form.Integer, Default: 30.0, Min: bound(1)},
	{Name: "score", Kind: form.Number, Default: 95.5},
	{Name: "state", Kind: form.Choice, Choices: []string{"on", "off"}, Labels: []string{"it runs", "off"},
		Default: "on"},
	{Name: "sure", Kind: form.Boolean, Default: true},
	{Name: "many", Kind: form.Choices, Choices: []string{"a", "b"}, Max: bound(1)},
	{Name: "odd key", Kind: form.Text, Format: "email"},
}

const text = `# Your name (text, at most 9 characters, required)
# as people call you
name = ""

# age (a whole number, at least 1)
age = 30

# score (a number)
score = 95.5

# state (one of)
#   "on"  it runs
#   "off"
state = "on"

# sure (true or false)
sure = true

# many (some of, at most 1)
#   "a"
#   "b"
# many = []

# odd key (text, email)
# "odd key" = ""
`

// No text of a server begins a line that would be an answer.
func TestATextOfAServerIsNoAnswer(t *testing.T) {
	const evil = "x)\nsure = true\n\r# \x1b"
	for i, f := range []form.Field{{Title: evil}, {About: evil}, {Format: evil}, {Default: evil},
		{Kind: form.Choice, Choices: []string{evil}},
		{Kind: form.Choice, Choices: []string{"a"}, Labels: []string{evil}}} {
		if f.Kind == "" {
			f.Kind = form.Text
		}
		f.Name = "name"
		for line := range strings.Lines(form.Write([]form.Field{f})) {
			if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "name = ") ||
				strings.ContainsAny(line, "\r\x1b") {
				t.Errorf("field %d: %q", i, line)
			}
		}
	}
}

func TestQuestionsAreATextThatIsEdited(t *testing.T) {
	if got := form.Write(fields); got != text {
		t.Errorf("%s", got)
	}
	filled := strings.Replace(text, `name = ""`, `name = "Ada"`, 1)
	got, err := form.Read([]byte(filled), fields)
	want := map[string]any{"name": "Ada", "age": int64(30), "score": 95.5, "state": "on", "sure": true}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestAnAnswerThatIsNoneIsNamed(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{``, "name is missing"}, {`name = "a name too long"`, "name: at most 9 characters, not 15"},
		{`name = 7`, "name: a text in quotes is wanted, not 7"},
		{`name = "A"` + "\n" + `age = 1.5`, "age: a whole number is wanted"},
		{`name = "A"` + "\n" + `age = 0`, "age: at least 1, not 0"},
		{`name = "A"` + "\n" + `sure = "x"`, "sure: true or false is wanted"},
		{`name = "A"` + "\n" + `state = "x"`, `state: "x" is none of the choices`},
		{`name = "A"` + "\n" + `many = ["a", "b"]`, "many: at most 1 choices, not 2"},
		{`name = "A"` + "\n" + `many = ["c"]`, "many: c is none of the choices"},
		{`name = "A"` + "\n" + `"odd key" = "x"`, `odd key: "x" is no email`},
		{`name = "A"` + "\n" + `more = 1`, "more was not asked for"}, {`name = `, "it cannot be read"},
		{`name = "A"` + "\n" + `score = nan`, "score: a number is wanted"},
	} {
		if _, err := form.Read([]byte(c.line), fields); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.line, err, c.want)
		}
	}
}

// Whatever a server calls its questions, the text of the form answers them and holds no line of its
// own.
func FuzzAFormIsReadAsItWasWritten(f *testing.F) {
	f.Add("name", "title", "about\nx = 1", "default", "choice")
	f.Add("a.b", "\x1b[2J\r\n", "\"", "\\", "")
	f.Fuzz(func(t *testing.T, name, title, about, value, choice string) {
		for _, s := range []*string{&name, &title, &about, &value, &choice} {
			*s = strings.ToValidUTF8(*s, "")
		}
		if name == "" {
			name = "n"
		}
		list := []form.Field{{Name: name, Title: title, About: about, Kind: form.Text, Default: value},
			{Name: name + "2", Kind: form.Choice, Choices: []string{choice}, Labels: []string{about}, Default: choice}}
		got, err := form.Read([]byte(form.Write(list)), list)
		want := map[string]any{}
		if value != "" {
			want[name] = value
		}
		want[name+"2"] = choice
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q: %v, %v", form.Write(list), got, err)
		}
	})
}
