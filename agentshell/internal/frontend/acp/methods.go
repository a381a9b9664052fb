package acp

import (
	"context"
	"encoding/json"

	wire "github.com/coder/acp-go-sdk"
)

// handler answers a request. then is called when the client has its answer; nil: there is nothing
// to do.
type handler func(ctx context.Context, params json.RawMessage) (result any, then func(), err error)

// takes makes a handler of a function that takes parameters of a type.
func takes[P, R any](do func(context.Context, P) (R, error)) handler {
	return func(ctx context.Context, params json.RawMessage) (any, func(), error) {
		var p P
		if err := decode(params, &p); err != nil {
			return nil, nil, err
		}
		r, err := do(ctx, p)
		return r, nil, err
	}
}

// decode reads parameters. What a client left out is as if it were empty.
func decode(params json.RawMessage, into any) error {
	if len(params) == 0 {
		return nil
	}
	if err := json.Unmarshal(params, into); err != nil {
		return invalid("the parameters cannot be read: " + plain(err.Error()))
	}
	return nil
}

// begin takes a request or a notification of the client. A turn can be stopped from the moment when
// its request was read, however soon behind it the stop comes.
func (s *Server) begin(ctx context.Context, method string, params json.RawMessage) work {
	do := s.handler(method)
	switch method {
	case wire.AgentMethodSessionPrompt:
		return s.turn(ctx, params)
	case wire.AgentMethodSessionCancel:
		_, _, err := do(ctx, params)
		return func() (any, func(), error) { return struct{}{}, nil, err }
	}
	return func() (any, func(), error) { return do(ctx, params) }
}

// handler returns what answers a method.
func (s *Server) handler(method string) handler {
	switch method {
	case wire.AgentMethodInitialize:
		return takes(s.initialize)
	case wire.AgentMethodSessionNew:
		return s.newSession
	case wire.AgentMethodSessionLoad:
		return takes(s.loadSession)
	case wire.AgentMethodSessionResume:
		return takes(s.resumeSession)
	case wire.AgentMethodSessionList:
		return takes(s.listSessions)
	case wire.AgentMethodSessionClose:
		return takes(s.closeSession)
	case wire.AgentMethodSessionCancel:
		return takes(s.cancel)
	case wire.AgentMethodSessionSetMode:
		return takes(s.setSessionMode)
	case wire.AgentMethodSessionSetModel:
		return takes(s.setSessionModel)
	case wire.AgentMethodSessionSetConfigOption:
		return takes(s.setSessionConfigOption)
	}
	return func(context.Context, json.RawMessage) (any, func(), error) { // authenticate, too: keys are the person's own
		return nil, nil, &wire.RequestError{Code: codeMethod, Message: "there is no method " + plain(method)}
	}
}

// turn begins a turn.
func (s *Server) turn(ctx context.Context, params json.RawMessage) work {
	fail := func(err error) work { return func() (any, func(), error) { return nil, nil, err } }
	var p prompt
	if err := decode(params, &p); err != nil {
		return fail(err)
	}
	one, err := s.session(p.SessionID)
	if err != nil {
		return fail(err)
	}
	ctx, done := one.stoppable(ctx)
	return func() (any, func(), error) {
		defer done()
		r, err := one.prompt(ctx, p)
		return r, nil, err
	}
}
