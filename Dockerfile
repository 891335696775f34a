# syntax=docker/dockerfile:1
# Three stages: the build, the files that the program needs of a system, and an image of these files alone.
FROM oven/bun:1.4.5 AS build
WORKDIR /src
COPY package.json bun.lock bunfig.toml ./
RUN bun install --frozen-lockfile --ignore-scripts
COPY . .
RUN bun build.ts --outfile /out/spanledger

FROM debian:13-slim AS system
COPY --from=build /out/spanledger /image/usr/bin/spanledger
# The C library and its loader, at the places where the program looks for them.
RUN for file in $(ldd /image/usr/bin/spanledger | grep -o '/[^ ]*'); do \
      mkdir -p "/image$(dirname "$file")" && cp -L "$file" "/image$file"; \
    done \
 && mkdir -p /image/etc /image/data /image/tmp \
 && echo 'spanledger:x:10001:10001::/data:/sbin/nologin' >/image/etc/passwd \
 && echo 'spanledger:x:10001:' >/image/etc/group \
 && chown 10001:10001 /image/data \
 && chmod 0700 /image/data \
 && chmod 1777 /image/tmp

FROM scratch
COPY --from=system /image/ /
USER 10001:10001
WORKDIR /data
VOLUME /data
ENV DATABASE_URL=file:/data/ledger.db HOST=0.0.0.0
EXPOSE 4318
# The root may be read-only; /tmp must be writable and allow programs, because the driver is unpacked there.
ENTRYPOINT ["/usr/bin/spanledger"]
CMD ["serve"]
