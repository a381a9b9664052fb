package config

import "slices"

// Settings returns the descriptions of all settings, in the order of docs/config.toml. Tables that
// can occur several times, such as models, count as one setting.
func Settings() []Setting {
	byHand := func(name, about string) Setting { return Setting{Name: name, About: about, ByHand: true} }
	off := func(name, about string) Setting { return Setting{Name: name, Default: "false", About: about} }
	on := func(name, about string) Setting { return Setting{Name: name, Default: "true", About: about} }
	set := func(name, otherwise, about string, choices ...string) Setting {
		return Setting{Name: name, Default: otherwise, About: about, Choices: choices}
	}
	return slices.Concat([]Setting{
		set("provider", "the one whose key is there", "which provider answers", "anthropic", "openai", "script"),
		set("model", "the provider's", "which model answers"),
		set("base_url", "the provider's", "another address of the provider's API"),
		off("insecure", "http and a missing key are allowed for base_url"),
		byHand("headers", "sent with each request to base_url"),
		set("key_header", "the provider's", "the header for the key"),
		byHand("key_command", "the program that prints the key"),
		set("effort", "the provider's", "reasoning effort for each answer", Efforts()...),
		set("fallback", "none", "the model that answers if the chosen one cannot be reached"),

		set("mode", "ask", "what needs your approval", "ask", "edits", "plan"),
		set("allow", "none", "rules: these calls run without a question"),
		set("ask", "none", "rules: these calls are always asked about"),
		set("deny", "none", "rules: these calls are refused"),
		off("ask_unchanged", "a write that changes nothing is asked about, too"),
		set("sandbox", "offered", "commands run in a sandbox of the system", "auto", "off"),
		set("sandbox_readable", "none", "more that confined commands may read"),
		set("sandbox_writable", "none", "more that confined commands may write"),
		set("network", "none", "hosts that confined commands reach without a question"),
		set("network_private", "none", "the same for hosts with private addresses"),
		set("add_dirs", "none", "more directories to work in"),

		set("max_cost", "no limit", "dollars at which a session's turn ends"),
		set("max_steps", "200", "the most requests to the model for one message"),
		set("wake", "agents", "events that begin a turn by themselves", "agents", "all", "off"),
		set("double_esc", "tree", "what Esc opens when pressed twice in an empty prompt", "tree", "rewind", "off"),
		off("branch_summary", "a move in /tree asks whether the model gets a summary"),
		set("stdin_notice_s", "3", "seconds until -p says that it waits for its input"),
		set("stdin_wait_s", "10", "seconds that -p waits for its input"),
		set("compact_at", "80", "percentage of the window at which the conversation is compacted"),
		set("hide_tools_at", "10", "percentage of the window that tools of servers may take"),
		set("edit_format", "exact", "how the model names a change", "exact", "hashline"),

		set("theme", "auto", "the colours of the shell"),
		set("status", "those that fit", "the parts of the row below the prompt"),
		on("title", "the window has a title"),
		byHand("models", "models with settings of their own"),
		byHand("mcp", "servers of the Model Context Protocol"),
		byHand("hooks", "programs that are called before and after calls"),
		byHand("format", "programs that format a text before you see it"),
		byHand("extensions", "programs of yours that add commands, tools and views"),
	}, toolSettings(off, on, set, byHand), agentSettings(off, set), []Setting{
		set("memory.backend", "off", "notes that outlive a session", "file", "off"),
		off("memory.propose_at_end", "the model may propose notes when you quit"),
		on("rules.builtin", "rules on the stream that ship with the program hold"),
		set("rules.disabled", "none", "names of rules that do not hold"),
		set("rules.repeat", "0", "answers after which a rule is told again; 0: it is told once"),
		set("rules.interrupt", "always", "a rule interrupts the model", "always", "never"),
		set("rules.context", "discard", "what becomes of the interrupted text", "discard", "keep"),
		off("keys.vim", "the prompt has the modes of vim"),
		{Name: "keys", About: "keys of your own; /keys lists them", ByHand: true},
	})
}

// toolSettings returns the settings of tools that are off by default. Its parameters are functions
// that make settings of each kind.
func toolSettings(off, on func(name, about string) Setting,
	set func(name, otherwise, about string, choices ...string) Setting,
	byHand func(name, about string) Setting) []Setting {
	return []Setting{
		off("checkpoint.enabled", "the tools checkpoint and rewind"),
		off("lsp.enabled", "the tool lsp: language servers"),
		off("lsp.diagnostics", "the model is told of new errors after each change"),
		off("lsp.format", "language servers format a text before you see it"),
		off("debug.enabled", "the tool debug: debuggers"),
		off("web_search.enabled", "the tool web_search"),
		set("web_search.provider", "auto", "the search service that is asked first",
			append([]string{"auto"}, SearchServices()...)...),
		byHand("web_search.services", "search services with settings of their own"),
		off("eval.enabled", "the tool eval: cells of Python and JavaScript"),
		on("eval.py", "cells of Python"),
		on("eval.js", "cells of JavaScript"),
		on("eval.jupyter", "Python runs in a kernel of Jupyter if ipykernel is installed"),
		set("eval.smol_model", "none", `the model of completion() with "smol"`),
		set("eval.slow_model", "none", `the model of completion() with "slow"`),
		off("ssh.enabled", "the tool ssh: commands on other machines"),
		off("ssh.aliases", "the hosts of ~/.ssh/config, too"),
		byHand("ssh.hosts", "the machines"),
		off("github.enabled", "the tool github"),
		set("github.host", "github.com", "the host that is asked"),
		set("github.worktrees", "below ~/.local/share", "the folder for work trees of pull requests"),
		on("github.cache.enabled", "issues that were read are kept"),
		set("github.cache.soft_ttl_s", "300", "seconds until they are read anew in the background"),
		set("github.cache.hard_ttl_s", "604800", "seconds until they are not used"),
		off("browser.enabled", "the tool browser"),
		set("browser.program", "the first one that is found", "the browser"),
		off("inspect_image.enabled", "the tool inspect_image: another model looks at pictures"),
		set("inspect_image.model", "the first one that sees", "the model that looks at them"),
	}
}

// agentSettings returns the settings of agents. Its parameters are functions that make settings of
// each kind.
func agentSettings(off func(name, about string) Setting,
	set func(name, otherwise, about string, choices ...string) Setting) []Setting {
	return []Setting{
		set("agents.max", "0", "how many agents work at the same time; 0: none"),
		set("agents.max_requests", "no limit", "requests for one piece of work of an agent"),
		set("agents.max_tokens", "no limit", "tokens for one"),
		set("agents.max_cost", "no limit", "dollars for one"),
		set("agents.max_minutes", "no limit", "minutes for one"),
		off("agents.background", "the model goes on while they work"),
		set("agents.depth", "2", "how deep agents may start others"),
		set("agents.disabled", "none", "kinds of agents that are not started"),
		set("agents.idle_minutes", "7", "minutes that an agent stays in memory after its result"),
		set("agents.message_seconds", "120", "seconds that an agent waits for a message"),
		set("agents.isolation", "none", "agents may work in copies of the workspace", "none", "worktree"),
		set("agents.merge", "patch", "how changes come out of the copy", "patch", "branch"),
	}
}
