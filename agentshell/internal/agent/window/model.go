// Package window knows what a model can hold and what that costs, counts what a conversation takes
// of it, and makes a conversation smaller without an orphan result and without losing what must not
// depend on a summary. It has no state: all of it is values and pure steps.
package window

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Model is what is known of a model. Counts are tokens.
type Model struct {
	Window int // of a request and its answer together; 0: nobody knows, and nothing is made to fit
	Output int // the most that one answer takes
	Price  Price
}

// Price is in US dollars for a million tokens. The zero value: nobody knows.
type Price struct {
	Input, Output         float64
	CacheRead, CacheWrite float64 // of the input that was read from the provider's cache, or written to it
	// Above is the size of a request beyond which all of it costs more, Input (with the cache) and
	// Output so many times as much; 0: there is no such size.
	Above                 int
	TimesInput, TimesMore float64
	Date                  string // when this was the list price: "2026-10"
}

// Known reports whether there is a price.
func (p Price) Known() bool { return p.Input > 0 || p.Output > 0 }

// Usage is what a provider counts of one request: Input is all of it, CacheRead and CacheWrite are
// the parts of Input that have prices of their own.
type Usage struct{ Input, Output, CacheRead, CacheWrite int }

// Of returns what u costs, in dollars.
func (p Price) Of(u Usage) float64 {
	in, out := 1.0, 1.0
	if p.Above > 0 && u.Input > p.Above {
		in, out = cmp.Or(p.TimesInput, 1), cmp.Or(p.TimesMore, 1)
	}
	rest := max(u.Input-u.CacheRead-u.CacheWrite, 0)
	sum := in * (float64(rest)*p.Input + float64(u.CacheRead)*p.CacheRead + float64(u.CacheWrite)*p.CacheWrite)
	return (sum + out*float64(u.Output)*p.Output) / 1e6
}

// unknown is what is assumed of a model that nobody told of: few hold less.
var unknown = Model{Window: 32_000, Output: 8_000}

// Answer returns the most tokens that one answer may take. A quarter of a small window is enough:
// the rest is for what it is about.
func (m Model) Answer() int {
	const most = 32_000
	answer := min(cmp.Or(m.Output, most), most)
	if m.Window > 0 {
		answer = min(answer, m.Window/4)
	}
	return answer
}

// Limit returns how many tokens a request may have before the conversation is made smaller: percent
// of the window, and no more than leaves room for an answer. 0: there is no limit.
func (m Model) Limit(percent int) int {
	if m.Window <= 0 {
		return 0
	}
	return min(m.Window*percent/100, m.Window-m.Answer())
}

// Find returns what is known of the model name: the entry of that name, or the longest one that the
// name begins with, followed by a date or a version: "claude-haiku-4-5-20251001". known is false
// for a model that nobody told of.
func Find(name string) (m Model, known bool) {
	best := ""
	for prefix := range models {
		if len(prefix) > len(best) && prefixOf(prefix, name) {
			best = prefix
		}
	}
	if best == "" {
		return unknown, false
	}
	return models[best], true
}

// Names returns the models of the table, each maker's from the newest on.
func Names() []string {
	return slices.SortedFunc(maps.Keys(models), func(a, b string) int { return strings.Compare(b, a) })
}

// prefixOf reports whether name is prefix, or prefix and a suffix that names no other model: a date
// or "latest". "gpt-5" is not known to be "gpt-5-mini", nor "gpt-5.1".
func prefixOf(prefix, name string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	if !ok || rest == "" {
		return ok
	}
	rest, ok = strings.CutPrefix(rest, "-")
	digits := strings.Trim(rest, "-0123456789") == "" && len(strings.ReplaceAll(rest, "-", "")) == 8
	return ok && (digits || rest == "latest")
}

// claude returns a price of Anthropic, where writing to the cache costs a quarter more than not
// using it.
func claude(date string, input, output, read float64) Price {
	return Price{Input: input, Output: output, CacheRead: read, CacheWrite: input * 1.25, Date: date}
}

