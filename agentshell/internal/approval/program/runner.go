package program

import "strings"

// runnerNames lists the programs that run a command in their words, or change the meaning of later
// commands.
const runnerNames = `env sudo doas su sudoedit pkexec gosu su-exec runuser runas sg newgrp xargs nohup time timeout nice
		ionice chrt taskset numactl numad setsid stdbuf unbuffer strace ltrace
	watch entr inotifywait watchexec chokidar nodemon reflex air parallel chroot unshare nsenter setpriv capsh prlimit
		cgexec catchsegv valgrind perf rr hyperfine multitime script scriptreplay ttyrec
	asciinema rlwrap busybox toybox flock lockfile lckdo systemd-run systemd-nspawn systemd-inhibit systemd-cat
		machinectl at batch crontab anacron tmux screen dtach abduco zellij proot
	firejail bwrap bubblewrap fakeroot fakechroot eatmydata faketime torsocks torify proxychains proxychains4 tsocks
		setarch linux32 linux64 i386 x86_64 uname26 runcon chpst softlimit setuidgid
	envuidgid envdir setlock pgrphack tini dumb-init daemonize start-stop-daemon supervisord runit runsv s6-setuidgid
		execlineb dbus-run-session dbus-launch xvfb-run startx xinit xterm
	wine wine64 qemu-x86_64 qemu-aarch64 caffeinate direnv dotenv doppler op chamber aws-vault nix-shell nix-build
		guix conda mamba micromamba poetry pipenv pdm uv uvx pipx rye hatch tox nox npx bunx
	pnpx corepack volta nvm fnm asdf mise rtx rbenv pyenv nodenv sdk foreman overmind honcho goreman concurrently
		npm-run-all run-s run-p cross-env dotenv-cli wsl cmd powershell pwsh
	ld.so ld-linux.so ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 cpulimit trickle choom uclampset kexec logsave nsjail
		schroot debootstrap lxc lxc-attach lxc-execute
	nerdctl buildah skopeo ctr crictl runc crun pssh pdsh clush dsh fabric fab invoke inv run-parts
		update-alternatives service rc-service initctl launchctl open xdg-open gio
	sensible-browser sensible-editor sensible-pager x-terminal-emulator gnome-terminal konsole xdotool
		dpkg-reconfigure cpan cpanm gem easy_install luarocks mail mailx mutt sendmail ctags bpftrace
	stap dtrace genie aa-exec sem with-contenv tclkit ruby-prof spring act earthly skaffold tilt devspace dagger
		please buck buck2 pants sbt lein boot clj clojure mill amm bloop coursier cs
	hugo jekyll zx dax wasmtime wasmer run-one flatpak snap distrobox toolbox apptainer singularity enroot`

// shellNames lists the programs that run shell scripts.
const shellNames = `sh bash zsh dash ksh ksh93 mksh pdksh ash fish csh tcsh rbash rksh posh yash osh elvish nu xonsh oil
		hush`

// runnerTables returns the tables of runners and shells: all of them take code, whatever the
// options.
func runnerTables() map[string]string {
	all := map[string]string{}
	for name := range strings.FieldsSeq(runnerNames + " " + shellNames) {
		all[name] = "code"
	}
	return all
}

// IsShell reports whether name is the name of a shell.
func IsShell(name string) bool {
	t := tableOf(name)
	for s := range strings.FieldsSeq(shellNames) {
		if t.path == s {
			return true
		}
	}
	return false
}
