package remote

import "testing"

func TestAPathStandsBeforeTheQueryOfAnAddress(t *testing.T) {
	const deployment = "https://r.openai.azure.com/openai/deployments/d"
	for _, c := range []struct{ base, path, want string }{
		{"https://h/v1", "/chat/completions", "https://h/v1/chat/completions"},
		{"https://h/v1/", "/models", "https://h/v1/models"},
		{"https://h", "/v1/models?limit=1000", "https://h/v1/models?limit=1000"},
		{deployment + "?api-version=2024-10-21", "/chat/completions",
			deployment + "/chat/completions?api-version=2024-10-21"},
		{deployment + "/chat/completions?api-version=2024-10-21", "/chat/completions",
			deployment + "/chat/completions?api-version=2024-10-21"},
		{"https://r.openai.azure.com/openai/v1/?api-version=preview", "/responses",
			"https://r.openai.azure.com/openai/v1/responses?api-version=preview"},
		{"https://h/v1/messages?a=1#part", "/v1/messages", "https://h/v1/messages?a=1"},
		{"https://h/v1", "/v1/messages", "https://h/v1/messages"},
		{"https://h?a=1", "/v1/models?limit=1000", "https://h/v1/models?a=1&limit=1000"},
		{"https://h/v1/responses", "/responses", "https://h/v1/responses"},
	} {
		if got := newAddress(c.base).requestURL(c.path); got != c.want {
			t.Errorf("%s and %s: %s, want %s", c.base, c.path, got, c.want)
		}
	}
	for base, want := range map[string]bool{"http://h:1234": true, "https://h/api": true,
		"https://v1.example.com": true, "https://h/v1": false, "https://h/openai/v1": false,
		"https://h/v1beta/openai": false, deployment: false,
		"https://h/api/paas/v4": false} {
		if got := newAddress(base).plain(); got != want {
			t.Errorf("%s is plain: %v", base, got)
		}
	}
}
