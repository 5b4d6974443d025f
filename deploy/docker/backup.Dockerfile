# syntax=docker/dockerfile:1

# deploy/backup beside pg_dump and pg_restore, which must be of the server's version.
FROM --platform=$BUILDPLATFORM golang:1.26.8-alpine AS build
ARG TARGETOS TARGETARCH
ENV CGO_ENABLED=0 GOWORK=off GOTOOLCHAIN=local GOFLAGS="-trimpath -buildvcs=false -ldflags=-s"
WORKDIR /src
COPY deploy/backup/ deploy/backup/
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    GOOS=$TARGETOS GOARCH=$TARGETARCH go -C deploy/backup build -o /out/backup .

FROM postgres:18.6-alpine
COPY --from=build /out/backup /backup
USER 65532:65532
ENTRYPOINT ["/backup"]
