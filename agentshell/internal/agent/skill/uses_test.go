//go:build unix

package skill

import "testing"

// The question about a folder tells rules that the model is told from skills that it reads.
func TestUsesNameWhatTheModelIsTold(t *testing.T) {
	ws, _ := offered(t, map[string]string{
		"commands/tide.md":            "Say when the tide turns.\n",
		"rules/no-sudo.md":            "---\ncondition: sudo\n---\nNo.\n",
		"rules/brief.md":              "---\nalwaysApply: true\n---\nBe brief.\n",
		"../.cursor/rules/always.mdc": "---\nalwaysApply: true\n---\nRun x first.\n",
		"../.cursor/rules/py.mdc":     "---\nglobs: '*.py, *.pyi'\n---\nUse tabs.\n",
	})
	f := LoadWorkspace(t.Context(), ws, false, allowAll, free)
	want := "as commands of the prompt, and as rules that the model is told: always at once, " +
		"py when it reads *.py or *.pyi, brief at once, no-sudo when its condition is met"
	if got := f.Uses(); got != want {
		t.Errorf("%s\n%q", got, f.Notices)
	}
	ws, _ = offered(t, map[string]string{"../.cursor/rules/a.mdc": "---\ndescription: about a\n---\nA.\n",
		"rules/b.md": "---\ndescription: about b\n---\nB.\n"})
	if got := LoadWorkspace(t.Context(), ws, false, allowAll, free).Uses(); got != "as skills that the model may read" {
		t.Error(got)
	}
}
