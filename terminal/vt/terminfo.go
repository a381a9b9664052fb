package vt

import (
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
)

// capabilityFlags holds the boolean capabilities of the terminfo entry xterm-ghostty.
// capabilityValues holds the others: name, space, value, in the syntax of terminfo(5).
const capabilityFlags = "am bce ccc hs km mc5i mir msgr npc xenl AX Tc Su XT fullkbd"

const capabilityValues = `
TN xterm-ghostty
Co 256
RGB 8
colors 256
cols 80
it 8
lines 24
pairs 32767
acsc ++\,\,--..00` + "`" + `` + "`" + `aaffgghhiijjkkllmmnnooppqqrrssttuuvvwwxxyyzz{{||}}~~
Smulx \E[4:%p1%dm
Smol \E[53m
Rmol \E[55m
Setulc \E[58:2::%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:%p1%{255}%&%d%;m
Ss \E[%p1%d q
Se \E[0 q
Ms \E]52;%p1%s;%p2%s\007
Sync \E[?2026%?%p1%{1}%-%tl%eh%;
BD \E[?2004l
BE \E[?2004h
PS \E[200~
PE \E[201~
XM \E[?1006;1000%?%p1%{1}%=%th%el%;
xm \E[<%i%p3%d;%p1%d;%p2%d;%?%p4%tM%em%;
RV \E[>c
rv \E\\[[0-9]+;[0-9]+;[0-9]+c
XR \E[>0q
xr \EP>\\|[ -~]+a\E\\
Enmg \E[?69h
Dsmg \E[?69l
Clmg \E[s
Cmg \E[%i%p1%d;%p2%ds
clear \E[H\E[2J
E3 \E[3J
fe \E[?1004h
fd \E[?1004l
kxIN \E[I
kxOUT \E[O
bel ^G
blink \E[5m
bold \E[1m
cbt \E[Z
civis \E[?25l
cnorm \E[?12l\E[?25h
cr \r
csr \E[%i%p1%d;%p2%dr
cub \E[%p1%dD
cub1 ^H
cud \E[%p1%dB
cud1 ^J
cuf \E[%p1%dC
cuf1 \E[C
cup \E[%i%p1%d;%p2%dH
cuu \E[%p1%dA
cuu1 \E[A
cvvis \E[?12;25h
dch \E[%p1%dP
dch1 \E[P
dim \E[2m
dl \E[%p1%dM
dl1 \E[M
dsl \E]2;\007
ech \E[%p1%dX
ed \E[J
el \E[K
el1 \E[1K
flash \E[?5h$<100/>\E[?5l
fsl ^G
home \E[H
hpa \E[%i%p1%dG
ht ^I
hts \EH
ich \E[%p1%d@
ich1 \E[@
il \E[%p1%dL
il1 \E[L
ind \n
indn \E[%p1%dS
initc \E]4;%p1%d;rgb\:%p2%{255}%*%{1000}%/%2.2X/%p3%{255}%*%{1000}%/%2.2X/%p4%{255}%*%{1000}%/%2.2X\E\\
invis \E[8m
oc \E]104\007
op \E[39;49m
rc \E8
rep %p1%c\E[%p2%{1}%-%db
rev \E[7m
ri \EM
rin \E[%p1%dT
ritm \E[23m
rmacs \E(B
rmam \E[?7l
rmcup \E[?1049l
rmir \E[4l
rmkx \E[?1l\E>
rmso \E[27m
rmul \E[24m
rmxx \E[29m
setab \E[%?%p1%{8}%<%t4%p1%d%e%p1%{16}%<%t10%p1%{8}%-%d%e48;5;%p1%d%;m
setaf \E[%?%p1%{8}%<%t3%p1%d%e%p1%{16}%<%t9%p1%{8}%-%d%e38;5;%p1%d%;m
setrgbb \E[48:2:%p1%d:%p2%d:%p3%dm
setrgbf \E[38:2:%p1%d:%p2%d:%p3%dm
sgr %?%p9%t\E(0%e\E(B%;\E[0%?%p6%t;1%;%?%p5%t;2%;%?%p2%t;4%;%?%p1%p3%|%t;7%;%?%p4%t;5%;%?%p7%t;8%;m
sgr0 \E(B\E[m
sitm \E[3m
smacs \E(0
smam \E[?7h
smcup \E[?1049h
smir \E[4h
smkx \E[?1h\E=
smso \E[7m
smul \E[4m
smxx \E[9m
tbc \E[3g
tsl \E]2;
u6 \E[%i%d;%dR
u7 \E[6n
u8 \E[?%[;0123456789]c
u9 \E[c
vpa \E[%i%p1%dd
kbs ^?
kcbt \E[Z
kcub1 \EOD
kcud1 \EOB
kcuf1 \EOC
kcuu1 \EOA
kdch1 \E[3~
kend \EOF
kent \EOM
khome \EOH
kich1 \E[2~
kind \E[1;2B
kmous \E[<
knp \E[6~
kpp \E[5~
kri \E[1;2A
rs1 \E]\E\\\Ec
sc \E7
`

// capabilities holds the answers of XTGETTCAP by name, in upper-case hexadecimal.
var capabilities = sync.OnceValue(func() map[string]string {
	m := make(map[string]string)
	add := func(name, value string) {
		// With parameters the value is sent as it stands in the source, otherwise what it stands
		// for (Source.zig xtgettcapMap).
		if !strings.Contains(value, "%") {
			value = strings.ReplaceAll(value, `\E`, "\x1b")
			if len(value) == 2 && value[0] == '^' {
				value = string(rune(value[1] ^ 0x40))
			}
		}
		m[strings.ToUpper(hex.EncodeToString([]byte(name)))] = value
	}
	for name := range strings.FieldsSeq(capabilityFlags) {
		add(name, "")
	}
	for line := range strings.Lines(capabilityValues[1:]) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		add(name, value)
	}
	// Keys with modifiers: 2 is Shift, 3 Alt, 4 Shift+Alt, 5 Ctrl, 6 Shift+Ctrl, 7 Alt+Ctrl.
	for name, key := range map[string]string{
		"kDC": "3~", "kIC": "2~", "kNXT": "6~", "kPRV": "5~", "kUP": "1A", "kDN": "1B", "kRIT": "1C", "kLFT": "1D",
		"kEND": "1F", "kHOM": "1H",
	} {
		for mod := 2; mod <= 7; mod++ {
			suffix := ""
			if mod > 2 {
				suffix = fmt.Sprint(mod)
			}
			add(name+suffix, fmt.Sprintf("\x1b[%c;%d%c", key[0], mod, key[1]))
		}
	}
	// F1 to F63: twelve keys, then the same with modifiers.
	keys := [12]string{"1P", "1Q", "1R", "1S", "15~", "17~", "18~", "19~", "20~", "21~", "23~", "24~"}
	for n := range 63 {
		key := keys[n%12]
		code, final := key[:len(key)-1], key[len(key)-1:]
		switch mod := [...]int{0, 2, 5, 6, 3, 4}[n/12]; {
		case mod > 0:
			add(fmt.Sprint("kf", n+1), fmt.Sprintf("\x1b[%s;%d%s", code, mod, final))
		case final == "~":
			add(fmt.Sprint("kf", n+1), "\x1b["+code+final)
		default:
			add(fmt.Sprint("kf", n+1), "\x1bO"+final)
		}
	}
	return m
})
