# syntax=docker/dockerfile:1

# The NATS server in the version that the tests run (deploy/nats/go.mod), without a shell.
FROM --platform=$BUILDPLATFORM golang:1.26.8-alpine AS build
ARG TARGETOS TARGETARCH
ARG NATS_VERSION=v2.15.2
ENV CGO_ENABLED=0 GOTOOLCHAIN=local GOFLAGS="-trimpath -buildvcs=false -ldflags=-s"
WORKDIR /build
# "go install" cannot cross-compile into a chosen folder; "go build" in a module that requires the server can.
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    go mod init build && go get github.com/nats-io/nats-server/v2@$NATS_VERSION && mkdir -p /out/data && \
    GOOS=$TARGETOS GOARCH=$TARGETARCH go build -o /out/nats-server github.com/nats-io/nats-server/v2
WORKDIR /src
COPY devstack/go.mod devstack/
COPY platform/ platform/
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    GOOS=$TARGETOS GOARCH=$TARGETARCH go -C platform build -o /out/healthcheck ./cmd/healthcheck

FROM gcr.io/distroless/static-debian13:nonroot
COPY --from=build /out/nats-server /out/healthcheck /
COPY --from=build --chown=65532:65532 /out/data /data
ENV NATS_STORE_DIR=/data
USER 65532:65532
EXPOSE 4222 8222
ENTRYPOINT ["/nats-server"]
CMD ["--config", "/etc/nats/nats-server.conf"]
