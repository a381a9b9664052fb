package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/ssh"
)

// newSSH returns the hosts that the tool ssh can use, without connecting. It returns nil if the
// user has not turned the tool on, or if there is no host.
func (r *project) newSSH(p Host) *ssh.Service {
	if !r.cfg.SSH.Enabled {
		return nil
	}
	hosts, problems := sshHosts(r.cfg.SSH, p.getenv("HOME"))
	for _, err := range problems {
		r.notices = append(r.notices, "ssh: "+err.Error())
	}
	if len(hosts) == 0 {
		r.notices = append(r.notices, "ssh: no host is listed below [ssh.hosts] in the config file")
		return nil
	}
	environ := tool.HelperEnviron(p.environ)
	if agent := p.getenv("SSH_AUTH_SOCK"); agent != "" { // only ssh gets it, and no command of the model
		environ = append(environ, "SSH_AUTH_SOCK="+agent)
	}
	return ssh.NewService(ssh.Config{Hosts: hosts, Env: environ, Dir: r.ws.Dir(), Family: p.family, Secrets: r.secrets})
}

// sshHosts returns the hosts of the configuration file and, if the user wants them, those of
// ~/.ssh/config. problems holds an error for each host that cannot be used.
func sshHosts(c config.SSH, home string) (hosts ssh.Hosts, problems []error) {
	hosts = ssh.Hosts{}
	for name, s := range c.Hosts {
		h := ssh.Host{Name: name, Address: s.Host, User: s.User, Port: s.Port, About: s.About, Key: s.Key}
		if rest, ok := strings.CutPrefix(h.Key, "~/"); ok {
			h.Key = filepath.Join(home, rest)
		}
		err := h.Check()
		if err == nil {
			err = checkKey(h.Key)
		}
		if err != nil {
			problems = append(problems, err)
			continue
		}
		hosts[name] = h
	}
	if !c.Aliases {
		return hosts, problems
	}
	f, err := regular.Open(filepath.Join(home, ".ssh", "config"))
	if err != nil {
		return hosts, append(problems, err)
	}
	defer func() { _ = f.Close() }()
	aliases, err := ssh.Aliases(f)
	if err != nil {
		problems = append(problems, err)
	}
	for _, h := range aliases {
		if _, listed := hosts[h.Name]; !listed {
			hosts[h.Name] = h
		}
	}
	return hosts, problems
}

// checkKey returns an error if the private key at path cannot be used. The ssh program refuses a
// key that other users can read, with a message of many lines.
func checkKey(path string) error {
	if path == "" {
		return nil
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("SSH key not found: %s", path)
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("SSH key is not a file: %s", path)
	case info.Mode().Perm()&0o077 != 0 && filepath.Separator == '/':
		return fmt.Errorf("SSH key permissions must be 600 or stricter: %s. chmod 600 sets them", path)
	}
	return nil
}

// sshFindings reports, for the doctor, whether the tool ssh can be used.
func (p Host) sshFindings() []finding {
	cfg, err := config.Load(config.Dir(p.getenv))
	if err != nil || !cfg.SSH.Enabled {
		return nil
	}
	hosts, problems := sshHosts(cfg.SSH, p.getenv("HOME"))
	service := ssh.NewService(ssh.Config{Hosts: hosts, Family: p.family})
	f := finding{About: "ssh", Name: "hosts", Value: strings.Join(hosts.Names(), ", ")}
	switch {
	case service.Find() != nil:
		f.Value, f.Advice, f.Bad = "the ssh program is not installed", ssh.Install, true
	case len(hosts) == 0:
		f.Value, f.Advice = "none", "[ssh.hosts.NAME] in the config file lists one."
	}
	list := []finding{f}
	for _, err := range problems {
		list = append(list, finding{About: "ssh", Name: "a host that is not used", Value: err.Error(), Bad: true})
	}
	return list
}
