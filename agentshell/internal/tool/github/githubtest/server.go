// Package githubtest is a server of tests that speaks what the gh program asks of a GitHub
// Enterprise host. The shapes are those that gh 2.23 asks for; all values are invented.
package githubtest

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"

	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// Token is the API token with which gh is logged in.
const Token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"

// Name is the host name of the test server, without its port.
const Name = "ghe.example.org"

// Request is one request that the server has received from gh.
type Request struct {
	Method, Path string // Path is the request path with its query, without /api/v3.
	Operation    string // Operation is the name of the GraphQL operation; "": it is no GraphQL.
	Body         string
	Token        bool   // Token says that the request carried the API token.
	Host         string // Host is the host that the request was sent to.
}

// Answer is an HTTP response that a test has set.
type Answer struct {
	Status int // Status is the HTTP status code; 0: 200.
	Body   string
	Header map[string]string
}

// Server is a fake GitHub host for tests. It also plays the other hosts to which GitHub redirects.
type Server struct {
	Host string // Host is the host name with its port.
	home string
	// Before is called before each response, with the name of the request as in On; nil: nothing is
	// called. It must be set before the first request.
	Before func(what string)

	mu       sync.Mutex
	answers  map[string][]Answer
	requests []Request
}

// New starts a server that ends with the test. It skips the test if gh is not installed.
func New(t testing.TB) *Server {
	t.Helper()
	need.Program(t, "gh")
	s := &Server{answers: map[string][]Answer{}, home: t.TempDir()}
	cert, authority := certificate(t)
	if err := os.WriteFile(s.authority(), authority, 0o600); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{cert}}
	server.StartTLS()
	t.Cleanup(server.Close)
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL, "https://"), ":")
	s.Host = Name + ":" + port
	return s
}

func (s *Server) authority() string { return filepath.Join(s.home, "authority.pem") }

// Environ returns the environment of a user who is logged in on the host.
func (s *Server) Environ() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.home, "GH_ENTERPRISE_TOKEN=" + Token,
		"SSL_CERT_FILE=" + s.authority(), "GIT_CONFIG_NOSYSTEM=1"}
}

// Resolve resolves every host name to the address of the test server.
func (s *Server) Resolve(context.Context, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

// On sets the responses to a request. They are sent one after the other, and the last one again and
// again. what is "GET /path" without a query, or the name of a GraphQL operation.
func (s *Server) On(what string, answers ...Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers[what] = answers
}

// JSON sets one response with a body, which is JSON, as On does.
func (s *Server) JSON(what, body string) { s.On(what, Answer{Body: body}) }

// Requests returns the requests that the server has received so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

var operation = lazyregexp.New(`(?:query|mutation) ([A-Za-z_]+)`)

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	q := Request{Method: r.Method, Path: strings.TrimPrefix(r.URL.RequestURI(), "/api/v3"), Body: string(body),
		Token: strings.Contains(r.Header.Get("Authorization"), Token), Host: r.Host}
	what := q.Method + " " + strings.TrimPrefix(r.URL.Path, "/api/v3")
	if r.URL.Path == "/api/graphql" {
		var sent struct{ Query string }
		_ = json.Unmarshal(body, &sent)
		if m := operation().FindStringSubmatch(sent.Query); m != nil {
			q.Operation, what = m[1], m[1]
		}
	}
	s.mu.Lock()
	s.requests = append(s.requests, q)
	list := s.answers[what]
	if len(list) > 1 {
		s.answers[what] = list[1:]
	}
	s.mu.Unlock()
	if s.Before != nil {
		s.Before(what)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if len(list) == 0 {
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"message":"Not Found: `+what+`"}`)
		return
	}
	for name, value := range list[0].Header {
		w.Header().Set(name, value)
	}
	if list[0].Status != 0 {
		w.WriteHeader(list[0].Status)
	}
	_, _ = io.WriteString(w, list[0].Body)
}

// certificate returns a TLS certificate for the fake hosts, and the certificate authority for it,
// in PEM.
func certificate(t testing.TB) (tls.Certificate, []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	is := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour), IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		DNSNames: []string{Name, "other.example.net"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, is, is, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := pem.Encode(&text, &pem.Block{Type: "CERTIFICATE", Bytes: der}); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, text.Bytes()
}
