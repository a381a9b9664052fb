package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/ssh"
)

func TestTheHostsOfTheSettings(t *testing.T) {
	home := t.TempDir()
	for name, mode := range map[string]os.FileMode{"good": 0o600, "open": 0o604, "group": 0o640} {
		if err := os.WriteFile(filepath.Join(home, name), []byte("a key"), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(home, ".ssh"), 0o700); err != nil {
		t.Fatal(err)
	}
	const aliases = "Host build web\nHost *\n"
	if err := os.WriteFile(filepath.Join(home, ".ssh", "config"), []byte(aliases), 0o600); err != nil {
		t.Fatal(err)
	}
	c := config.SSH{Enabled: true, Hosts: map[string]config.SSHHost{
		"build": {Host: "build.example.org", User: "ci", Port: 2222, Key: "~/good", About: "builds releases"},
		"a":     {Key: "~/missing"}, "b": {Key: "~/open"}, "e": {Key: "~/group"}, "c": {Key: "~/.ssh"},
		"d": {Host: "-oProxyCommand=x"},
	}}
	hosts, problems := sshHosts(c, home)
	if got := strings.Join(hosts.Names(), " "); got != "build" {
		t.Errorf("the hosts are %s", got)
	}
	if h := hosts["build"]; h.Key != filepath.Join(home, "good") || h.Target() != "ci@build.example.org port 2222" {
		t.Errorf("%+v, %s", h, h.Target())
	}
	var texts []string
	for _, err := range problems {
		texts = append(texts, err.Error())
	}
	all := strings.Join(texts, "\n")
	for _, want := range []string{"SSH key not found: ", "SSH key permissions must be 600 or stricter: ",
		"SSH key is not a file: ", `"-oProxyCommand=x" is no host name`} {
		if !strings.Contains(all, want) {
			t.Errorf("%s\nwithout %q", all, want)
		}
	}
	c.Aliases = true
	hosts, _ = sshHosts(c, home)
	if got := strings.Join(hosts.Names(), " "); got != "build web" || hosts["build"].Alias || !hosts["web"].Alias {
		t.Errorf("with aliases: %v", hosts)
	}
	spec := tool.SSH(tool.Env{}, ssh.NewService(ssh.Config{Hosts: hosts}))[0].Spec()
	if !strings.HasSuffix(spec.Description, "Available hosts:\n- build: builds releases\n- web") {
		t.Error(spec.Description)
	}
	r := &project{}
	r.cfg.SSH = config.SSH{Enabled: true}
	if r.newSSH(Host{getenv: func(string) string { return "" }}) != nil || len(r.notices) != 1 {
		t.Errorf("without hosts: %v", r.notices)
	}
	r.cfg.SSH = config.SSH{Hosts: c.Hosts}
	if r.newSSH(Host{getenv: func(string) string { return "" }}) != nil {
		t.Error("it is there though nobody has turned it on")
	}
}
