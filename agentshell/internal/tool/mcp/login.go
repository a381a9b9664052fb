package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// ErrLogin says that the server requires the user to log in.
var ErrLogin = errors.New("it wants you to log in")

const (
	loginTimeout = 10 * time.Minute // loginTimeout is how long the user has for a login.
	oauthTimeout = 30 * time.Second // oauthTimeout is the timeout of a request to an authorization server.
)

// Tokens is the directory that stores OAuth logins, in one file for each server, readable only by
// the user. If it is "", no login is stored and none is possible.
type Tokens string

// storedToken is a stored login. It is only used for the server at URL.
type storedToken struct {
	URL      string           `json:"url"`
	Client   string           `json:"client_id"`
	Secret   string           `json:"client_secret,omitempty"`
	AuthURL  string           `json:"auth_url"`
	TokenURL string           `json:"token_url"`
	Style    oauth2.AuthStyle `json:"auth_style"`
	Redirect string           `json:"redirect_url"`
	Scopes   []string         `json:"scopes,omitempty"`
	// Wanted holds the further scopes that the server has asked for; the next login requests them.
	Wanted []string      `json:"wanted,omitempty"`
	Token  *oauth2.Token `json:"token"`
}

func (t Tokens) path(server string) string { return filepath.Join(string(t), server+".token.json") }

// load returns the stored login of a server, or nil if there is none.
func (t Tokens) load(server, url string) *storedToken {
	if t == "" {
		return nil
	}
	text, err := regular.ReadFile(t.path(server))
	if err != nil {
		return nil
	}
	var k storedToken
	if json.Unmarshal(text, &k) != nil || k.URL != url || k.Token == nil {
		return nil
	}
	return &k
}

