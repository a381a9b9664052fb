package sandbox

import (
	"errors"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// attempts returns the ways out.
func attempts() []attempt {
	var all []attempt
	for _, list := range [][]attempt{outsideFiles, repositories, ownFiles, networks, processes, kernels} {
		all = append(all, list...)
	}
	return all
}

var outsideFiles = []attempt{
	{name: "write beside the home directory", script: `echo x > $OUT/f`, harm: made("out/f")},
	{name: "write in the home directory", script: `echo x > ~/planted`, harm: made("~/planted")},
	{name: "what the shell reads at its start", script: `echo x >> ~/.bashrc`, setup: file("~/.bashrc", "mine\n"),
		harm: changed("~/.bashrc", "mine\n")},
	{name: "read a key", script: `cat ~/.ssh/id`},
	{name: "read what a cloud knows me by", script: `cat ~/.aws/credentials`, setup: file("~/.aws/credentials", "x")},
	{name: "read what GitHub knows me by", script: `cat ~/.config/gh/hosts.yml`,
		setup: file("~/.config/gh/hosts.yml", "x")},
	{name: "read another project", script: `cat ~/other/f`, setup: file("~/other/f", "x")},
	{name: "list the home directory", script: `ls -A ~ | grep -q ssh`},
	{name: "list other homes", script: `ls ~/.. | grep -q out`},
	{name: "passwords of the system", script: `[ -s /etc/shadow ] && cat /etc/shadow`, control: asRoot},
	{name: "write in /etc", script: `touch /etc/scrollkeep-test`, control: never},
	{name: "write in /usr", script: `touch /usr/bin/scrollkeep-test`, control: never},
	{name: "write in the root", script: `touch /scrollkeep-test`, control: never},
	{name: "a link to write by", script: `ln -s $OUT/f l; echo x > l`, harm: made("out/f")},
	{name: "a link to read by", script: `ln -s ~/.ssh/id l; cat l`},
	{name: "a link of the person's", script: `cat l`, setup: func(s *site) {
		_ = os.Symlink(filepath.Join(s.home, ".ssh/id"), filepath.Join(s.workspace, "l"))
	}},
	{name: "a hard link to a key", script: `ln ~/.ssh/id l && cat l`},
	{name: "a hard link into the system", script: `ln /usr/bin/env l`, control: never},
	{name: "move a file out", script: `echo x > f; mv f $OUT/f`, harm: made("out/f")},
	{name: "move a file in", script: `mv $OUT/f . && cat f`, setup: file("out/f", "x")},
	{name: "the root of this process", script: `cat /proc/self/root$HOME/.ssh/id`},
	{name: "the root of the first process", script: `cat /proc/1/root$HOME/.ssh/id`, control: kernel},
	{name: "the directory of the first process", script: `ls /proc/1/cwd/`, control: kernel},
	{name: "the program of the first process", script: `head -c1 /proc/1/exe`, control: kernel},
	{name: "up and up", script: `cat ../../out/f`, setup: file("out/f", "x")},
	{name: "descriptors of others", script: `$PROBE fds`, setup: victim, control: kernel},
	{name: "a descriptor that was left open", script: `$PROBE descriptor $LEAKED`, setup: leak("~/.ssh/id")},
	{name: "a directory that was left open", script: `$PROBE directory $LEAKED`, setup: leak("out/.")},
	{name: "a root of its own", script: `$PROBE chroot`, control: asRoot},
	{name: "a file by its handle", script: `$PROBE handle`, control: kernel},
	{name: "the temporary files of others", script: `cat "$(cat shared)"`, setup: func(s *site) {
		f, err := os.CreateTemp("/tmp", "scrollkeep-test-")
		if err != nil {
			s.t.Fatal(err)
		}
		s.t.Cleanup(func() { os.Remove(f.Name()) })
		f.Close()
		s.write("shared", f.Name())
	}},
	{name: "memory that files share", script: `cat /dev/shm/$(cat shared)`, setup: func(s *site) {
		f, err := os.CreateTemp("/dev/shm", "scrollkeep-test-")
		if err != nil {
			s.t.Fatal(err)
		}
		s.t.Cleanup(func() { os.Remove(f.Name()) })
		f.Close()
		s.write("shared", filepath.Base(f.Name()))
	}},
	{name: "a cache that leads elsewhere", script: `mv ~/.npm ~/.npm2; ln -s ~/.ssh ~/.npm; [ -e ~/.npm/id ]`,
		setup: func(s *site) { s.write(filepath.Join(s.home, ".npm/x"), "") }},
	{name: "packages of other projects", script: `echo x > ~/go/pkg/mod/m/f`,
		setup: file("~/go/pkg/mod/m/f", "package m\n"),
		harm:  changed("~/go/pkg/mod/m/f", "package m\n")},
	{name: "programs of the person's", script: `echo x > ~/.local/bin/tool`,
		setup: file("~/.local/bin/tool", "mine\n"),
		harm:  changed("~/.local/bin/tool", "mine\n")},
}

var repositories = []attempt{
	{name: "move .git away and make it anew", setup: repo, harm: made("old"),
		script: `mv .git old; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit`},
	{name: "remove .git", script: `rm -rf .git`, setup: repo, harm: func(s *site) bool {
		_, err := os.Stat(s.at(".git/config"))
		return err != nil
	}},
	{name: "exchange the workspace", script: `cd .. && mv work old && mkdir work`, setup: repo, harm: made("~/old")},
	{name: "make a hook", script: `echo evil > .git/hooks/pre-commit`,
		setup: repo, harm: made(".git/hooks/pre-commit")},
	{name: "change a hook", script: `echo evil > .git/hooks/post-commit`,
		setup: both(repo, file(".git/hooks/post-commit", "mine")),
		harm:  changed(".git/hooks/post-commit", "mine")},
	{name: "exchange the hooks", script: `mv .git/hooks .git/h; mkdir .git/hooks; echo x > .git/hooks/pre-commit`,
		setup: repo, harm: made(".git/hooks/pre-commit")},
	{name: "hooks where there were none",
		script: `rm -rf .git/hooks; mkdir .git/hooks; echo x > .git/hooks/pre-commit`,
		setup:  both(repo, func(s *site) { os.RemoveAll(s.at(".git/hooks")) }), harm: made(".git/hooks/pre-commit")},
	{name: "configure git", script: `git config core.fsmonitor evil`,
		setup: repo, harm: holds(".git/config", "evil")},
	{name: "exchange the configuration",
		script: `cp .git/config c; echo "[core] fsmonitor = evil" >> c; mv -f c .git/config`,
		setup:  repo, harm: holds(".git/config", "evil")},
	{name: "a second configuration", script: `rm -f .git/config.worktree; echo evil > .git/config.worktree`,
		setup: repo,
		harm:  holds(".git/config.worktree", "evil")},
	{name: "the configuration of another directory", script: `rm -f .git/commondir; echo ../evil > .git/commondir`,
		setup: repo, harm: holds(".git/commondir", "evil")},
	{name: "attributes", script: `rm -f .git/info/attributes; echo evil > .git/info/attributes`, setup: repo,
		harm: holds(".git/info/attributes", "evil")},
	{name: "exchange the attributes",
		script: `mv .git/info .git/i; mkdir .git/info; echo evil > .git/info/attributes`,
		setup:  repo, harm: holds(".git/info/attributes", "evil")},
	{name: "a module's configuration",
		script: `rm -rf .git/modules; mkdir -p .git/modules/m; echo evil > .git/modules/m/config`,
		setup:  repo,
		harm:   made(".git/modules/m/config")},
	{name: "a module that is there", script: `echo evil > .git/modules/m/config`,
		setup: both(repo, file(".git/modules/m/config", "mine")), harm: changed(".git/modules/m/config", "mine")},
	{name: "a repository where there is none",
		script: `rm -rf .git; git init -q .; echo evil > .git/config`, harm: holds(".git/config", "evil")},
	{name: "a repository below", script: `echo evil > sub/.git/config`, setup: file("sub/.git/config", "mine"),
		harm: changed("sub/.git/config", "mine")},
	{name: "the hooks that the configuration names",
		script: `rm -rf my; mkdir -p my/hooks; echo x > my/hooks/pre-commit`,
		setup:  both(repo, func(s *site) { s.more = []string{s.at("my/hooks")} }), harm: made("my/hooks/pre-commit")},
	{name: "a module of a linked work tree", setup: worktreeSite,
		script: `cd $OUT/main/.git/worktrees/work; mkdir -p modules/m; echo evil > modules/m/config`,
		harm:   made("out/main/.git/worktrees/work/modules/m/config")},
	{name: "the hooks of a submodule", script: `echo evil > $OUT/super/.git/modules/deep/sub/hooks/post-commit`,
		setup: submoduleSite, harm: made("out/super/.git/modules/deep/sub/hooks/post-commit")},
	{name: "the configuration of a submodule", script: `git config core.fsmonitor evil`, setup: submoduleSite,
		harm: holds("out/super/.git/modules/deep/sub/config", "evil")},
	{name: "the attributes of a submodule", setup: submoduleSite,
		script: `echo '* filter=evil' > $OUT/super/.git/modules/deep/sub/info/attributes`,
		harm:   made("out/super/.git/modules/deep/sub/info/attributes")},
	{name: "the repository around a submodule", script: `echo evil > $OUT/super/.git/evil`, setup: submoduleSite,
		harm: made("out/super/.git/evil")},
	{name: "the configuration of a module in the workspace", script: `git -C sub config core.fsmonitor evil`,
		setup: superSite, harm: holds(".git/modules/sub/config", "evil")},
	{name: "the hooks of a module in the workspace", script: `rm -rf .git/modules/sub/hooks;
		mkdir .git/modules/sub/hooks; echo evil > .git/modules/sub/hooks/post-commit`,
		setup: superSite, harm: made(".git/modules/sub/hooks/post-commit")},
	{name: "a module moved away", setup: superSite,
		script: `mv .git/modules/sub .git/x; mkdir -p .git/modules/sub; echo evil > .git/modules/sub/config`,
		harm:   holds(".git/modules/sub/config", "evil")},
	{name: "the hooks of a repository below", script: `echo evil > tools/.git/hooks/post-commit`, setup: nestedSite,
		harm: made("tools/.git/hooks/post-commit")},
	{name: "the configuration of a repository below", script: `git -C tools config core.fsmonitor evil`,
		setup: nestedSite, harm: holds("tools/.git/config", "evil")},
	{name: "a repository below moved away", setup: nestedSite, script: `cd tools; mv .git x; mkdir .git;
		echo evil > .git/config`, harm: holds("tools/.git/config", "evil")},
	{name: "a repository below that must only be read", script: `echo x > tools/.git/evil`, setup: keptSite,
		harm: made("tools/.git/evil")},
	{name: "the configuration of a bare repository", script: `git -C tree config core.fsmonitor evil`,
		setup: bareSite, harm: holds(".store/config", "evil")},
	{name: "the hooks of a bare repository", script: `echo evil > .store/hooks/post-commit`,
		setup: bareSite, harm: made(".store/hooks/post-commit")},
	{name: "the hooks of a repository that a file names", script: `echo evil > store/hooks/post-commit`,
		setup: storeSite, harm: made("store/hooks/post-commit")},
	{name: "the configuration of a work tree below", setup: nestedSite,
		script: `rm -f .git/worktrees/feat/config.worktree; echo evil > .git/worktrees/feat/config.worktree`,
		harm:   holds(".git/worktrees/feat/config.worktree", "evil")},
	{name: "the repository of a work tree below", script: `echo ../evil > .git/worktrees/feat/commondir`,
		setup: nestedSite, harm: holds(".git/worktrees/feat/commondir", "evil")},
	{name: "a work tree that was not there", script: `mkdir .git/worktrees/x; echo evil > .git/worktrees/x/commondir`,
		setup: nestedSite, harm: made(".git/worktrees/x/commondir")},
	{name: "the directory of another project's work tree", script: `echo x > $OUT/o/.git/worktrees/tree/evil`,
		setup: otherTree, harm: made("out/o/.git/worktrees/tree/evil")},
	{name: "another work tree's repository", script: `echo evil >> $OUT/main/.git/worktrees/work/commondir`,
		setup: worktreeSite, harm: holds("out/main/.git/worktrees/work/commondir", "evil")},
	{name: "the configuration of the main repository", script: `git config core.fsmonitor evil`, setup: worktreeSite,
		harm: holds("out/main/.git/config", "evil")},
	{name: "the hooks of the main repository", script: `echo x > $OUT/main/.git/hooks/pre-commit`,
		setup: worktreeSite,
		harm:  made("out/main/.git/hooks/pre-commit")},
	{name: "a .git file that names another project", script: `cat $OUT/main/.git/config`, setup: func(s *site) {
		s.write(s.at("out/main/.git/config"), "x")
		s.write(s.at("out/main/.git/HEAD"), "x")
		s.write(".git", "gitdir: "+s.at("out/main/.git")+"\n")
	}},
	{name: "what is run when a directory is entered", script: `rm -rf .envrc; echo evil > .envrc`,
		harm: holds(".envrc", "evil")},
	{name: "the same where there is one", script: `rm .envrc; echo evil > .envrc`, setup: file(".envrc", "mine"),
		harm: changed(".envrc", "mine")},
	{name: "a task of the editor", script: `rm -rf .vscode; mkdir -p .vscode; echo evil > .vscode/tasks.json`,
		harm: made(".vscode/tasks.json")},
	{name: "exchange the tasks of the editor", script: `mv .vscode v; mkdir .vscode; echo evil > .vscode/tasks.json`,
		setup: file(".vscode/tasks.json", "mine"), harm: changed(".vscode/tasks.json", "mine")},
	{name: "what CI runs", script: `echo evil >> .github/workflows/ci.yml`,
		setup: file(".github/workflows/ci.yml", "mine"),
		harm:  changed(".github/workflows/ci.yml", "mine")},
	{name: "what CI runs below", script: `echo evil >> a/b/Jenkinsfile`, setup: file("a/b/Jenkinsfile", "mine"),
		harm: changed("a/b/Jenkinsfile", "mine")},
}

// superSite makes the workspace a repository with a submodule.
func superSite(s *site) {
	if r := s.outside(`git init -q -b main $OUT/lib && cd $OUT/lib && git config user.email a@b &&
		git config user.name n && echo a > f && git add f && git commit -qm one && git init -q -b main ~/work &&
		cd ~/work && git -c protocol.file.allow=always submodule --quiet add $OUT/lib sub &&
		git -C sub config user.email a@b && git -C sub config user.name n`); r.Exit != 0 {
		s.t.Fatal(r.out)
	}
}

// submoduleSite makes the workspace a submodule of a repository that lies elsewhere. (The path of
// the work tree is written by hand: git would have it inside.)
func submoduleSite(s *site) {
	if r := s.outside(`git init -q -b main $OUT/super && d=$OUT/super/.git/modules/deep/sub &&
		git init -q -b main ~/work && cd ~/work && git config user.email a@b && git config user.name n &&
		echo a > f && git add f && git commit -qm one && mkdir -p $OUT/super/.git/modules/deep && mv .git $d &&
		git -C $d config core.worktree "$PWD" && rm -f $d/info/attributes && echo "gitdir: $d" > .git &&
		git status -s`); r.Exit != 0 {
		s.t.Fatal(r.out)
	}
}

// worktreeSite makes the workspace a work tree of a repository that lies elsewhere.
func worktreeSite(s *site) {
	if r := s.outside(`cd $OUT && git init -q main && cd main && git config user.email a@b && git config user.name n &&
		echo a > f && git add f && git commit -qm one && rmdir ~/work && git worktree add -q ~/work`); r.Exit != 0 {
		s.t.Fatal(r.out)
	}
}

var ownFiles = []attempt{
	{name: "what the person lets be read", script: `echo x > $OUT/f`, setup: listed, harm: madeThere},
	{name: "our configuration in the workspace", script: `echo evil > conf/config.toml`,
		setup: both(file("conf/config.toml", "mine"), hidden("conf")), harm: changed("conf/config.toml", "mine")},
	{name: "our configuration where there is none",
		script: `rm -rf a; mkdir -p a/conf; echo evil > a/conf/config.toml`,
		setup:  hidden("a/conf"), harm: made("a/conf/config.toml")},
	{name: "our log", script: `cat state/log`, setup: both(file("state/log", "x"), hidden("state"))},
	{name: "our log in what may be read", script: `cat ~/all/state/log`, setup: both(file("~/all/state/log", "x"),
		hidden("~/all/state"), func(s *site) { s.policy.Readable = append(s.policy.Readable, s.at("~/all")) })},
	{name: "our configuration at home",
		script: `mkdir -p ~/.config/agentshell; echo evil > ~/.config/agentshell/config.toml`,
		harm:   made("~/.config/agentshell/config.toml")},
	{name: "what must only be read", script: `echo evil > keep/f`, setup: both(file("keep/f", "mine"), func(s *site) {
		s.policy.ReadOnly = []string{s.at("keep")}
	}), harm: changed("keep/f", "mine")},
}

// listed makes a directory that the person lets commands read. It lies in none that they have for
// themselves: below such a one Landlock closes nothing.
func listed(s *site) {
	dir, err := apart()
	if err != nil {
		need.Missing(s.t, "a directory that is not temporary", err)
	}
	s.t.Cleanup(func() { os.RemoveAll(dir) })
	s.set("OUT", dir)
	s.policy.Readable = append(s.policy.Readable, dir)
}

// apart makes a directory outside of the temporary ones, in which a command may write: the checkout
// and the home directory may both lie in those.
func apart() (dir string, err error) {
	places := []string{"testdata"}
	if cache, err := os.UserCacheDir(); err == nil {
		places = append(places, cache)
	}
	if me, err := user.Current(); err == nil {
		places = append(places, me.HomeDir)
	}
	for _, place := range append(places, "/srv", "/mnt") {
		if place, err = filepath.Abs(place); err != nil {
			return "", err
		}
		if slices.ContainsFunc(scratchDirs, func(t string) bool { return within(place, t) }) {
			continue
		}
		if dir, err = os.MkdirTemp(place, "listed-"); err == nil {
			return dir, nil
		}
	}
	return "", errors.Join(errors.New("all places where something can be made are temporary"), err)
}

func madeThere(s *site) bool {
	_, err := os.Lstat(filepath.Join(variable(s.environ, "OUT"), "f"))
	return err == nil
}

func hidden(name string) func(s *site) {
	return func(s *site) { s.policy.Hidden = append(s.policy.Hidden, s.at(name)) }
}

var networks = []attempt{
	{name: "TCP", script: `$PROBE connect tcp $ADDRESS`, setup: listen("tcp", "")},
	{name: "TCP by the shell", script: `echo x > /dev/tcp/${ADDRESS/:/\/}`, setup: listen("tcp", "")},
	{name: "UDP", script: `$PROBE connect udp $ADDRESS`, setup: udp, harm: heard},
	{name: "a socket beside the workspace", script: `$PROBE connect unix $ADDRESS`, setup: listen("unix", "out/s")},
	{name: "a socket in the home directory", script: `$PROBE connect unix $ADDRESS`, setup: listen("unix", "~/s")},
	{name: "an abstract socket", script: `$PROBE connect unix $ADDRESS`, setup: listen("unix", "@scrollkeep-test")},
	{name: "sockets of services", script: `ls -A /run /var/run/ | grep -q '[a-z]$'`, control: kernel},
	{name: "raw packets", script: `$PROBE af_packet`, control: asRoot},
	{name: "sockets of the machine's host", script: `$PROBE af_vsock`, control: kernel},
	{name: "sockets of the kernel's ciphers", script: `$PROBE af_alg`, control: kernel},
	{name: "events of devices", script: `$PROBE netlink`},
}

var processes = []attempt{
	{name: "see others", script: `[ -e /proc/$VICTIM/stat ]`, setup: victim},
	{name: "signal others", script: `$PROBE kill $VICTIM`, setup: victim},
	{name: "kill all", script: `kill -9 -1; true`, setup: victim, control: never, harm: func(s *site) bool {
		text := s.read("/proc/" + variable(s.environ, "VICTIM") + "/stat")
		return !strings.Contains(text, " S ")
	}},
	{name: "slow others down", script: `$PROBE priority $VICTIM`, setup: victim},
	{name: "trace others", script: `$PROBE attach $VICTIM`, setup: victim, control: kernel},
	{name: "trace its own", script: `$PROBE traceme`, control: kernel},
	{name: "trace the first process", script: `$PROBE attach 1`, control: never},
	{name: "memory of others", script: `$PROBE memory $VICTIM`, setup: victim, control: kernel},
	{name: "memory of the first process", script: `$PROBE memory 1`, control: kernel},
	{name: "environment of the first process", script: `cat /proc/1/environ`, control: kernel},
	{name: "memory by a call", script: `$PROBE vm_readv`},
	{name: "descriptors by a call", script: `$PROBE pidfd_getfd`},
	{name: "end the first process", script: `kill -9 1; kill -TERM 1; kill -SEGV 1; sleep .1; exit 7`, control: never,
		harm: func(s *site) bool { return false }},
	{name: "a file that sets its user", script: `cp /bin/true t && chmod u+s t && [ -u t ]`},
	{name: "the same by a new call", script: `$PROBE suid`, control: kernel},
	{name: "new privileges", script: `$PROBE privileges`},
	{name: "capabilities", script: `$PROBE capabilities`, control: asRoot},
	{name: "become another", script: `setpriv --reuid 65534 true`, control: asRoot},
	{name: "memory of others by its key", script: `$PROBE shm $KEY`, setup: shared},
	{name: "the terminal", script: `$PROBE tiocsti`, control: kernel},
	{name: "the terminal by another number", script: `$PROBE tiocsti-high`, control: kernel},
	{name: "the console", script: `$PROBE tioclinux`},
	{name: "be spared when memory is short", script: `echo 500 > /proc/self/oom_score_adj`},
}

var kernels = []attempt{
	{name: "a mount", script: `$PROBE mount`, control: never},
	{name: "make the system writable", script: `$PROBE remount /usr`, control: never},
	{name: "make the hooks writable", script: `$PROBE remount .git/hooks`, setup: repo, control: never},
	{name: "take the hooks' mount away", script: `$PROBE umount .git/hooks`, setup: repo, control: never},
	{name: "a copy of the mounts", script: `$PROBE open_tree`, control: asRoot},
	{name: "a new file system", script: `$PROBE fsopen`, control: asRoot},
	{name: "attributes of mounts", script: `$PROBE mount_setattr`, control: asRoot},
	{name: "another root", script: `$PROBE pivot_root`, control: asRoot},
	{name: "a user namespace", script: `$PROBE userns`, control: userns},
	{name: "a mount namespace", script: `$PROBE userns-mount`, control: userns},
	{name: "a namespace for this process", script: `$PROBE unshare`, control: never},
	{name: "a namespace by unshare", script: `unshare -Ur true`, control: userns},
	{name: "a namespace by a call with its flags in memory", script: `$PROBE clone3`, control: asRoot},
	{name: "the namespace of another", script: `$PROBE setns`, control: asRoot},
	{name: "a queue of the kernel", script: `$PROBE io_uring`, control: kernel},
	{name: "a key", script: `$PROBE add_key`, control: kernel},
	{name: "the keys of the session", script: `$PROBE keyring`, control: kernel},
	{name: "ask for a key", script: `$PROBE request_key`, control: kernel},
	{name: "programs in the kernel", script: `$PROBE bpf`, control: kernel},
	{name: "measure the kernel", script: `$PROBE perf`, control: kernel},
	{name: "faults of memory", script: `$PROBE userfaultfd`, control: kernel},
	{name: "watch the files of others", script: `$PROBE fanotify`, control: kernel},
	{name: "another kernel", script: `$PROBE kexec`, control: never},
	{name: "a part of the kernel", script: `$PROBE module`, control: kernel},
	{name: "the name of the machine", script: `$PROBE hostname`, control: never},
	{name: "settings of the kernel",
		script: `cat /proc/sys/vm/swappiness > /proc/sys/vm/swappiness`, control: asRoot},
	{name: "what is run at a crash", script: `cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern`,
		control: asRoot},
	{name: "the big red button", script: `echo h > /proc/sysrq-trigger`, control: never},
	{name: "settings of devices", script: `find /sys -writable -type f | grep -q .`, control: asRoot},
	{name: "control groups", script: `ls /sys/fs/cgroup | grep -q .`, control: kernel},
	{name: "devices", script: `$PROBE device`, control: kernel},
	{name: "make a device", script: `$PROBE mknod`, control: asRoot},
	{name: "programs of another kind", script: `$PROBE x32`, control: kernel},
}
