//go:build unix

package child

import (
	"fmt"
	"os"
	"os/exec"
	"time"
)

// guardScript is a shell script that kills all process groups that were announced on its input,
// once that input ends. It forgets the groups that were reported as ended.
//
// On Linux it also kills processes that have left such a group but are still in its session, as
// timeout leaves its group. It repeats that until there are none.
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

// guardWait is the longest time that a write to the guard may take. A guard that reads nothing for
// so long is killed.
const guardWait = time.Second

// guard is a small program that outlives this process by a moment and kills the programs that still
// run then. Nothing else can do that after this process was killed by SIGKILL. The guard runs as
// long as a guarded program runs. The zero value has none.
type guard struct {
	in      *os.File // standard input of the guard; nil: there is no guard
	program *Process
	started bool
	guarded int // number of guarded programs that run
}

// begins tells the guard that a guarded program has started, whose process group it has to kill at
// the end.
func (g *guard) begins(group int) {
	g.guarded++
	g.tell("+", group)
}

// ends tells the guard that a guarded program has ended, with its process group.
func (g *guard) ends(group int) {
	g.tell("-", group)
	g.guarded--
	g.release()
}

// release ends the guard if no guarded program runs any more.
func (g *guard) release() {
	if g.guarded > 0 {
		return
	}
	if g.in != nil {
		_ = g.in.Close()
	}
	*g = guard{}
}

// startGuard starts the guard, the process that kills the programs after a SIGKILL of this process,
// if it does not run. If that fails, the programs would go on. The caller holds f.mu.
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

// tell writes one line to the guard process: that a process group has begun ("+") or ended ("-").
// If the guard does not read the line in time, it is killed.
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
