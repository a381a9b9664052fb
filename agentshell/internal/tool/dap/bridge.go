package dap

import "strconv"

// bridgeScript starts an adapter that listens, finds in what it prints where, and joins its
// connection with the standard streams. An adapter in a sandbox can be reached in no other way.
// What it prints later goes to the standard error. When either side ends so does the other.
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

// connectScript joins an adapter that listens already with the standard streams.
const connectScript = `exec 4<>"/dev/tcp/$1/$2" 5<&0 || exit 1
cat <&4 &
reader=$!
{ cat <&5 >&4; kill $reader; } 2>/dev/null &
exec 4>&- 5<&-
wait $reader
`

// Connect returns the command line of an adapter that listens on a port.
func Connect(host string, port int) []string {
	return []string{"bash", "-c", connectScript, "bridge", host, strconv.Itoa(port)}
}

// command returns the command line that starts an adapter whose messages go through the standard
// streams.
func (a Adapter) command() []string {
	if !a.Socket {
		return a.Command
	}
	return append([]string{"bash", "-c", bridgeScript, "bridge"}, a.Command...)
}
