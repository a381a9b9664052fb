package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	wire "github.com/coder/acp-go-sdk"
)

// handler answers a request of the client. If then is not nil, it is called after the answer has
// been sent.
type handler func(ctx context.Context, params json.RawMessage) (result any, then func(), err error)

// handlerOf returns a handler that decodes the parameters of a request and passes them to do.
func handlerOf[P, R any](do func(context.Context, P) (R, error)) handler {
	return func(ctx context.Context, params json.RawMessage) (any, func(), error) {
		var p P
		if err := decode(params, &p); err != nil {
			return nil, nil, err
		}
		r, err := do(ctx, p)
		return r, nil, err
	}
}

// decode decodes the parameters of a request into target. Missing parameters leave target as it is.
// An error is worded for the client.
func decode(params json.RawMessage, target any) error {
	if len(params) == 0 {
		return nil
	}
	err := json.Unmarshal(params, target)
	var typed *json.UnmarshalTypeError
	switch {
	case errors.As(err, &typed) && typed.Field != "":
		where, _, _ := strings.Cut(err.Error(), ": json: ") // the text before names the MCP server
		if where == err.Error() {
			where = "the parameters"
		}
		return invalid(visibleText(fmt.Sprintf("%s: the field %s has the wrong type, %s", where,
			lowerFirst(typed.Field), typed.Value)))
	case err != nil:
		return invalid("the parameters cannot be read: " + visibleText(err.Error()))
	}
	return nil
}

// lowerFirst returns the name of a Go field as the protocol spells it, with a small first letter.
func lowerFirst(field string) string {
	return strings.ToLower(field[:1]) + field[1:]
}

// handle returns the work for a request or notification of the client. For a prompt and for cancel
// it does the first part at once, so that a later message can already stop the turn of an earlier
// one.
func (s *Server) handle(ctx context.Context, method string, params json.RawMessage) work {
	do := s.handlerFor(method)
	switch method {
	case wire.AgentMethodSessionPrompt:
		return s.startTurn(ctx, params)
	case wire.AgentMethodSessionCancel:
		_, _, err := do(ctx, params)
		return func() (any, func(), error) { return struct{}{}, nil, err }
	}
	return func() (any, func(), error) { return do(ctx, params) }
}

// handlerFor returns the handler for a method of the protocol. For an unknown method it returns one
// that fails.
func (s *Server) handlerFor(method string) handler {
	switch method {
	case wire.AgentMethodInitialize:
		return handlerOf(s.initialize)
	case wire.AgentMethodSessionNew:
		return s.newSession
	case wire.AgentMethodSessionLoad:
		return handlerOf(s.loadSession)
	case wire.AgentMethodSessionResume:
		return handlerOf(s.resumeSession)
	case wire.AgentMethodSessionList:
		return handlerOf(s.listSessions)
	case wire.AgentMethodSessionClose:
		return handlerOf(s.closeSession)
	case wire.AgentMethodSessionCancel:
		return handlerOf(s.cancel)
	case wire.AgentMethodSessionSetMode:
		return handlerOf(s.setSessionMode)
	case wire.AgentMethodSessionSetModel:
		return handlerOf(s.setSessionModel)
	case wire.AgentMethodSessionSetConfigOption:
		return handlerOf(s.setSessionConfigOption)
	}
	return func(context.Context, json.RawMessage) (any, func(), error) { // authenticate, too: keys are set elsewhere
		return nil, nil, &wire.RequestError{Code: codeMethod, Message: "there is no method " + visibleText(method)}
	}
}

// startTurn registers a turn for a prompt of the client, so that it can be stopped, and returns the
// work that runs the turn.
func (s *Server) startTurn(ctx context.Context, params json.RawMessage) work {
	fail := func(err error) work { return func() (any, func(), error) { return nil, nil, err } }
	var p prompt
	if err := decode(params, &p); err != nil {
		return fail(err)
	}
	sess, err := s.session(p.SessionID)
	if err != nil {
		return fail(err)
	}
	ctx, done := sess.beginTurn(ctx)
	return func() (any, func(), error) {
		defer done()
		r, err := sess.runPrompt(ctx, p)
		return r, nil, err
	}
}
