package secret

import (
	"net/url"
	"slices"
	"strings"
)

// providerPrefixes are the beginnings of the names of variables that belong to providers of models
// or to this program.
var providerPrefixes = []string{
	"SCROLLKEEP_", "ANTHROPIC_", "OPENAI_", "AZURE_OPENAI_", "GEMINI_", "MISTRAL_", "GROQ_", "OPENROUTER_", "XAI_",
	"DEEPSEEK_", "COHERE_", "TOGETHER_",
	"FIREWORKS_", "CLAUDE_", "CEREBRAS_", "PERPLEXITY_", "REPLICATE_", "VOYAGE_", "MOONSHOT_", "DASHSCOPE_", "ZHIPUAI_",
	"HUGGINGFACE_", "HUGGING_FACE_",
}

// providerKeys are further names of keys of providers of models.
var providerKeys = []string{"GOOGLE_API_KEY", "HF_TOKEN", "AWS_BEARER_TOKEN_BEDROCK"}

// keySuffixes are the ends of the names of variables that hold keys of any kind.
var keySuffixes = []string{
	"_KEY", "_APIKEY", "_TOKEN", "_SECRET", "_ACCESS_KEY_ID", "_SECRETS", "_PASS", "_PASSWD", "_PASSPHRASE", "_PAT",
	"PASSWORD", "_AUTH", "_PRIVATE_KEY", "_JWT", "_BEARER",
	"_KEY_BASE", "_SIGNING_SECRET",
}

// keyNames are complete names of variables that hold keys.
var keyNames = []string{"APIKEY", "TOKEN", "SECRET", "PASS", "MYSQL_PWD", "JWT"}

// IsProvider reports whether the variable name belongs to a provider of models or to this program.
// No other program needs it.
func IsProvider(name string) bool {
	name = strings.ToUpper(name)
	return slices.Contains(providerKeys, name) ||
		slices.ContainsFunc(providerPrefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// IsKey reports whether the variable name holds a key.
func IsKey(name string) bool {
	name = strings.ToUpper(name)
	return slices.Contains(keyNames, name) || slices.Contains(providerKeys, name) ||
		slices.ContainsFunc(keySuffixes, func(e string) bool { return strings.HasSuffix(name, e) || name == e[1:] })
}

// FromEnviron returns the values of all keys in an environment, and the passwords in its URLs.
func FromEnviron(environ []string) Set { return New(secretValues(environ, IsKey)...) }

// secretValues returns the values of the variables for which secret returns true. Of a URL it
// returns the password.
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

// ForCommands returns the environment for the commands of a model. It has no keys, and no other
// variable with the value of a key. The address of a proxy stays.
func ForCommands(environ []string) []string {
	return withoutSecrets(environ, func(name string) bool { return IsKey(name) || IsProvider(name) })
}

// ForPerson returns the environment for programs that the person starts. They may need keys, but
// none of providers of models.
func ForPerson(environ []string) []string { return withoutSecrets(environ, IsProvider) }

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
