package export

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/internal/unseen"
)

// sessionOf returns a session that has text in each place where untrusted text can be.
func sessionOf(t *testing.T, text string) Session {
	t.Helper()
	input, _ := json.Marshal(map[string]string{"path": text, text: text})
	edited, _ := json.Marshal(map[string]string{"path": text, "old_string": text})
	shot := pictureOf(t, text)
	said := func(role provider.Role, parts ...provider.Part) provider.Message {
		return provider.Message{Role: role, Parts: parts}
	}
	messages := []provider.Message{
		said(provider.User, provider.Text{Text: text}, provider.Text{Text: text, Origin: provider.Attached},
			provider.Image{Picture: shot}),
		said(provider.Assistant, provider.Thinking{Text: text}, provider.Text{Text: text},
			provider.Text{Text: "```go\n" + text + "\n```\n| " + text + " |\n|---|\n| " + text + " |\n\n[x](" +
				text + ")\n" +
				"`" + text + "` ![" + text + "](" + text + ") <" + text + ">"},
			provider.ToolCall{ID: "1", Name: "read_file", Input: input},
			provider.ToolCall{ID: "2", Name: "edit_file", Input: edited},
			provider.ToolCall{ID: "3", Name: text, Input: json.RawMessage(text)}),
		said(provider.User, provider.ToolResult{ID: "1", Text: text, Images: []picture.Picture{shot}},
			provider.ToolResult{ID: "2", Text: text}, provider.ToolResult{ID: "3", Text: text, IsError: true}),
		said(provider.User, provider.Text{Text: "I ran this command myself:\n\n" + text + "\n\nIts output:\n\n" +
			text, Origin: provider.Command}),
		said(provider.User, provider.Text{Text: text, Origin: provider.Origin(text)}),
		said(provider.User, provider.Text{Text: text}), said(provider.User, provider.Text{Text: "last"}),
	}
	edits := func(_ context.Context, call string) []tool.Edited {
		if call != "2" {
			return nil
		}
		return []tool.Edited{{Path: text, Diff: diff.Make([]byte("a\n"+text+"\n"), []byte("b\n"+text+"\nc\n"), 3)},
			{Path: text, New: true, Diff: diff.Make(nil, []byte(text), 3)}}
	}
	return Session{ID: "20261128-101112-0123456789", Name: text, Model: text, Workspace: text, Cost: "$1.00",
		Began: time.Date(2026, 11, 28, 10, 11, 12, 0, time.UTC), Conversations: []Conversation{
			{Messages: messages, Edits: edits}, {Agent: text, Messages: messages}}}
}

func pictureOf(t *testing.T, name string) picture.Picture {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, 4, 3))); err != nil {
		t.Fatal(err)
	}
	return picture.Picture{Name: name, Media: "image/png", Data: b.Bytes(), W: 4, H: 3}
}

