# syntax=docker/dockerfile:1

# MinIO's community edition is published as source only. This is its last release with what
# sets it up for Capzone (deploy/minio), without a shell.
FROM --platform=$BUILDPLATFORM golang:1.26.8-alpine AS build
ARG TARGETOS TARGETARCH
ARG MINIO_VERSION=v0.0.0-20260212201848-7aac2a2c5b7c
ENV CGO_ENABLED=0 GOTOOLCHAIN=local GOFLAGS="-trimpath -buildvcs=false -ldflags=-s"
WORKDIR /build
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    go mod init build && go get github.com/minio/minio@$MINIO_VERSION && mkdir -p /out/data && \
    GOOS=$TARGETOS GOARCH=$TARGETARCH go build -tags kqueue -o /out/minio github.com/minio/minio
WORKDIR /src
COPY devstack/go.mod devstack/
COPY platform/ platform/
COPY deploy/minio/ deploy/minio/
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    export GOWORK=off GOOS=$TARGETOS GOARCH=$TARGETARCH && \
    go -C platform build -o /out/healthcheck ./cmd/healthcheck && \
    go -C deploy/minio build -o /out/provision-storage .

FROM gcr.io/distroless/static-debian13:nonroot
COPY --from=build /out/minio /out/healthcheck /out/provision-storage /
COPY --from=build --chown=65532:65532 /out/data /data
USER 65532:65532
EXPOSE 9000
ENTRYPOINT ["/minio"]
CMD ["server", "/data", "--address", ":9000"]
