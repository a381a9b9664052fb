package github

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/untrusted"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// These constants limit one call of the gh program.
const (
	maxOutputBytes = 16 << 20 // bytes
	callTimeout    = 2 * time.Minute
)

// These errors tell the user what to do. They are compared by identity.
var (
	ErrLogin      error = &FailedError{Text: "GitHub CLI is not authenticated. Run `gh auth login`."}
	ErrRepository error = &FailedError{Text: "GitHub repository context is unavailable. Pass `repo` explicitly " +
		"or run " +
		"the tool inside a GitHub checkout."}
)

// FailedError is the error of a call of gh that ended with a failure.
type FailedError struct {
	Text   string // Text is the message of gh or of the server, without control characters.
	Status int    // Status is the HTTP status code; 0: it is not known.
	output string // output is the output of gh before the failure.
}

func (e *FailedError) Error() string { return e.Text }

// configDir returns the directory of gh's configuration, or "" if the environment names none.
func (s *Service) configDir() string {
	value := s.variable
	switch {
	case value("GH_CONFIG_DIR") != "":
		return value("GH_CONFIG_DIR")
	case value("XDG_CONFIG_HOME") != "":
		return filepath.Join(value("XDG_CONFIG_HOME"), "gh")
	case value("HOME") != "":
		return filepath.Join(value("HOME"), ".config", "gh")
	}
	return ""
}

// variable returns the value of a variable of the user's environment, or "".
func (s *Service) variable(name string) string {
	for _, v := range slices.Backward(s.config.Environ) {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// hostsFile returns the contents of hosts.yml, in which gh stores its logins, or "".
func (s *Service) hostsFile() string {
	if s.configDir() == "" {
		return ""
	}
	text, err := regular.ReadFile(filepath.Join(s.configDir(), "hosts.yml"))
	if err != nil || len(text) > 1<<20 {
		return ""
	}
	return string(text)
}

var tokenInHostsFile = lazyregexp.New(`(?m)^\s*oauth_token:\s*["']?([^\s"']+)`)

// apiTokens returns the user's API tokens that gh can use: those in environment variables and in
// hosts.yml. It does not know those in a system keyring.
func (s *Service) apiTokens() (list []string) {
	for _, name := range []string{"GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"} {
		list = append(list, s.variable(name))
	}
	for _, m := range tokenInHostsFile().FindAllStringSubmatch(s.hostsFile(), -1) {
		list = append(list, m[1])
	}
	return list
}

// tokenPattern matches API tokens of GitHub.
var tokenPattern = lazyregexp.New(`\b(gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,})|x-access-token:[^@\s]+`)

// tokenPrefixes lists strings of which every match of tokenPattern contains one. Looking for them
// first is much cheaper than the expression, for texts of up to 16 MiB.
var tokenPrefixes = []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "x-access-token:"}

// redactTokens returns a text in which API tokens are replaced by [secret.Hidden].
func (s *Service) redactTokens(text string) string {
	text = s.tokens.Redact(text)
	if !slices.ContainsFunc(tokenPrefixes, func(part string) bool { return strings.Contains(text, part) }) {
		return text
	}
	return tokenPattern().ReplaceAllString(text, secret.Hidden)
}

// removedPrefixes lists prefixes of environment variables that are removed for gh, because they
// change what gh or git does. GH_CONFIG_DIR is passed on nevertheless.
var removedPrefixes = []string{"GH_", "GITHUB_", "GIT_", "CLICOLOR", "GLAMOUR_"}

// removedVariables lists the environment variables that are removed for gh in addition to those
// with removedPrefixes.
var removedVariables = []string{"DEBUG", "PAGER", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "BROWSER",
	"EDITOR",
	"VISUAL"}

// environ returns the environment variables for gh. They contain the API tokens of the configured
// host and no others, forbid questions and update notices, and name way, the address of the proxy.
func (s *Service) environ(way string) []string {
	env := slices.DeleteFunc(secret.ForCommands(s.config.Environ), func(v string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(v), "=")
		return name != "GH_CONFIG_DIR" && (slices.Contains(removedVariables, name) ||
			slices.ContainsFunc(removedPrefixes, func(p string) bool { return strings.HasPrefix(name, p) }))
	})
	for _, name := range tokenVariables(s.config.Host) {
		if value := s.variable(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	env = append(env, "GH_HOST="+s.config.Host, "GH_PROMPT_DISABLED=1", "GH_NO_UPDATE_NOTIFIER=1", "GH_PAGER=cat",
		"GH_SPINNER_DISABLED=1", "GH_BROWSER=false", "GH_EDITOR=false", "NO_COLOR=1", "TERM=dumb", "LC_ALL=C",
		"GIT_CEILING_DIRECTORIES="+os.TempDir(), "GIT_TERMINAL_PROMPT=0")
	if way != "" {
		env = append(env, "HTTPS_PROXY=http://"+way, "HTTP_PROXY=http://"+way)
	}
	return s.config.Family.Programs.Environ(env)
}

// runGH runs gh in an empty directory and returns its output without API tokens. in is the standard
// input of gh; nil: empty.
func (s *Service) runGH(ctx context.Context, in io.Reader, args ...string) (string, error) {
	out, problem, err := s.runGHOutputs(ctx, in, args...)
	switch {
	case err == nil && len(out) >= maxOutputBytes:
		return "", &FailedError{Text: fmt.Sprintf("the answer is longer than %d MiB", maxOutputBytes>>20)}
	case err == nil:
		return out, nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return "", &FailedError{Text: fmt.Sprintf("gh gave no answer within %v", callTimeout)}
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return "", err
	}
	err = callError(exit.ExitCode(), problem, out, args)
	if failed, ok := errors.AsType[*FailedError](err); ok && failed != ErrLogin && failed != ErrRepository {
		failed.output = out
	}
	return "", err
}

// runGHOutputs runs gh and returns its standard output and standard error, both without API tokens.
func (s *Service) runGHOutputs(ctx context.Context, in io.Reader, args ...string) (out, problem string, err error) {
	program, err := s.program("gh")
	if errors.As(err, new(*helper.Missing)) {
		return "", "", fmt.Errorf("GitHub CLI (gh) is not installed. To install it: %s", Install)
	}
	if err != nil {
		return "", "", err
	}
	way, dir, err := s.startProxy()
	if err != nil {
		return "", "", err
	}
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, s.environ(way), in
	limited, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	o, p, err := child.Output(limited, s.config.Family.Run, cmd, maxOutputBytes)
	return s.redactTokens(string(o)), s.redactTokens(string(p)), err
}

var httpStatus = lazyregexp.New(`\(?HTTP (\d{3})`)

// callError returns the error of a call of gh with the arguments args. code is the exit code of gh,
// problem its standard error, and out its standard output.
func callError(code int, problem, out string, args []string) error {
	text := untrusted.Line(problem, maxMessageBytes)
	if text == "" {
		text = untrusted.Line(out, maxMessageBytes)
	}
	status := 0
	if m := httpStatus().FindStringSubmatch(text); m != nil {
		_, _ = fmt.Sscan(m[1], &status)
	}
	low := strings.ToLower(text)
	switch {
	case code == 4, strings.Contains(low, "gh auth login"), status == 401, strings.Contains(low, "bad credentials"):
		return ErrLogin
	case strings.Contains(low, "not a git repository"), strings.Contains(low, "no git remotes"):
		return ErrRepository
	case status == 429, strings.Contains(low, "rate limit"):
		return &FailedError{Text: "GitHub's rate limit is reached; wait before the next call: " + text, Status: status}
	case strings.Contains(low, "forbidden") && strings.Contains(low, "proxyconnect"), strings.HasSuffix(low, ": f"+
		"orbidden"):
		return &FailedError{Text: "the host leads to another one, which is not followed: " + text, Status: status}
	case text == "":
		return &FailedError{Text: "GitHub CLI command failed: gh " + untrusted.Line(strings.Join(args, " "),
			maxMessageBytes)}
	}
	return &FailedError{Text: text, Status: status}
}

// runJSON runs gh and decodes its output, which is JSON, into v.
func (s *Service) runJSON(ctx context.Context, v any, args ...string) error {
	out, err := s.runGH(ctx, nil, args...)
	if err != nil {
		return err
	}
	return decode(out, v)
}

// decode decodes a text into v. The text must be exactly one JSON value.
func decode(text string, v any) error {
	if strings.TrimSpace(text) == "" {
		return &FailedError{Text: "GitHub CLI returned an empty answer"}
	}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	err := d.Decode(v)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("something stands behind it")
		}
	}
	if err != nil {
		return &FailedError{Text: "GitHub CLI returned invalid JSON: " + untrusted.Line(err.Error(), maxMessageBytes)}
	}
	return nil
}

