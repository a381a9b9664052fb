package provider

import (
	"fmt"
	"strings"
	"sync"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Failed is the reason to stop of an answer that the server gave up. Such an answer is an error,
// and no [End] has this reason.
const Failed = "error"

// stopByReason maps the words by which servers say why an answer ended, in lower case, to the
// values of [End].Stop or to Failed. Each API has its own words, and servers that imitate an API
// often use words of other APIs.
var stopByReason = map[string]string{
	"stop": "end", "end": "end", "end_turn": "end", "eos": "end", "eos_token": "end", "stop_sequence": "end",
	"stop_token": "end", "complete": "end", "completed": "end", "done": "end", "normal": "end", "pause_turn": "end",

	"tool_calls": "tool", "tool_call": "tool", "tool_use": "tool", "function_call": "tool", "function_calls": "tool",

	"length": "length", "max_tokens": "length", "max_output_tokens": "length", "max_length": "length",
	"max_new_tokens": "length", "model_length": "length", "token_limit": "length",

	"model_context_window_exceeded": "window", "context_length_exceeded": "window", "context_window_exceeded": "window",
	"error_limit": "window",

	"refusal": "refusal", "refused": "refusal",

	"content_filter": "filter", "content_filtered": "filter", "safety": "filter", "sensitive": "filter",
	"recitation": "filter", "blocklist": "filter", "prohibited_content": "filter", "spii": "filter",
	"language": "filter", "guardrail_intervened": "filter", "error_toxic": "filter",

	"error": Failed, "network_error": Failed, "server_error": Failed, "abort": Failed, "aborted": Failed,
	"cancelled": Failed, "canceled": Failed, "failed": Failed, "timeout": Failed, "user_cancel": Failed,
	"insufficient_system_resource": Failed, "malformed_function_call": Failed,
}

// StopOf returns the value of [End].Stop for the reason that a server gave. For an unknown reason
// it returns "end" and false.
func StopOf(reason string) (stop string, known bool) {
	stop, known = stopByReason[strings.ToLower(strings.TrimSpace(reason))]
	if !known {
		stop = "end"
	}
	return stop, known
}

// Stops remembers which unknown reasons the user was told about, so that each is reported only
// once. The zero value is ready to use.
type Stops struct {
	mu       sync.Mutex
	reported map[string]bool
}

// Notice returns a notice that reason is unknown. tell is false if there is nothing to tell: the
// reason is known, empty, or was reported before.
func (s *Stops) Notice(reason string) (n Notice, tell bool) {
	if _, known := StopOf(reason); known || reason == "" {
		return n, false
	}
	const most = 60
	if len(reason) > most {
		reason = strings.ToValidUTF8(width.Head(reason, most), "") + "..."
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reported[reason] || len(s.reported) > most {
		return n, false
	}
	if s.reported == nil {
		s.reported = map[string]bool{}
	}
	s.reported[reason] = true
	return Notice{fmt.Sprintf("The server ended its answer for a reason that is not known here: %q. "+
		"The answer is taken as complete.", reason)}, true
}
