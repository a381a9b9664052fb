package git

import (
	"slices"
	"testing"
)

func TestSettingsOfGitAreAddedToThoseOfTheEnvironment(t *testing.T) {
	set := []Setting{{"a.b", "c"}}
	for _, c := range []struct{ environ, want []string }{
		{nil, []string{"GIT_CONFIG_KEY_0=a.b", "GIT_CONFIG_VALUE_0=c", "GIT_CONFIG_COUNT=1"}},
		{[]string{"GIT_CONFIG_COUNT="}, []string{"GIT_CONFIG_KEY_0=a.b", "GIT_CONFIG_VALUE_0=c", "GIT_CONFIG_COUNT=1"}},
		{[]string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=x", "GIT_CONFIG_VALUE_0=y"},
			[]string{"GIT_CONFIG_KEY_0=x", "GIT_CONFIG_VALUE_0=y", "GIT_CONFIG_KEY_1=a.b", "GIT_CONFIG_VALUE_1=c",
				"GIT_CONFIG_COUNT=2"}},
		{[]string{"GIT_CONFIG_COUNT=many"}, []string{"GIT_CONFIG_COUNT=many"}},
	} {
		if got := AddSettings(c.environ, set); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.environ, got, c.want)
		}
	}
}
