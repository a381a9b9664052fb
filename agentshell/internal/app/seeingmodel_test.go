package app

import (
	"context"
	"iter"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/anthropic"
)

// namedModel is a model that has a name and answers nothing.
type namedModel string

func (n namedModel) Name() string { return string(n) }

func (namedModel) Stream(context.Context, provider.Request) iter.Seq2[provider.Event, error] {
	return func(func(provider.Event, error) bool) {}
}

// No model is asked to look at a picture that nobody has named or that is not known to see: a
// server of one's own has other models than its maker's.
func TestOnlyAModelThatIsKnownToSeeIsAskedAboutPictures(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	models := map[string]config.Model{"b": {SeesPictures: &yes}, "a": {SeesPictures: &no}, "mole": {SeesPictures: &yes},
		"c": {SeesPictures: &yes}, "unknown": {}}
	for _, c := range []struct {
		want    string
		named   string
		models  map[string]config.Model
		usual   bool
		service string
	}{
		{want: "named", named: "named", models: models},
		{want: "b", models: models},
		{want: "", models: map[string]config.Model{"a": {SeesPictures: &no}, "unknown": {}}, service: "anthropic"},
		{want: anthropic.DefaultModel, usual: true, service: "anthropic"},
		{want: "", usual: true},
	} {
		conv := &conversation{project: &project{modelSource: modelSource{service: c.service, usualAddress: c.usual,
			newModel: func(name string) (provider.Model, error) { return namedModel(name), nil }}}}
		conv.cfg.Models, conv.cfg.InspectImage.Model = c.models, c.named
		m, err := conv.seeingModel(namedModel("mole"))
		got := ""
		if err == nil {
			got = m.Name()
		}
		if got != c.want {
			t.Errorf("%+v: %q, %v", c, got, err)
		}
	}
}
