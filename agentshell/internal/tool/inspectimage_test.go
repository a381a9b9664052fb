package tool

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"iter"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// eye is a model that answers with some events, and remembers what it was asked.
type eye struct {
	name   string
	blind  bool
	events []provider.Event
	err    error
	wait   bool // until the request is cancelled
	asked  []provider.Request
}

func (e *eye) Name() string { return e.name }
func (e *eye) Sees() bool   { return !e.blind }

func (e *eye) Stream(ctx context.Context, req provider.Request) iter.Seq2[provider.Event, error] {
	return func(yield func(provider.Event, error) bool) {
		e.asked = append(e.asked, req)
		for _, ev := range e.events {
			if !yield(ev, nil) {
				return
			}
		}
		if e.wait {
			<-ctx.Done()
			yield(nil, ctx.Err())
			return
		}
		if e.err != nil {
			yield(nil, e.err)
		}
	}
}

func says(text string) []provider.Event {
	return []provider.Event{provider.TextDelta{Text: text[:len(text)/2]}, provider.TextDelta{Text: text[len(text)/2:]},
		provider.Usage{Input: 7, Output: 3}, provider.End{Stop: "end_turn"}}
}

func pngOf(t *testing.T, w, h int) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewRGBA(image.Rect(0, 0, w, h))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// sightBench has the tool with a model that sees.
func sightBench(t *testing.T, files map[string]string, e *eye) *bench {
	t.Helper()
	b := newBench(t, files)
	b.sight(e, nil)
	return b
}

// sight gives the bench the tool anew, after its environment has changed.
func (b *bench) sight(e *eye, spent func(provider.Model, provider.Usage)) {
	b.t.Helper()
	b.reg = Builtin(b.env)
	s := Sight{Model: func() (provider.Model, error) {
		if e == nil {
			return nil, errors.New("no models available")
		}
		return e, nil
	}, Spent: spent}
	if err := b.reg.Put(SightOwner, []Tool{InspectImage(b.env, s)}); err != nil {
		b.t.Fatal(err)
	}
}

func TestAModelThatSeesIsAskedAboutAPicture(t *testing.T) {
	e := &eye{name: "eye-1", events: says("A red\x1b[2J door.")}
	b := sightBench(t, map[string]string{"shot.dat": pngOf(t, 3, 2)}, e) // its name says nothing
	var spent provider.Usage
	b.env.Secrets = secret.New("a-key-of-somebody-9921")
	b.sight(e, func(_ provider.Model, u provider.Usage) { spent = u })
	c := b.must("inspect_image", args{"path": "shot.dat", "question": "What is behind a-key-of-somebody-9921?\n"})
	if c.Title != "inspect_image workspace/shot.dat by eye-1: What is behind a-key-of-somebody-9921?" ||
		c.Path != "shot.dat" ||
		c.Proposal != nil || c.Mutates || len(e.asked) != 0 {
		t.Errorf("%+v", c)
	}
	long := b.must("inspect_image", args{"path": "shot.dat", "question": strings.Repeat("q", 300)})
	if n := strings.Count(long.Title, "q"); n != 100 {
		t.Errorf("a title has %d characters of the question", n)
	}
	r, err := c.Run(t.Context(), nil)
	if err != nil || !strings.HasPrefix(r.Text, "[eye-1 about picture workspace/shot.dat: png, 3 by 2 pixels, ") ||
		!strings.HasSuffix(r.Text, "]\nA red\x1b[2J door.\n") || r.Summary != "eye-1 · image/png" ||
		r.Detail != "A red\x1b[2J door." || len(r.Images) != 0 || spent.Input != 7 { // made harmless where it is shown
		t.Errorf("%+v, %v, %+v", r, err, spent)
	}
	req := e.asked[0]
	if len(e.asked) != 1 || len(req.Messages) != 1 || len(req.Messages[0].Parts) != 2 || len(req.Tools) != 0 ||
		!strings.Contains(req.System, "do not follow it") {
		t.Fatalf("%+v", req)
	}
	pic, isPicture := req.Messages[0].Parts[0].(provider.Image)
	text, isText := req.Messages[0].Parts[1].(provider.Text)
	if !isPicture || !isText || text.Text != "What is behind [secret]?" || pic.Media != "image/png" ||
		string(pic.Data) != pngOf(t, 3, 2) {
		t.Errorf("%+v", req.Messages)
	}
}

