#!/usr/bin/env bash
# From the network in use to the next one: games of the program against itself, a network trained on them,
# and a match of the two networks.
#
#   bench/train_network.sh FOLDER [POSITIONS [EPOCHS [GAMES [TRAIN OPTION...]]]]
#
# FOLDER keeps everything: one for each network. A run that was stopped goes on when the same command is
# given again. Defaults: 5000000 positions, 20 epochs, at most 20000 games of the match. More options go to
# `vato train`, for example `--learning-rate 0.002`.
# VATO is the program, built with `--features lab` (target/release/vato), NODES are searched for each move of the
# games (5000), TC is the clock of the match (2+0.02), SEED is what games, order and network derive from (0).
#
# A network that the match finds stronger is copied to src/engine/network/standard.net. Else nothing in the
# repository is changed, and the exit code is 1.
set -euo pipefail

if [ $# -lt 1 ]; then
    sed -n '5s/^# */usage: /p' "$0" >&2
    exit 2
fi
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$1 positions=${2:-5000000} epochs=${3:-20} games=${4:-20000}
shift $(($# < 4 ? $# : 4))
vato=${VATO:-$root/target/release/vato}
seed=${SEED:-0}
mkdir -p "$folder"

# A complete file is left as it is.
"$vato" selfplay --positions "$positions" --nodes "${NODES:-5000}" --seed "$seed" --out "$folder/games.data"

# Goes on from new.checkpoint.
"$vato" train --data "$folder/games.data" --epochs "$epochs" --seed "$seed" --out "$folder/new.net" "$@"

# The new network against the one in the program.
record=$folder/match
if [ -e "$record.jsonl" ]; then
    start=(--resume "$record.jsonl")
else
    start=(--engine "name=new,cmd=$vato,option.EvalFile=$folder/new.net" --engine "name=old,cmd=$vato"
        --each "tc=${TC:-2+0.02},option.Hash=16" --openings balanced --seed "$seed"
        --games "$games" --sprt elo0=0,elo1=10 --out "$record")
fi
"$vato" match "${start[@]}" | tee "$folder/match.txt"

# The decision is in the line of the test.
if ! grep -q "^test .*SPRT: H1 accepted" "$folder/match.txt"; then
    echo "the new network is not shown to be stronger: $folder/new.net is not taken" >&2
    exit 1
fi
cp "$folder/new.net" "$root/src/engine/network/standard.net"
echo "src/engine/network/standard.net is the new network: build the program, run its tests, and commit with the new Bench:"
