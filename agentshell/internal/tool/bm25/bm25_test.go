package bm25

import (
	"fmt"
	"strings"
	"testing"
)

func TestWordsOfNames(t *testing.T) {
	for text, want := range map[string]string{
		"createPullRequest": "create pull request", "HTTPServer": "http server", "v2Beta": "v2 beta",
		"snake_case-x": "snake case x",
		"Café ñ":       "cafe n", "": "", "--": "", "日本 GO": "日本 go",
	} {
		if got := strings.Join(Words(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A rare word counts more than a frequent one, a heavy part more than a light one, and a word in a
// short text more than in a long one. Equal documents keep their order.
func TestRank(t *testing.T) {
	doc := func(name, text string) []Part { return []Part{{name, 6}, {text, 1}} }
	docs := [][]Part{doc("a", "the build uses make"), doc("b", "the build uses bazel and the cache is remote"),
		doc("make", "nothing of it"), doc("c", "the same"), doc("d", "the same"), doc("e", "")}
	for query, want := range map[string]string{
		"make": "[2 0]", "bazel build": "[1 0]", "build": "[0 1]", "same": "[3 4]", "same same": "[3 4]",
		"": "[]", "?!": "[]", "missing": "[]",
	} {
		var order []int
		for _, hit := range Rank(docs, query) {
			order = append(order, hit.Index)
		}
		if got := fmt.Sprint(order); got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
	if hits := Rank(nil, "x"); hits != nil {
		t.Errorf("hits without documents: %v", hits)
	}
}

// The scores are those of BM25+ with the constants that it is known with.
func TestScores(t *testing.T) {
	docs := [][]Part{{{"a b", 1}}, {{"a", 2}}, {{"c", 1}}}
	var got []string
	for _, hit := range Rank(docs, "a") {
		got = append(got, fmt.Sprintf("%d %.6f", hit.Index, hit.Score))
	}
	if want := "1 1.081843, 0 0.904461"; strings.Join(got, ", ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}
