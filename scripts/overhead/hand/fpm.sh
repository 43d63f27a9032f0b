#!/bin/sh
# Starts php-fpm and nginx as a developer would by hand: a static pool of 16 behind a Unix socket.
set -eu
dir=$(mktemp -d "$PWD/fpm-XXXXXX")
cat >"$dir/fpm.conf" <<CONF
[global]
error_log = /dev/stderr
daemonize = no
[www]
$([ "$(id -u)" = 0 ] && printf 'user = root\ngroup = root')
listen = $dir/fpm.sock
listen.backlog = 4096
pm = static
pm.max_children = 16
clear_env = no
CONF
cat >"$dir/nginx.conf" <<CONF
daemon off;
$([ "$(id -u)" = 0 ] && echo 'user root;')
pid $dir/nginx.pid;
worker_processes auto;
error_log stderr;
events { worker_connections 4096; }
http {
    access_log off;
    client_body_temp_path $dir/body;
    fastcgi_temp_path $dir/fastcgi;
    proxy_temp_path $dir/proxy;
    uwsgi_temp_path $dir/uwsgi;
    scgi_temp_path $dir/scgi;
    keepalive_requests 100000000;
    server {
        listen 127.0.0.1:$PORT backlog=4096;
        location / {
            include /etc/nginx/fastcgi_params;
            fastcgi_param SCRIPT_FILENAME $PWD/hand/front.php;
            fastcgi_pass unix:$dir/fpm.sock;
        }
    }
}
CONF
version=$(php -r 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;')
"$(command -v "php-fpm$version" || command -v php-fpm)" -R -y "$dir/fpm.conf" &
until [ -S "$dir/fpm.sock" ]; do sleep 0.05; done
exec nginx -p "$dir" -c "$dir/nginx.conf" -e stderr
