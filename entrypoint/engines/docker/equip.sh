#!/bin/sh
# Installs into an image what the modes need and it lacks. Standard input holds a need a line:
#   binary NAME PACKAGE | versioned NAME PACKAGE | extension NAME PACKAGE PECL
# {php} in a package stands for the version of the image's PHP; - stands for none.
# Links to what the runtimes start come into /opt/async-php-bench-bin. Ends with 1 and what was tried where something is missing.
set -u
export DEBIAN_FRONTEND=noninteractive PATH="$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
bin=/opt/async-php-bench-bin
mkdir -p "$bin"
tried=''
missing=''
indexed=''

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

# Installing a package must not start its service.
if [ -d /usr/sbin ] && [ ! -e /usr/sbin/policy-rc.d ]; then
    printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d && chmod 755 /usr/sbin/policy-rc.d
fi

from_package() {
    [ "$1" = - ] && return 1
    if command -v apt-get > /dev/null; then
        if [ -z "$indexed" ]; then
            apt-get update -qq || note "apt-get update failed"
            indexed=1
        fi
        case $(apt-cache policy "$1") in
            *'Candidate: (none)'* | '') note "apt: no package $1 in the image's sources" && return 1 ;;
        esac
        apt-get install -y -qq --no-install-recommends "$1" || { note "apt-get install $1 failed" && return 1; }
    elif command -v apk > /dev/null; then
        # Alpine's names: php82-fpm for php8.2-fpm, nginx for nginx-light.
        name=$(printf '%s' "$1" | sed -e 's/^php\([0-9]*\)\.\([0-9]*\)-/php\1\2-/' -e 's/^nginx-light$/nginx/')
        apk add --no-cache "$name" || { note "apk: $name could not be added" && return 1; }
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

# As the official images do; elsewhere by PECL's own tools.
from_source() {
    name=$1 pecl=$2
    if command -v docker-php-ext-install > /dev/null && [ -d "/usr/src/php/ext/$name" -o -e /usr/src/php.tar.xz ]; then
        if [ "$pecl" = - ]; then
            docker-php-ext-install -j2 "$name" && return 0
            note "docker-php-ext-install $name failed"
        fi
    fi
    [ "$pecl" = - ] && return 1
    if ! command -v phpize > /dev/null; then
        from_package "php$short-dev"
        from_package php-pear
    fi
    if ! command -v pecl > /dev/null; then
        note "PECL: no pecl in the image for $pecl"
        return 1
    fi
    command -v apk > /dev/null && [ -n "${PHPIZE_DEPS:-}" ] && apk add --no-cache $PHPIZE_DEPS linux-headers
    # Questions of the package are answered with what it proposes.
    if ! yes '' | timeout 1200 pecl install -f "$pecl"; then
        note "pecl install $pecl failed"
        return 1
    fi
    scan=$(php -r 'echo PHP_CONFIG_FILE_SCAN_DIR;')
    [ -n "$scan" ] && has_extension "$name" || printf 'extension=%s\n' "$name" > "$scan/zz-$name.ini"
}

need_binary() {
    kind=$1 name=$2 package=$3
    [ "$kind" = versioned ] && names="$name$short $name" || names=$name
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
    missing="$missing $name"
}

need_extension() {
    name=$1 package=$2 pecl=$3
    has_extension "$name" && return
    from_package "$package"
    has_extension "$name" && return
    from_source "$name" "$pecl"
    has_extension "$name" || missing="$missing ext-$name"
}

while read -r kind name package pecl; do
    package=$(printf '%s' "$package" | sed "s/{php}/$short/g")
    case $kind in
        extension) need_extension "$name" "$package" "$pecl" < /dev/null ;;
        *) need_binary "$kind" "$name" "$package" < /dev/null ;;
    esac
done
rm -rf /var/lib/apt/lists/*

if [ -n "$missing" ]; then
    echo "async-php-bench: this image (PHP $full) lacks what the modes need:$missing. Tried:$tried"
    echo 'Put it into your image; a Dockerfile that does is in examples/docker of async-php-bench.'
    exit 1
fi
