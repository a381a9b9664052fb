package remote

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// Broken returns the error for a connection or a stream that broke with err: the [provider.Error]
// or [provider.Excess] that err wraps, or else a new [provider.Error].
func Broken(err error) error {
	var e *provider.Error
	var x *provider.Excess
	switch {
	case errors.As(err, &e):
		return e
	case errors.As(err, &x):
		return x
	}
	text := err.Error()
	var u *url.Error
	if errors.As(err, &u) { // its address may have a key behind the question mark
		address, _, _ := strings.Cut(u.URL, "?")
		text = fmt.Sprintf("%s %q: %v", u.Op, address, u.Err)
	}
	e = &provider.Error{Message: Cut(text), Cause: err}
	if e.What, e.Advice = hopeless(err); e.What != "" {
		e.Final = true
	}
	return e
}

// hopeless returns what happened and what the user can do, if err would also break every other
// attempt, such as an expired certificate. Otherwise it returns "", "".
func hopeless(err error) (what, advice string) {
	var (
		untrusted *tls.CertificateVerificationError
		invalid   x509.CertificateInvalidError
		plain     tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the server's certificate has expired, or is not valid yet",
			"Check the clock of this machine, and the certificate."
	case errors.As(err, &untrusted):
		return "the server's certificate is not trusted",
			"If you trust the server, add the authority that signed it to those of the system (Linux: or set " +
				"SSL_CERT_FILE to its file)."
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, &plain):
		return "the server does not speak TLS", "Write http:// in the address in place of https://."
	case strings.Contains(err.Error(), "malformed HTTP response"): // net/http has no type for it
		return "the server does not speak HTTP", "Check the port in the address."
	}
	return "", ""
}

// refusedByProxy returns an error for a proxy's refusal to connect to the server. It returns nil if
// the proxy has connected. It is the http.Transport's OnProxyConnectResponse.
func refusedByProxy(_ context.Context, _ *url.URL, _ *http.Request, resp *http.Response) error {
	e := &provider.Error{Status: resp.StatusCode}
	switch {
	case resp.StatusCode == http.StatusOK:
		return nil
	case resp.StatusCode == http.StatusProxyAuthRequired:
		e.What, e.Advice = proxyWants(resp.StatusCode)
	default:
		e.What = fmt.Sprintf("the proxy does not connect us to the server (%d)", resp.StatusCode)
		e.Advice = "Check HTTPS_PROXY, and list the server's host in NO_PROXY if it needs no proxy."
	}
	return e
}