var unknownField = lazyregexp.New(`Unknown JSON field: "([A-Za-z]{1,40})"`)

// runFields runs gh with --json for a comma-separated list of fields, and decodes its output into
// v. If this version of gh does not know a field, it repeats the call without the field.
func (s *Service) runFields(ctx context.Context, v any, fields string, args ...string) error {
	for range 10 {
		s.mu.Lock()
		known := slices.DeleteFunc(strings.Split(fields, ","),
			func(f string) bool { return s.unknownFields[args[0]+" "+f] })
		s.mu.Unlock()
		err := s.runJSON(ctx, v, slices.Concat(args, []string{"--json=" + strings.Join(known, ",")})...)
		failed, ok := errors.AsType[*FailedError](err)
		if !ok {
			return err
		}
		m := unknownField().FindStringSubmatch(failed.Text)
		if m == nil {
			return err
		}
		s.mu.Lock()
		s.unknownFields[args[0]+" "+m[1]] = true
		s.mu.Unlock()
	}
	return &FailedError{Text: "this version of gh knows too few fields"}
}

// callAPI calls an endpoint of GitHub's REST API and decodes the answer into v. Each of parameters
// is NAME=VALUE.
func (s *Service) callAPI(ctx context.Context, v any, endpoint string, parameters ...string) error {
	args := []string{"api", "--method=GET", endpoint}
	for _, p := range parameters {
		args = append(args, "--raw-field="+p)
	}
	return s.runJSON(ctx, v, args...)
}

// repoOption returns the option of gh that names a repository on the service's host.
func (s *Service) repoOption(r Repository) string {
	return "--repo=" + s.config.Host + "/" + r.String()
}

// Version returns the version of the gh program.
func (s *Service) Version(ctx context.Context) (string, error) {
	out, err := s.runGH(ctx, nil, "--version")
	first, _, _ := strings.Cut(out, "\n")
	return oneLine(strings.TrimPrefix(first, "gh version ")), err
}

var loggedIn = lazyregexp.New(`Logged in to \S+ (?:as|account) ([A-Za-z0-9-_]{1,100})`)

// Login returns the name of the account with which gh is logged in. The error is ErrLogin if there
// is none.
func (s *Service) Login(ctx context.Context) (string, error) {
	out, problem, err := s.runGHOutputs(ctx, nil, "auth", "status", "--hostname="+s.config.Host)
	if m := loggedIn().FindStringSubmatch(out + problem); m != nil && err == nil {
		return m[1], nil
	}
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		return "", err
	}
	return "", ErrLogin
}