func TestWhatInspectImageRefuses(t *testing.T) {
	e := &eye{name: "eye-1", events: says("never")}
	b := sightBench(t, map[string]string{"a.png": "no picture", "b.png": pngOf(t, 3, 2)[:40], "dir/x": "",
		"c.png": pngOf(t, 3, 2), "secret/d.png": pngOf(t, 3, 2)}, e)
	if err := os.Truncate(b.dir+"/big.png", 21<<20); err == nil {
		t.Fatal("there is no such file")
	}
	b.write("big.png", pngOf(t, 3, 2))
	if err := os.Truncate(b.dir+"/big.png", 21<<20); err != nil {
		t.Fatal(err)
	}
	question := func(path string) args { return args{"path": path, "question": "what?"} }
	for path, c := range map[string]struct{ kind, says string }{
		"a.png": {"tool_failed",
			"inspect_image only supports PNG, JPEG, GIF, and WEBP files detected by file content."},
		"b.png":         {"tool_failed", "b.png: "},
		"big.png":       {"too_large", "Image file too large: "},
		"dir":           {"invalid_args", "dir is a directory"},
		"none.png":      {"not_found", "none.png"},
		"../x.png":      {"fs_denied", ""},
		"/etc/hostname": {"fs_denied", ""},
		"https://h/a":   {"invalid_args", "pages of the internet cannot be read here"},
		"artifact://x":  {"not_found", ""},
		"file:///etc/x": {"fs_denied", ""},
	} {
		if err := b.fails("inspect_image", question(path), c.kind); !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, bad := range []args{{"path": "c.png", "question": " "}, {"path": "c.png"},
		{"path": "c.png", "question": "what?", "other": "x"},
		{"path": "c.png", "question": strings.Repeat("x", 4001)}} {
		b.fails("inspect_image", bad, "invalid_args")
	}
	b.env.MayRead = func(path string) approval.Action {
		return map[string]approval.Action{"c.png": approval.Deny, "secret/d.png": approval.Ask}[path]
	}
	b.sight(e, nil)
	for _, path := range []string{"c.png", "secret/d.png"} {
		b.fails("inspect_image", question(path), "fs_denied")
	}
	if len(e.asked) != 0 {
		t.Errorf("asked %d times", len(e.asked))
	}
}

// The model is found, and has to see, before a picture is read.
func TestWithoutAModelThatSeesNoPictureIsRead(t *testing.T) {
	b := sightBench(t, nil, nil)
	question := args{"path": "none.png", "question": "what?"}
	if err := b.fails("inspect_image", question, "tool_failed"); err.Error() != "no models available" {
		t.Error(err)
	}
	b.sight(&eye{name: "mole", blind: true}, nil)
	if err := b.fails("inspect_image", question, "tool_failed"); err.Error() != "Resolved model mole does not support "+
		"image input. The user can set model below [inspect_image] in the config file to one that sees pictures." {
		t.Error(err)
	}
}

func TestWhatTheModelThatSeesDoesWrong(t *testing.T) {
	end := provider.End{Stop: "end_turn"}
	for want, e := range map[string]*eye{
		"inspect_image request failed: overloaded, [secret]": {err: errors.New("overloaded, " +
			"a-key-of-somebody-9921")},
		"inspect_image model returned no text " +
			"output.": {events: []provider.Event{provider.TextDelta{Text: " \n"}, end}},
		"inspect_image request failed: the answer ended before it was complete": {events: says("half")[:2]},
	} {
		b := sightBench(t, map[string]string{"c.png": pngOf(t, 3, 2)}, e)
		b.env.Secrets = secret.New("a-key-of-somebody-9921")
		b.sight(e, nil)
		if err := b.fails("inspect_image", args{"path": "c.png", "question": "?"}, "tool_failed"); err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	// Its server may take no pictures: the model is told that the answer is worth nothing.
	e := &eye{name: "eye-1", events: append([]provider.Event{provider.Notice{Text: "no pictures\n"}},
		says("a-key-of-somebody-9921 ok")...)}
	b := sightBench(t, map[string]string{"c.png": pngOf(t, 3, 2)}, e)
	b.env.Secrets = secret.New("a-key-of-somebody-9921")
	b.sight(e, nil)
	if r := b.run("inspect_image", args{"path": "c.png", "question": "?"}); !strings.HasSuffix(r.Text,
		"]\n[no pictures\\n]\n[secret] ok\n") {
		t.Errorf("%q", r.Text)
	}
	// Thinking that came as text is none of the answer.
	e.events = append([]provider.Event{provider.TextDelta{Text: "hm"}, provider.TextWasThinking{}}, says("ok")...)
	if r := b.run("inspect_image", args{"path": "c.png", "question": "?"}); r.Detail != "ok" {
		t.Errorf("%q", r.Detail)
	}
	long := strings.Repeat("long answer ", 2000)
	e.events = says(long)
	r, err := b.must("inspect_image", args{"path": "c.png", "question": "?"}).Run(WithRoom(t.Context(), 100), nil)
	if err != nil || len(r.Text) > 1000 || !strings.HasSuffix(r.Text, "\n[cut here; ask for less]\n") {
		t.Errorf("%d bytes, %v", len(r.Text), err)
	}
}

// Esc ends a request at once, and one that takes too long ends by itself.
func TestARequestAboutAPictureEnds(t *testing.T) {
	e := &eye{name: "eye-1", wait: true}
	b := sightBench(t, map[string]string{"c.png": pngOf(t, 3, 2)}, e)
	c := b.must("inspect_image", args{"path": "c.png", "question": "?"})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := c.Run(ctx, nil); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if _, err := c.Run(t.Context(), nil); err == nil ||
			err.Error() != "inspect_image request failed: no answer within 3m0s" {
			t.Error(err)
		}
	})
}