// save stores a login. It always creates a new file, so that the file does not keep the permissions
// of an old one.
func (t Tokens) save(server string, k storedToken) error {
	text, err := json.Marshal(k)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(string(t), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(string(t), ".token-*") // with the rights 0600
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), t.path(server))
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// Forget deletes the stored login of a server. had is false if there was none.
func (t Tokens) Forget(server string) (had bool, err error) {
	if t == "" {
		return false, nil
	}
	err = os.Remove(t.path(server))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// storingSource returns tokens of a login, and stores a token after it was refreshed.
type storingSource struct {
	tokens Tokens
	server string

	mu   sync.Mutex
	kept storedToken
	from oauth2.TokenSource
}

// Token returns a valid token. It refreshes the stored one if necessary.
func (s *storingSource) Token() (*oauth2.Token, error) {
	t, err := s.from.Token()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept.Token == nil || t.AccessToken != s.kept.Token.AccessToken {
		s.kept.Token = t
		if err := s.tokens.save(s.server, s.kept); err != nil {
			return nil, fmt.Errorf("the login cannot be kept: %w", err)
		}
	}
	return t, nil
}

// storedLogin adds the token of a stored login to requests. If the server refuses the token, it
// does not begin a login: only the user does that.
type storedLogin struct {
	server Server
	source oauth2.TokenSource // source is nil if no login is stored.
}

// TokenSource implements auth.OAuthHandler.
func (l *storedLogin) TokenSource(context.Context) (oauth2.TokenSource, error) { return l.source, nil }

// Authorize returns [ErrLogin] if the response refuses the token. It stores the scopes that the
// server asks for, so that the next login requests them.
func (l *storedLogin) Authorize(_ context.Context, _ *http.Request, resp *http.Response) error {
	defer resp.Body.Close()
	challenges, err := oauthex.ParseWWWAuthenticate(resp.Header.Values("WWW-Authenticate"))
	var scopes []string
	lacksScope := false
	for _, c := range challenges {
		scopes = append(scopes, strings.Fields(c.Params["scope"])...)
		lacksScope = lacksScope || c.Params["error"] == "insufficient_scope"
	}
	if resp.StatusCode == http.StatusForbidden && (err != nil || !lacksScope) {
		return nil // the request is sent again, and its response says what is wrong
	}
	if k := l.server.Tokens.load(l.server.Name, l.server.URL); k != nil && lacksScope {
		k.Wanted = mergeScopes(k.Wanted, scopes)
		if err := l.server.Tokens.save(l.server.Name, *k); err != nil {
			return err
		}
	}
	return ErrLogin
}

func mergeScopes(a, b []string) []string {
	a = slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}

// loginHandler returns the handler that adds a token to requests, or nil if no token can be stored.
func (s Server) loginHandler() (auth.OAuthHandler, error) {
	switch {
	case s.Tokens == "" || s.Token != "":
		return nil, nil
	case s.ask != nil:
		return s.newLoginHandler(s.redirect, s.ask)
	}
	p := &storedLogin{server: s}
	if k := s.Tokens.load(s.Name, s.URL); k != nil {
		c := oauth2.Config{ClientID: k.Client, ClientSecret: k.Secret, RedirectURL: k.Redirect, Scopes: k.Scopes,
			Endpoint: oauth2.Endpoint{AuthURL: k.AuthURL, TokenURL: k.TokenURL, AuthStyle: k.Style}}
		ctx := context.WithValue(context.Background(), oauth2.HTTPClient, s.oauthClient())
		p.source = &storingSource{tokens: s.Tokens, server: s.Name, kept: *k, from: c.TokenSource(ctx, k.Token)}
	}
	return p, nil
}

// newLoginHandler returns a handler that leads the user through an OAuth login, and stores the
// result. ask shows the user the login page; redirect is the URL to which the page returns.
func (s Server) newLoginHandler(redirect string, ask auth.AuthorizationCodeFetcher) (auth.OAuthHandler, error) {
	client := s.oauthClient()
	cfg := &auth.AuthorizationCodeHandlerConfig{RedirectURL: redirect, AuthorizationCodeFetcher: ask,
		RequestRefreshToken: true, Client: client,
		NewTokenSource: func(ctx context.Context, c *oauth2.Config, t *oauth2.Token) (oauth2.TokenSource, error) {
			out := &storingSource{tokens: s.Tokens, server: s.Name, from: c.TokenSource(ctx, t),
				kept: storedToken{URL: s.URL, Client: c.ClientID, Secret: c.ClientSecret, AuthURL: c.Endpoint.AuthURL,
					TokenURL: c.Endpoint.TokenURL, Style: c.Endpoint.AuthStyle, Redirect: c.RedirectURL,
					Scopes: c.Scopes}}
			_, err := out.Token()
			return out, err
		}}
	if s.ClientID != "" {
		cfg.PreregisteredClient = &oauthex.ClientCredentials{ClientID: s.ClientID}
		if s.ClientSecret != "" {
			cfg.PreregisteredClient.ClientSecretAuth = &oauthex.ClientSecretAuth{ClientSecret: s.ClientSecret}
		}
	} else {
		cfg.DynamicClientRegistrationConfig = &auth.DynamicClientRegistrationConfig{
			Metadata: &oauthex.ClientRegistrationMetadata{ClientName: "Scrollkeep", RedirectURIs: []string{redirect},
				GrantTypes: []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"},
				TokenEndpointAuthMethod: "none"}}
	}
	if k := s.Tokens.load(s.Name, s.URL); k != nil {
		more := mergeScopes(k.Scopes, k.Wanted)
		cfg.ScopeFilter = func(found []string) []string { return mergeScopes(found, more) }
	}
	return auth.NewAuthorizationCodeHandler(cfg)
}

// oauthClient returns an HTTP client for authorization servers. Their URLs come from the MCP
// server, so they must not lead into a private network, unless the MCP server itself is there.
func (s Server) oauthClient() *http.Client {
	base, _ := http.DefaultTransport.(*http.Transport)
	base = base.Clone()
	if !isPrivate(s.URL) {
		d := &net.Dialer{Timeout: 10 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
			if at, err := netip.ParseAddrPort(address); err != nil || !isPublic(at.Addr()) {
				return fmt.Errorf("%s is no address of the internet", address)
			}
			return nil
		}}
		base.DialContext = d.DialContext
	}
	return &http.Client{Transport: base, CheckRedirect: limitRedirects, Timeout: oauthTimeout}
}

