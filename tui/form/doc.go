// Package form asks questions and puts the answers into variables.
//
// [Ask] shows fields on one page, [Steps] one after the other, a [Form] has several pages. A field
// is made for a variable, whose value is the answer to begin with:
//
//	err := form.Ask(ctx, app,
//		form.Text("Name", &user.Name).Required(),
//		form.Choice("Size", &user.Size, "small", "medium", "large"),
//		form.Confirm("Subscribe?", &user.Mail))
//
// [Text], [Secret], [Value], [Time], [Lines] and [File] are typed, [Choice], [Choices], [Confirm]
// and [Date] are chosen, [ChoiceOrText] is either. [ChoiceFrom] and [ChoicesFrom] offer what other
// answers leave.
//
// Tab and Shift+Tab move between fields, Enter takes an answer and goes on, Up and Down move in
// choices and between texts. Esc and Ctrl+C cancel: the error is [ErrCancelled], and the variables
// are what they were. What is wrong with an answer stands below it.
//
// Without a terminal the same fields are asked line by line: a question is written, a line of
// [tui.App].Input answers it, and a wrong one is asked again. Nobody hides what is typed then, not
// even a secret.
//
// Answers stay in the transcript, a row each; secrets are masked.
package form
