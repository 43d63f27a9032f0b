# Creates a cluster and becomes PostgreSQL. Arguments: options of the server.
set -eu
home=/var/lib/postgresql/async-php-bench
# Debian keeps each version's programs in its own folder. The newest is used.
for bin in /usr/lib/postgresql/*/bin; do PATH=$bin:$PATH; done
mkdir -p "$home"
initdb --pgdata="$home/data" --username=postgres --auth-local=trust --auth-host=scram-sha-256 \
    --encoding=UTF8 --locale=C.UTF-8 --no-sync --no-instructions > /dev/null
exec postgres -D "$home/data" "$@"
