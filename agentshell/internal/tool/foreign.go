package tool

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

const maxDescription = 2 << 10 // bytes of a foreign tool's description that the model gets

// Foreign is a tool of somebody else's: what it does cannot be shown before, so each call asks with
// its schema and arguments (HARN-15, PANE-14). What its maker says of it, that it only reads for
// instance, changes nothing.
type Foreign struct {
	Env          Env
	Server, Tool string // as they call themselves
	// Extension says that Server is an extension; Kind is what it says that the tool does, the zero
	// value if it says nothing.
	Extension   bool
	Kind        approval.Kind
	Description string // untrusted
	Schema      json.RawMessage
	// Do makes the call. report is told of its progress.
	Do func(ctx context.Context, args json.RawMessage, report func(string)) (Answer, error)
}

// Answer is what a foreign tool gave. All of it is untrusted.
type Answer struct {
	Text   string
	Images [][]byte // in their own formats
	Failed bool     // the tool says that it failed
}

func (t *Foreign) name() string {
	if t.Extension {
		return approval.ExtensionName(t.Server, t.Tool)
	}
	return approval.ForeignName(t.Server, t.Tool)
}

// origin returns where the tool comes from: in a title, as whom it is spoken of, and where it runs.
func (t *Foreign) origin() (title, owner, runs string) {
	if t.Extension {
		return "extension", "the extension", "runs in the extension "
	}
	return "mcp", "the server", "runs on server "
}

// hash tells the tool from one of the same name that says something else of itself.
func (t *Foreign) hash() string {
	return fmt.Sprintf("%x", sha256.Sum256(append([]byte(t.Description+"\x00"), t.Schema...)))[:approval.ForeignHash]
}

func (t *Foreign) Traits() approval.Traits {
	return approval.Traits{Subject: approval.NoSubject, Kind: cmp.Or(t.Kind, approval.KindOther)}
}

// Spec returns the tool as its server describes it.
func (t *Foreign) Spec() provider.Tool {
	text := width.Head(strings.ToValidUTF8(t.Description, "\uFFFD"), maxDescription)
	return provider.Tool{Name: t.name(), Description: text, Schema: t.Schema}
}

// Prepare shows the call as it is; nothing is known of its effect.
func (t *Foreign) Prepare(_ context.Context, id string, input json.RawMessage) (Call, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(input, &object); err != nil || object == nil {
		return Call{}, invalidArgs("the arguments are not a JSON object")
	}
	var args, schema bytes.Buffer
	if json.Indent(&args, input, "", "  ") != nil || json.Indent(&schema, t.Schema, "", "  ") != nil {
		return Call{}, invalidArgs("the arguments are not JSON")
	}
	what := t.Server + "/" + t.Tool
	origin, owner, runs := t.origin()
	pay := approval.Generic{
		Base: approval.Base{Kind: "foreign", Description: "Call " + what, Sandbox: origin},
		Detail: "arguments\n" + args.String() + "\n\nwhat " + owner + " says of the tool\n" + t.Description +
			"\n\nschema\n" + schema.String() + "\n",
	}
	call := Call{
		Title: origin + " " + what + " " + titled(string(input), 160), Mutates: true, Hash: t.hash(),
		Run: func(ctx context.Context, report func(string)) (Result, error) {
			a, err := t.Do(ctx, input, func(text string) {
				report(t.Env.Secrets.Redact(text) + "\n")
			})
			if err != nil {
				return Result{}, t.Env.Secrets.Error(err)
			}
			out := &output{redactor: t.Env.Secrets.Stream(), keep: t.Env.Outputs, left: roomOf(ctx)}
			_, _ = out.Write([]byte(a.Text))
			var images []picture.Picture
			for i, data := range a.Images {
				pic, err := picture.New(fmt.Sprintf("picture %d of %s", i+1, what), data)
				if err != nil {
					fmt.Fprintf(out, "\n[picture %d cannot be shown: %v]\n", i+1, err)
					continue
				}
				fmt.Fprintf(out, "\n%s\n", strings.TrimSuffix(pic.Line(), "\n"))
				images = append(images, pic)
			}
			out.flush()
			text := out.text()
			if a.Failed {
				return Result{Detail: out.detail()}, &Error{Code: "tool_failed", Text: text}
			}
			return Result{Text: text, Summary: bytesWord(out.total), Detail: out.detail(), Images: images}, nil
		},
	}
	prop := &approval.Proposal{ID: t.Env.newID(), Call: id, Tool: t.name(), Payload: pay,
		Notes: []string{runs + strconv.Quote(t.Server)}}
	if n := approval.CountHidden(string(input)); n > 0 {
		prop.Flags = append(prop.Flags,
			approval.Flag{Name: approval.FlagHidden, Text: count(n, "hidden character") + " in the arguments"})
	}
	call.Proposal = prop
	prop.Subject = call.Subject(t.name())
	return call, nil
}
