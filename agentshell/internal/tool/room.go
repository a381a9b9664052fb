package tool

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// maxResult is the largest number of bytes in one result for the model (SH-4).
const maxResult = 50 << 10

// roomKey is the context key for the number of tokens that a result may have.
type roomKey struct{}

// WithRoom returns a context for a call whose result may have at most that many tokens, because the
// model's context window has room for no more. A line that says how to read the rest comes on top.
// Without WithRoom only the number of bytes is limited.
func WithRoom(ctx context.Context, tokens int) context.Context {
	return context.WithValue(ctx, roomKey{}, max(tokens, 0))
}

// room holds how many more bytes and tokens the result of a call may have.
type room struct{ bytes, tokens int }

// roomOf returns the limits for the result of a call that runs with ctx. Every tool keeps its
// result within them, and says in its own way what it left out and how to read on.
func roomOf(ctx context.Context) room {
	if tokens, ok := ctx.Value(roomKey{}).(int); ok {
		return room{maxResult, tokens}
	}
	return openRoom()
}

// openRoom returns the limits for a result if the size of the model's context window is not known:
// bytes are limited, tokens are not.
func openRoom() room { return room{maxResult, math.MaxInt} }

// holds reports whether text fits into the remaining room.
func (r room) holds(text string) bool {
	return len(text) <= r.bytes && (r.tokens == math.MaxInt || provider.Tokens(text) <= r.tokens)
}

// take subtracts the size of text from the remaining room and returns true. If the text does not
// fit, it subtracts nothing and returns false.
func (r *room) take(text string) bool {
	if !r.holds(text) {
		return false
	}
	r.bytes -= len(text)
	if r.tokens != math.MaxInt {
		r.tokens -= provider.Tokens(text)
	}
	return true
}

// share returns the fraction part/whole of the room.
func (r room) share(part, whole int) room {
	return room{r.bytes * part / whole, r.tokens / whole * part}
}

// head returns the longest beginning of text that fits, without cutting a character.
func (r room) head(text string) string {
	return width.Head(text, min(r.bytes, provider.TokenBytes(text, r.tokens)))
}

// tail returns the longest end of text that fits, without cutting a character.
func (r room) tail(text string) string {
	text = width.Tail(text, r.bytes)
	if r.holds(text) {
		return text
	}
	return width.Tail(text, len(text)-provider.TokenBytes(text, provider.Tokens(text)-r.tokens))
}

// Fit shortens the text of a result or an error whose tool did not limit it to the room of ctx, and
// notes at the end how much was cut. keep stores the whole text and returns the address at which
// the model can read it, or "" if it cannot.
func Fit(ctx context.Context, text string, keep func(text string) (address string)) string {
	tokens, ok := ctx.Value(roomKey{}).(int)
	// What a tool says of what it left out comes on top.
	if !ok || provider.Tokens(text) <= tokens+tokens/4+100 {
		return text
	}
	head := room{len(text), tokens}.head(text)
	if i := strings.LastIndexByte(head, '\n'); i > len(head)/2 {
		head = head[:i+1]
	}
	where := "a call that gives less shows it"
	if address := keep(text); address != "" {
		where = fmt.Sprintf("read_file %s:%d goes on", address, strings.Count(head, "\n")+1)
	}
	return strings.TrimSuffix(head, "\n") + fmt.Sprintf("\n[%d bytes left out, your window has no room for them; %s]\n",
		len(text)-len(head), where)
}
