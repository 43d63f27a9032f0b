# The environment for a repository without its own image: PHP from the packages of a Debian base.
# Further needs of the modes (FPM, nginx, extensions) are installed on top, as into every image.
ARG BASE=debian:bookworm-slim
FROM ${BASE}
ARG PHP=
RUN printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d && chmod 755 /usr/sbin/policy-rc.d \
 && if ! command -v php > /dev/null; then \
      apt-get -o Acquire::Retries=1 -o Acquire::http::Timeout=15 update -qq \
      && DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=1 -o Acquire::http::Timeout=15 install -y -qq --no-install-recommends \
           ca-certificates git unzip "php${PHP}-cli" "php${PHP}-mbstring" "php${PHP}-xml" "php${PHP}-curl" "php${PHP}-intl" "php${PHP}-zip" composer \
      && rm -rf /var/lib/apt/lists/*; \
    fi \
 && if [ -n "${PHP}" ] && [ "$(php -r 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;')" != "${PHP}" ]; then \
      echo "docker.php is ${PHP}, but the base image ${BASE} brings PHP $(php -r 'echo PHP_VERSION;')"; exit 1; \
    fi
WORKDIR /app
