#!/bin/sh
# Installs into an image the needs of the modes that it lacks. Standard input has one need per line:
#
#   binary NAME PACKAGE | versioned NAME PACKAGE | download NAME SUMS | extension NAME PACKAGE PECL OPTIONS VERSION PIE
#
# PECL may end with a release, as in swoole-6.2.2. VERSION is the configured one, such as 6.2. PIE is the package's name at PIE.
# OPTIONS of a PECL build: EXTENSION:OPTION:PACKAGE,… for each extension that PHP may have, with the package of its headers.
# A download lies beside this script, as program-NAME. Its SUMS are here only because the image is built anew for other lines.
# {php} in a package stands for the version of the image's PHP; - stands for none.
# Creates links in /opt/async-php-bench-bin to the programs that runtimes start. If a need is missing, prints the attempts and ends with 1.
set -u
export DEBIAN_FRONTEND=noninteractive PATH="$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
bin=/opt/async-php-bench-bin
mkdir -p "$bin"
tried=''
missing=''
indexed=''

# A line of an ini file that loads a debugger.
LOADS='^[[:blank:]]*(zend_)?extension[[:blank:]]*=[[:blank:]]*["'"'"']?([^"'"'"';]*/)?(xdebug|pcov)(\.so)?["'"'"']?[[:blank:]]*(;.*)?$'

note() {
    tried="$tried
  $*"
}

php=$(command -v php) || {
    echo 'async-php-bench: there is no php on the PATH of this image. The app runs on the PHP of its image.'
    exit 1
}
ln -sf "$php" "$bin/php"
full=$(php -r 'echo PHP_VERSION;')
short=$(php -r 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;')

# Copied in for images that have no package of it.
if [ -f "${0%/*}/composer" ]; then
    mv "${0%/*}/composer" /usr/local/bin/composer && chmod 755 /usr/local/bin/composer
fi

# Installing a package must not start its service.
if [ -d /usr/sbin ] && [ ! -e /usr/sbin/policy-rc.d ]; then
    printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d && chmod 755 /usr/sbin/policy-rc.d
fi

# A stalled mirror is given up.
apt_get() {
    apt-get -o Acquire::Retries=1 -o Acquire::http::Timeout=15 -o Acquire::https::Timeout=15 "$@"
}

from_package() {
    [ "$1" = - ] && return 1
    if command -v apt-get > /dev/null; then
        if [ -z "$indexed" ]; then
            apt_get update -qq || note "apt-get update failed"
            indexed=1
        fi
        case $(apt-cache policy "$1") in
            *'Candidate: (none)'* | '') note "apt: no package $1 in the image's sources" && return 1 ;;
        esac
        apt_get install -y -qq --no-install-recommends "$1" || { note "apt-get install $1 failed" && return 1; }
    elif command -v apk > /dev/null; then
        # Alpine's names: php82-fpm for php8.2-fpm, php82-pecl-redis for php8.2-redis, nginx for nginx-light.
        alpine=$(printf '%s' "$1" | sed -e 's/^php\([0-9]*\)\.\([0-9]*\)-/php\1\2-/' -e 's/^nginx-light$/nginx/' -e 's/^libcurl4-openssl-dev$/curl-dev/' -e 's/^libssl-dev$/openssl-dev/')
        apk add --no-cache "$alpine" || apk add --no-cache "$(printf '%s' "$alpine" | sed 's/^\(php[0-9]*\)-/\1-pecl-/')" || {
            note "apk: $alpine could not be added"
            return 1
        }
    else
        note "neither apt-get nor apk for $1"
        return 1
    fi
}

has_extension() {
    case $1 in
        opcache) php -m | grep -qi '^zend opcache$' ;;
        *) php -m | grep -qix "$1" ;;
    esac
}

# The official images have a script for it. Elsewhere PECL's own tools are used.
from_source() {
    name=$1 pecl=$2 options=$3 pie=$4
    if command -v docker-php-ext-install > /dev/null && [ -d "/usr/src/php/ext/$name" -o -e /usr/src/php.tar.xz ]; then
        if [ "$pecl" = - ]; then
            case $name in pdo_pgsql | pgsql) from_package libpq-dev ;; esac
            docker-php-ext-install -j2 "$name" && return 0
            note "docker-php-ext-install $name failed"
        fi
    fi
    [ "$pecl" = - ] && return 1
    command -v apk > /dev/null && [ -n "${PHPIZE_DEPS:-}" ] && apk add --no-cache $PHPIZE_DEPS linux-headers
    command -v phpize > /dev/null || from_package "php$short-dev"
    command -v pecl > /dev/null || { [ "$pie" != - ] && command -v pie > /dev/null; } || from_package php-pear
    for tool in g++ make pkg-config; do
        command -v "$tool" > /dev/null || from_package "$tool"
    done
    installer=$(command -v pecl || { [ "$pie" != - ] && command -v pie; }) || installer=''
    if [ -z "$installer" ] || ! command -v phpize > /dev/null; then
        note "PECL: no pecl (or pie) and phpize in the image for $pecl"
        return 1
    fi
    set --
    [ "$options" = - ] && options=''
    for entry in $(printf '%s' "$options" | tr , ' '); do
        has_extension "${entry%%:*}" || continue
        entry=${entry#*:}
        from_package "${entry#*:}"
        set -- "$@" "${entry%%:*}"
    done
    build=$(mktemp -d)
    if ! timeout 1200 sh -euc "$BUILD" build "$build" "$pecl" "$pie" "$@"; then
        note "PECL: $pecl could not be built with the options '$*'"
        return 1
    fi
    rm -rf "$build"
    enable_extension "$name"
}

