// Command huhform is tui/examples/form with huh.
package main

import (
	"errors"
	"fmt"
	"net/mail"
	"os"
	"strings"

	"charm.land/huh/v2"
)

func main() {
	var name, email, password string
	var topics []string
	plan, news := "free", true
	err := huh.NewForm(huh.NewGroup(
		huh.NewInput().Title("Name").Value(&name).Validate(huh.ValidateNotEmpty()),
		huh.NewInput().Title("E-mail").Value(&email).Validate(func(s string) error {
			_, err := mail.ParseAddress(s)
			return err
		}),
		huh.NewInput().Title("Password").Description("It is shown nowhere.").EchoMode(huh.EchoModePassword).
			Value(&password).Validate(huh.ValidateNotEmpty()),
		huh.NewSelect[string]().Title("Plan").Options(huh.NewOptions("free", "team", "company")...).Value(&plan),
		huh.NewMultiSelect[string]().Title("Topics").Options(huh.NewOptions("releases", "security", "events")...).
			Value(&topics),
		huh.NewConfirm().Title("Newsletter?").Value(&news),
	)).Run()
	if errors.Is(err, huh.ErrUserAborted) {
		os.Exit(130)
	} else if err != nil {
		fmt.Fprintln(os.Stderr, "form:", err)
		os.Exit(1)
	}
	answer := map[bool]string{true: "yes", false: "no"}[news]
	fmt.Printf("Name: %s\nE-mail: %s\nPassword: ********\nPlan: %s\nTopics: %s\nNewsletter? %s\n",
		name, email, plan, strings.Join(topics, ", "), answer)
}
