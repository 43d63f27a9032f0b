#!/bin/sh
# Starts Apache, which refuses to serve as root: there it runs as nobody, who may still read what root may.
set -eu
if [ "$(id -u)" = 0 ]; then
    exec setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=+dac_override --ambient-caps=+dac_override "$@"
fi
exec "$@"
