#!/bin/sh
# Draws the README's pictures with the program itself: assets/pictures.sh [FOLDER]
# A picture is a line below; APIDISC is the program, by default the one that cargo builds.
set -eu
folder=${1:-$(dirname "$0")}
# A configuration of one's own is not in the pictures.
nowhere=/nowhere
picture() {
    name=$1
    shift
    set -- --demo --theme dark --screenshot "$folder/$name.svg" "$@"
    if [ -n "${APIDISC:-}" ]; then
        HOME=$nowhere XDG_CONFIG_HOME=$nowhere "$APIDISC" "$@"
    else
        XDG_CONFIG_HOME=$nowhere cargo run --quiet --locked -- "$@"
    fi
}

picture explorer --size 120x34 --keys '<tab>'
picture finder --size 110x28 --keys 'fstation<down>'
picture card --size 110x34 --keys 'fstation kind:class<enter><enter>'
picture argument --size 110x28 --keys 'fstation(latitude<enter><enter>'
picture calls --size 110x28 --keys 'fstation kind:class<enter><enter>c'
picture tuning --size 120x34 --keys 'u'
picture tour --size 110x30 --keys '<tab>' --keys 'fstation' --keys '<enter>' --keys '<enter>' --keys 'c' --keys '<esc>u' \
    --keys '<esc>f"retry a request"'
