// Package window knows the context windows and the prices of models, counts the tokens of a
// conversation, and compacts a conversation that is too long. A compacted conversation has no
// result without its call, and preserves facts that must not depend on a model's summary. The
// package has no state.
package window

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Model holds facts about a model. All counts are tokens.
type Model struct {
	// the size of the context window, for a request with its answer; 0: unknown, and then nothing
	// is compacted
	Window int
	Output int // the model's maximum length of one answer
	Price  Price
}

// Price holds a model's prices for a million tokens, in US dollars. The zero value means unknown.
type Price struct {
	Input, Output         float64
	CacheRead, CacheWrite float64 // for input that is read from the provider's cache, or written to it
	// LargeFrom is the number of input tokens above which all tokens of a request cost more:
	// LargeInputFactor and LargeOutputFactor times the price for input and output. 0: all requests
	// cost the same.
	LargeFrom                           int
	LargeInputFactor, LargeOutputFactor float64
	Date                                string // the month in which these were the list prices, such as "2026-10"
}

// Known reports whether the price is known.
func (p Price) Known() bool { return p.Input > 0 || p.Output > 0 }

// Usage holds the provider's token counts for one request. Input counts all input tokens, including
// those in CacheRead and CacheWrite, which have their own prices.
type Usage struct{ Input, Output, CacheRead, CacheWrite int }

// Cost returns the cost of a request with the given token counts, in dollars.
func (p Price) Cost(u Usage) float64 {
	inputFactor, outputFactor := 1.0, 1.0
	if p.LargeFrom > 0 && u.Input > p.LargeFrom {
		inputFactor, outputFactor = cmp.Or(p.LargeInputFactor, 1), cmp.Or(p.LargeOutputFactor, 1)
	}
	uncached := max(u.Input-u.CacheRead-u.CacheWrite, 0)
	sum := inputFactor * (float64(uncached)*p.Input + float64(u.CacheRead)*p.CacheRead +
		float64(u.CacheWrite)*p.CacheWrite)
	return (sum + outputFactor*float64(u.Output)*p.Output) / 1e6
}

// unknownModel holds the values for a model that is not in the table. Few models have a smaller
// context window.
var unknownModel = Model{Window: 32_000, Output: 8_000}

// MaxAnswer returns the number of tokens that one answer may have. It is at most a quarter of the
// context window, so that enough is left for the request.
func (m Model) MaxAnswer() int {
	const defaultMax = 32_000
	answer := min(cmp.Or(m.Output, defaultMax), defaultMax)
	if m.Window > 0 {
		answer = min(answer, m.Window/4)
	}
	return answer
}

// Limit returns the number of tokens of a request at which the conversation is compacted. It is the
// given percentage of the context window, or less so that an answer still fits. 0: there is no
// limit.
func (m Model) Limit(percent int) int {
	if m.Window <= 0 {
		return 0
	}
	return min(m.Window*percent/100, m.Window-m.MaxAnswer())
}

// Lookup returns the facts about a model from the built-in table. A name matches an entry if it is
// equal, or if only a date or "latest" follows, as in "claude-haiku-4-5-20251001". known is false,
// and the values are defaults, if no entry matches.
func Lookup(name string) (m Model, known bool) {
	best := ""
	for prefix := range models {
		if len(prefix) > len(best) && isVersionOf(prefix, name) {
			best = prefix
		}
	}
	if best == "" {
		return unknownModel, false
	}
	return models[best], true
}

// Names returns the names of all models in the built-in table, in descending order, so that newer
// models of a family come first.
func Names() []string {
	return slices.SortedFunc(maps.Keys(models), func(a, b string) int { return strings.Compare(b, a) })
}

// isVersionOf reports whether name is prefix, or prefix followed by a date or "latest". So "gpt-5"
// does not match "gpt-5-mini" or "gpt-5.1".
func isVersionOf(prefix, name string) bool {
	suffix, ok := strings.CutPrefix(name, prefix)
	if !ok || suffix == "" {
		return ok
	}
	suffix, ok = strings.CutPrefix(suffix, "-")
	digits := strings.Trim(suffix, "-0123456789") == "" && len(strings.ReplaceAll(suffix, "-", "")) == 8
	return ok && (digits || suffix == "latest")
}

// anthropicPrice returns the price of an Anthropic model. Writing to the cache costs 1.25 times the
// price of input.
func anthropicPrice(date string, input, output, read float64) Price {
	return Price{Input: input, Output: output, CacheRead: read, CacheWrite: input * 1.25, Date: date}
}

