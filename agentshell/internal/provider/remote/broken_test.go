package remote

import (
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// refused makes one request and returns its error.
func refused(t *testing.T, api API) *provider.Error {
	t.Helper()
	answer, err := api.post(t.Context(), "/chat", []byte("{}"), nil)
	if err == nil {
		answer.Close()
		t.Fatal("there is no error")
	}
	var e *provider.Error
	if !errors.As(err, &e) {
		t.Fatalf("the error is %v", err)
	}
	return e
}

func TestAnErrorThatTryingDoesNotMendIsFinalAndSaysWhatToDo(t *testing.T) {
	quiet := log.New(io.Discard, "", 0)
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = quiet
	secure.StartTLS()
	defer secure.Close()
	open := httptest.NewServer(http.NotFoundHandler())
	defer open.Close()
	speaksSSH, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer speaksSSH.Close()
	go func() {
		for c, err := speaksSSH.Accept(); err == nil; c, err = speaksSSH.Accept() {
			_, _ = c.Read(make([]byte, 100))
			_, _ = io.WriteString(c, "SSH-2.0-OpenSSH_9.2\r\n")
			_ = c.Close()
		}
	}()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(map[string]int{"wants.example:443": 407, "refuses.example:443": 403}[r.Host])
	}))
	defer proxy.Close()
	through, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		url          string
		says, advice string
	}{
		"not trusted": {secure.URL, "the server's certificate is not trusted", "SSL_CERT_FILE"},
		"no TLS":      {"https" + strings.TrimPrefix(open.URL, "http"), "does not speak TLS", "http://"},
		"no HTTP":     {"http://" + speaksSSH.Addr().String(), "does not speak HTTP", "port"},
		"a proxy that wants a login": {"https://wants.example", "the proxy wants a name and a password (407)",
			"HTTPS_PROXY"},
		"a proxy that refuses": {"https://refuses.example", "does not connect us to the server (403)", "NO_PROXY"},
	} {
		api := NewAPI(c.url+"?key=secret", nil, time.Minute, provider.Bounds{})
		if strings.Contains(name, "proxy") {
			api.client.Transport.(bounded).next.(patience).next.(*http.Transport).Proxy = http.ProxyURL(through)
		}
		e := refused(t, api)
		if e.Retryable() || !strings.Contains(e.Error(), c.says) || !strings.Contains(e.Advice, c.advice) {
			t.Errorf("%s: may pass: %v; %v; %s", name, e.Retryable(), e, e.Advice)
		}
		if strings.Contains(e.Error(), "secret") {
			t.Errorf("%s: the query is shown: %v", name, e)
		}
	}
	nobody := NewAPI("http://"+closedPort(t)+"?key=secret", nil, time.Minute, provider.Bounds{})
	if e := refused(t, nobody); !e.Retryable() || strings.Contains(e.Error(), "secret") {
		t.Errorf("nobody listens: %v", e)
	}
}

// closedPort returns an address that nobody listens at.
func closedPort(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func TestASentenceIsFoundInEveryShapeOfAnError(t *testing.T) {
	for body, want := range map[string]string{
		`{"error":{"message":"slow down","type":"x"}}`:                     "slow down",
		`{"error":"model \"x\" not found"}`:                                `model "x" not found`,
		`{"message":"Invalid API Key"}`:                                    "Invalid API Key",
		`{"detail":"Not Found"}`:                                           "Not Found",
		`{"code":"Client specified an invalid argument","error":"No."}`:    "No.",
		`[{"error":{"code":400,"message":"bad tool","status":"INVALID"}}]`: "bad tool",
		`{"error":{"message":"Provider returned error","code":400,` +
			`"metadata":{"raw":"{\"error\":{\"message\":\"deep\"}}"}}}`: "Provider returned error: deep",
		`{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],` +
			`"msg":"Extra inputs"}]},"type":"invalid_request_error"}`: "body.stream_options: Extra inputs",
		`{"error_code":"BAD_REQUEST","message":"{\"message\":\"unknown field\"}"}`: "unknown field",
		"<html><head><title>Sign&nbsp;in\nto\x1b[31m \u202eP</title></head>":       `a web page, "Sign in to[31m P"`,
		"<html> bad\n gateway": "<html> bad gateway",
		"upstream\nfailed":     "upstream failed",
		`{"a":1}`:              `{"a":1}`,
		"":                     "",
		strings.Repeat(`{"error":`, 50) + `"x"` + strings.Repeat("}", 50): "",
	} {
		got := Sentence(body)
		if want == "" && len(body) > 0 {
			want = body[:200] + "..."
		}
		if got != want {
			t.Errorf("%.80s: %q, want %q", body, got, want)
		}
	}
}

func TestARefusalSaysWhetherTheAddressTheModelOrAProxyIsWrong(t *testing.T) {
	const page = "<html><title>Blocked</title></html>"
	for name, c := range map[string]struct {
		status       int
		body         string
		says, advice string
	}{
		"no such model": {404, `{"error":{"message":"model x is unknown"}}`, "know this model (404): model x", ""},
		"no such path":  {404, `{"detail":"Not Found"}`, "at http://h/v1/chat (404): Not Found", "/v1"},
		"a page":        {404, "<title>the model page</title>", "at http://h/v1/chat (404): \"the model page\"", "/v1"},
		"another path":  {405, "", "nothing at http://h/v1/chat (405)", "/v1"},
		"a proxy":       {407, "", "the proxy wants a name and a password (407)", "HTTPS_PROXY"},
		"a wall":        {403, page, `page came instead of an answer (403): "Blocked"`, "proxy"},
		"a key":         {403, `{"error":"no"}`, "the provider refused the key (403): no", ""},
		"a limit": {400, `{"error":{"message":"max_tokens: 32000 > 8192, which is the maximum allowed"}}`,
			"answered 400: max_tokens: 32000", "Set output"},
		"no text": {503, "", "the provider answered 503", ""},
	} {
		r := &Refused{Status: c.status, Body: []byte(c.body), Address: "http://h/v1/chat"}
		e := &provider.Error{Status: c.status, Message: Sentence(c.body)}
		r.Explain(e)
		if !strings.Contains(e.Error(), c.says) || strings.Count(e.Error(), "503") > 1 ||
			!strings.Contains(e.Advice, c.advice) || (c.advice == "") != (e.Advice == "") {
			t.Errorf("%s: %v; %s", name, e, e.Advice)
		}
	}
}
