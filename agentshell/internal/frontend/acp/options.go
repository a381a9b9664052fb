package acp

import (
	wire "github.com/coder/acp-go-sdk"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// modes returns the approval modes for the client: the current one, and those that can be chosen.
func (s *session) modes() *wire.SessionModeState {
	state := &wire.SessionModeState{CurrentModeId: wire.SessionModeId(s.parts.Policy.Mode())}
	for _, name := range s.parts.Modes {
		state.AvailableModes = append(state.AvailableModes, wire.SessionMode{Id: wire.SessionModeId(name),
			Name: name, Description: wire.Ptr(approval.ModeAbout(name))})
	}
	return state
}

// setMode changes the approval mode of the session to the one that the client names.
func (s *session) setMode(name string) error {
	if err := s.parts.Policy.SetMode(name); err != nil {
		return invalid("the mode was not changed: " + visibleText(err.Error()))
	}
	s.mu.Lock()
	s.mode = s.parts.Policy.Mode()
	s.mu.Unlock()
	return nil
}

// reportModeChange tells the client the approval mode if the user has changed it with an answer.
func (s *session) reportModeChange() {
	now := s.parts.Policy.Mode()
	s.mu.Lock()
	changed := now != s.mode
	s.mode = now
	s.mu.Unlock()
	if changed {
		s.send(wire.SessionUpdate{CurrentModeUpdate: &wire.SessionCurrentModeUpdate{
			CurrentModeId: wire.SessionModeId(now)}})
		s.reportOptions()
	}
}

// reportOptions tells the client the present values of the session's options.
func (s *session) reportOptions() {
	s.send(wire.SessionUpdate{ConfigOptionUpdate: &wire.SessionConfigOptionUpdate{ConfigOptions: s.options()}})
}

// models returns the models for the client: the current one, and those that can be chosen. It
// returns nil if there is no choice.
func (s *session) models() *wire.SessionModelState {
	if len(s.parts.Models) == 0 {
		return nil
	}
	state := &wire.SessionModelState{CurrentModelId: wire.ModelId(s.agent.Model().Name())}
	for _, name := range s.parts.Models {
		state.AvailableModels = append(state.AvailableModels, wire.ModelInfo{ModelId: wire.ModelId(name), Name: name})
	}
	return state
}

// setModel changes the model of the session to the one that the client names.
func (s *session) setModel(name string) error {
	if s.parts.SetModel == nil {
		return invalid("this session has a single model")
	}
	if err := s.parts.SetModel(s.agent, name); err != nil {
		return invalid("the model was not changed: " + visibleText(err.Error()))
	}
	return nil
}

// The ids of the session's options. Clients that know options ignore the protocol's separate modes
// and models, so both are options, too.
const (
	modeOption    = "mode"
	modelOption   = "model"
	sandboxOption = "sandbox"
)

// options returns the options of the session with their present values.
func (s *session) options() []wire.SessionConfigOption {
	mode, modes := wire.SessionConfigOptionCategoryMode, wire.SessionConfigSelectOptionsUngrouped{}
	for _, name := range s.parts.Modes {
		modes = append(modes, wire.SessionConfigSelectOption{Value: wire.SessionConfigValueId(name), Name: name,
			Description: wire.Ptr(approval.ModeAbout(name))})
	}
	list := []wire.SessionConfigOption{{Select: &wire.SessionConfigOptionSelect{Id: modeOption, Name: "Mode",
		Category: &mode, CurrentValue: wire.SessionConfigValueId(s.parts.Policy.Mode()),
		Options: wire.SessionConfigSelectOptions{Ungrouped: &modes}}}}
	if s.parts.Sandbox != nil {
		now := map[bool]wire.SessionConfigValueId{true: "on", false: "off"}[s.parts.Sandbox.On()]
		list = append(list, wire.SessionConfigOption{Select: &wire.SessionConfigOptionSelect{Id: sandboxOption,
			Name: "Sandbox", CurrentValue: now, Options: wire.SessionConfigSelectOptions{
				Ungrouped: &wire.SessionConfigSelectOptionsUngrouped{
					{Value: "on", Name: "on", Description: wire.Ptr("commands are confined; most run unasked")},
					{Value: "off", Name: "off", Description: wire.Ptr("you are asked about commands")}}}}})
	}
	if len(s.parts.Models) == 0 {
		return list
	}
	model, models := wire.SessionConfigOptionCategoryModel, wire.SessionConfigSelectOptionsUngrouped{}
	for _, name := range s.parts.Models {
		models = append(models, wire.SessionConfigSelectOption{Value: wire.SessionConfigValueId(name), Name: name})
	}
	return append(list, wire.SessionConfigOption{Select: &wire.SessionConfigOptionSelect{Id: modelOption, Name: "Model",
		Category: &model, CurrentValue: wire.SessionConfigValueId(s.agent.Model().Name()),
		Options: wire.SessionConfigSelectOptions{Ungrouped: &models}}})
}

// setOption sets the option with that id.
func (s *session) setOption(id, value string) error {
	switch id {
	case modeOption:
		return s.setMode(value)
	case modelOption:
		return s.setModel(value)
	case sandboxOption:
		if s.parts.Sandbox != nil && (value == "on" || value == "off") {
			if _, err := s.parts.Sandbox.Command(s.ctx, value); err != nil {
				return invalid(visibleText(err.Error()))
			}
			return nil
		}
	}
	return invalid("there is no option " + visibleText(id))
}