BUILD='
cd "$1"
if command -v pecl > /dev/null; then
    pecl download "$2"
    tar xzf ./*.tgz
    cd "${2%-[0-9]*}"-*/
else
    said=$(pie download --no-interaction "$3:${2##*-}")
    cd "$(printf "%s\n" "$said" | sed -n "s/^.* source to: *//p")"
fi
shift 3
phpize
./configure "$@"
make -j"$(nproc)"
make install'

# Enables it for each way to start PHP, which Debian keeps apart.
enable_extension() {
    if [ -d "/etc/php/$short/mods-available" ] && command -v phpenmod > /dev/null; then
        printf '; priority=30\nextension=%s\n' "$1" > "/etc/php/$short/mods-available/$1.ini"
        phpenmod -v "$short" "$1"
        return
    fi
    scan=$(php -r 'echo PHP_CONFIG_FILE_SCAN_DIR;')
    if [ -z "$scan" ]; then
        note "PHP of this image reads no directory of ini files, so $1 was not enabled"
        return 1
    fi
    printf 'extension=%s\n' "$1" > "$scan/zz-$1.ini"
}

need_binary() {
    kind=$1 name=$2 package=$3
    # Debian has php-fpm8.2, Alpine php-fpm82, official images php-fpm.
    [ "$kind" = versioned ] && names="$name$short $name$(printf '%s' "$short" | tr -d .) $name" || names=$name
    for attempt in here installed; do
        for candidate in $names; do
            path=$(command -v "$candidate") || continue
            if [ "$kind" = versioned ]; then
                found=$("$path" -v 2>&1 | sed -n 's/^PHP \([^ ]*\).*/\1/p' | head -n 1)
                if [ "$found" != "$full" ]; then
                    note "$path is PHP $found, but the image's php is $full: every mode needs the same"
                    continue
                fi
            fi
            ln -sf "$path" "$bin/$name"
            return
        done
        [ "$attempt" = here ] && { from_package "$package" || break; }
    done
    [ "$name" = php-fpm ] && command -v docker-php-ext-install > /dev/null && note "official PHP images: only the variants named -fpm have it"
    missing="$missing $name"
}

# Whether a version equals the requested one or begins with it.
is_asked() {
    case $2.${1}. in -.* | "$2.$2."*) return 0 ;; esac
    return 1
}

need_extension() {
    name=$1 package=$2 pecl=$3 options=$4 asked=$5 pie=$6
    if has_extension "$name"; then
        version=$(php -r 'echo phpversion($argv[1]);' "$name")
        is_asked "$version" "$asked" && return
        note "$name $version is in the image, but the configuration asks for $asked"
        missing="$missing ext-$name"
        return
    fi
    if [ "$asked" = - ] || is_asked "$(apt-cache policy "$package" 2> /dev/null | sed -nE 's/^ *Candidate: ([0-9]+:)?([0-9.]*).*/\2/p')" "$asked"; then
        from_package "$package"
    fi
    # Alpine has a package for each extension, Debian one for several.
    has_extension "$name" || [ "$asked" != - ] || ! command -v apk > /dev/null || from_package "php$short-$name"
    has_extension "$name" && return
    from_source "$name" "$pecl" "$options" "$pie"
    has_extension "$name" || missing="$missing ext-$name"
}

while read -r kind name package pecl options asked pie; do
    package=$(printf '%s' "$package" | sed "s/{php}/$short/g")
    case $kind in
        extension) need_extension "$name" "$package" "$pecl" "${options:--}" "${asked:--}" "${pie:--}" < /dev/null ;;
        download) cp "${0%/*}/program-$name" "$bin/$name" && chmod 755 "$bin/$name" || missing="$missing $name" ;;
        *) need_binary "$kind" "$name" "$package" < /dev/null ;;
    esac
done

# Removes lines that load debuggers from every ini file that a PHP of this image reads: they slow every request, and Xdebug crashes Swoole.
for program in "$bin/php" "$bin/php-fpm"; do
    [ -e "$program" ] || continue
    "$program" -i | tr , '\n' | sed -n -e 's/^.* parsed => //' -e 's/^Loaded Configuration File => //' -e '/^\/.*\.ini$/p' | sort -u |
        while read -r file; do
            grep -qiE "$LOADS" "$file" || continue
            # Debian has links there, to a file that remains.
            grep -viE "$LOADS" "$file" > "$file.quiet"
            mv -f "$file.quiet" "$file"
        done
done
rm -rf /var/lib/apt/lists/*

if [ -n "$missing" ]; then
    echo "async-php-bench: this image (PHP $full) lacks what the modes need:$missing. Tried:$tried"
    echo 'Put it into your image; a Dockerfile that does is in examples/docker of async-php-bench.'
    exit 1
fi
