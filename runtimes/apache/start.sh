#!/bin/sh
# Starts Apache, which refuses to serve as root: as root it runs as nobody, with root's right to read files.
set -eu
if [ "$(id -u)" = 0 ]; then
    exec setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=+dac_override --ambient-caps=+dac_override "$@"
fi
exec "$@"
