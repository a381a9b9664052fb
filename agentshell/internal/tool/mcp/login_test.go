package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// authServer returns a real authorization server whose tokens live so long.
func authServer(t *testing.T, life time.Duration) (issuer string) {
	t.Helper()
	node := need.Program(t, "node")
	if _, err := os.Stat("servers/node_modules/oidc-provider"); err != nil {
		need.Missing(t, "mcp", fmt.Errorf("the authorization server is not installed: %w", err))
	}
	cmd := exec.Command(node, "servers/authserver.mjs", fmt.Sprint(int(life/time.Second)))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// guardedServer returns an MCP server of one tool that takes tokens of the authorization server
// alone, and asks it about each.
func guardedServer(t *testing.T, issuer string) string {
	t.Helper()
	own := mcp.NewServer(&mcp.Implementation{Name: "guarded", Version: "0"}, nil)
	mcp.AddTool(own, &mcp.Tool{Name: "note"}, func(context.Context, *mcp.CallToolRequest,
		struct{}) (*mcp.CallToolResult,
		any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "noted"}}}, nil, nil
	})
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	here := server.URL + "/mcp"
	verify := func(ctx context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		form := url.Values{"token": {token}}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, issuer+"/token/introspection",
			strings.NewReader(form.Encode()))
		if err != nil {
			return nil, err
		}
		req.SetBasicAuth("resource", "of-the-resource")
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		var is struct {
			Active bool
			Exp    int64
		}
		if err := json.NewDecoder(resp.Body).Decode(&is); err != nil || !is.Active {
			return nil, fmt.Errorf("%w: %v", auth.ErrInvalidToken, err)
		}
		return &auth.TokenInfo{Expiration: time.Unix(is.Exp, 0)}, nil
	}
	meta := server.URL + "/.well-known/oauth-protected-resource/mcp"
	mux.Handle("/.well-known/oauth-protected-resource/mcp", auth.ProtectedResourceMetadataHandler(
		&oauthex.ProtectedResourceMetadata{Resource: here, AuthorizationServers: []string{issuer},
			ScopesSupported: []string{"notes"}}))
	mux.Handle("/mcp", auth.RequireBearerToken(verify, &auth.RequireBearerTokenOptions{ResourceMetadataURL: meta})(
		mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return own }, nil)))
	return here
}

var (
	formAction = regexp.MustCompile(`action="([^"]+)"`)
	formHidden = regexp.MustCompile(`name="([^"]+)" value="([^"]*)"`)
)

// browser is a person with a browser who logs in and consents, or turns back at the first page.
func browser(t *testing.T, address string, consent bool) {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Error(err)
		return
	}
	client := &http.Client{Jar: jar, Timeout: 20 * time.Second}
	resp, err := client.Get(address)
	for range 6 {
		if err != nil {
			t.Errorf("the browser: %v", err)
			return
		}
		page, err2 := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err2 != nil {
			t.Error(err2)
			return
		}
		text := string(page)
		if strings.HasPrefix(text, "You are logged in") || strings.HasPrefix(text, "The login was refused") {
			return
		}
		action := formAction.FindStringSubmatch(text)
		if action == nil {
			t.Errorf("a page without a form, %s:\n%s", resp.Request.URL, text)
			return
		}
		if !consent {
			resp, err = client.Get(resp.Request.URL.String() + "/abort")
			consent = true
			continue
		}
		form := url.Values{"login": {"me"}, "password": {"x"}}
		for _, m := range formHidden.FindAllStringSubmatch(text, -1) {
			form.Set(m[1], m[2])
		}
		to, err3 := resp.Request.URL.Parse(action[1])
		if err3 != nil {
			t.Error(err3)
			return
		}
		resp, err = client.PostForm(to.String(), form)
	}
	t.Error("the login has no end")
}