func isPublic(a netip.Addr) bool {
	a = a.Unmap()
	return a.IsGlobalUnicast() && !a.IsPrivate() && !a.IsLoopback() && !a.IsLinkLocalUnicast()
}

// isPrivate reports whether a URL has the host localhost or an IP address of a private network.
func isPrivate(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	a, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && !isPublic(a)
}

// LogIn leads the user through the OAuth login of a server, and stores the login. It calls show
// with the URL that the user has to open in a browser. It waits until the browser returns to a port
// of this machine, at most ten minutes.
func LogIn(ctx context.Context, s Server, version string, show func(address string)) error {
	switch {
	case s.URL == "":
		return errors.New("it is a program of this machine, and needs no login")
	case s.Token != "":
		return errors.New("it has a token of its own (token_env), and needs no login")
	case s.Tokens == "":
		return errors.New("there is no directory to keep a login in: set HOME or XDG_STATE_HOME")
	}
	ctx, cancel := context.WithTimeout(ctx, loginTimeout)
	defer cancel()
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	back := &loginCallback{answer: make(chan auth.AuthorizationResult, 1)}
	server := &http.Server{Handler: back, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10}
	go func() { _ = server.Serve(l) }()
	defer server.Close()
	asked := false
	s.ask = func(ctx context.Context, a *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
		u, err := url.Parse(a.URL)
		if err != nil || u.Scheme != "https" && (u.Scheme != "http" || !isPrivate(a.URL)) {
			return nil, errors.New("its login page has no address of the form https://")
		}
		asked = true
		show(a.URL)
		select {
		case r := <-back.answer:
			return &r, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	s.redirect = "http://" + l.Addr().String() + "/callback"
	c, _, err := Start(ctx, s, version)
	if err == nil {
		c.Close()
	}
	switch {
	case back.refused() != "":
		return fmt.Errorf("the login was refused: %s", back.refused())
	case err != nil:
		return err
	case !asked:
		return errors.New("it did not ask for a login")
	}
	return nil
}

// loginCallback is the HTTP handler to which the browser returns after a login.
type loginCallback struct {
	answer chan auth.AuthorizationResult

	mu  sync.Mutex
	why string // why is the reason if the login was refused.
}

func (c *loginCallback) refused() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.why
}

func (c *loginCallback) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if r.URL.Path != "/callback" || q.Get("code") == "" && q.Get("error") == "" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if why := q.Get("error"); why != "" {
		c.mu.Lock()
		c.why = strings.TrimSpace(why + " " + q.Get("error_description"))
		c.mu.Unlock()
		_, _ = w.Write([]byte("The login was refused. You can close this page.\n"))
	} else {
		_, _ = w.Write([]byte("You are logged in. You can close this page and go back to the shell.\n"))
	}
	select {
	case c.answer <- auth.AuthorizationResult{Code: q.Get("code"), State: q.Get("state"), Iss: q.Get("iss")}:
	default: // there was an answer already
	}
}

// Login leads the user through the login of a server, like [LogIn], and restarts the server.
func (f *Fleet) Login(ctx context.Context, name string, show func(address string)) error {
	f.mu.Lock()
	var s *Server
	for _, m := range f.members {
		if m.server.Name == name {
			s = &m.server
		}
	}
	f.mu.Unlock()
	if s == nil {
		return fmt.Errorf("no server is named %q", name)
	}
	if err := LogIn(ctx, *s, f.Version, show); err != nil {
		return s.Secrets.Error(err)
	}
	return f.Restart(name)
}