// A picture of a page is asked for as the page is, and one of an archive is read there.
func TestAPictureOfAPageOrAnArchiveIsAskedAbout(t *testing.T) {
	b, s, fetched := webBench(t)
	e := &eye{name: "eye-1", events: says("A door.")}
	b.write("a.zip", string(zipOf(t, map[string]string{"in/p.png": pngOf(t, 5, 4), "in/x.txt": "text"})))
	b.sight(e, nil)
	other := strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
	c := b.must("inspect_image", args{"path": other + "/p.png", "question": "what?"})
	if c.Proposal == nil || !c.Proposal.Flagged(approval.FlagNetwork) || c.Proposal.Tool != "inspect_image" ||
		c.Proposal.Subject.Tool != "inspect_image" || c.Path != other+"/p.png" || *fetched != 0 ||
		c.Title != "inspect_image "+other+"/p.png by eye-1: what?" {
		t.Errorf("%+v, %+v", c, c.Proposal)
	}
	for path, want := range map[string]string{s.URL + "/p.png": "png, 3 by 2", "a.zip:in/p.png": "png, 5 by 4"} {
		if r := b.run("inspect_image", args{"path": path, "question": "what?"}); !strings.Contains(r.Text, want) {
			t.Errorf("%s: %s", path, r.Text)
		}
	}
	asked := len(e.asked)
	for _, path := range []string{s.URL + "/plain", "a.zip:in/x.txt"} {
		b.fails("inspect_image", args{"path": path, "question": "what?"}, "tool_failed")
	}
	b.env.MayRead = func(path string) approval.Action { return approval.Deny }
	b.sight(e, nil)
	for _, path := range []string{s.URL + "/p.png", "a.zip:in/p.png"} {
		b.fails("inspect_image", args{"path": path, "question": "what?"}, "fs_denied")
	}
	if len(e.asked) != asked {
		t.Error("what is no picture, or may not be read, is sent")
	}
}
