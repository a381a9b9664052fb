package remote

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Refused is an answer with the status of an error, or something else than an answer, and its
// body.
type Refused struct {
	Status     int // 0: it came as if it were an answer, and names no status
	Body       []byte
	RetryAfter time.Duration
	Address    string // of the request, without its query, which may hold a key
}

func (r *Refused) Error() string {
	if text := Sentence(string(r.Body)); r.Status == 0 {
		return text
	} else if text != "" {
		return fmt.Sprintf("HTTP %d: %s", r.Status, text)
	}
	return fmt.Sprintf("HTTP %d", r.Status)
}

// Explain adds to e, the error that is made of r, what its status alone does not say.
func (r *Refused) Explain(e *provider.Error) {
	e.RetryAfter, e.Cause = r.RetryAfter, r
	name, page := title(r.Body)
	if page && name != "" {
		e.Message = fmt.Sprintf("%q", name)
	}
	if r.Status == 0 && page {
		e.Status = 0
		e.What, e.Advice, e.Final = "a web page came instead of an answer", pageAdvice, true
		return
	}
	switch {
	case r.Status == 0 && (e.Status == 0 || e.Status == http.StatusInternalServerError): // by no word of the server's
		e.Status = 0
		e.What = fmt.Sprintf("%s did not answer the conversation", r.Address)
		e.Advice, e.Final = "Check base_url, or the url of the model: most servers want it to end with /v1.", true
	case r.Status == http.StatusProxyAuthRequired:
		e.What, e.Advice = proxyWants(r.Status)
	case (r.Status == http.StatusNotFound || r.Status == http.StatusMethodNotAllowed) &&
		(page || !strings.Contains(strings.ToLower(e.Message), "model")):
		e.What = fmt.Sprintf("the server has nothing at %s (%d)", r.Address, r.Status)
		e.Advice = "Check base_url, or the url of the model: most servers want it to end with /v1."
	case r.Status == http.StatusBadRequest && limited(e.Message):
		e.Advice = "Set output for this model in the config file ([models.NAME]) to what it can give."
	case r.Status == http.StatusForbidden && page:
		e.What = fmt.Sprintf("a web page came instead of an answer (%d)", r.Status)
		e.Advice = pageAdvice
	}
}

// limited reports whether a text says that the limit of an answer is more than a model can give.
func limited(text string) bool {
	return outputLimit().MatchString(text) && valueTooLarge().MatchString(text)
}

// The words of a text about the limit of an answer.
var (
	outputLimit   = lazyregexp.New(`max_(completion_|output_)?tokens`)
	valueTooLarge = lazyregexp.New(`too large|\d > \d|at most|maximum allowed`)
)

const pageAdvice = "Check base_url, and whether a proxy or a login page answers in place of the server."

// proxyWants returns what happened when a proxy wanted a login, and what to do.
func proxyWants(status int) (what, advice string) {
	return fmt.Sprintf("the proxy wants a name and a password (%d)", status),
		"Put them into HTTPS_PROXY, as http://NAME:PASSWORD@HOST:PORT, and restart."
}

// addressOf returns u without what may be secret in it.
func addressOf(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// Sentence returns the sentence in an error's body, the title of a page, or the start of whatever
// came instead. It is untrusted text.
func Sentence(body string) string {
	var value any
	if json.Unmarshal([]byte(body), &value) == nil {
		if text := message(value, 0); text != "" {
			return Cut(text)
		}
	}
	if name, page := title([]byte(body)); page && name != "" {
		return fmt.Sprintf("a web page, %q", name)
	}
	text := strings.Join(strings.Fields(body[:min(len(body), longest)]), " ")
	if len(text) > 200 {
		text = strings.ToValidUTF8(width.Head(text, 200), "") + "..."
	}
	return text
}

// message returns the sentence in the JSON of an error: {"error":{"message":...}} with OpenAI and
// Anthropic. Other servers have the text itself as error, message or detail, a list of errors, or
// JSON within a text. What a gateway was told by the server behind it stands in metadata.raw, and
// says more than its own words.
func message(value any, depth int) string {
	const deepest = 6
	if depth > deepest {
		return ""
	}
	switch v := value.(type) {
	case string:
		var inner any
		if text := strings.TrimSpace(v); strings.HasPrefix(text, "{") && json.Unmarshal([]byte(text), &inner) == nil {
			if text := message(inner, depth+1); text != "" {
				return text
			}
		}
		return v
	case []any:
		for _, entry := range v {
			if text := message(entry, depth+1); text != "" {
				return text
			}
		}
	case map[string]any:
		for _, name := range []string{"error", "errors", "message", "detail", "msg", "error_message"} {
			text := message(v[name], depth+1)
			if text == "" {
				continue
			}
			if where, ok := v["loc"].([]any); ok { // of what was not valid
				var names []string
				for _, name := range where {
					names = append(names, fmt.Sprint(name))
				}
				text = strings.Join(names, ".") + ": " + text
			}
			if meta, ok := v["metadata"].(map[string]any); ok {
				if raw := message(meta["raw"], depth+1); raw != "" {
					text += ": " + raw
				}
			}
			return text
		}
	}
	return ""
}

// line returns the start of text in one line.
func line(text string) string {
	const most = 300
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(width.Head(text, most), "") + "..."
	}
	return text
}

// titled finds the title of a page.
var titled = lazyregexp.New(`(?is)<title[^>]*>(.*?)</title`)

// title returns the title of a page, in one line without controls, and whether body is a page.
func title(body []byte) (name string, page bool) {
	const far, most = 64 << 10, 100
	body = bytes.TrimLeft(body[:min(len(body), far)], " \t\r\n\ufeff")
	if !bytes.HasPrefix(body, []byte("<")) {
		return "", false
	}
	found := titled().FindSubmatch(body)
	if found == nil {
		return "", true
	}
	text := strings.Join(strings.Fields(html.UnescapeString(string(found[1]))), " ")
	name = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
	return width.Head(name, most), true
}
