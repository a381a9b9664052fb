package secret_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// What is filled in is a secret with the parts that programs print alone; what says who somebody
// is, where something goes or how something works is none.
func TestOfAFilledValueTheWholeAndItsPartsAreSecrets(t *testing.T) {
	basic := base64.StdEncoding.EncodeToString([]byte("anna:pa55word!x"))
	for _, c := range []struct{ name, value, text, want string }{
		{"X", "f1lled-0123", "a f1lled-0123 b", "a [secret] b"},
		{"X", "correct horse battery", "correct horse battery", "[secret]"},
		{"X", "pä55wörter", `"p\u00e455w\u00f6rter"`, `"[secret]"`},
		{"X", "a$b&c'd1", `a\$b\&c\'d1`, "[secret]"},
		{"X", "it's_a1b2", `'it'\''s_a1b2'`, `'[secret]'`},
		{"X", `back\t1x9Z`, "back\t1x9Z", "[secret]"},
		{"X", "/9j/4AAQSkZJR+gABx=", "/9j/4AAQSkZJR+gABx=", "[secret]"},
		{"X", "Tenant4711Ab", "lookup tenant4711ab.example.com", "lookup [secret].example.com"},
		{"X", "abc%2Fdef123", "path abc/def123", "path [secret]"},
		{"X", basic, "user anna:pa55word!x", "user [secret]"},
		{"X", basic, "password pa55word!x", "password [secret]"},
		{"X", "host=db.example.com password=pa55word1", "db.example.com: pa55word1", "db.example.com: [secret]"},
		{"X", "Bearer t0ken-abcd", "t0ken-abcd", "[secret]"},
		{"X", "https://h.example.com/hooks/T0aB9cD8eF?k=short1&v=1",
			"https://h.example.com/hooks/T0aB9cD8eF?k=short1&v=1: h.example.com: /hooks/T0aB9cD8eF",
			"https://h.example.com/hooks/[secret]?[secret]&v=1: h.example.com: /hooks/[secret]"},
		{"X", "postgres://anna:pa55w0rd@db.example.com/base", "pa55w0rd at db.example.com/base",
			"[secret] at db.example.com/base"},
		{"X", "postgres://anna:pw1@db.example.com/base", "postgres://anna:pw1@db.example.com/base",
			"postgres://[secret]db.example.com/base"},
		{"X", "https://t0ken5678@h.example.com/", "t0ken5678", "[secret]"},
		// controls
		{"HOME", "/home/anna", "cd /home/anna/Projects", ""},
		{"USER", "christopher.robinson2", "christopher.robinson2 is here", ""},
		{"PORT", "8080", "port 8080", ""},
		{"X", "true", "true", ""}, {"X", "1", "1 of 1", ""}, {"X", "production", "production", ""},
		{"X", "3000000000", "3000000000", ""}, {"X", "us-east", "us-east", ""},
		{"X", "/usr/local/lib/node_modules", "/usr/local/lib/node_modules/x", ""},
		{"X", "/Users/Anna/Projects/MyApp2/Bin", "/Users/Anna/Projects/MyApp2/Bin", ""},
		{"X", "./build/Output7abc", "./build/Output7abc", ""}, {"X", "~/Work/a1b2c3d4", "~/Work/a1b2c3d4", ""},
		{"X", "mcp.internal.example.com", "dial mcp.internal.example.com", ""},
		{"X", "127.0.0.1:8080", "127.0.0.1:8080", ""}, {"X", "localhost:3000", "localhost:3000", ""},
		{"X", "https://mcp.example.com/v1/server", "https://mcp.example.com/v1/server", ""},
		{"X", "", "anything", ""},
	} {
		if c.want == "" {
			c.want = c.text
		}
		if got := secret.New(secret.Filled(c.name, c.value)...).Redact(c.text); got != c.want {
			t.Errorf("with %s=%s %q is %q, want %q", c.name, c.value, c.text, got, c.want)
		}
	}
	if list := secret.Filled("X", strings.Repeat("a1 ", 5000)); len(list) > 10 {
		t.Errorf("a long value makes %d secrets", len(list))
	}
}
