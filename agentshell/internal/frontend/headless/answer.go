package headless

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// lineQuestion parses the lines that a user types in answer to one approval question.
type lineQuestion struct {
	proposal     *approval.Proposal
	policy       *approval.Policy
	offeredRules []string // The rules that were shown to the user, in their order.
	chosenRule   string   // The rule that is stored together with the approval; "" if there is none.
}

// parseLine parses a line that the user has typed. It returns an answer, or lines that tell the
// user what to type. It returns nil for both if the user wants to see the whole file. Anything but
// an exact answer is answered by lines of help.
func (q *lineQuestion) parseLine(line string) (approval.Answer, []string) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "n", "no", "N", "NO":
		return approval.No{ID: q.proposal.ID, Reason: rest}, nil
	case "h", "here":
		if q.offersHere() {
			return approval.Here{ID: q.proposal.ID}, nil
		}
		return q.parseHunks(rest)
	case "a":
		return q.parseRule(rest)
	}
	if rest != "" {
		return nil, q.helpLines()
	}
	switch {
	case word == "Y" || word == "YES",
		(word == "y" || word == "yes") && len(q.proposal.Flags) == 0 && !q.offersHere():
		return approval.Yes{ID: q.proposal.ID}, nil
	case (word == "y" || word == "yes") && !q.offersHere():
		return nil, []string{"This change is flagged: a capital Y approves it."}
	case word == "s" || word == "stop":
		return approval.Stop{ID: q.proposal.ID}, nil
	case word == "D" && q.proposal.By != "":
		return approval.StopAgent{ID: q.proposal.ID}, nil
	case word == "i" && q.proposal.Flagged(approval.FlagHardLink) && !q.proposal.Remove:
		return approval.InPlace{ID: q.proposal.ID}, nil
	case word == "m" && q.offersEditMode():
		return approval.Yes{ID: q.proposal.ID, Mode: approval.ModeEdits}, nil
	case word == "x" && mayStopServer(q.proposal):
		return approval.StopServer{ID: q.proposal.ID}, nil
	case word == "v" && q.hasFullFile():
		return nil, nil
	}
	return nil, q.helpLines()
}

// offersHere reports whether the answer "here" is possible: it uses the sandbox in this workspace
// only.
func (q *lineQuestion) offersHere() bool {
	prompts, ok := q.proposal.Payload.(approval.Prompts)
	return ok && prompts.Here
}

// mayStopServer reports whether p is a question of an MCP server that the user may stop with the
// answer.
func mayStopServer(p *approval.Proposal) bool {
	f, is := p.Payload.(approval.Form)
	return is && f.Again
}

// offersEditMode reports whether the question is about a plan, and the user may let all file
// changes after it run without a question.
func (q *lineQuestion) offersEditMode() bool {
	_, plan := q.proposal.Payload.(approval.Plan)
	return plan && q.policy != nil && q.policy.Edits()
}

// hasFullFile reports whether the proposal writes a text file, which the user can view in full.
func (q *lineQuestion) hasFullFile() bool {
	return q.proposal.File() && q.proposal.After != nil && !q.proposal.Flagged(approval.FlagBinary)
}

// hasChoice reports whether the proposal has several hunks, so that the user can choose some of
// them.
func (q *lineQuestion) hasChoice() bool {
	return len(q.proposal.Diff.Hunks) > 1 && q.proposal.Before != nil && q.proposal.Revisable()
}

// parseHunks parses the numbers of the hunks that the user wants, after the answer h. The chosen
// hunks become a new proposal, about which the user is asked again.
func (q *lineQuestion) parseHunks(rest string) (approval.Answer, []string) {
	all := len(q.proposal.Diff.Hunks)
	if !q.hasChoice() {
		return nil, []string{"There is only one change here, so h has no choice."}
	}
	numbers := strings.Fields(strings.ReplaceAll(rest, ",", " "))
	if len(numbers) == 0 {
		return nil,
			[]string{
				fmt.Sprintf("Type h and the numbers of the changes that you want, from 1 to %d, as in: h 1 %d. The "+
					"result is shown, and you are asked again.", all, all)}
	}
	keep := make([]bool, all)
	for _, s := range numbers {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > all {
			return nil, []string{fmt.Sprintf("There is no change %s: choose from 1 to %d.", s, all)}
		}
		keep[n-1] = true
	}
	if !slices.Contains(keep, false) {
		return nil, []string{"These are all of the changes: y approves them."}
	}
	after := q.proposal.Diff.Apply(q.proposal.Before, func(i int) bool { return keep[i] })
	return approval.Revise{ID: q.proposal.ID, After: after}, nil
}

// parseRule parses the answer a, with rest after it. Without a number it returns lines that show
// the rules that would allow the call. With the number of a rule that has been shown before, it
// approves the call and sets chosenRule, so that the rule is stored.
func (q *lineQuestion) parseRule(rest string) (approval.Answer, []string) {
	if q.offeredRules == nil && q.policy != nil && len(q.proposal.Flags) == 0 && q.proposal.Subject.Tool != "" {
		q.offeredRules = q.policy.Offers(q.proposal.Subject)
		rest = "" // a number counts only after the rules were shown
	}
	if len(q.offeredRules) == 0 {
		return nil, []string{"No rule is offered for this change."}
	}
	if n, err := strconv.Atoi(rest); err == nil && n >= 1 && n <= len(q.offeredRules) {
		q.chosenRule = q.offeredRules[n-1]
		return approval.Yes{ID: q.proposal.ID}, nil
	}
	say := []string{"A rule allows calls like this one from now on, in this session, without asking:"}
	if by := q.proposal.By; by != "" {
		say[0] = "A rule allows calls of " + by + " like this one from now on, in this session, without asking:"
	}
	for i, r := range q.offeredRules {
		say = append(say, fmt.Sprintf("%d  %s", i+1, strings.ReplaceAll(r, approval.RuleSeparator, "  and  ")))
	}
	return nil, append(say, "a and a number stores that rule and approves this, as in: a 1")
}

// helpLines returns lines for the user that describe all answers to this question.
func (q *lineQuestion) helpLines() []string {
	if q.offersHere() {
		return []string{"h uses it in this workspace, Y in all, n does not. s leaves that open."}
	}
	yes := "y approves"
	if len(q.proposal.Flags) > 0 {
		yes = "a capital Y approves, although it is flagged"
	}
	say := []string{yes + ", n denies, n and a reason denies with the reason, s denies and stops the turn."}
	if by := q.proposal.By; by != "" {
		say = append(say, "s stops the turn of Main, D denies and stops "+by+" alone.")
	}
	if q.offersEditMode() {
		say = append(say, "m approves, and changes of files run without a question from then on.")
	}
	if mayStopServer(q.proposal) {
		say = append(say, "x stops the MCP server.")
	}
	if q.hasFullFile() {
		say = append(say, "v shows the whole file.")
	}
	if q.hasChoice() {
		say = append(say,
			fmt.Sprintf("h and numbers applies only those of the %d changes, as in: h 1. You are asked again.",
				len(q.proposal.Diff.Hunks)))
	}
	if q.policy != nil && q.proposal.Subject.Tool != "" &&
		len(q.policy.Offers(q.proposal.Subject)) > 0 {
		say = append(say, "a shows rules that allow calls like this one from now on.")
	}
	if q.proposal.Flagged(approval.FlagHardLink) && !q.proposal.Remove {
		what := "i writes into the file itself, so that all of its names change."
		if q.proposal.InPlace {
			what = "i makes a new file after all: the other names keep the old content."
		}
		say = append(say, what+" You are asked again.")
	}
	return say
}
