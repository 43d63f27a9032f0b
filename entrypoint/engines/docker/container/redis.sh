# Becomes Redis, or Valkey. Arguments: options of the server.
for server in redis-server valkey-server; do
    command -v "$server" > /dev/null && exec "$server" "$@"
done
echo 'neither redis-server nor valkey-server is in the image' >&2
exit 1
