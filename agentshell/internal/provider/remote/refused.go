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

// Refused is the error of a response that is no answer: one with an error status, or with a body
// such as a web page.
type Refused struct {
	Status     int // The HTTP status; 0: the response claimed to be an answer, and its body names no status.
	Body       []byte
	RetryAfter time.Duration
	Address    string // The URL of the request without its query, which may contain a key.
}

func (r *Refused) Error() string {
	if text := Sentence(string(r.Body)); r.Status == 0 {
		return text
	} else if text != "" {
		return fmt.Sprintf("HTTP %d: %s", r.Status, text)
	}
	return fmt.Sprintf("HTTP %d", r.Status)
}

// Explain completes e, the error that was made from r, with a description and advice that the
// status alone does not give.
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

// limited reports whether text, a server's error message, says that the requested maximum length of
// an answer exceeds what the model can give.
func limited(text string) bool {
	return outputLimit().MatchString(text) && valueTooLarge().MatchString(text)
}

// Patterns of error messages about the maximum length of an answer.
var (
	outputLimit   = lazyregexp.New(`max_(completion_|output_)?tokens`)
	valueTooLarge = lazyregexp.New(`too large|\d > \d|at most|maximum allowed`)
)

const pageAdvice = "Check base_url, and whether a proxy or a login page answers in place of the server."

// proxyWants returns a description and advice for a proxy that requires a login.
func proxyWants(status int) (what, advice string) {
	return fmt.Sprintf("the proxy wants a name and a password (%d)", status),
		"Put them into HTTPS_PROXY, as http://NAME:PASSWORD@HOST:PORT, and restart."
}

// addressOf returns u without the parts that may contain a secret: the user, the query and the
// fragment.
func addressOf(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// Sentence returns the message in the body of an error response, as one sentence: the message in
// its JSON, the title of a web page, or the first words of any other text. It is untrusted text.
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

// message returns the error message in decoded JSON, or "". OpenAI and Anthropic send
// {"error":{"message":...}}. Other servers send a text as error, message or detail, a list of
// errors, or JSON within a text. A gateway puts the message of the server behind it into
// metadata.raw, which is appended. depth is the nesting depth of value.
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

// line returns the beginning of text as one line of at most 300 bytes.
func line(text string) string {
	const most = 300
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(width.Head(text, most), "") + "..."
	}
	return text
}

// titled matches the title of an HTML page.
var titled = lazyregexp.New(`(?is)<title[^>]*>(.*?)</title`)

// title returns the title of an HTML page as one line without control characters. page reports
// whether body is an HTML page.
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
