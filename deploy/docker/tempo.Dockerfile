# syntax=docker/dockerfile:1

# Tempo as it is published, which has no shell and no client, with a program that asks whether it is well.
FROM --platform=$BUILDPLATFORM golang:1.26.8-alpine AS build
ARG TARGETOS TARGETARCH
ENV CGO_ENABLED=0 GOWORK=off GOTOOLCHAIN=local GOFLAGS="-trimpath -buildvcs=false -ldflags=-s"
WORKDIR /src
COPY devstack/go.mod devstack/
COPY platform/ platform/
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    GOOS=$TARGETOS GOARCH=$TARGETARCH go -C platform build -o /out/healthcheck ./cmd/healthcheck

FROM grafana/tempo:2.8.2
COPY --from=build /out/healthcheck /healthcheck