// gpt returns a price of OpenAI, where writing to the cache costs nothing more.
func gpt(date string, input, output, read float64) Price {
	return Price{Input: input, Output: output, CacheRead: read, CacheWrite: input, Date: date}
}

// beyond returns p with a higher price for large requests.
func beyond(p Price, above int, input, output float64) Price {
	p.Above, p.TimesInput, p.TimesMore = above, input, output
	return p
}

const (
	k = 1_000
	m = 1_000_000
)

// models are those whose makers have said what they hold. A model without a date has no price here.
// What is not in this table can be told in the config file.
var models = map[string]Model{
	"claude-fable-5-1":  {m, 128 * k, claude("2026-10", 10, 50, 0.25)},
	"claude-fable-5":    {m, 128 * k, claude("2026-10", 10, 50, 1)},
	"claude-opus-5-5":   {m, 128 * k, claude("2026-10", 4, 20, 0.20)},
	"claude-opus-5":     {m, 128 * k, claude("2026-10", 5, 25, 0.50)},
	"claude-opus-4-8":   {m, 128 * k, claude("2026-10", 5, 25, 0.50)},
	"claude-opus-4-7":   {m, 128 * k, claude("2026-10", 5, 25, 0.50)},
	"claude-opus-4-6":   {m, 128 * k, claude("2026-10", 5, 25, 0.50)},
	"claude-opus-4-5":   {200 * k, 64 * k, claude("2026-03", 5, 25, 0.50)},
	"claude-sonnet-5-5": {m, 64 * k, claude("2026-10", 2, 10, 0.20)},
	"claude-sonnet-5":   {m, 64 * k, claude("2026-10", 2, 10, 0.20)},
	"claude-sonnet-4-6": {m, 64 * k, claude("2026-10", 3, 15, 0.30)},
	"claude-sonnet-4-5": {200 * k, 64 * k, claude("2026-03", 3, 15, 0.30)},
	"claude-haiku-5-5":  {200 * k, 64 * k, beyond(claude("2026-10", 0.10, 0.50, 0.01), 100*k, 5, 5)},
	"claude-haiku-4-5":  {200 * k, 64 * k, claude("2026-10", 1, 5, 0.10)},

	"gpt-5.5":      {m, 128 * k, beyond(gpt("2026-06", 5, 30, 0.50), 272*k, 2, 1.5)},
	"gpt-5.4":      {m, 128 * k, beyond(gpt("2026-06", 2.50, 15, 0.25), 272*k, 2, 1.5)},
	"gpt-5.4-mini": {400 * k, 128 * k, gpt("2026-06", 0.75, 4.50, 0.075)},
	"gpt-5.4-nano": {400 * k, 128 * k, gpt("2026-06", 0.20, 1.25, 0.02)},
	"gpt-5.2":      {400 * k, 128 * k, gpt("2025-12", 1.75, 14, 0.175)},
	"gpt-5.1":      {400 * k, 128 * k, gpt("2025-12", 1.25, 10, 0.125)},
	"gpt-5":        {400 * k, 128 * k, gpt("2025-12", 1.25, 10, 0.125)},
	"gpt-5-mini":   {400 * k, 128 * k, gpt("2025-12", 0.25, 2, 0.025)},
	"gpt-5-nano":   {400 * k, 128 * k, gpt("2025-12", 0.05, 0.40, 0.005)},
	"gpt-4.1":      {1_047_576, 32 * k, gpt("2025-12", 2, 8, 0.50)},
	"gpt-4.1-mini": {1_047_576, 32 * k, gpt("2025-12", 0.40, 1.60, 0.10)},
	"gpt-4.1-nano": {1_047_576, 32 * k, gpt("2025-12", 0.10, 0.40, 0.025)},
	"gpt-4o":       {128 * k, 16 * k, gpt("2025-12", 2.50, 10, 1.25)},
	"gpt-4o-mini":  {128 * k, 16 * k, gpt("2025-12", 0.15, 0.60, 0.075)},
	"o3":           {200 * k, 100 * k, gpt("2025-12", 2, 8, 0.50)},
	"o4-mini":      {200 * k, 100 * k, gpt("2025-12", 1.10, 4.40, 0.275)},
}
