package secret

import (
	"net/url"
	"slices"
	"strings"
)

// providers begin the names of variables that are about providers of models, and ours.
var providers = []string{
	"SCROLLKEEP_", "ANTHROPIC_", "OPENAI_", "AZURE_OPENAI_", "GEMINI_", "MISTRAL_", "GROQ_", "OPENROUTER_", "XAI_",
	"DEEPSEEK_", "COHERE_", "TOGETHER_",
	"FIREWORKS_", "CLAUDE_", "CEREBRAS_", "PERPLEXITY_", "REPLICATE_", "VOYAGE_", "MOONSHOT_", "DASHSCOPE_", "ZHIPUAI_",
	"HUGGINGFACE_", "HUGGING_FACE_",
}

// providerKeys are the names of further keys of providers of models.
var providerKeys = []string{"GOOGLE_API_KEY", "HF_TOKEN", "AWS_BEARER_TOKEN_BEDROCK"}

// endings are the ends of names of variables that hold a key, whoever gave it.
var endings = []string{
	"_KEY", "_APIKEY", "_TOKEN", "_SECRET", "_ACCESS_KEY_ID", "_SECRETS", "_PASS", "_PASSWD", "_PASSPHRASE", "_PAT",
	"PASSWORD", "_AUTH", "_PRIVATE_KEY", "_JWT", "_BEARER",
	"_KEY_BASE", "_SIGNING_SECRET",
}

// whole are whole names of such variables.
var whole = []string{"APIKEY", "TOKEN", "SECRET", "PASS", "MYSQL_PWD", "JWT"}

// IsProvider reports whether the variable name is about a provider of models, or ours: only we need
// it.
func IsProvider(name string) bool {
	name = strings.ToUpper(name)
	return slices.Contains(providerKeys, name) ||
		slices.ContainsFunc(providers, func(p string) bool { return strings.HasPrefix(name, p) })
}

// IsKey reports whether the variable name holds a key.
func IsKey(name string) bool {
	name = strings.ToUpper(name)
	return slices.Contains(whole, name) || slices.Contains(providerKeys, name) ||
		slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(name, e) || name == e[1:] })
}

// FromEnviron returns the values of all keys in an environment, and the passwords in its URLs.
func FromEnviron(environ []string) Set { return New(values(environ, IsKey)...) }

// values returns the values of the variables that secret names; a URL's is its password.
func values(environ []string, secret func(name string) bool) (list []string) {
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

// ForCommands returns an environment for the commands of a model: without keys, and without what
// holds the value of one under another name. The address of a proxy stays.
func ForCommands(environ []string) []string {
	return without(environ, func(name string) bool { return IsKey(name) || IsProvider(name) })
}

// ForPerson returns an environment for programs that the person starts, who may need other keys
// than those of providers of models.
func ForPerson(environ []string) []string { return without(environ, IsProvider) }

func without(environ []string, secret func(name string) bool) []string {
	set := New(values(environ, func(name string) bool { return secret(name) && IsKey(name) })...)
	list := []string{}
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		address := strings.Contains(value, "://")
		if secret(name) || !address && set.In([]byte(value)) {
			continue
		}
		list = append(list, kv)
	}
	return list
}
