package secret_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

var keys = []string{
	"sk-ant-api03-CANARY0123456789abcdefghijklmnopqrstuvwxyz-AA", "sk-proj-CANARYabcdef0123456789", "AbC123x+/=",
	`q"uo\te%41&<z>`, "correct horse battery", "p4ssw0rd", "ghp_CANARY0123456789abcdefghijklmnopqr",
}

// spellings returns a value as programs print it.
func spellings(v string) map[string]string {
	quoted, _ := json.Marshal(v)
	twice, _ := json.Marshal(string(quoted))
	percent := ""
	for _, b := range []byte(v) {
		percent += fmt.Sprintf("%%%02X", b)
	}
	unicode := ""
	for _, r := range v {
		unicode += fmt.Sprintf(`\u%04x`, r)
	}
	long := base64.StdEncoding.EncodeToString([]byte("user:" + v))
	var wrapped strings.Builder
	for i := 0; i < len(long); i += 7 {
		wrapped.WriteString(long[i:min(i+7, len(long))] + "\n")
	}
	return map[string]string{
		"as it is": v, "in JSON": string(quoted[1 : len(quoted)-1]), "in JSON in JSON": string(twice[1 : len(twice)-1]),
		"Go": strings.Trim(strconv.Quote(v), `"`), "query": url.QueryEscape(v), "path": url.PathEscape(v),
		"percent": percent, "unicode": unicode,
		"base64":      base64.StdEncoding.EncodeToString([]byte(v)),
		"base64 user": base64.StdEncoding.EncodeToString([]byte("user:" + v)),
		"base64 name": base64.StdEncoding.EncodeToString([]byte("me:" + v + "\n")),
		"base64 x":    base64.RawURLEncoding.EncodeToString([]byte("x" + v + "yz")), "base64 wrapped": wrapped.String(),
		"hex": hex.EncodeToString([]byte(v)), "HEX": strings.ToUpper(hex.EncodeToString([]byte(v))),
	}
}

// core returns what of a spelling must not remain: its middle.
func core(s string) string { return s[len(s)/4 : len(s)*3/4] }

func TestASecretIsFoundInEverySpelling(t *testing.T) {
	set := secret.New(keys...)
	for _, key := range keys {
		for name, text := range spellings(key) {
			if key == "correct horse battery" && name == "query" {
				continue // "+" for a blank
			}
			in := "before " + text + " after"
			out := set.Redact(in)
			if strings.Contains(out, core(text)) || !strings.Contains(out, secret.Hidden) ||
				!strings.HasPrefix(out, "before ") || !strings.HasSuffix(out, " after") {
				t.Errorf("%s of %q: %q is %q", name, key, in, out)
			}
			if !set.Contains([]byte(in)) {
				t.Errorf("%s of %q is not found in %q", name, key, in)
			}
			control := []byte(text) // another text of the same shape
			for i := range control {
				if control[i] != '%' && control[i] != '\\' && (i < 1 || control[i-1] != '\\') {
					control[i] = "0123456789"[(int(control[i])+i)%10]
				}
			}
			if out := set.Redact(string(control)); out != string(control) {
				t.Errorf("%s: %q is %q", name, control, out)
			}
		}
	}
}

