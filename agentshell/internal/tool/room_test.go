package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// roomy returns a bench with files that no small window has room for, in several scripts.
func roomy(t *testing.T) *bench {
	files := map[string]string{}
	for name, unit := range map[string]string{
		"plain.txt": "some words of a line ", "han.txt": "漢字文書", "flags.txt": "🇩🇪🇫🇷", "family.txt": "👨‍👩‍👧‍👦",
		"marks.txt": "e\u0323\u0300", "hindi.txt": "क्षत्रिय ",
	} {
		var b strings.Builder
		for i := range 500 {
			fmt.Fprintf(&b, "%d %s\n", i, strings.Repeat(unit, 4))
		}
		files[name] = b.String()
		files["one-"+name] = strings.Repeat(unit, 20_000/len(unit))
	}
	files["plain2.txt"] = strings.ReplaceAll(files["plain.txt"], "words", "other words")
	for i := range 220 {
		files[fmt.Sprintf("many/a file with a long name %d", i)] = "words"
	}
	files["conflicts"] = strings.Repeat("<<<<<<< a\nours\n=======\ntheirs\n>>>>>>> b\n", 200)
	b := newBench(t, files)
	b.env.Outputs = new(Outputs)
	b.env.Addresses = Addresses{"artifact": func(_ context.Context, id string) (string, error) {
		return b.env.Outputs.Text(id)
	}}
	b.reg = Builtin(b.env)
	return b
}

func (b *bench) runIn(ctx context.Context, name string, input args) (Result, error) {
	b.t.Helper()
	data, err := json.Marshal(input)
	if err != nil {
		b.t.Fatal(err)
	}
	call, err := b.reg.Prepare(ctx, name, "c1", data)
	if err != nil {
		b.t.Fatal(err)
	}
	return call.Run(ctx, func(string) {})
}

// Whatever a tool gives is bounded by the room that the window has for it, says how to go on, and
// is cut between characters.
func TestResultsAreBoundedByTheRoomThatIsLeft(t *testing.T) {
	need.Program(t, "bash")
	b := roomy(t)
	onward := regexp.MustCompile(`read on with \S+:\d+\]|artifact://output-\d+|\[\d+ more|` +
		`(names|matches|conflicts) more|call again with skip|line cut at|cut: your window|…`)
	var calls []toolCall
	for _, name := range []string{"plain.txt", "han.txt", "flags.txt", "family.txt", "marks.txt", "hindi.txt"} {
		calls = append(calls,
			toolCall{"read_file", args{"path": name}}, toolCall{"read_file", args{"path": name + ":7-450"}},
			toolCall{"read_file", args{"path": name + ":1-200,300-450:raw"}},
			toolCall{"read_file", args{"path": "one-" + name}}, toolCall{"search", args{"path": name, "pattern": "."}},
			toolCall{"search", args{"pattern": ".", "glob": "one-" + name}},
			toolCall{"bash", args{"command": "cat " + name}}, toolCall{"bash", args{"command": "cat one-" + name}},
			toolCall{"diff", args{"path_a": name, "path_b": "plain2.txt"}},
			toolCall{"diff", args{"path_a": "one-" + name, "path_b": "one-plain.txt"}})
	}
	calls = append(calls, toolCall{"list_dir", args{"path": "many"}},
		toolCall{"find", args{"paths": []string{"many/*"}}},
		toolCall{"read_file", args{"path": "many"}}, toolCall{"search", args{"pattern": "words"}},
		toolCall{"read_file", args{"path": "conflicts:conflicts"}})
	for _, tokens := range []int{60, 1000} {
		for _, c := range calls {
			if c.name == "diff" && c.args["path_a"] == c.args["path_b"] {
				continue
			}
			r, err := b.runIn(WithRoom(t.Context(), tokens), c.name, c.args)
			if err != nil {
				t.Errorf("%s %v: %v", c.name, c.args, err)
				continue
			}
			if n := provider.Tokens(r.Text); n > tokens+150 {
				t.Errorf("%s %v: %d tokens where there is room for %d:\n%.300q", c.name, c.args, n, tokens, r.Text)
			}
			if !onward.MatchString(r.Text) {
				t.Errorf("%s %v in %d tokens does not say how to go on: %q", c.name, c.args, tokens, r.Text)
			}
			if strings.Contains(r.Text, "\uFFFD") || !utf8.ValidString(r.Text) {
				t.Errorf("%s %v in %d tokens: a character is cut", c.name, c.args, tokens)
			}
		}
	}
}

type toolCall struct {
	name string
	args args
}

// Cuts of outputs fall between characters as a person counts them, at the end of the beginning and
// at the beginning of the end.
func TestOutputsAreCutBetweenCharacters(t *testing.T) {
	for name, unit := range map[string]string{"family": "👨‍👩‍👧‍👦", "flags": "🇩🇪🇫🇷", "marks": "e\u0323\u0300",
		"hangul": "\u1112\u1161\u11ab", "han": "漢"} {
		for shift := range 9 {
			for _, tokens := range []int{500, 1 << 40} {
				o := &output{left: room{maxResult, tokens}}
				text := strings.Repeat("x", shift) + strings.Repeat(unit, 90_000/len(unit))
				for chunk := range slices.Chunk([]byte(text), 4099) {
					if _, err := o.Write(chunk); err != nil {
						t.Fatal(err)
					}
				}
				head, tail, _ := strings.Cut(o.text(), "[")
				_, tail, ok := strings.Cut(tail, "left out]\n")
				body := strings.TrimLeft(strings.TrimSuffix(head, "\n"), "x")
				if !ok || strings.ReplaceAll(body, unit, "") != "" || strings.ReplaceAll(tail, unit, "") != "" {
					if name != "flags" { // a row of flags without end has no place to count from
						t.Errorf("%s, shifted by %d, %d tokens: %.20q … %.20q", name, shift, tokens,
							body[max(0, len(body)-40):], tail)
					}
				}
				if strings.Contains(o.text(), "\uFFFD") {
					t.Errorf("%s: a broken character", name)
				}
			}
		}
	}
}