func written(t *testing.T, s Session, f Format) string {
	t.Helper()
	var b strings.Builder
	if err := s.Write(t.Context(), &b, f, nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// hostile returns texts that try to be markup, a script, or a request to the address at.
func hostile(at string) []string {
	return []string{
		`"><img src=` + at + `/img onerror="top.ran=1;document.title='ran'"><svg/onload=top.ran=1>`,
		`</title></style></script><script>top.ran=1;fetch('` + at + `/fetch')</script>`,
		`<link rel=stylesheet href=` + at + `/css><iframe src=` + at + `/frame></iframe><object data=` + at +
			`/object>`,
		`' onmouseover='top.ran=1' style='background:url(` + at + `/style)' x='`,
		`javascript:top.ran=1`, `data:text/html,<script>top.ran=1</script>`,
		`-->]]></main></body></html><script>top.ran=1</script><!--`,
		`<meta http-equiv=refresh content="0;url=` + at + `/refresh"><base href=` + at + `/><form action=` + at +
			`/form>`,
		`&lt;script&gt;top.ran=1&lt;/script&gt; &#60;b&#62; ` + "`" + `<b>` + "`" + ` ![x](` + at + `/md.png)`,
		`<style>*{display:none;background:url(` + at +
			`/sheet)}</style><template><b></template><details open ontoggle=top.ran=1>`,
		"\x00\x1b]0;x\x07\u202e\u2028</pre></code><b>",
	}
}

func TestNoTextOfASessionBecomesMarkup(t *testing.T) {
	for _, text := range append(hostile("http://evil.example"), "`"+strings.Repeat("<b>", 50), unseen.Text()) {
		page := written(t, sessionOf(t, text), HTML)
		if bad := badMarkup(page); bad != "" {
			t.Errorf("%q: %s", text, bad)
		}
	}
	if badMarkup("<p onclick=x>") == "" || badMarkup("<img src=http://x/y.png>") == "" || badMarkup("<iframe>") == "" ||
		badMarkup("<a href='javascript:x'>") == "" || badMarkup("<script>x</script>") == "" {
		t.Error("the judge sees nothing")
	}
}

// badMarkup returns something in the page that must not be there, or "".
func badMarkup(page string) string {
	const tags = " html head meta title style body header h1 h2 h3 h4 h5 h6 p span div input button nav details " +
		"summary ol ul " +
		"li a main article pre code b strong em del br hr blockquote table tr th td figure figcaption img footer " +
		"script "
	inside := ""
	for z := html.NewTokenizer(strings.NewReader(page)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return ""
		case html.CommentToken:
			return "a comment"
		case html.TextToken:
			text := string(z.Raw())
			if inside == "script" && text != script || inside == "style" && text != style {
				return "a " + inside + " of others: " + text
			}
		case html.EndTagToken:
			inside = ""
		case html.StartTagToken, html.SelfClosingTagToken:
			token := z.Token()
			if inside = token.Data; !strings.Contains(tags, " "+inside+" ") {
				return "the markup " + token.String()
			}
			for _, a := range token.Attr {
				if bad := badAttribute(a); bad != "" {
					return bad + " of " + token.Data
				}
			}
		}
	}
}

func badAttribute(a html.Attribute) string {
	const names = " lang charset http-equiv content name class id hidden type placeholder aria-label autocomplete " +
		"spellcheck " +
		"role href title rel start loading width height alt src data-n "
	switch {
	case !strings.Contains(names, " "+a.Key+" "):
		return fmt.Sprintf("the attribute %s=%q", a.Key, a.Val)
	case a.Key == "src" && !strings.HasPrefix(a.Val, "data:image/png;base64,"),
		a.Key == "href" && !strings.HasPrefix(a.Val, "#m") && !strings.HasPrefix(a.Val, "http://") &&
			!strings.HasPrefix(a.Val, "https://") && !strings.HasPrefix(a.Val, "mailto:"):
		return fmt.Sprintf("%s=%q", a.Key, a.Val)
	case a.Key == "content" && strings.Contains(a.Val, "default-src") && a.Val != policy():
		return "the policy " + a.Val
	}
	return ""
}

func TestThePolicyAllowsThePagesOwnScriptAlone(t *testing.T) {
	page := written(t, sessionOf(t, "x"), HTML)
	for begin, end := range map[string]string{"<style>": "</style>", "<script>": "</script>"} {
		_, text, _ := strings.Cut(page, begin)
		text, _, _ = strings.Cut(text, end)
		sum := sha256.Sum256([]byte(text))
		if !strings.Contains(policy(), base64.StdEncoding.EncodeToString(sum[:])) {
			t.Errorf("%s is not allowed", begin)
		}
	}
	if !strings.HasPrefix(policy(), "default-src 'none'; ") {
		t.Errorf("the policy allows more than it names: %s", policy())
	}
	for _, word := range []string{"unsafe", "http", "*", "'self'"} {
		if strings.Contains(policy(), word) {
			t.Errorf("the policy has %s: %s", word, policy())
		}
	}
	if at := strings.Index(page, "Content-Security-Policy"); at < 0 || at > strings.Index(page, "<style>") {
		t.Error("the policy does not stand before what it is about")
	}
}

func TestEachEntryHasALinkToIt(t *testing.T) {
	page := written(t, sessionOf(t, "text"), HTML)
	seen := map[string]bool{}
	n := 0
	for _, part := range strings.Split(page, ` id="m`)[1:] {
		n++
		id, _, _ := strings.Cut(part, `"`)
		if seen[id] || !strings.Contains(page, `class="anchor" href="#m`+id+`"`) || id != fmt.Sprint(n) {
			t.Errorf("entry %d has the id %s", n, id)
		}
		seen[id] = true
	}
	if n != 26 { // 13 of each conversation
		t.Errorf("%d entries", n)
	}
	for _, want := range []string{`<li><a href="#m1">`, `<li><a href="#m13">`, "<h2>Agent text</h2>"} {
		if !strings.Contains(page, want) {
			t.Errorf("there is no %s", want)
		}
	}
}

func TestNoSecretIsWritten(t *testing.T) {
	const value = `sk-live"<&'0123456789abcdefghij`
	s := sessionOf(t, "a "+value+" b")
	s.Secrets = secret.New(value)
	shot := pictureOf(t, "shot.png")
	shot.Data = append(shot.Data, value...)
	s.Conversations[0].Messages = append(s.Conversations[0].Messages, provider.Message{Role: provider.User,
		Parts: []provider.Part{provider.Image{Picture: shot}}})
	for _, f := range Formats() {
		out := written(t, s, Format(f))
		for _, spelling := range []string{out, html.UnescapeString(out), strings.ReplaceAll(out, `\"`, `"`)} {
			if s.Secrets.Contains([]byte(spelling)) {
				t.Errorf("%s: the secret is in it", f)
			}
		}
		if strings.Contains(out, base64.StdEncoding.EncodeToString(shot.Data)) {
			t.Errorf("%s: a picture with the secret is in it", f)
		}
		if n := strings.Count(html.UnescapeString(out), secret.Hidden); n < 20 {
			t.Errorf("%s: %d places are marked", f, n)
		}
	}
}

func TestNothingThatIsNotSeenIsWritten(t *testing.T) {
	points := map[rune]bool{}
	for _, r := range unseen.Points() {
		points[r] = true
	}
	for _, f := range Formats() {
		out := html.UnescapeString(written(t, sessionOf(t, "x"+unseen.Text()+"y"), Format(f)))
		for i, r := range out {
			if points[r] || r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
				t.Fatalf("%s: %U in %q", f, r, out[max(i-40, 0):i+4])
			}
		}
	}
}

