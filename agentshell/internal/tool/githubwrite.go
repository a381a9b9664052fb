package tool

import (
	"context"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/github"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// writes returns a call that changes something on the GitHub host or in the local repository. pay
// shows the user everything that will be sent.
func (g githubCall) writes(title string, r github.Repository, pay approval.Publish,
	run func(ctx context.Context) (Result, error), flags ...approval.Flag) Call {
	host := g.service().Host()
	call := Call{Title: title, Name: g.args.Op + "/" + r.String(), Mutates: true,
		Run: func(ctx context.Context, _ func(string)) (Result, error) { return run(ctx) }}
	first, _, _ := strings.Cut(pay.Text, "\n")
	pay.Base = approval.Base{Kind: "publish", Path: g.env.Workspace.Dir(), Sandbox: host,
		Description: fmt.Sprintf("%s %s: %s", strings.ToUpper(pay.Verb[:1])+pay.Verb[1:], pay.What, diff.Escape(first))}
	if n := approval.CountHidden(strings.ReplaceAll(pay.Text, "\n", " ")); n > 0 {
		flags = append(flags, approval.Flag{Name: approval.FlagHidden, Text: count(n, "hidden character") + " in " +
			"what is sent"})
	}
	call.Proposal = &approval.Proposal{ID: g.env.newID(), Call: g.id, Tool: GitHubName, Payload: pay, Flags: flags,
		Notes: []string{"it is done with your login on " + host}}
	call.Proposal.Subject = call.Subject(GitHubName)
	return call
}

// public returns the warning that other people see the change immediately, and that it cannot be
// undone.
func public(what string) approval.Flag {
	return approval.Flag{Name: approval.FlagLasting, Text: what + ": others see it at once, and /undo cannot undo it"}
}

// create prepares the operation pr_create, which opens a pull request.
func (g githubCall) create(ctx context.Context) (Call, error) {
	r, err := g.repository(ctx)
	if err != nil {
		return Call{}, err
	}
	a := g.args
	p := github.Pull{Repository: r, Title: a.Title, Base: a.Base, Head: a.Head, Draft: a.Draft, Reviewers: a.Reviewer,
		Assignees: a.Assignee, Labels: a.Label}
	switch {
	case a.Fill && (a.Title != "" || a.Body != nil):
		return Call{}, invalidArgs("fill cannot be combined with title or body")
	case a.Fill && a.Head != "":
		return Call{}, invalidArgs("fill takes the commits of the current branch; pass title and body for head")
	case a.Fill:
		if p.Title, p.Body, p.Base, err = g.service().Fill(ctx, r, a.Base); err != nil {
			return Call{}, failed("%v", err)
		}
	case strings.TrimSpace(a.Title) == "":
		return Call{}, invalidArgs("title is required unless fill is true")
	case a.Body != nil:
		p.Body = *a.Body
	}
	if p.Head == "" {
		if p.Head, err = g.service().Branch(ctx); err != nil {
			return Call{}, failed("%v", err)
		}
	}
	if err := p.Check(); err != nil {
		return Call{}, invalidArgs("%v", err)
	}
	if g.env.Secrets.Contains([]byte(p.Title + "\n" + p.Body)) {
		return Call{}, invalidArgs("the text holds a key that must not leave this machine")
	}
	pay := approval.Publish{Verb: "create", What: "a pull request", Text: p.Text(g.service().Host())}
	return g.writes(g.title(r.String(), diff.Escape(p.Title)), r, pay, func(ctx context.Context) (Result, error) {
		text, err := g.service().Create(ctx, p)
		return g.result(ctx, text, "created", err)
	}, public("it opens a pull request")), nil
}

// checkout prepares the operation pr_checkout, which makes git work trees for pull requests.
func (g githubCall) checkout(ctx context.Context) (Call, error) {
	var r github.Repository
	var err error
	if strings.TrimSpace(g.args.Repo) != "" {
		if r, err = g.repository(ctx); err != nil {
			return Call{}, err
		}
	}
	p, err := g.service().PlanPulls(ctx, r, g.args.PR, g.args.Force)
	if err != nil {
		return Call{}, failed("%v", err)
	}
	var flags []approval.Flag
	if p.Force {
		flags = append(flags, approval.Flag{Name: approval.FlagLasting,
			Text: "it may reset a branch: commits that only the branch has are lost, and /undo cannot undo it"})
	}
	pay := approval.Publish{Verb: "check out", What: "pull requests", Text: p.Text()}
	if len(p.List) == 1 {
		pay.What = "a pull request"
	}
	return g.writes(g.title(p.Repository.String(), strings.Join(g.args.PR, " ")), p.Repository, pay,
		func(ctx context.Context) (Result, error) {
			text, list, err := g.service().CheckOut(ctx, p)
			return g.result(ctx, text, count(len(list), "work tree"), err)
		}, flags...), nil
}

// push prepares the operation pr_push, which pushes the branch of a pull request.
func (g githubCall) push(ctx context.Context) (Call, error) {
	p, err := g.service().PlanPush(ctx, g.args.Branch, g.args.ForceWithLease)
	if err != nil {
		return Call{}, failed("%v", err)
	}
	r, err := g.service().PushRepository(p)
	if err != nil {
		return Call{}, failed("%v", err)
	}
	pay := approval.Publish{Verb: "push", What: p.Branch, Text: p.Text(), UnifiedDiff: p.ShownDiff()}
	flags := []approval.Flag{public("it pushes commits")}
	if p.TooLong() {
		flags = append(flags, approval.Flag{Name: approval.FlagTooLong, Text: "the diff is longer than 2 MiB; " +
			"its end is not shown"})
	}
	if g.env.Secrets.Contains([]byte(p.Commits + "\n" + p.Diff)) {
		return Call{}, failed("the commits hold a key that must not leave this machine")
	}
	return g.writes(g.title(p.Branch), r, pay, func(ctx context.Context) (Result, error) {
		text, err := g.service().Push(ctx, p)
		return g.result(ctx, text, "pushed", err)
	}, flags...), nil
}

// watch prepares the operation run_watch, which waits for runs of GitHub Actions. A wait that takes
// long continues in the background.
func (g githubCall) watch(ctx context.Context) (Call, error) {
	tail, err := whole("tail", g.args.Tail, github.DefaultTail, github.MaxTail)
	if err != nil {
		return Call{}, err
	}
	w := github.Watch{Tail: tail, Branch: g.args.Branch}
	if strings.TrimSpace(g.args.Repo) != "" {
		if w.Repository, err = g.repository(ctx); err != nil {
			return Call{}, err
		}
	}
	if g.args.Run != "" {
		if w.Repository, w.Run, err = github.ParseRun(strings.TrimSpace(g.args.Run), w.Repository,
			g.service().Host()); err != nil {
			return Call{}, invalidArgs("%v", err)
		}
	} else if w.Branch == "" {
		if w.Branch, err = g.service().Branch(ctx); err != nil {
			return Call{}, failed("%v", err)
		}
	}
	if w.Run == 0 && !github.IsRefName(w.Branch) {
		return Call{}, invalidArgs("branch %s is no name of a branch", diff.Escape(w.Branch))
	}
	if w.Repository.IsZero() {
		if w.Repository, err = g.repository(ctx); err != nil {
			return Call{}, err
		}
	}
	address, about := "https://"+g.service().Host()+"/"+w.Repository.String()+"/actions", w.Branch
	if w.Run != 0 {
		about = fmt.Sprint(w.Run)
		address += "/runs/" + about
	}
	title := g.title(w.Repository.String(), about)
	commands := g.env.Commands
	watch := func(ctx context.Context, progress func(string)) (Result, error) { return g.watched(ctx, w, progress) }
	run := commands.background(title, false, commands.Patience, watch)
	return g.reads(title, readName(w.Repository), address, run), nil
}

// watched waits until the runs have ended. It stores the full logs of failed jobs for read_file.
func (g githubCall) watched(ctx context.Context, w github.Watch, progress func(string)) (Result, error) {
	done, err := g.service().WatchRuns(ctx, w, progress)
	if err == nil && done.Logs != "" && g.env.Outputs != nil {
		name := g.env.Outputs.Keep(g.env.Secrets.Redact(done.Logs))
		done.Text += "\nFull failed-job logs: artifact://" + name + "\n"
	}
	r, err := g.result(ctx, done.Text, exitDone, err)
	if done.Failed && err == nil {
		r.Summary, r.Partial = "failed: "+count(done.Jobs, "job"), true
	}
	return r, err
}
