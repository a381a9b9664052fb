package dap

import "strconv"

// bridgeScript is a bash script for an adapter that listens on a TCP port. It starts the adapter,
// finds the port in its output, and connects the port to the standard input and output. An adapter
// in a sandbox cannot be reached in another way. Later output of the adapter goes to standard
// error. When one side ends, the script ends the other.
const bridgeScript = `exec 5<&0 3< <(exec "$@" </dev/null 2>&1)
adapter=$!
port=
while IFS= read -r -n 4096 line <&3; do
	printf '%s\n' "$line" >&2
	if [[ $line =~ (127\.0\.0\.1|localhost|\[::1?\]):([0-9]+) ]]; then
		port=${BASH_REMATCH[2]}
		break
	fi
done
if [ -z "$port" ]; then
	wait $adapter 2>/dev/null
	code=$?
	[ $code != 0 ] || code=1
	exit $code
fi
cat <&3 >&2 &
exec 4<>"/dev/tcp/127.0.0.1/$port" || exit 1
{ cat <&5 >&4; kill $adapter; } 2>/dev/null &
exec 5<&-
cat <&4
`

// connectScript is a bash script that connects a running adapter's TCP port to the standard input
// and output.
const connectScript = `exec 4<>"/dev/tcp/$1/$2" 5<&0 || exit 1
cat <&4 &
reader=$!
{ cat <&5 >&4; kill $reader; } 2>/dev/null &
exec 4>&- 5<&-
wait $reader
`

// Connect returns a command line that connects to an adapter's TCP port and passes its messages
// through the standard streams.
func Connect(host string, port int) []string {
	return []string{"bash", "-c", connectScript, "bridge", host, strconv.Itoa(port)}
}

// startCommand returns the command line that starts an adapter and passes its messages through the
// standard streams.
func (a Adapter) startCommand() []string {
	if !a.Socket {
		return a.Command
	}
	return append([]string{"bash", "-c", bridgeScript, "bridge"}, a.Command...)
}
