# The bare Debian 12 that set-up is tried on, and a place to work for those who have another system.
#
#   docker build -t kvarium .
#   docker run --rm -it kvarium         builds and runs all tests
#   docker run --rm -it kvarium bash    to look around; scripts/run writes a picture, as there is no display
#
# Nothing is installed here but by scripts/setup, so a package that set-up forgets is missing here, too.

FROM debian:bookworm AS machine
RUN useradd --create-home --shell /bin/bash ada

# Only what set-up reads, so that this step is done again when set-up changes and at no other time.
COPY scripts/setup scripts/common.sh /opt/kvarium/scripts/
COPY scripts/sdist_stub /opt/kvarium/scripts/sdist_stub
RUN /opt/kvarium/scripts/setup --packages --fuzz && rm -rf /var/lib/apt/lists/*

# From here on no step is root, as for most who build: with all packages there, set-up needs none.
USER ada
RUN /opt/kvarium/scripts/setup && mkdir /home/ada/kvarium
WORKDIR /home/ada/kvarium

FROM machine
COPY --chown=ada:ada . .
CMD ["scripts/test"]
