package extension_test

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/extension"
)

// A picker of git branches. The program's main function gives the extension to Main.
func Example() {
	branches := func(ctx context.Context, c *extension.Call) (extension.Reply, error) {
		name := c.Args
		if name == "" && !c.Screen {
			return extension.Reply{}, fmt.Errorf("name a branch: /branches NAME")
		}
		if name == "" {
			out, err := exec.CommandContext(ctx, "git", "branch", "--format=%(refname:short)").Output()
			if err != nil {
				return extension.Reply{}, err
			}
			var items []extension.Item
			for line := range strings.Lines(string(out)) {
				items = append(items, extension.Item{Text: strings.TrimSpace(line)})
			}
			if name, err = c.Pick(ctx, extension.Picker{Title: "Switch to", Items: items}); err != nil {
				return extension.Reply{}, err
			}
		}
		return extension.Reply{Draft: "!git switch " + name}, nil
	}
	e := extension.Extension{
		About:    "switches branches",
		Program:  []string{"${dir}/branches"},
		Commands: []extension.Command{{Name: "branches", Args: "[NAME]", About: "switch to a branch", Run: branches}},
	}
	fmt.Print(e.Manifest()) // extension.Main(e) serves the shell
	// Output:
	// protocol = 1
	// about = "switches branches"
	// command = ["${dir}/branches"]
	//
	// [[commands]]
	// name = "branches"
	// about = "switch to a branch"
	// args = "[NAME]"
}

// A tool whose schema is made from a struct.
func ExampleNewTool() {
	type input struct {
		Days int `json:"days,omitempty" doc:"at most"`
	}
	tool := extension.NewTool("changes", "lists changes of the last days",
		func(ctx context.Context, c *extension.Call, in input) (string, error) {
			c.Progress(fmt.Sprintf("looking back %d days", in.Days))
			return "no changes", ctx.Err()
		})
	fmt.Println(tool.Schema)
	// Output:
	// {"properties":{"days":{"description":"at most","type":"integer"}},"type":"object"}
}

// A form that fills a struct.
func ExampleCall_Fill() {
	run := func(ctx context.Context, c *extension.Call) (extension.Reply, error) {
		answer := struct {
			Title string   `json:"title"`
			Parts []string `json:"parts"`
			Draft bool     `json:"draft"`
		}{}
		err := c.Fill(ctx, extension.Form{Title: "New issue", Fields: []extension.Field{
			{Name: "title", Label: "Title", Required: true},
			{Name: "parts", Label: "Parts", Kind: extension.Choices, Choices: []string{"shell", "docs"}},
			{Name: "draft", Label: "Only a draft", Kind: extension.Confirm, Value: true},
		}}, &answer)
		return extension.Reply{Send: "Open the issue " + answer.Title}, err
	}
	fmt.Println(extension.Command{Name: "issue", Run: run}.Name)
	// Output: issue
}

// A view with keys: a list in which the person moves.
func ExampleCall_View() {
	run := func(ctx context.Context, c *extension.Call) (extension.Reply, error) {
		lines, at := []string{"one", "two", "three"}, 0
		err := c.View(ctx, extension.View{Title: "Lines", Height: 5,
			Rows: func(width, height int) (rows []extension.Row) {
				for i, line := range lines[:min(len(lines), height)] {
					sign, style := "  ", ""
					if i == at {
						sign, style = "› ", extension.Selected // without colours the sign is seen
					}
					rows = append(rows, extension.Styled(style, extension.Fit(sign+line, width)))
				}
				return rows
			},
			Key: func(k extension.Key) (done bool) {
				switch k.Name {
				case "up":
					at = max(at-1, 0)
				case "down":
					at = min(at+1, len(lines)-1)
				}
				return k.Name == "enter"
			}})
		return extension.Reply{Draft: lines[at]}, err
	}
	fmt.Println(extension.Command{Name: "lines", Run: run}.Name)
	// Output: lines
}

// A clock in the status row, which is asked for once a minute.
func ExampleExtension_status() {
	e := extension.Extension{
		About:  "shows the time",
		Status: func(context.Context, int) extension.Row { return extension.Plain(time.Now().Format("15:04")) },
		Start: func(ctx context.Context, s *extension.Session) {
			for {
				now := time.Now()
				select {
				case <-time.After(now.Truncate(time.Minute).Add(time.Minute).Sub(now)):
					s.Changed("status")
				case <-ctx.Done():
					return
				}
			}
		},
	}
	fmt.Println(e.Status != nil)
	// Output: true
}

func ExampleFit() {
	for _, name := range []string{"main", "a-very-long-branch", "日本語の枝"} {
		fmt.Printf("%s|\n", extension.Fit(name, 8))
	}
	// Output:
	// main    |
	// a-very-…|
	// 日本語… |
}
