package tool

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// maxResult is the most bytes that a result gives a model at once (SH-4).
const maxResult = 50 << 10

// roomKey is the key of a context under which the room of a result stands.
type roomKey struct{}

// WithRoom returns a context for a call whose result may take so many tokens of the model's window.
// A line that says how to read on comes on top. Without it a result is bounded by bytes alone.
func WithRoom(ctx context.Context, tokens int) context.Context {
	return context.WithValue(ctx, roomKey{}, max(tokens, 0))
}

// room is what a result may still take: no more bytes, and no more tokens, than that.
type room struct{ bytes, tokens int }

// roomOf returns the room of a result of a call that runs in ctx. Every tool bounds by it what it
// gives, and says in its own way what it left out and how to go on.
func roomOf(ctx context.Context) room {
	if tokens, ok := ctx.Value(roomKey{}).(int); ok {
		return room{maxResult, tokens}
	}
	return openRoom()
}

// openRoom returns the room of a result where nothing is known of a window.
func openRoom() room { return room{maxResult, math.MaxInt} }

// holds reports whether there is room for text.
func (r room) holds(text string) bool {
	return len(text) <= r.bytes && (r.tokens == math.MaxInt || provider.Tokens(text) <= r.tokens)
}

// take takes the room for text, and reports whether there was enough of it. Else nothing is taken.
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

// share returns part of whole of the room.
func (r room) share(part, whole int) room {
	return room{r.bytes * part / whole, r.tokens / whole * part}
}

// head returns the beginning of text for which there is room, in whole characters.
func (r room) head(text string) string {
	return width.Head(text, min(r.bytes, provider.TokenBytes(text, r.tokens)))
}

// tail returns the end of text for which there is room, in whole characters.
func (r room) tail(text string) string {
	text = width.Tail(text, r.bytes)
	if r.holds(text) {
		return text
	}
	return width.Tail(text, len(text)-provider.TokenBytes(text, provider.Tokens(text)-r.tokens))
}

// Fit returns the text of a result, or of an error, that is not bounded by the room of ctx with its
// end left out. keep gives the address at which the model can read all of it, "" if it cannot.
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