// A text in pieces, however it is parted, is what it is as a whole, and nothing of it stays behind.
func TestPiecesDoNotMatter(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	set := secret.New(keys...)
	var all []string
	for _, key := range keys {
		for _, text := range spellings(key) {
			all = append(all, text, text[:len(text)/2], key[:rng.IntN(len(key))])
		}
	}
	slices.Sort(all)
	all = append(all, " plain words ", "\n", "s", "sk-", `\`, "%", `\u00`, "é", "[secret]")
	for round := range 3000 {
		var b strings.Builder
		for range 1 + rng.IntN(6) {
			b.WriteString(all[rng.IntN(len(all))])
		}
		text := b.String()
		want := set.Redact(text)
		s := set.Stream()
		var got strings.Builder
		for rest := text; rest != ""; {
			n := 1 + rng.IntN(min(len(rest), 1+rng.IntN(40)))
			got.WriteString(s.Write(rest[:n]))
			rest = rest[n:]
		}
		got.WriteString(s.Flush())
		if got.String() != want {
			t.Fatalf("seed %d, round %d: %q in pieces is\n%q, as a whole\n%q", seed, round, text, got.String(), want)
		}
		for _, key := range keys {
			if strings.Contains(want, key) {
				t.Fatalf("seed %d, round %d: %q is in %q", seed, round, key, want)
			}
		}
	}
}

// What cannot become a secret is not held back.
func TestAStreamHoldsBackNothingElse(t *testing.T) {
	s := secret.New("sk-ant-CANARY0123456789").Stream()
	for _, c := range []struct{ piece, want string }{{"hello", "hello"}, {" wor", " wor"}, {"ks", "k"}, {"o", "so"},
		{"sk-ant", ""}, {"ique", "sk-antique"}, {"sk-ant-CANARY0123", ""}, {"456789", secret.Hidden}, {"!", "!"}} {
		if got := s.Write(c.piece); got != c.want {
			t.Errorf("%q gives %q, want %q", c.piece, got, c.want)
		}
	}
}

func TestWhatIsCutOffIsTold(t *testing.T) {
	set := secret.New(keys[0])
	for n := 16; n < len(keys[0]); n++ {
		if out := set.Redact("x" + keys[0][:n] + "..."); out != "x"+secret.Hidden+"..." {
			t.Errorf("%d bytes of it: %q", n, out)
		}
	}
	if text := "keys begin with sk-ant-api03-"; set.Redact(text) != text {
		t.Error("how all keys begin is no secret")
	}
}

func TestWordsAndNumbersAreNoSecrets(t *testing.T) {
	for _, v := range []string{"", "short", "password", "Changeme", "not-needed", "no-key-needed", "12345678",
		"2026-11-20", "/home/me/key.json", "~/.key", "true", "local.dev.key", "-----BEGIN PRIVATE KEY-----"} {
		if text := "a " + v + " b"; secret.New(v).Redact(text) != text {
			t.Errorf("%q counts as a secret", v)
		}
	}
	for _, v := range []string{"p4ssw0rd", "passWord", "a!bcdefg", "correcthorsebattery", "0123456789012345",
		"line one of a key\nline two of a key"} {
		if text := "a " + v + " b"; strings.Contains(secret.New(v).Redact(text), v) {
			t.Errorf("%q does not count as a secret", v)
		}
	}
}

func TestRedactedJSONStaysValid(t *testing.T) {
	set := secret.New(keys...).With("12345678901234567890")
	quoted, _ := json.Marshal(keys[3])
	for _, text := range []string{
		`{"a":` + string(quoted) + `,` + string(quoted) + `:[1,98765432109876543210]}`, `{"n":12345678901234567890}`,
		`[` + string(quoted) + `]`, `{"broken":"` + keys[0], `{"plain":"text"}`,
	} {
		out := set.RedactJSON(text)
		if json.Valid([]byte(text)) && !json.Valid([]byte(out)) || set.Contains([]byte(out)) ||
			strings.Contains(text, "plain") && out != text {
			t.Errorf("%s is %s", text, out)
		}
	}
	if out := set.RedactJSON(`{"n":98765432109876543210,"k":"` + keys[0] + `"}`); !strings.Contains(out,
		"98765432109876543210") {
		t.Error(out)
	}
}

// known are variables of known services, each of which must be kept from commands.
var known = strings.Fields(
	`ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN OPENAI_API_KEY OPENAI_ADMIN_KEY AZURE_OPENAI_API_KEY GEMINI_API_KEY GOOGLE_API_KEY MISTRAL_API_KEY GROQ_API_KEY DEEPSEEK_API_KEY
XAI_API_KEY OPENROUTER_API_KEY COHERE_API_KEY TOGETHER_API_KEY FIREWORKS_API_KEY HF_TOKEN HUGGING_FACE_HUB_TOKEN REPLICATE_API_TOKEN PERPLEXITY_API_KEY CEREBRAS_API_KEY AWS_BEARER_TOKEN_BEDROCK SCROLLKEEP_KEY
AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_ACCESS_KEY_ID GITHUB_TOKEN GH_TOKEN GITHUB_PAT GITLAB_TOKEN CI_JOB_TOKEN NPM_TOKEN NODE_AUTH_TOKEN PYPI_TOKEN TWINE_PASSWORD CARGO_REGISTRY_TOKEN DOCKER_PASSWORD
SLACK_BOT_TOKEN SLACK_SIGNING_SECRET STRIPE_SECRET_KEY STRIPE_KEY TWILIO_AUTH_TOKEN SENDGRID_API_KEY DATADOG_API_KEY DD_APP_KEY SENTRY_AUTH_TOKEN VAULT_TOKEN PGPASSWORD MYSQL_PWD MYSQL_PASSWORD REDIS_PASSWORD SECRET_KEY_BASE
CLOUDFLARE_API_TOKEN CF_API_KEY DIGITALOCEAN_ACCESS_TOKEN HEROKU_API_KEY VERCEL_TOKEN NETLIFY_AUTH_TOKEN ARM_CLIENT_SECRET AZURE_CLIENT_SECRET OP_SERVICE_ACCOUNT_TOKEN BW_SESSION_TOKEN JWT_SECRET SMTP_PASS DB_PASSWORD API_KEY TOKEN SECRET PASSWORD`)

func TestKeysAreKnownByTheirNames(t *testing.T) {
	for _, name := range known {
		if !secret.IsKey(name) || !secret.IsKey(strings.ToLower(name)) {
			t.Errorf("%s is no key", name)
		}
	}
	for _, name := range strings.Fields(
		"PATH HOME USER SHELL TERM LANG PWD OLDPWD EDITOR TMUX COLORTERM SSH_AUTH_SOCK SSH_ASKPASS GIT_ASKPASS " +
			"GPG_TTY XAUTHORITY MAX_TOKENS GOPATH KEYBOARD HTTP_PROXY ANTHROPIC_BASE_URL OPENAI_MODEL LS_COLORS") {
		if secret.IsKey(name) {
			t.Errorf("%s is a key", name)
		}
	}
}

func TestAChildGetsOnlyWhatItMayHave(t *testing.T) {
	var environ []string
	for i, name := range known {
		environ = append(environ, fmt.Sprintf("%s=CANARY-%03d-value", name, i))
	}
	environ = append(environ, "PATH=/bin", "HOME=/h", "COPY=x CANARY-000-value y",
		"HTTPS_PROXY=http://me:pr0xy-pass@proxy:8080", "OPENAI_BASE_URL=http://localhost:1/v1", "EMPTY=")
	all := secret.FromEnviron(environ)
	for i := range known {
		if !all.Contains(fmt.Appendf(nil, "CANARY-%03d-value", i)) {
			t.Errorf("the value of %s is no secret", known[i])
		}
	}
	if !all.Contains([]byte("pr0xy-pass")) || all.Contains([]byte("localhost")) {
		t.Error("of a URL its password is the secret")
	}
	got := secret.ForCommands(environ)
	if want := []string{"PATH=/bin", "HOME=/h", "HTTPS_PROXY=http://me:pr0xy-pass@proxy:8080",
		"EMPTY="}; !slices.Equal(got, want) {
		t.Errorf("a command gets %q", got)
	}
	person := strings.Join(secret.ForPerson(environ), "\n")
	for i, name := range known {
		if has := strings.Contains(person,
			fmt.Sprintf("%s=CANARY-%03d-value", name, i)); has == secret.IsProvider(name) {
			t.Errorf("the person's program has %s: %v", name, has)
		}
	}
	if strings.Contains(person, "COPY=") || !strings.Contains(person, "GITHUB_TOKEN=") ||
		strings.Contains(person, "OPENAI_API_KEY=") {
		t.Errorf("the person's program gets %s", person)
	}
}

func TestAnErrorKeepsWhatItIs(t *testing.T) {
	set := secret.New(keys...)
	cause := errors.New("the cause")
	err := set.Error(fmt.Errorf("with %s: %w", keys[0], cause))
	if err.Error() != "with "+secret.Hidden+": the cause" || !errors.Is(err, cause) {
		t.Errorf("%v", err)
	}
	if set.Error(nil) != nil || set.Error(cause) != cause {
		t.Error("what holds no secret is another")
	}
}

func TestNoSetRedactsNothing(t *testing.T) {
	var none secret.Set
	if s := none.Stream(); none.Redact(keys[0]) != keys[0] || none.RedactJSON(`"x"`) != `"x"` ||
		none.Contains([]byte(keys[0])) || s.Write("sk-")+s.Flush() != "sk-" {
		t.Error("it does")
	}
}

func BenchmarkRedact(b *testing.B) {
	text := strings.Repeat("The quick brown fox skips over sk-lazy dogs. ", 1000)
	set := secret.New(keys...)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		set.Redact(text)
	}
}
