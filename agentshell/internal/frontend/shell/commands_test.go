package shell

import "testing"

// Each command is one entry of the table, which says what it does and how it is listed.
func TestTheTableOfCommandsHoldsEachOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range builtinCommands() {
		for _, name := range []string{c.name, c.alias} {
			switch {
			case name == "":
			case name[0] != '/' || seen[name]:
				t.Errorf("%q stands twice, or has no slash", name)
			case !Builtin(name[1:]):
				t.Errorf("%q is not built in", name)
			}
			seen[name] = true
		}
		if c.run == nil || c.about == "" || c.arguments != nil && c.args == "" {
			t.Errorf("%s: it does nothing, says nothing of itself, or offers values that it does not take", c.name)
		}
	}
}
