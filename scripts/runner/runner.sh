#!/bin/sh
# Emulates a hosted runner: a user with sudo runs the demo and a gate in a root of its own. As root: npm run runner -- SUITE [STEP…]
# STEP is build, provision, demo, gate or cache (default: all, in this order). The steps after `build` use the existing root.
# Like a hosted runner, every call is a new machine: what its steps install is an overlay over the root, removed at the end.
# `cache` runs two short gates, each on a new machine. The first one fills the cache that the second one reads.
# Environment:
# - ROOT: the directory of the root (default /var/tmp/async-php-bench-runner/SUITE).
# - MIRROR and KEYRING: for debootstrap(8). NO_CHECK_GPG=1: if this machine lacks the suite's keyring.
# - APT_CONF: a file of apt settings for the root.
# - MODES: for `provision`, `gate` and `cache` (default fpm,swoole).
# - OVER: a directory that is copied into each new machine, such as one with a package that no registry has.
set -eu

suite=${1:?"usage: npm run runner -- SUITE [build|provision|demo|gate|cache…]"}
shift
[ $# -gt 0 ] || set -- build provision demo gate cache
root=${ROOT:-/var/tmp/async-php-bench-runner/$suite}
here=$(cd "${0%/*}" && pwd)
package=${here%/scripts/runner}
machine=$root.machine
[ "$(id -u)" = 0 ] || { echo "runner: found user $(id -un), allowed: root, for debootstrap and chroot" >&2; exit 2; }

# As in images/ubuntu of actions/runner-images: Xdebug is on, PCOV is installed and off.
PHP='php-cli php-fpm php-curl php-mbstring php-mysql php-pgsql php-sqlite3 php-xml php-zip php-intl php-readline php-dev php-xdebug php-pcov php-pear'
TOOLS='ca-certificates sudo git nginx unzip xz-utils g++ make pkg-config procps curl composer'

build() {
    [ ! -d "$root/home/runner" ] || return 0
    machine=
    # Debian's debootstrap may not know a new suite of Ubuntu. One script serves all suites.
    scripts=/usr/share/debootstrap/scripts
    script=$suite
    [ -e "$scripts/$suite" ] || script=gutsy
    components=main,universe
    if grep -q debian-common "$scripts/$script"; then components=main; fi
    mkdir -p "${root%/*}"
    debootstrap --variant=minbase --components="$components" ${KEYRING:+--keyring="$KEYRING"} ${NO_CHECK_GPG:+--no-check-gpg} \
        "$suite" "$root" "${MIRROR:-}" "$script"
    # A runner has the versions of the suite's security updates.
    sed -n "s/^\(deb [^ ]*\) $suite \(.*\)/\1 $suite-updates \2/p" "$root/etc/apt/sources.list" > "$root/etc/apt/sources.list.d/updates.list"
    [ -z "${APT_CONF:-}" ] || cp "$APT_CONF" "$root/etc/apt/apt.conf.d/99runner"
    cp /etc/resolv.conf /etc/hosts "$root/etc/"
    printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
    chmod 755 "$root/usr/sbin/policy-rc.d"
    inside root apt-get update -q
    database=mysql-server
    inside root apt-cache policy $database | grep -q 'Candidate: [0-9]' || database=mariadb-server
    inside root apt-get install -y -q --no-install-recommends $PHP $TOOLS $database
    rm "$root/usr/sbin/policy-rc.d"
    inside root phpdismod pcov
    # The root trusts what this machine trusts, such as a proxy's certificate.
    cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
    # On a runner, Node.js comes with the runner.
    cp "$(command -v node)" "$root/usr/local/bin/node"
    inside root useradd --create-home --uid 1001 --shell /bin/bash runner
    echo 'runner ALL=(ALL) NOPASSWD:ALL' > "$root/etc/sudoers.d/runner"
    chmod 440 "$root/etc/sudoers.d/runner"
    inside root php -v | grep Xdebug
}

# Runs a command in the root, or on the machine over it, as a user, with the variables of a runner's job. Its processes end with it.
inside() {
    user=$1
    shift
    home=/root
    [ "$user" = root ] || home=/home/$user
    case $suite in noble) image=ubuntu24 ;; resolute) image=ubuntu26 ;; *) image=$suite ;; esac
    case $(uname -m) in aarch64) arch=ARM64 ;; *) arch=X64 ;; esac
    unshare --mount --pid --fork --kill-child sh -euc "$MOUNT" mount "$root" "$machine" \
        setpriv --reuid "$user" --regid "$user" --init-groups --reset-env \
        env HOME=$home LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
        CI=true GITHUB_ACTIONS=true RUNNER_OS=Linux RUNNER_ARCH=$arch RUNNER_ENVIRONMENT=github-hosted ImageOS=$image \
        RUNNER_TEMP=$home/work/_temp RUNNER_TOOL_CACHE=$home/hostedtoolcache ${service:-} "$@"
}

MOUNT='
root=$1
machine=$2
shift 2
mount --make-rprivate /
if [ -n "$machine" ]; then
    mount -t overlay overlay -o "lowerdir=$root,upperdir=$machine/upper,workdir=$machine/work" "$machine/root"
    root=$machine/root
fi
mount -t proc proc "$root/proc"
mount --rbind -o ro /sys "$root/sys"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
# This shell reaps orphaned processes, as an init does, because the installation of MySQL waits for that.
chroot "$root" "$@" &
wait $!'

# A new machine with the action as a runner downloads it, and a repository.
new() {
    rm -rf "$machine"
    work=$machine/upper/home/runner/work
    action=$work/_actions/async-php-bench
    mkdir -p "$machine/root" "$machine/work" "$action" "$work/_temp"
    # Only files that git has or would add: without the packages that an earlier job installed into the action.
    (cd "$package" && git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from=- --ignore-failed-read --warning=no-failed-read) | tar --extract --directory="$action"
    cp "$here/job.sh" "$action/job.sh"
    cp -r "$package/examples/minimal-app" "$work/app"
    chown -R 1001:1001 "$machine/upper/home/runner"
    [ -z "${OVER:-}" ] || cp -R "$OVER/." "$machine/upper/"
}

# Runs a step of a job. Further arguments are variables for it.
job() {
    step=$1
    shift
    inside runner env MODES="${MODES:-fpm,swoole}" "$@" sh /home/runner/work/_actions/async-php-bench/job.sh "$step"
}

# Two jobs of a branch, on a machine each. Two blocks suffice, because only the time of provisioning counts here.
cache() {
    address=$machine.service
    rm -f "$address"
    (cd "$package" && exec node --import tsx "$here/cache.ts" "$address") &
    server=$!
    trap 'kill $server; rm -rf "$machine" "$address"' EXIT
    for _ in $(seq 100); do [ -s "$address" ] || sleep 0.1; done
    service=$(cat "$address")
    for which in first cached; do
        new
        echo "runner: $which job"
        job gate EVENT=push BLOCKS=2
    done
    service=
}

trap 'rm -rf "$machine"' EXIT
new
for step; do
    case $step in
        build) (build) ;;
        cache) cache ;;
        *) job "$step" ;;
    esac
done
