package skill

import "strings"

// Uses says what the contents of f will be used for, in the words of the question to the user: "as
// commands of the prompt, and as skills that the model may read". It names each text that the model
// gets without asking for it, and when.
func (f Folder) Uses() string {
	var told, uses []string
	skills := len(f.Skills)
	for _, s := range f.Skills {
		if when := s.Told(); when != "" {
			told = append(told, s.Name+" "+when)
			skills--
		}
	}
	for _, r := range f.Rules {
		switch {
		case r.Always:
			told = append(told, r.Name+" at once")
		case r.OnStream():
			told = append(told, r.Name+" when its condition is met")
		default:
			skills++ // the model knows its description, and reads it
		}
	}
	if len(f.Commands) > 0 {
		uses = append(uses, "as commands of the prompt")
	}
	if skills > 0 {
		uses = append(uses, "as skills that the model may read")
	}
	if len(f.Agents) > 0 {
		uses = append(uses, "as kinds of agents")
	}
	if len(told) > 0 {
		uses = append(uses, "as rules that the model is told: "+strings.Join(told, ", "))
	}
	return strings.Join(uses, ", and ")
}