// openaiPrice returns the price of an OpenAI model. Writing to the cache costs as much as input.
func openaiPrice(date string, input, output, read float64) Price {
	return Price{Input: input, Output: output, CacheRead: read, CacheWrite: input, Date: date}
}

// withLargePrice returns p with factors for requests with more than the given number of input
// tokens.
func withLargePrice(p Price, above int, input, output float64) Price {
	p.LargeFrom, p.LargeInputFactor, p.LargeOutputFactor = above, input, output
	return p
}

const (
	k = 1_000
	m = 1_000_000
)

// models is the table of models whose makers have published the size of the context window. Entries
// without a date have no price. Users can describe other models in the configuration file.
var models = map[string]Model{
	"claude-fable-5-1":  {m, 128 * k, anthropicPrice("2026-10", 10, 50, 0.25)},
	"claude-fable-5":    {m, 128 * k, anthropicPrice("2026-10", 10, 50, 1)},
	"claude-opus-5-5":   {m, 128 * k, anthropicPrice("2026-10", 4, 20, 0.20)},
	"claude-opus-5":     {m, 128 * k, anthropicPrice("2026-10", 5, 25, 0.50)},
	"claude-opus-4-8":   {m, 128 * k, anthropicPrice("2026-10", 5, 25, 0.50)},
	"claude-opus-4-7":   {m, 128 * k, anthropicPrice("2026-10", 5, 25, 0.50)},
	"claude-opus-4-6":   {m, 128 * k, anthropicPrice("2026-10", 5, 25, 0.50)},
	"claude-opus-4-5":   {200 * k, 64 * k, anthropicPrice("2026-03", 5, 25, 0.50)},
	"claude-sonnet-5-5": {m, 64 * k, anthropicPrice("2026-10", 2, 10, 0.20)},
	"claude-sonnet-5":   {m, 64 * k, anthropicPrice("2026-10", 2, 10, 0.20)},
	"claude-sonnet-4-6": {m, 64 * k, anthropicPrice("2026-10", 3, 15, 0.30)},
	"claude-sonnet-4-5": {200 * k, 64 * k, anthropicPrice("2026-03", 3, 15, 0.30)},
	"claude-haiku-5-5":  {200 * k, 64 * k, withLargePrice(anthropicPrice("2026-10", 0.10, 0.50, 0.01), 100*k, 5, 5)},
	"claude-haiku-4-5":  {200 * k, 64 * k, anthropicPrice("2026-10", 1, 5, 0.10)},

	"gpt-5.5":      {m, 128 * k, withLargePrice(openaiPrice("2026-06", 5, 30, 0.50), 272*k, 2, 1.5)},
	"gpt-5.4":      {m, 128 * k, withLargePrice(openaiPrice("2026-06", 2.50, 15, 0.25), 272*k, 2, 1.5)},
	"gpt-5.4-mini": {400 * k, 128 * k, openaiPrice("2026-06", 0.75, 4.50, 0.075)},
	"gpt-5.4-nano": {400 * k, 128 * k, openaiPrice("2026-06", 0.20, 1.25, 0.02)},
	"gpt-5.2":      {400 * k, 128 * k, openaiPrice("2025-12", 1.75, 14, 0.175)},
	"gpt-5.1":      {400 * k, 128 * k, openaiPrice("2025-12", 1.25, 10, 0.125)},
	"gpt-5":        {400 * k, 128 * k, openaiPrice("2025-12", 1.25, 10, 0.125)},
	"gpt-5-mini":   {400 * k, 128 * k, openaiPrice("2025-12", 0.25, 2, 0.025)},
	"gpt-5-nano":   {400 * k, 128 * k, openaiPrice("2025-12", 0.05, 0.40, 0.005)},
	"gpt-4.1":      {1_047_576, 32 * k, openaiPrice("2025-12", 2, 8, 0.50)},
	"gpt-4.1-mini": {1_047_576, 32 * k, openaiPrice("2025-12", 0.40, 1.60, 0.10)},
	"gpt-4.1-nano": {1_047_576, 32 * k, openaiPrice("2025-12", 0.10, 0.40, 0.025)},
	"gpt-4o":       {128 * k, 16 * k, openaiPrice("2025-12", 2.50, 10, 1.25)},
	"gpt-4o-mini":  {128 * k, 16 * k, openaiPrice("2025-12", 0.15, 0.60, 0.075)},
	"o3":           {200 * k, 100 * k, openaiPrice("2025-12", 2, 8, 0.50)},
	"o4-mini":      {200 * k, 100 * k, openaiPrice("2025-12", 1.10, 4.40, 0.275)},
}
