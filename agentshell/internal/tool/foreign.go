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

// maxDescription is the number of bytes of a foreign tool's description that the model gets.
const maxDescription = 2 << 10

// Foreign is a tool of an MCP server or an extension. Its effects are unknown, so every call asks
// the user, who is shown the tool's schema and the arguments (HARN-15, PANE-14). What the server
// claims about the tool, for instance that it only reads, changes nothing.
type Foreign struct {
	// Env provides the ids of proposals, the secrets to remove, and the storage of long outputs.
	Env          Env
	Server, Tool string // Server and Tool are the names that the server has given itself and the tool.
	// Extension means that Server is an extension, not an MCP server. Kind is what the extension
	// says that the tool does; the zero value if it says nothing.
	Extension   bool
	Kind        approval.Kind
	Description string // Description is the server's description of the tool. It is untrusted.
	// Schema is the JSON schema of the arguments, as the server has sent it.
	Schema json.RawMessage
	// Do makes the call. It calls report with messages about its progress.
	Do func(ctx context.Context, args json.RawMessage, report func(string)) (Answer, error)
}

// Answer is the result of a foreign tool. All of it is untrusted.
type Answer struct {
	Text   string
	Images [][]byte // Images holds pictures as encoded files, such as PNG.
	Failed bool     // Failed means that the tool has reported an error; Text describes it.
}

// name returns the name by which the model calls the tool. It contains the name of the server or
// the extension.
func (t *Foreign) name() string {
	if t.Extension {
		return approval.ExtensionName(t.Server, t.Tool)
	}
	return approval.ForeignName(t.Server, t.Tool)
}

// origin returns words for the place that the tool comes from: the beginning of a call's title, a
// noun for the server or extension, and the beginning of a sentence that says where the tool runs.
func (t *Foreign) origin() (title, owner, runs string) {
	if t.Extension {
		return "extension", "the extension", "runs in the extension "
	}
	return "mcp", "the server", "runs on server "
}

// hash returns a hash of the tool's description and schema. A rule of the user holds only as long
// as it stays the same.
func (t *Foreign) hash() string {
	return fmt.Sprintf("%x", sha256.Sum256(append([]byte(t.Description+"\x00"), t.Schema...)))[:approval.ForeignHash]
}

// Traits implements Tool.
func (t *Foreign) Traits() approval.Traits {
	return approval.Traits{Subject: approval.NoSubject, Kind: cmp.Or(t.Kind, approval.KindOther)}
}

// Spec implements Tool. The description and the schema are the server's.
func (t *Foreign) Spec() provider.Tool {
	text := width.Head(strings.ToValidUTF8(t.Description, "\uFFFD"), maxDescription)
	return provider.Tool{Name: t.name(), Description: text, Schema: t.Schema}
}

// Prepare implements Tool. Its proposal shows the whole call.
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
