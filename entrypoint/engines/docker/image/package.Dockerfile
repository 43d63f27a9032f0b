# One more package of a Debian base: a database server or Redis, for daemons that cannot pull the official image, or a tool.
ARG BASE=debian:bookworm-slim
FROM ${BASE}
ARG PACKAGE
RUN printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d && chmod 755 /usr/sbin/policy-rc.d \
 && apt-get -o Acquire::Retries=1 -o Acquire::http::Timeout=15 update -qq \
 && DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=1 -o Acquire::http::Timeout=15 install -y -qq --no-install-recommends "${PACKAGE}" \
 && rm -rf /var/lib/apt/lists/* /var/lib/mysql/* /var/lib/postgresql/*
