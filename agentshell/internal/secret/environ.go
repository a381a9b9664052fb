package secret

import (
	"net/url"
	"slices"
	"strings"
)

// providerPrefixes lists the beginnings of the names of environment variables for providers of
// models and for this program.
var providerPrefixes = []string{
	"SCROLLKEEP_", "ANTHROPIC_", "OPENAI_", "AZURE_OPENAI_", "GEMINI_", "MISTRAL_", "GROQ_", "OPENROUTER_", "XAI_",
	"DEEPSEEK_", "COHERE_", "TOGETHER_",
	"FIREWORKS_", "CLAUDE_", "CEREBRAS_", "PERPLEXITY_", "REPLICATE_", "VOYAGE_", "MOONSHOT_", "DASHSCOPE_", "ZHIPUAI_",
	"HUGGINGFACE_", "HUGGING_FACE_",
}

// providerKeys lists more environment variables that hold keys for providers of models.
var providerKeys = []string{"GOOGLE_API_KEY", "HF_TOKEN", "AWS_BEARER_TOKEN_BEDROCK"}

// keySuffixes lists the ends of the names of environment variables that hold keys or passwords of
// any kind.
var keySuffixes = []string{
	"_KEY", "_APIKEY", "_TOKEN", "_SECRET", "_ACCESS_KEY_ID", "_SECRETS", "_PASS", "_PASSWD", "_PASSPHRASE", "_PAT",
	"PASSWORD", "_AUTH", "_PRIVATE_KEY", "_JWT", "_BEARER",
	"_KEY_BASE", "_SIGNING_SECRET",
}

// keyNames lists environment variables that hold keys or passwords, by their complete names.
var keyNames = []string{"APIKEY", "TOKEN", "SECRET", "PASS", "MYSQL_PWD", "JWT"}

// IsProvider reports whether the environment variable is for a provider of models or for this
// program, so that no other program needs it.
func IsProvider(name string) bool {
	name = strings.ToUpper(name)
	return slices.Contains(providerKeys, name) ||
		slices.ContainsFunc(providerPrefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// IsKey reports whether the name of the environment variable is that of a key or a password.
func IsKey(name string) bool {
	name = strings.ToUpper(name)
	return slices.Contains(keyNames, name) || slices.Contains(providerKeys, name) ||
		slices.ContainsFunc(keySuffixes, func(e string) bool { return strings.HasSuffix(name, e) || name == e[1:] })
}

// FromEnviron returns the set of all keys in an environment, and of the passwords in its URLs.
func FromEnviron(environ []string) Set { return New(secretValues(environ, IsKey)...) }

// secretValues returns the values of the environment variables for whose names the function secret
// returns true. For each variable whose value is a URL it returns only the password in the URL.
func secretValues(environ []string, secret func(name string) bool) (list []string) {
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		if address, err := url.Parse(value); err == nil && address.Scheme != "" && address.Host != "" {
			if password, given := address.User.Password(); given {
				list = append(list, password)
			} else if secret(name) && address.User != nil {
				list = append(list, address.User.Username()) // https://TOKEN@host
			}
			continue
		}
		if secret(name) {
			list = append(list, value)
		}
	}
	return list
}

// ForCommands returns the environment for commands that a model runs. It has no keys, and no other
// variable whose value contains one. Addresses of proxies stay, even with a password.
func ForCommands(environ []string) []string {
	return withoutSecrets(environ, func(name string) bool { return IsKey(name) || IsProvider(name) })
}

// ForPerson returns the environment for programs that the user starts. They may need keys, but not
// those of providers of models.
func ForPerson(environ []string) []string { return withoutSecrets(environ, IsProvider) }

// withoutSecrets returns the environment without the variables for whose names the function secret
// returns true, and without other variables that contain the value of such a key.
func withoutSecrets(environ []string, secret func(name string) bool) []string {
	set := New(secretValues(environ, func(name string) bool { return secret(name) && IsKey(name) })...)
	list := []string{}
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		address := strings.Contains(value, "://")
		if secret(name) || !address && set.Contains([]byte(value)) {
			continue
		}
		list = append(list, kv)
	}
	return list
}