func TestTheJSONFormHoldsTheSession(t *testing.T) {
	out := written(t, sessionOf(t, "text \x1b\u009b é\U0001F600"), JSON)
	var got struct {
		Format, ID, Title, Cost string
		Messages                []struct {
			Role  string
			Parts []struct {
				Type, Text string
				Input      any
				Changes    []struct{ Path, Diff string }
				Images     []struct {
					Width int
					Data  []byte
				}
			}
		}
		Agents []struct {
			Agent    string
			Messages []any
		}
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	first, calls := got.Messages[0].Parts, got.Messages[1].Parts
	if got.Format != "agentshell-session" || got.Cost != "$1.00" || len(got.Messages) != 7 || len(got.Agents) != 1 ||
		len(got.Agents[0].Messages) != 7 || first[0].Text != "text \x1b\u009b é\U0001F600" ||
		first[2].Images[0].Width != 4 || !bytes.Equal(first[2].Images[0].Data, pictureOf(t, "").Data) ||
		len(calls[4].Changes) != 2 || !strings.Contains(calls[4].Changes[0].Diff, "+b") {
		t.Errorf("%+v of\n%s", got, out)
	}
	empty := written(t, Session{ID: "x", Conversations: []Conversation{{}}}, JSON)
	if !json.Valid([]byte(empty)) {
		t.Errorf("an empty session: %s", empty)
	}
}

func TestALongSessionIsWrittenInAStreamAndCanBeStopped(t *testing.T) {
	s := sessionOf(t, strings.Repeat("word ", 200))
	for len(s.Conversations[0].Messages) < 2000 {
		s.Conversations[0].Messages = append(s.Conversations[0].Messages, s.Conversations[0].Messages[:7]...)
	}
	for _, f := range Formats() {
		ctx, cancel := context.WithCancel(t.Context())
		out, told := &counter{}, 0
		early := 0
		err := s.Write(ctx, out, Format(f), func(done, of int) {
			if told++; done == 1024 {
				early = out.n
				cancel()
			}
		})
		if err == nil || told < 10 || early == 0 || out.n > 4*early {
			t.Errorf("%s: %v, told %d times, %d bytes at the stop, %d at the end", f, err, told, early, out.n)
		}
	}
}

type counter struct{ n int }

// Write counts the bytes that are written.
func (c *counter) Write(p []byte) (int, error) {
	c.n += len(p)
	return len(p), nil
}
