# Creates a data directory and becomes the database server. Arguments: settings of the server. APB_PASSWORD: the password of the user bench.
set -eu
home=/var/lib/mysql/async-php-bench
mkdir -p "$home"
# One statement per line, because the server reads only the first of a line.
printf "CREATE USER 'bench'@'%%' IDENTIFIED BY '%s';\nGRANT ALL ON *.* TO 'bench'@'%%' WITH GRANT OPTION;\n" "$APB_PASSWORD" > "$home/init.sql"
unset APB_PASSWORD
if server=$(command -v mariadbd); then
    mariadb-install-db --no-defaults --datadir="$home/data" --auth-root-authentication-method=normal --skip-test-db > /dev/null
    set -- --no-defaults "$@"
else
    server=$(command -v mysqld || echo /usr/sbin/mysqld)
    "$server" --no-defaults --initialize-insecure --datadir="$home/data"
    set -- --no-defaults --mysqlx=0 "$@"
fi
exec "$server" "$@" --datadir="$home/data" --socket="$home/socket" --pid-file="$home/pid" --tmpdir="$home" --init-file="$home/init.sql" \
    --port=3306 --bind-address=0.0.0.0 --skip-log-bin --skip-name-resolve
