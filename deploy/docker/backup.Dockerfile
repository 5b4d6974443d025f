# syntax=docker/dockerfile:1

# deploy/backup with its tools: rclone, and pg_dump and pg_restore of the server's version.
FROM rclone/rclone:1.71.2 AS rclone

FROM postgres:18.6-alpine
COPY --from=rclone /usr/local/bin/rclone /usr/local/bin/rclone
COPY deploy/backup/backup.sh /backup
USER 65532:65532
ENTRYPOINT ["/backup"]
