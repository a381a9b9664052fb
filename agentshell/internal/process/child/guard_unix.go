//go:build unix

package child

import (
	"fmt"
	"os"
	"os/exec"
	"time"
)

// guardScript kills the process groups that it was told of, once its input ends. It forgets those
// that have ended. Where the system shows them (Linux), it also kills what is in the session that a
// group began and has left the group, as timeout does, until there is nothing of it.
const guardScript = `groups=" "
while read -r does group; do
	case $does in
	+) groups="$groups$group " ;;
	-) groups="${groups%% $group *} ${groups#* $group }" ;;
	esac
done
exec 2>/dev/null
for group in $groups; do kill -s KILL -- "-$group"; done
for pass in 1 2 3 4 5 6 7 8; do
	set +f
	set -- /proc/[0-9]*
	set -f
	left=
	for process in "$@"; do
		read -r stat <"$process/stat" || continue
		set -- ${stat##*") "}
		case $groups in *" ${4:-none} "*) ;; *) continue ;; esac
		[ "$1" != Z ] && left=1 && kill -s KILL "${process#/proc/}"
	done
	[ "$left" ] || exit 0
done`

// guardWait limits the time of a write to the guard. A guard that reads nothing for so long is
// killed.
const guardWait = time.Second

// guard is a program that outlives this process by a moment, and ends what runs then: nothing else
// can do that after a SIGKILL. It runs as long as a guarded program does. The zero value has none.
type guard struct {
	in      *os.File // nil: there is none
	program *Process
	started bool
	guarded int // programs that run
}

// begins counts a program with its process group.
func (g *guard) begins(group int) {
	g.guarded++
	g.tell("+", group)
}

// ends forgets a program.
func (g *guard) ends(group int) {
	g.tell("-", group)
	g.guarded--
	g.release()
}

// release ends the guard where it guards nothing.
func (g *guard) release() {
	if g.guarded > 0 {
		return
	}
	if g.in != nil {
		_ = g.in.Close()
	}
	*g = guard{}
}

// startGuard starts the guard if it does not run. Without one the programs go on after a SIGKILL.
// The caller holds f.mu.
func (f *Family) startGuard() {
	if f.guard.started {
		return
	}
	f.guard.started = true
	out, in, err := os.Pipe()
	if err != nil {
		return
	}
	defer out.Close()
	cmd := exec.Command("/bin/sh", "-c", guardScript)
	cmd.Env, cmd.Dir, cmd.Stdin = []string{}, "/", out
	setOwnSession(cmd)
	p, err := f.startLocked(cmd, Process{ownSession: true})
	if err != nil {
		_ = in.Close()
		return
	}
	f.guard.in, f.guard.program = in, p
}

// tell tells the guard that a process group has begun (+) or ended (-).
func (g *guard) tell(does string, group int) {
	if g.in == nil {
		return
	}
	_ = g.in.SetWriteDeadline(time.Now().Add(guardWait))
	if _, err := fmt.Fprintf(g.in, "%s %d\n", does, group); err != nil {
		if !g.program.hasExited() {
			killGroup(g.program.pid) // it must not kill what it does not know to have ended
		}
		_ = g.in.Close()
		g.in = nil
	}
}