// A whole login at a real authorization server: registration, PKCE, the person's consent, the
// loopback redirect; the token is the person's file alone, is used by later starts, is renewed when
// it has expired, also in the middle of a connection, and what was revoked asks for a new login.
func TestALoginAtARealAuthorizationServer(t *testing.T) {
	t.Parallel()
	const life = 2 * time.Second
	issuer := authServer(t, life)
	s := Server{Name: "guarded", URL: guardedServer(t, issuer), Tokens: Tokens(filepath.Join(t.TempDir(), "mcp"))}
	if _, _, err := Start(t.Context(), s, "0"); !errors.Is(err, ErrLogin) {
		t.Fatalf("without a login: %v", err)
	}
	login := func(consent bool) error {
		ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
		defer cancel()
		return LogIn(ctx, s, "0", func(address string) { go browser(t, address, consent) })
	}
	if err := login(false); err == nil || !strings.Contains(err.Error(), "the login was refused: access_denied") {
		t.Fatalf("turned back: %v", err)
	}
	if err := login(true); err != nil {
		t.Fatal(err)
	}
	file := s.Tokens.path("guarded")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	first := s.Tokens.load("guarded", s.URL)
	if first == nil || first.Token.RefreshToken == "" || first.Token.AccessToken == "" {
		t.Fatalf("%+v", first)
	}
	if s.Tokens.load("guarded", "https://elsewhere.example.com/mcp") != nil {
		t.Error("a token goes to another address")
	}
	c, tools, err := Start(t.Context(), s, "0")
	if err != nil || len(tools) != 1 {
		t.Fatalf("%d tools, %v", len(tools), err)
	}
	defer c.Close()
	call := func() error {
		a, err := c.Call(t.Context(), "note", json.RawMessage(`{}`), nil)
		if err == nil && a.Text != "noted" {
			t.Errorf("%+v", a)
		}
		return err
	}
	if err := call(); err != nil {
		t.Error(err)
	}
	<-time.After(life + time.Second) // real time: the server counts it
	if err := call(); err != nil {
		t.Errorf("behind the token's life: %v", err)
	}
	renewed := s.Tokens.load("guarded", s.URL)
	if renewed == nil || renewed.Token.AccessToken == first.Token.AccessToken {
		t.Error("the token was not renewed")
	}
	// The person takes the right away, at the authorization server.
	form := url.Values{"token": {renewed.Token.RefreshToken}, "client_id": {renewed.Client}}
	resp, err := http.PostForm(issuer+"/token/revocation", form)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%v, %v", resp, err)
	}
	resp.Body.Close()
	<-time.After(life + time.Second)
	if err := call(); err == nil || !strings.Contains(err.Error(), "/mcp login NAME") {
		t.Errorf("a revoked login: %v", err)
	}
	if _, _, err := Start(t.Context(), s, "0"); !errors.Is(err, ErrLogin) {
		t.Errorf("a start with a revoked login: %v", err)
	}
	if had, err := s.Tokens.Forget("guarded"); !had || err != nil {
		t.Errorf("%v, %v", had, err)
	}
}

// A login can be stopped while the browser is open, and leaves no token.
func TestALoginCanBeStopped(t *testing.T) {
	t.Parallel()
	issuer := authServer(t, time.Minute)
	s := Server{Name: "guarded", URL: guardedServer(t, issuer), Tokens: Tokens(t.TempDir())}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	if err := LogIn(ctx, s, "0", func(string) { stop() }); err == nil {
		t.Error("no error")
	}
	if s.Tokens.load("guarded", s.URL) != nil {
		t.Error("there is a token")
	}
	for _, wrong := range []Server{{Name: "a", Command: []string{"x"}, Tokens: s.Tokens}, {Name: "a", URL: s.URL},
		{Name: "a", URL: s.URL, Token: "t", Tokens: s.Tokens}} {
		if err := LogIn(t.Context(), wrong, "0", func(string) { t.Error("a page") }); err == nil {
			t.Errorf("%+v: no error", wrong)
		}
	}
}

// A server on the internet cannot lead us into a private network by the addresses that it tells.
func TestAuthorizationServersAreNotAskedInPrivateNetworks(t *testing.T) {
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("it was asked")
	}))
	defer inside.Close()
	far := Server{URL: "https://mcp.example.com/"}
	if resp, err := far.oauthClient().Get(inside.URL); err == nil {
		resp.Body.Close()
		t.Error("no error")
	} else if !strings.Contains(err.Error(), "no address of the internet") {
		t.Error(err)
	}
	for address, want := range map[string]bool{"http://127.0.0.1:1/": true, "http://localhost/": true,
		"https://10.0.0.1/": true, "https://[::1]/": true, "https://192.168.1.1/": true,
		"https://mcp.example.com/": false,
		"https://8.8.8.8/":         false, "https://169.254.169.254/": true, "https://[::ffff:10.0.0.1]/": true} {
		if isPrivate(address) != want {
			t.Errorf("%s: %v", address, !want)
		}
	}
}
