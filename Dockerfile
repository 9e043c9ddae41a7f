# A static binary on an empty system, not run as root.
#
#   docker build -t ringpost .
#   docker run -v ringpost:/data ringpost init --address gm@liga.example
#   docker run -d --name ringpost -v ringpost:/data --restart unless-stopped ringpost
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o /out/ringpost ./cmd/ringpost \
 && mkdir -p /out/data /out/tmp

FROM scratch
# Mail servers are reached over TLS.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/ringpost /ringpost
COPY --from=build --chown=65532:65532 /out/data /data
COPY --from=build --chown=65532:65532 /out/tmp /tmp
USER 65532:65532
ENV RINGPOST_DATA=/data
VOLUME /data
HEALTHCHECK --interval=1m --timeout=10s --start-period=30s CMD ["/ringpost", "health"]
ENTRYPOINT ["/ringpost"]
CMD ["serve"]
