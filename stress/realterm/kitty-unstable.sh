#!/bin/sh
# kitty-unstable.sh DIR makes a chroot of Debian's unstable in DIR, with its kitty, and DIR.kitty, which runs that.
# It prints what the live soak wants to know. A mirror may lag, so that its release is out of date. Only root can do that, with debootstrap; later calls bring it up to date.
set -eu
dir=$1
[ -e "$dir/etc/debian_version" ] || debootstrap --variant=minbase sid "$dir" >&2
cp /etc/resolv.conf "$dir/etc/"
chroot "$dir" sh -c 'apt-get -o Acquire::Check-Valid-Until=false update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
	kitty libgl1-mesa-dri libgl1 libegl1 fontconfig fonts-dejavu-core' >&2
# The display, the sockets and the programs of the tests are in /tmp.
for d in proc sys dev dev/pts tmp; do
	mountpoint -q "$dir/$d" || mount --bind "/$d" "$dir/$d"
done
cat >"$dir.kitty" <<END
#!/bin/sh
exec chroot "$dir" kitty "\$@"
END
chmod 755 "$dir.kitty"
echo "SCROLLKEEP_KITTY_UNSTABLE=$dir.kitty"
